#pragma once
// A whole small model on disk for tests: config.json and weights whose every number is known. The
// numbers are small multiples of 1/64, which F32, F16 and BF16 all hold exactly.

#include <functional>
#include <string>
#include <vector>

#include "core/base/numbers/formats.hpp"
#include "core/model/checkpoint/slots.hpp"
#include "tests/model/config/text.hpp"
#include "tests/model/safetensors/writer.hpp"
#include "tests/scratch.hpp"

namespace kv::test {

// Element i of the tensor with this name: -2 to 2 in steps of 1/64.
inline float known_value(const std::string& name, u64 i) {
    u64 seed = 17;
    for (const char letter : name) seed = seed * 31 + static_cast<unsigned char>(letter);
    return static_cast<float>((seed + 7 * i) % 257) / 64.0F - 2.0F;
}

inline std::string known_bytes(const std::string& name, u64 count, const std::string& dtype) {
    std::vector<float> values;
    std::vector<std::uint16_t> codes;
    for (u64 i = 0; i < count; ++i) {
        const float value = known_value(name, i);
        values.push_back(value);
        codes.push_back(dtype == "F16" ? fp16_from_float(value) : bf16_from_float(value));
    }
    return dtype == "F32" ? f32_bytes(values) : codes_bytes(codes);
}

inline ModelConfig config_of(const Changes& changes) {
    auto parsed = parse(changes);
    if (const auto* no = std::get_if<ConfigRefusal>(&parsed)) throw std::runtime_error(no->rule);
    return std::get<ModelConfig>(parsed);
}

// All tensors that the config asks for, with their known numbers.
inline std::vector<FileTensor> known_tensors(const Changes& changes, const std::string& dtype) {
    std::vector<FileTensor> tensors;
    Weights none;
    for (const WeightSlot& slot : weight_slots(config_of(changes), none)) {
        tensors.push_back(
            {slot.name, dtype, slot.shape, known_bytes(slot.name, slot.numbers(), dtype)});
    }
    return tensors;
}

inline FileTensor& named(std::vector<FileTensor>& tensors, const std::string& name) {
    for (FileTensor& tensor : tensors) {
        if (tensor.name == name) return tensor;
    }
    throw std::runtime_error("no tensor " + name);
}

// config.json and model.safetensors in the scratch folder; answers with the folder.
inline std::string write_model(const ScratchFolder& scratch, const Changes& changes,
                               const std::vector<FileTensor>& tensors) {
    scratch.write("config.json", config_text(changes));
    scratch.write("model.safetensors", safetensors_bytes(tensors));
    return scratch.file(".");
}

}  // namespace kv::test
