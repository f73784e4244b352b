#pragma once
// What forgetting costs: a table of codecs and policies with bytes and quality, and the picture of
// one against the other. Measuring is asked for by commands and done elsewhere.

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/price/plan.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct PriceUi {
    PriceText text = PriceText::Fixed;
    PriceScale scale = PriceScale::Kl;
    bool chart = false;   // in front, where only the table or the picture fits
    std::size_t row = 0;  // selected with the keyboard or by a click
    // Pointed at in the table or the picture: written while drawing, read in the next frame.
    std::optional<std::size_t> pointed, next_pointed;
};

void draw_price(const Ui& ui, const RunView& run, PriceUi& own);
// "6 passages, 6 needles", at the right end of the tab bar.
Text price_caption(const Ui& ui, const RunView& run, const PriceUi& own);

}  // namespace kv
