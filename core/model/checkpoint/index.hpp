#pragma once
// model.safetensors.index.json: which of several files holds which tensor. A pure parser; the names
// of files are plain ones, so that nothing outside the model's folder is ever opened. Of the rest
// of the file ("metadata": sizes, counts) nothing is believed, because the shards say it better.

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/files/regular_file.hpp"

namespace kv {

struct WeightIndex {
    std::map<std::string, std::string> file_of;  // by the tensor's name
    std::vector<std::string> files;              // each once, sorted
};

constexpr u64 kMaxWeightIndexBytes = u64{1} << 20U;

std::variant<WeightIndex, FileRefusal> parse_weight_index(std::string_view text);

}  // namespace kv
