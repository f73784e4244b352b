#pragma once
// The header of a .safetensors file, as a pure parser: eight bytes of length (little-endian), JSON
// that names tensors with type, shape and byte range, then the data. Accepted is only a file whose
// ranges cover the data from its first byte to its last without overlap or hole. Rules have the
// names that the format's reference reader gives them, where it knows them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

enum class TensorType : std::uint8_t { F32, F16, Bf16 };
u64 bytes_of(TensorType type);
std::string_view name_of(TensorType type);  // "BF16", as the file has it

struct TensorInfo {
    std::string name;
    TensorType type = TensorType::F32;
    std::vector<u64> shape;
    u64 begin = 0, end = 0;  // bytes, counted from the first byte of the data

    u64 bytes() const { return end - begin; }
};

enum class SafetensorsFault : std::uint8_t {
    IoError,                   // the file cannot be opened or read
    HeaderTooSmall,            // no room for the eight bytes of length
    HeaderTooLarge,            // a length above the format's limit, or above ours
    InvalidHeaderLength,       // a length that reaches past the end of the file
    InvalidHeaderStart,        // not a JSON object from the first byte on
    InvalidHeader,             // not UTF-8, not JSON, a key twice, too deep
    InvalidMetadata,           // __metadata__ that is not text to text
    TooManyTensors,            // more than we hold
    InvalidName,               // an empty or a very long name
    TensorInvalidInfo,         // fields missing or unknown; a size that is not the range's
    UnknownDtype,              // no type of the format
    UnsupportedDtype,          // a type of the format that is not read here
    InvalidShape,              // dimensions that are no whole numbers, or too many of them
    ValidationOverflow,        // more bytes than 64 bits can count
    InvalidOffset,             // a range reversed, overlapping or after a hole
    MetadataIncompleteBuffer,  // the ranges end before or after the file does
};
std::string_view name_of(SafetensorsFault fault);

struct SafetensorsRefusal {
    SafetensorsFault fault;     // what is wrong, as a name: "InvalidOffset"
    std::string rule;           // the same in words: "tensor \"a\" ends at byte 8 of the data, ..."
    std::string advice;         // what to do, a sentence without its full stop
    std::string tensor;         // the tensor that it is about, or ""
    std::optional<u64> offset;  // the byte of the file, where it is about the header's text
};

// "the header ... (InvalidHeader, near byte 9); copy the file again", one line without full stop.
std::string text_of(const SafetensorsRefusal& refusal);

constexpr u64 kSafetensorsLengthBytes = 8;

// The header's length out of the file's first bytes (at least eight, unless the file is shorter).
std::variant<u64, SafetensorsRefusal> safetensors_header_length(std::string_view first_bytes,
                                                                u64 file_bytes);

// The header's text. The tensors come sorted by where their data lies.
std::variant<std::vector<TensorInfo>, SafetensorsRefusal> parse_safetensors_header(
    std::string_view header, u64 data_bytes);

std::string shown_shape(const std::vector<u64>& shape);  // "[64, 16]"

}  // namespace kv
