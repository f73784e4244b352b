// What the marks of policies mean, below table and picture.

#include <array>
#include <cmath>

#include "app/panels/price/paint.hpp"

namespace kv {
namespace {

constexpr float kBesideMark = 18;

using Words = std::array<std::string_view, 2>;
Words words_of_legend(const Ui& ui) {
    return {ui.text["price.prompt.hidden"_t], ui.text["price.prompt.whole"_t]};
}

PriceLegend legend_of(const Ui& ui, float width) {
    const auto part = [&](std::string_view words) {
        return kBesideMark + std::ceil(text_width(ui, type::caption(ui), words)) / ui.unit;
    };
    const Words words = words_of_legend(ui);
    return price_legend(width / ui.unit, {part(words[0]), part(words[1])});
}

}  // namespace

float price_legend_height(const Ui& ui, const PriceSheet& sheet, float width) {
    return has_price_legend(sheet) ? ui.px(legend_of(ui, width).height) : 0;
}

void draw_price_legend(const Ui& ui, Vec2 at, float width) {
    const Painter p(ui);
    const Words words = words_of_legend(ui);
    const PriceLegend legend = legend_of(ui, width);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float x = at.x + ui.px(legend.at[i].x), y = at.y + ui.px(legend.at[i].y);
        const float h = ui.px(kPriceLegendRow), mark = ui.px(kBesideMark);
        const auto shape = i == 0 ? PriceShape::Diamond : PriceShape::Square;
        draw_price_shape(p, {std::floor(x + ui.px(6)), std::floor(y + h / 2)}, shape, false,
                         ui.colors.text2);
        text_in(p, type::caption(ui), {x + mark, y, at.x + width - x - mark, h}, words[i]);
    }
}

}  // namespace kv
