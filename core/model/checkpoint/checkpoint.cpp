#include "core/model/checkpoint/checkpoint.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/checkpoint/index.hpp"
#include "core/model/checkpoint/slots.hpp"
#include "core/model/config/decoder_families.hpp"
#include "core/model/model_source.hpp"
#include "core/model/safetensors/tensor.hpp"

namespace kv {
namespace {

constexpr const char* kConfigFile = "config.json";
constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";
constexpr const char* kTogether = "use config.json and weights of one and the same model";
constexpr const char* kShards = "download the model's shards and index again";

[[noreturn]] void refuse(const std::string& path, const std::string& rule,
                         const std::string& advice) {
    throw Error{ErrorCode::World, shown(path) + rule + "; " + advice + "."};
}

// A link that leads nowhere is there too: opening it says what is wrong with it.
bool is_there(const std::string& path) {
    std::error_code unknown;
    return std::filesystem::symlink_status(path, unknown).type() !=
           std::filesystem::file_type::not_found;
}

std::string without_slashes_at_end(std::string folder) {
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    return folder;
}

WeightIndex read_index(const std::string& path) {
    const auto text = read_bounded_file(path, kMaxWeightIndexBytes);
    if (const auto* no = std::get_if<FileRefusal>(&text)) refuse(path, " " + no->rule, no->advice);
    auto index = parse_weight_index(std::get<std::string>(text));
    if (const auto* no = std::get_if<FileRefusal>(&index)) {
        refuse(path, ": " + no->rule, no->advice);
    }
    return std::get<WeightIndex>(std::move(index));
}

}  // namespace

Checkpoint::Checkpoint(const std::string& folder)
    : folder_(without_slashes_at_end(folder)),
      config_(read_model_config(path(kConfigFile))),
      stored_config_(config_) {}

std::string Checkpoint::path(std::string_view file) const {
    return folder_ + "/" + std::string(file);
}

Checkpoint Checkpoint::open(const std::string& source) {
    if (source.empty()) refuse("the model's folder", " has no name", "name a folder");
    // A folder that is really called so is no folded one.
    const ModelSource from =
        is_there(source) ? ModelSource{source, {}} : parse_model_source(source);
    Checkpoint checkpoint{from.name};
    if (const auto why = running_objection(checkpoint.config_)) {
        refuse(checkpoint.folder_, " " + *why,
               "use a " + names_of_run_families("or") +
                   " model in f32, f16 or bf16 whose rope scaling is none, linear or llama3");
    }
    checkpoint.open_weights();
    checkpoint.check_needed();
    checkpoint.check_surplus();
    if (from.kv_heads) checkpoint.fold_to(*from.kv_heads);
    return checkpoint;
}

void Checkpoint::fold_to(u64 kv_heads) {
    const u64 stored = config_.n_kv_heads;
    if (kv_heads == 0 || stored % kv_heads != 0)
        throw Error{ErrorCode::Usage, shown(folder_) + " has " + with_commas(stored) +
                                          " KV heads, which cannot be folded to " +
                                          with_commas(kv_heads) +
                                          "; write +kv and a number that divides them."};
    config_.n_kv_heads = kv_heads;
}

void Checkpoint::open_weights() {
    const bool single = is_there(path(kSingleFile)), sharded = is_there(path(kIndexFile));
    const std::string index = kIndexFile;
    if (single && sharded) {
        refuse(folder_, " holds both " + std::string(kSingleFile) + " and " + index,
               "remove the one that is not meant");
    }
    if (!single && !sharded) {
        refuse(folder_, " holds neither " + std::string(kSingleFile) + " nor " + index,
               "use a model with safetensors weights");
    }
    if (single) {
        open_file(kSingleFile);
    } else {
        open_shards(read_index(path(kIndexFile)));
    }
}

void Checkpoint::open_file(const std::string& file) {
    auto opened = SafetensorsFile::open(path(file));
    if (const auto* no = std::get_if<SafetensorsRefusal>(&opened)) {
        throw Error{ErrorCode::World, sentence_of(path(file), *no)};
    }
    files_.push_back(std::get<SafetensorsFile>(std::move(opened)));
}

void Checkpoint::open_shards(const WeightIndex& index) {
    for (const std::string& file : index.files) {
        if (!is_there(path(file))) {
            refuse(path(file), " is missing, which " + std::string(kIndexFile) + " names", kShards);
        }
        open_file(file);
        check_shard(index, file);
    }
}

// The shard that was opened last holds what the index puts into it, and nothing else: so every
// tensor is there exactly once.
void Checkpoint::check_shard(const WeightIndex& index, const std::string& file) const {
    const SafetensorsFile& shard = files_.back();
    for (const TensorInfo& tensor : shard.tensors()) {
        const auto entry = index.file_of.find(tensor.name);
        if (entry != index.file_of.end() && entry->second == file) continue;
        const std::string where = entry == index.file_of.end()
                                      ? "does not name"
                                      : "puts into \"" + shown(entry->second) + "\"";
        refuse(shard.path(),
               ": holds " + quoted_tensor(tensor.name) + ", which " + kIndexFile + " " + where,
               kShards);
    }
    for (const auto& [tensor, its_file] : index.file_of) {
        if (its_file != file || shard.find(tensor)) continue;
        refuse(shard.path(),
               ": " + quoted_tensor(tensor) + " is missing, which " + kIndexFile + " puts into it",
               kShards);
    }
}

std::optional<Checkpoint::Place> Checkpoint::find(std::string_view name) const {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        if (const TensorInfo* tensor = files_[i].find(name)) return Place{i, tensor};
    }
    return std::nullopt;
}

void Checkpoint::check_needed() const {
    Weights none;
    std::string first_missing;
    u64 missing = 0;
    for (const WeightSlot& slot : weight_slots(config_, none)) {
        const auto place = find(slot.name);
        if (!place) {
            if (missing++ == 0) first_missing = slot.name;
            continue;
        }
        if (place->tensor->shape == slot.shape) continue;
        refuse(files_[place->file].path(),
               ": " + quoted_tensor(slot.name) + " has shape " + shown_shape(place->tensor->shape) +
                   ", and config.json asks for " + shown_shape(slot.shape),
               kTogether);
    }
    if (missing == 0) return;
    const std::string more = missing > 1 ? " (and " + with_commas(missing - 1) + " more)" : "";
    refuse(
        folder_,
        ": " + quoted_tensor(first_missing) + " is missing" + more + ", which config.json asks for",
        kTogether);
}

void Checkpoint::check_surplus() const {
    Weights none;
    std::set<std::string> needed;
    for (const WeightSlot& slot : weight_slots(config_, none)) needed.insert(slot.name);
    for (const SafetensorsFile& file : files_) {
        for (const TensorInfo& tensor : file.tensors()) {
            if (needed.count(tensor.name) > 0 || is_harmless_surplus(config_, tensor.name))
                continue;
            refuse(file.path(),
                   ": holds " + quoted_tensor(tensor.name) + ", which config.json does not ask for",
                   kTogether);
        }
    }
}

}  // namespace kv
