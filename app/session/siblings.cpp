#include "app/session/siblings.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "app/session/loaded_model.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

fs::path folder_beside(const std::string& folder, const std::string& name) {
    const fs::path own = fs::absolute(parse_model_source(folder).name).lexically_normal();
    return (own.has_filename() ? own : own.parent_path()).parent_path() / name;
}

bool is_model(const fs::path& folder) {
    std::error_code failed;
    return fs::is_regular_file(folder / "config.json", failed);
}

std::string names_beside(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder_beside(folder, ""), failed))
        if (is_model(entry.path())) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::optional<std::string> words_of(const fs::path& folder) {
    std::ifstream file(folder / "tokenizer.json", std::ios::binary);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// Whether both models have the same words: only then can they be compared.
bool same_words(const std::string& folder, const std::string& name) {
    const auto own = words_of(parse_model_source(folder).name),
               others = words_of(folder_beside(folder, parse_model_source(name).name));
    return !own || !others || *own == *others;
}

std::string objection(const std::string& folder, u64 vocab_size, const std::string& name) {
    const fs::path beside = folder_beside(folder, name);
    if (!is_model(folder_beside(folder, parse_model_source(name).name)))
        return "draft " + shown(name) + " is no model beside " + shown(folder) + "; write one of " +
               names_beside(folder) + ", or ngram:3.";
    const u64 others = Checkpoint::open(beside.string()).config().vocab_size;
    if (others != vocab_size)
        return "draft " + name + " has a vocabulary of " + with_commas(others) +
               " tokens, and the run's model one of " + with_commas(vocab_size) +
               "; name a model that shares it.";
    if (!same_words(folder, name))
        return "draft " + name +
               " has other words for its tokens than the run's model; name a model that shares its "
               "vocabulary.";
    return {};
}

struct Sibling {
    Checkpoint checkpoint;
    LoadedWeights loaded;
};

DrafterParts load(const std::string& folder) {
    Checkpoint checkpoint = Checkpoint::open(folder);
    auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    KV_ASSERT(loaded.has_value());
    const auto sibling =
        std::make_shared<const Sibling>(Sibling{std::move(checkpoint), std::move(*loaded)});
    return {&sibling->checkpoint.config(), [sibling](const PoolSpec& pool) {
                return open_backend(sibling->checkpoint.config(), sibling->loaded.weights, "cpu",
                                    pool);
            }};
}

}  // namespace

std::string sibling_objection(const Checkpoint& of, const std::string& name) {
    return objection(of.folder(), of.config().vocab_size, name);
}

DrafterFinder siblings_of(const Checkpoint& of) {
    return [folder = of.folder(), vocab_size = of.config().vocab_size](const std::string& name) {
        if (const std::string why = objection(folder, vocab_size, name); !why.empty())
            throw Error(ErrorCode::Usage, why);
        return load(folder_beside(folder, name).string());
    };
}

}  // namespace kv
