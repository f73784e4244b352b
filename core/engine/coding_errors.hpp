#pragma once
// How far off a codec would store the keys and values of a text: every vector that the run computes
// which keeps all of them in float32 is coded and decoded once. So the error is the codec's alone;
// what earlier errors do to later vectors is not in it.

#include <optional>
#include <span>
#include <vector>

#include "core/cache/element_error.hpp"
#include "core/engine/quality.hpp"

namespace kv {

struct CodingErrors {
    ElementError k, v;
    CodingErrors& operator+=(const CodingErrors& other) {
        k += other.k, v += other.v;
        return *this;
    }
};

// A codec that codes each vector by itself: not KIVI, which codes 32 keys together, and none whose
// scale lies with the pool.
bool codes_alone(const KvFormat& format);

// One for each codec; nothing where it does not code these vectors, or not each by itself. Heads
// are mixed first where the settings say so (rotation hadamard).
std::vector<std::optional<CodingErrors>> coding_errors(const EngineParts& parts,
                                                       const EngineSettings& settings,
                                                       const QualityText& text,
                                                       std::span<const KvFormat> formats);

}  // namespace kv
