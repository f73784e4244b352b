#include "core/model/checkpoint/index.hpp"

#include <optional>
#include <set>

#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kMaxIndexDepth = 8;
constexpr std::size_t kMaxTensorsInIndex = 4096, kMaxTensorName = 256;
constexpr std::size_t kMaxFiles = 256;  // all of them are open at once
constexpr std::size_t kMaxFileName = 255;

std::optional<FileRefusal> check_file_name(const std::string& tensor, const std::string& file) {
    const char* why = file.empty()                                     ? "is empty"
                      : file.find_first_of("/\\") != std::string::npos ? "has a slash"
                      : file == "." || file == ".."                    ? "is a folder"
                      : file.find('\0') != std::string::npos           ? "has a NUL byte"
                      : file.size() > kMaxFileName                     ? "is too long"
                                                                       : nullptr;
    if (!why) return std::nullopt;
    return FileRefusal{"weight_map puts \"" + shown(tensor) + "\" into \"" + shown(file) +
                           "\", which is no plain file name (it " + why + ")",
                       kAsPublished};
}

std::optional<FileRefusal> check_entry(const std::string& tensor, const Json& file) {
    if (tensor.empty() || tensor.size() > kMaxTensorName) {
        return FileRefusal{"weight_map names a tensor of " + with_commas(tensor.size()) +
                               " bytes, and names have 1 to " + with_commas(kMaxTensorName),
                           kAsPublished};
    }
    if (!file.is_string()) {
        return FileRefusal{"weight_map names no file for \"" + shown(tensor) + "\"", kAsPublished};
    }
    return check_file_name(tensor, file.get<std::string>());
}

std::variant<WeightIndex, FileRefusal> read_map(const Json& map) {
    if (map.empty()) return FileRefusal{"weight_map is empty", kAsPublished};
    if (map.size() > kMaxTensorsInIndex) {
        return FileRefusal{"weight_map names " + with_commas(map.size()) +
                               " tensors, and the limit is " + with_commas(kMaxTensorsInIndex),
                           kAsPublished};
    }
    WeightIndex index;
    std::set<std::string> files;
    for (const auto& [tensor, file] : map.items()) {
        if (auto no = check_entry(tensor, file)) return std::move(*no);
        index.file_of.emplace(tensor, file.get<std::string>());
        files.insert(file.get<std::string>());
    }
    if (files.size() > kMaxFiles) {
        return FileRefusal{"weight_map names " + with_commas(files.size()) +
                               " files, and the limit is " + with_commas(kMaxFiles),
                           kAsPublished};
    }
    index.files.assign(files.begin(), files.end());
    return index;
}

}  // namespace

std::variant<WeightIndex, FileRefusal> parse_weight_index(std::string_view text) {
    const auto parsed = parse_strict_json(text, kMaxIndexDepth);
    if (const auto* no = std::get_if<JsonRefusal>(&parsed)) {
        return FileRefusal{"the text " + no->rule + " near byte " + with_commas(no->offset),
                           kAsPublished};
    }
    const Json& root = std::get<Json>(parsed);
    if (!root.is_object() || !root.contains("weight_map")) {
        return FileRefusal{"weight_map is missing", kAsPublished};
    }
    const Json& map = root["weight_map"];
    if (!map.is_object()) return FileRefusal{"weight_map is not an object", kAsPublished};
    return read_map(map);
}

}  // namespace kv
