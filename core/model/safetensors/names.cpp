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

std::string_view name_of(SafetensorsRule rule) {
    switch (rule) {
        case SafetensorsRule::IoError:
            return "IoError";
        case SafetensorsRule::HeaderTooSmall:
            return "HeaderTooSmall";
        case SafetensorsRule::HeaderTooLarge:
            return "HeaderTooLarge";
        case SafetensorsRule::InvalidHeaderLength:
            return "InvalidHeaderLength";
        case SafetensorsRule::InvalidHeaderStart:
            return "InvalidHeaderStart";
        case SafetensorsRule::InvalidHeader:
            return "InvalidHeader";
        case SafetensorsRule::InvalidMetadata:
            return "InvalidMetadata";
        case SafetensorsRule::TooManyTensors:
            return "TooManyTensors";
        case SafetensorsRule::InvalidName:
            return "InvalidName";
        case SafetensorsRule::TensorInvalidInfo:
            return "TensorInvalidInfo";
        case SafetensorsRule::UnknownDtype:
            return "UnknownDtype";
        case SafetensorsRule::UnsupportedDtype:
            return "UnsupportedDtype";
        case SafetensorsRule::InvalidShape:
            return "InvalidShape";
        case SafetensorsRule::ValidationOverflow:
            return "ValidationOverflow";
        case SafetensorsRule::InvalidOffset:
            return "InvalidOffset";
        case SafetensorsRule::MetadataIncompleteBuffer:
            return "MetadataIncompleteBuffer";
    }
    KV_ASSERT(false);
    return "";
}

std::string text_of(const SafetensorsRefusal& refusal) {
    std::string out = refusal.rule + " (" + std::string(name_of(refusal.code));
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
