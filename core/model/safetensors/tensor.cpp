#include "core/model/safetensors/tensor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;
using Fault = SafetensorsFault;
using Refusal = std::optional<SafetensorsRefusal>;

constexpr std::size_t kMaxName = 256;
constexpr std::size_t kMaxRank = 4;

// All other types that the format has.
constexpr std::array<std::string_view, 19> kNotRead{
    "BOOL",    "F4",      "F6_E2M3",     "F6_E3M2",     "U8",  "I8",  "F8_E5M2",
    "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I16", "U16", "I32",
    "U32",     "C64",     "F64",         "I64",         "U64"};

SafetensorsRefusal refuse(const std::string& name, Fault fault, const std::string& rule,
                          std::string advice = kTensorAdvice) {
    return {.fault = fault,
            .rule = quoted_tensor(name) + " " + rule,
            .advice = std::move(advice),
            .tensor = name,
            .offset = {}};
}

std::string shown_value(const Json& value) {
    return shown(value.dump(-1, ' ', true, Json::error_handler_t::replace));
}

Refusal check_name(const std::string& name) {
    if (!name.empty() && name.size() <= kMaxName) return std::nullopt;
    return refuse(name, Fault::InvalidName,
                  name.empty() ? "has an empty name"
                               : "has a name of " + with_commas(name.size()) +
                                     " bytes, and the limit is " + with_commas(kMaxName));
}

Refusal check_fields(const std::string& name, const Json& value) {
    if (!value.is_object()) {
        return refuse(name, Fault::TensorInvalidInfo, "is not described by an object");
    }
    constexpr std::array<std::string_view, 3> kFields{"data_offsets", "dtype", "shape"};
    for (const std::string_view field : kFields) {
        if (value.contains(field)) continue;
        return refuse(name, Fault::TensorInvalidInfo, "has no " + std::string(field));
    }
    for (const auto& [key, ignored] : value.items()) {
        if (std::find(kFields.begin(), kFields.end(), key) != kFields.end()) continue;
        return refuse(name, Fault::TensorInvalidInfo,
                      "has a field \"" + shown(key) + "\" that the format does not know");
    }
    return std::nullopt;
}

Refusal read_type(const Json& dtype, TensorInfo& tensor) {
    const std::string text = dtype.is_string() ? dtype.get<std::string>() : "";
    for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::Bf16}) {
        if (text != name_of(type)) continue;
        tensor.type = type;
        return std::nullopt;
    }
    const bool known = std::find(kNotRead.begin(), kNotRead.end(), text) != kNotRead.end();
    const std::string said = "has dtype " + shown_value(dtype) + ", which ";
    if (known) {
        return refuse(tensor.name, Fault::UnsupportedDtype, said + "this program does not read",
                      "use weights in F32, F16 or BF16");
    }
    return refuse(tensor.name, Fault::UnknownDtype, said + "is no type of the format");
}

// A list of numbers without sign, fraction or exponent.
bool read_whole_numbers(const Json& list, std::vector<u64>& out) {
    if (!list.is_array()) return false;
    for (const Json& each : list) {
        if (!each.is_number_unsigned()) return false;
        out.push_back(each.get<u64>());
    }
    return true;
}

Refusal read_shape(const Json& shape, TensorInfo& tensor) {
    if (shape.is_array() && shape.size() > kMaxRank) {
        return refuse(tensor.name, Fault::InvalidShape,
                      "has " + with_commas(shape.size()) + " dimensions, and the limit is " +
                          std::to_string(kMaxRank));
    }
    if (read_whole_numbers(shape, tensor.shape)) return std::nullopt;
    return refuse(tensor.name, Fault::InvalidShape,
                  "has shape " + shown_value(shape) + ", which is not a list of whole numbers");
}

Refusal read_range(const Json& offsets, TensorInfo& tensor) {
    std::vector<u64> range;
    if (!read_whole_numbers(offsets, range) || range.size() != 2) {
        return refuse(
            tensor.name, Fault::TensorInvalidInfo,
            "has data_offsets " + shown_value(offsets) + ", which are not two whole numbers");
    }
    tensor.begin = range[0];
    tensor.end = range[1];
    if (tensor.begin <= tensor.end) return std::nullopt;
    return refuse(tensor.name, Fault::InvalidOffset,
                  "starts at byte " + with_commas(tensor.begin) +
                      " of the data and ends before, at " + with_commas(tensor.end));
}

// One dimension of 0 makes the product 0, whatever the others are.
std::optional<u64> size_of(const TensorInfo& tensor) {
    if (std::count(tensor.shape.begin(), tensor.shape.end(), u64{0}) > 0) return 0;
    std::optional<u64> bytes = bytes_of(tensor.type);
    for (const u64 dimension : tensor.shape) {
        if (bytes) bytes = checked_mul(*bytes, dimension);
    }
    return bytes;
}

Refusal check_size(const TensorInfo& tensor) {
    const std::string shape = "has shape " + shown_shape(tensor.shape);
    const std::optional<u64> bytes = size_of(tensor);
    if (!bytes) {
        return refuse(tensor.name, Fault::ValidationOverflow,
                      shape + ", whose bytes do not fit 64 bits");
    }
    if (*bytes == tensor.bytes()) return std::nullopt;
    return refuse(tensor.name, Fault::TensorInvalidInfo,
                  shape + " and dtype " + std::string(name_of(tensor.type)) + ", " +
                      with_commas(*bytes) + " bytes, and its range has " +
                      with_commas(tensor.bytes()));
}

}  // namespace

std::string quoted_tensor(const std::string& name) {
    return "tensor \"" + shown(name) + "\"";
}

std::variant<TensorInfo, SafetensorsRefusal> read_tensor_info(const std::string& name,
                                                              const Json& value) {
    TensorInfo tensor;
    tensor.name = name;
    if (auto no = check_name(name)) return std::move(*no);
    if (auto no = check_fields(name, value)) return std::move(*no);
    if (auto no = read_type(value["dtype"], tensor)) return std::move(*no);
    if (auto no = read_shape(value["shape"], tensor)) return std::move(*no);
    if (auto no = read_range(value["data_offsets"], tensor)) return std::move(*no);
    if (auto no = check_size(tensor)) return std::move(*no);
    return tensor;
}

}  // namespace kv
