#pragma once
// One .safetensors file, opened and its header checked. The data stays in the file until it is
// asked for, piece by piece, so that loading can report and stop in between.

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/files/regular_file.hpp"
#include "core/model/safetensors/header.hpp"

namespace kv {

class SafetensorsFile {
public:
    static std::variant<SafetensorsFile, SafetensorsRefusal> open(const std::string& path);

    const std::string& path() const { return path_; }
    const RegularFile& file() const { return file_; }
    const std::vector<TensorInfo>& tensors() const { return tensors_; }  // as they lie in the file
    const TensorInfo* find(std::string_view name) const;                 // null when there is none

    // Bytes [from, from + n) of a tensor of this file; they lie inside it.
    std::optional<SafetensorsRefusal> read(const TensorInfo& tensor, u64 from, void* out,
                                           std::size_t n) const;

private:
    SafetensorsFile(std::string path, RegularFile file, u64 data_start,
                    std::vector<TensorInfo> tensors);

    std::string path_;
    RegularFile file_;
    u64 data_start_;
    std::vector<TensorInfo> tensors_;
    std::vector<std::size_t> by_name_;  // indices of tensors_, in order of their names
};

// The whole sentence: path, what is wrong, what to do.
std::string sentence_of(const std::string& path, const SafetensorsRefusal& refusal);

}  // namespace kv
