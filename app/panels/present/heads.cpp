#include <algorithm>
#include <cmath>

#include "app/panels/compare_bills/view.hpp"
#include "app/panels/present/paint.hpp"
#include "app/widgets/chart/bars.hpp"

namespace kv {
namespace {

constexpr float kBarScale = 2.2f;  // how much larger than on a desk
constexpr float kHeadsTitle = 36, kBarsGap = 8, kLowest = 84, kHighest = 160, kThickest = 48;

}  // namespace

void draw_present_heads(const Ui& ui, const BillView& view, const Rect& room) {
    text_in(Painter(ui), {ui.fonts.semibold, 26, ui.colors.text},
            {room.x, room.y, room.w, ui.px(kHeadsTitle)}, ui.text["present.same_with"_t]);
    List<Text> labels, values;
    List<Bar> bars;
    for (const AttentionOption& option : view.attention) {
        labels.push_back(attention_label(option, ui.text));
        values.push_back(view.bytes(option.kv_bytes));
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
        bars.push_back({.label = labels[i],
                        .value = values[i],
                        .amount = static_cast<double>(view.attention[i].kv_bytes),
                        .emphasised = view.attention[i].current});

    const Ui large = scaled(ui, ui.unit * kBarScale);
    const float top = room.y + ui.px(kHeadsTitle + kBarsGap);
    const float pitch =
        std::clamp(std::floor((room.bottom() - top) / static_cast<float>(bars.size())),
                   ui.px(kLowest), ui.px(kHighest));
    ImGui::SetCursorScreenPos({room.x, top});
    ImGui::BeginChild("heads", {room.w, pitch * static_cast<float>(bars.size())},
                      ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    draw_bars(large, "bars", bars,
              {.pitch = pitch / large.unit,
               .thickness = std::min(pitch * 0.38f, ui.px(kThickest)) / large.unit});
    const TextStyle style{ui.fonts.regular, 20, ui.colors.text3};
    for (std::size_t i = 0; i < bars.size(); ++i)
        text_in(Painter(ui), style,
                {room.x, std::round(top + pitch * (static_cast<float>(i) + 0.5f) + ui.px(26)),
                 room.w, ui.px(28)},
                sharing_text(view.own, view.attention[i], ui.text));
    ImGui::EndChild();
}

}  // namespace kv
