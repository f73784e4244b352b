#pragma once
// Everything that a pass shows a tap, by place.

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/engine/seam/taps.hpp"

namespace kv::test {

class TapRecorder final : public TapSink {
public:
    bool wants(Tap, LayerId) const override { return true; }
    void take(const TapPlace& p, std::span<const float> values) override {
        taken[{static_cast<int>(p.tap), p.layer.value, p.row, p.head}] = {values.begin(),
                                                                          values.end()};
    }
    std::map<std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<float>>
        taken;
};

}  // namespace kv::test
