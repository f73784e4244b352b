#pragma once
// One entry of a safetensors header: its name, type, shape and range, checked without regard to the
// other entries. How the ranges lie together is the header's matter. For the safetensors reader,
// and for those who refuse a tensor in its words.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "core/model/safetensors/header.hpp"

namespace kv {

constexpr const char* kTensorAdvice = "write the file again with the tool that made it";

std::variant<TensorInfo, SafetensorsRefusal> read_tensor_info(const std::string& name,
                                                              const nlohmann::json& value);

std::string quoted_tensor(const std::string& name);  // tensor "a"

}  // namespace kv
