#pragma once
// Writes .safetensors bytes for tests: good ones from tensors, broken ones from a header's text.
// It knows the format by itself and shares no code with the reader.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace kv::test {

struct FileTensor {
    std::string name;
    std::string dtype;  // "F32", "F16", "BF16"
    std::vector<std::uint64_t> shape;
    std::string data;
};

// Eight bytes, the lowest first.
inline std::string length_bytes(std::uint64_t length) {
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(length >> (8 * i) & 0xFFU);
    return out;
}

inline std::string with_header(std::string_view header, std::string_view data = "") {
    return length_bytes(header.size()) + std::string(header) + std::string(data);
}

// {"dtype":"F32","shape":[2],"data_offsets":[0,8]}
inline std::string tensor_json(const std::string& dtype, const std::string& shape,
                               const std::string& offsets) {
    return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}";
}

inline std::string shape_json(const std::vector<std::uint64_t>& shape) {
    std::string out = "[";
    for (const std::uint64_t d : shape) out += (out.size() > 1 ? "," : "") + std::to_string(d);
    return out + "]";
}

inline std::string safetensors_bytes(const std::vector<FileTensor>& tensors) {
    std::string header = R"({"__metadata__":{"format":"pt"})", data;
    for (const FileTensor& t : tensors) {
        const std::string offsets = "[" + std::to_string(data.size()) + "," +
                                    std::to_string(data.size() + t.data.size()) + "]";
        header += ",\"" + t.name + "\":" + tensor_json(t.dtype, shape_json(t.shape), offsets);
        data += t.data;
    }
    header += "}";
    while (header.size() % 8 != 0) header += ' ';  // as the usual writers do
    return with_header(header, data);
}

inline std::string f32_bytes(const std::vector<float>& values) {
    std::string out(values.size() * 4, '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

inline std::string codes_bytes(const std::vector<std::uint16_t>& codes) {
    std::string out(codes.size() * 2, '\0');
    std::memcpy(out.data(), codes.data(), out.size());
    return out;
}

}  // namespace kv::test
