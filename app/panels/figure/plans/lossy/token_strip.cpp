#include "app/panels/figure/plans/lossy/token_strip.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/numbers/text.hpp"

namespace kv::figure {

Rect TokenStrip::bar(std::uint32_t token, double value) const {
    const float gap = pitch() > 8 ? pitch() * 0.24f : 1;
    const float tall = std::max(1.0f, bars.h * static_cast<float>(std::min(1.0, value / full)));
    return {x(token) + gap / 2, bars.bottom() - tall, pitch() - gap, tall};
}

Rect TokenStrip::cell(std::uint32_t token) const {
    const float gap = pitch() > 8 ? 3 : 1;
    return {x(token) + gap / 2, cells(), pitch() - gap, cell_high};
}

void strip_axis(Sheet& sheet, const TokenStrip& strip, std::uint32_t every, std::uint32_t from) {
    Piece& floor = sheet.wire(
        "strip.floor",
        {{strip.bars.x, strip.bars.bottom()}, {strip.bars.right(), strip.bars.bottom()}}, false);
    floor.look = Look::Rule, floor.from = from;
    for (std::uint32_t t = 0; t < strip.n; ++t) {
        const bool is_last = t + 1 == strip.n;
        if (!is_last && (t % every != 0 || strip.n - 1 - t < every / 2)) continue;
        Piece& tick =
            sheet.words("strip.tick", {strip.x(t) + strip.pitch() / 2 - 20, strip.ticks(), 40, 14},
                        {{with_commas(t), is_last ? Font::MonoBold : Font::Mono, 12,
                          is_last ? Ink::Strong : Ink::Quiet}},
                        Edge::Center);
        tick.from = from, tick.names = true;
    }
}

List<std::uint32_t> labelled_bars(const TokenStrip& strip, std::span<const double> values,
                                  double least, std::size_t most, float room) {
    List<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    List<std::uint32_t> chosen;
    for (const std::uint32_t token : order) {
        if (chosen.size() == most || values[token] < least) break;
        const bool is_free = std::all_of(chosen.begin(), chosen.end(), [&](std::uint32_t other) {
            return std::abs(strip.x(token) - strip.x(other)) >= room;
        });
        if (is_free) chosen.push_back(token);
    }
    return chosen;
}

}  // namespace kv::figure
