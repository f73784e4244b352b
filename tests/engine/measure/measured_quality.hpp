#pragma once
// The truth and what other settings make of it, one after the other.

#include <optional>
#include <utility>
#include <vector>

#include "core/engine/measure/quality.hpp"

namespace kv::test {

inline std::optional<std::vector<QualityRow>> measured_quality(const EngineParts& parts,
                                                               const EngineSettings& settings,
                                                               const QualityText& text,
                                                               const Progress& go_on = {}) {
    const auto half = [&](double before) {
        return [&go_on, before](double done) { return !go_on || go_on(before + done / 2); };
    };
    const auto truth = tell_truth(parts, settings, text, half(0));
    auto result = truth ? measure_against(*truth, parts, settings, text, half(0.5)) : std::nullopt;
    if (!result) return std::nullopt;
    return std::move(result->rows);
}

}  // namespace kv::test
