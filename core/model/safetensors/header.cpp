#include "core/model/safetensors/header.hpp"

#include <algorithm>
#include <utility>

#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/safetensors/tensor.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;
using Fault = SafetensorsFault;

constexpr u64 kFormatLimit = 100'000'000;
// A shard of a 70B model has less than 200 KB.
constexpr u64 kMaxHeader = u64{1} << 20U;
constexpr u64 kMaxHeaderDepth = 8;
constexpr std::size_t kMaxTensorsInFile = 4096;

constexpr const char* kOther = "this is probably not a safetensors file";
constexpr const char* kCopy = "copy the file again";

// About the text of the header: `offset` is the byte of the file.
SafetensorsRefusal at_byte(u64 offset, Fault fault, std::string rule, const char* advice) {
    return {
        .fault = fault, .rule = std::move(rule), .advice = advice, .tensor = "", .offset = offset};
}

// About what the header says, of one tensor or of none.
SafetensorsRefusal in_header(Fault fault, std::string rule, const char* advice,
                             std::string tensor = "") {
    return {.fault = fault,
            .rule = std::move(rule),
            .advice = advice,
            .tensor = std::move(tensor),
            .offset = {}};
}

std::optional<SafetensorsRefusal> check_metadata(const Json& metadata) {
    if (!metadata.is_object())
        return in_header(Fault::InvalidMetadata, "__metadata__ is not an object", kTensorAdvice);
    for (const auto& [key, value] : metadata.items()) {
        if (value.is_string()) continue;
        return in_header(Fault::InvalidMetadata,
                         "__metadata__ holds \"" + shown(key) + "\", which is not a text",
                         kTensorAdvice);
    }
    return std::nullopt;
}

std::variant<std::vector<TensorInfo>, SafetensorsRefusal> read_tensors(const Json& root) {
    std::vector<TensorInfo> tensors;
    for (const auto& [name, value] : root.items()) {
        if (name == "__metadata__") {
            if (auto no = check_metadata(value)) return std::move(*no);
            continue;
        }
        if (tensors.size() == kMaxTensorsInFile) {
            return in_header(
                Fault::TooManyTensors,
                "the header names more than " + with_commas(kMaxTensorsInFile) + " tensors",
                kOther);
        }
        auto tensor = read_tensor_info(name, value);
        if (auto* no = std::get_if<SafetensorsRefusal>(&tensor)) return std::move(*no);
        tensors.push_back(std::get<TensorInfo>(std::move(tensor)));
    }
    return tensors;
}

// An empty range may share its place with others, so ranges that start alike are in order of their
// ends.
void sort_by_place(std::vector<TensorInfo>& tensors) {
    std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        return a.end != b.end ? a.end < b.end : a.name < b.name;
    });
}

std::optional<SafetensorsRefusal> check_ranges(const std::vector<TensorInfo>& tensors,
                                               u64 data_bytes) {
    u64 covered = 0;
    for (const TensorInfo& tensor : tensors) {
        if (tensor.begin != covered) {
            return in_header(
                Fault::InvalidOffset,
                quoted_tensor(tensor.name) + " starts at byte " + with_commas(tensor.begin) +
                    " of the data, and the tensors before it end at " + with_commas(covered),
                kTensorAdvice, tensor.name);
        }
        covered = tensor.end;
    }
    if (covered == data_bytes) return std::nullopt;
    const bool cut = data_bytes < covered;
    return in_header(Fault::MetadataIncompleteBuffer,
                     "the header says that there are " + with_commas(covered) +
                         " bytes of data, and the file has " + with_commas(data_bytes),
                     cut ? "the file is cut short: copy it again"
                         : "something was added to the file: copy it again",
                     cut ? tensors.back().name : "");
}

}  // namespace

std::variant<u64, SafetensorsRefusal> safetensors_header_length(std::string_view first_bytes,
                                                                u64 file_bytes) {
    if (file_bytes < kSafetensorsLengthBytes || first_bytes.size() < kSafetensorsLengthBytes) {
        return at_byte(
            file_bytes, Fault::HeaderTooSmall,
            "the file has " + with_commas(file_bytes) + " bytes, too few for the header's length",
            kCopy);
    }
    u64 length = 0;
    for (std::size_t i = 0; i < kSafetensorsLengthBytes; ++i) {
        length |= u64{static_cast<unsigned char>(first_bytes[i])} << (8 * i);
    }
    const std::string said = "the header's length is " + with_commas(length);
    if (length > kFormatLimit) {
        return at_byte(0, Fault::HeaderTooLarge,
                       said + " bytes, and the format allows " + with_commas(kFormatLimit), kOther);
    }
    if (length > file_bytes - kSafetensorsLengthBytes) {
        return at_byte(0, Fault::InvalidHeaderLength,
                       said + " bytes, and the file has only " +
                           with_commas(file_bytes - kSafetensorsLengthBytes) + " after it",
                       kCopy);
    }
    if (length > kMaxHeader) {
        return at_byte(0, Fault::HeaderTooLarge,
                       said + " bytes, and the limit is " + with_commas(kMaxHeader), kOther);
    }
    return length;
}

std::variant<std::vector<TensorInfo>, SafetensorsRefusal> parse_safetensors_header(
    std::string_view header, u64 data_bytes) {
    // The format's text demands it; readers that skip white space read files that others do not.
    if (header.empty() || header.front() != '{') {
        return at_byte(kSafetensorsLengthBytes, Fault::InvalidHeaderStart,
                       "the header does not start with {", kOther);
    }
    const auto parsed = parse_strict_json(header, kMaxHeaderDepth);
    if (const auto* no = std::get_if<JsonRefusal>(&parsed)) {
        return at_byte(kSafetensorsLengthBytes + no->offset, Fault::InvalidHeader,
                       "the header " + no->rule, kCopy);
    }
    auto read = read_tensors(std::get<Json>(parsed));
    if (auto* tensors = std::get_if<std::vector<TensorInfo>>(&read)) {
        sort_by_place(*tensors);
        if (auto no = check_ranges(*tensors, data_bytes)) return std::move(*no);
    }
    return read;
}

}  // namespace kv
