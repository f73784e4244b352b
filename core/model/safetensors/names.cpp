// What the safetensors reader calls things, for messages.

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/model/safetensors/header.hpp"

namespace kv {

u64 bytes_of(TensorType type) {
    return type == TensorType::F32 ? 4 : 2;
}

std::string_view name_of(TensorType type) {
    switch (type) {
        case TensorType::F32:
            return "F32";
        case TensorType::F16:
            return "F16";
        case TensorType::Bf16:
            return "BF16";
    }
    KV_ASSERT(false);
    return "";
}

std::string_view name_of(SafetensorsFault fault) {
    switch (fault) {
        case SafetensorsFault::IoError:
            return "IoError";
        case SafetensorsFault::HeaderTooSmall:
            return "HeaderTooSmall";
        case SafetensorsFault::HeaderTooLarge:
            return "HeaderTooLarge";
        case SafetensorsFault::InvalidHeaderLength:
            return "InvalidHeaderLength";
        case SafetensorsFault::InvalidHeaderStart:
            return "InvalidHeaderStart";
        case SafetensorsFault::InvalidHeader:
            return "InvalidHeader";
        case SafetensorsFault::InvalidMetadata:
            return "InvalidMetadata";
        case SafetensorsFault::TooManyTensors:
            return "TooManyTensors";
        case SafetensorsFault::InvalidName:
            return "InvalidName";
        case SafetensorsFault::TensorInvalidInfo:
            return "TensorInvalidInfo";
        case SafetensorsFault::UnknownDtype:
            return "UnknownDtype";
        case SafetensorsFault::UnsupportedDtype:
            return "UnsupportedDtype";
        case SafetensorsFault::InvalidShape:
            return "InvalidShape";
        case SafetensorsFault::ValidationOverflow:
            return "ValidationOverflow";
        case SafetensorsFault::InvalidOffset:
            return "InvalidOffset";
        case SafetensorsFault::MetadataIncompleteBuffer:
            return "MetadataIncompleteBuffer";
    }
    KV_ASSERT(false);
    return "";
}

std::string text_of(const SafetensorsRefusal& refusal) {
    std::string out = refusal.rule + " (" + std::string(name_of(refusal.fault));
    if (refusal.offset) out += ", near byte " + with_commas(*refusal.offset);
    return out + "); " + refusal.advice;
}

std::string shown_shape(const std::vector<u64>& shape) {
    std::string out = "[";
    for (const u64 dimension : shape) {
        if (out.size() > 1) out += ", ";
        out += std::to_string(dimension);
    }
    return out + "]";
}

}  // namespace kv
