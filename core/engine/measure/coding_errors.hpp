#pragma once
// How far off a codec would store the keys and values of a text: every vector that the run computes
// which keeps all of them in float32 is coded and decoded once. So the error is the codec's alone;
// what earlier errors do to later vectors is not in it. KIVI's keys count in whole groups of 32
// tokens, as far as there are any; a scale for a layer comes from the text's first step.

#include <optional>
#include <span>
#include <vector>

#include "core/cache/codec/element_error.hpp"
#include "core/engine/measure/quality.hpp"

namespace kv {

struct CodingErrors {
    ElementError k, v;
    CodingErrors& operator+=(const CodingErrors& other) {
        k += other.k, v += other.v;
        return *this;
    }
};

// One for each codec; nothing where it does not code these vectors. Heads go through the Hadamard
// transform first where the settings say so (rotation hadamard).
std::vector<std::optional<CodingErrors>> coding_errors(const EngineParts& parts,
                                                       const EngineSettings& settings,
                                                       const QualityText& text,
                                                       std::span<const Codec> codecs);

}  // namespace kv
