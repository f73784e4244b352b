#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/compare_bills/side.hpp"
#include "app/widgets/controls.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

constexpr float kModelTag = 18, kTagGap = 6, kSwitchGap = 16;

struct FormatSwitch {
    std::vector<std::string> labels;
    std::vector<std::string_view> names;  // empty for a format that the switch does not offer
    std::size_t selected = 0;

    std::vector<std::string_view> views() const { return {labels.begin(), labels.end()}; }
};
FormatSwitch format_switch(const Codec& codec) {
    FormatSwitch out;
    for (const CodecOption& option : kCodecOptions) {
        out.labels.emplace_back(option.label);
        out.names.push_back(option.name);
    }
    const auto chosen = chosen_codec(codec);
    if (!chosen) {
        out.labels.push_back(codec_label(codec));
        out.names.emplace_back();
    }
    out.selected = chosen.value_or(out.labels.size() - 1);
    return out;
}

float draw_format(const SidePanel& panel, Side kv, Vec2 corner) {
    const Ui& ui = panel.ui;
    const bool is_k = kv == Side::K;
    const FormatSwitch formats =
        format_switch(is_k ? panel.view().codecs.k : panel.view().codecs.v);
    const float height = control_height(ui, true), tag = ui.px(kModelTag);
    draw_letter_tag(Painter(ui), {corner.x + tag / 2, corner.y + height / 2}, kModelTag,
                    is_k ? "K" : "V", is_k ? ui.colors.k : ui.colors.v);
    const float x = corner.x + tag + ui.px(kTagGap);
    ImGui::SetCursorScreenPos({x, corner.y});
    const auto views = formats.views();
    const auto chosen = segmented(ui, is_k ? "k" : "v", views, formats.selected);
    if (chosen && !formats.names[*chosen].empty())
        ui.out.push(is_k ? panel.command("bill.k_codec", "other.k_codec")
                         : panel.command("bill.v_codec", "other.v_codec"),
                    std::string(formats.names[*chosen]));
    return x + segmented_width(ui, views);
}

void draw_model(const SidePanel& panel, const Rect& place) {
    std::vector<std::string> titles;
    std::vector<std::string_view> views;
    const auto& names = preset_names();
    for (const std::string_view name : names) titles.push_back(preset_title(name));
    const auto own = std::find(names.begin(), names.end(), panel.view().own.name);
    const auto selected = static_cast<std::size_t>(own - names.begin());
    if (own == names.end()) titles.push_back(panel.view().own.title);
    views.assign(titles.begin(), titles.end());
    ImGui::SetCursorScreenPos(im(place.min()));
    const auto chosen =
        dropdown(panel.ui, "model", views, selected, {.dense = false, .width = place.w});
    if (chosen && *chosen < names.size())
        panel.ui.out.push(panel.command("bill.model", "other.model"), std::string(names[*chosen]));
}

}  // namespace

float side_formats_width(const Ui& ui, const CodecPair& codecs) {
    const float tag = ui.px(kModelTag) + ui.px(kTagGap);
    return 2 * tag + ui.px(kSwitchGap) + segmented_width(ui, format_switch(codecs.k).views()) +
           segmented_width(ui, format_switch(codecs.v).views());
}

void draw_side_head(const SidePanel& panel, const SidePlan& plan, Vec2 origin) {
    const Ui& ui = panel.ui;
    const Painter p(ui);
    const BillView& view = panel.view();
    draw_side_mark(p, placed(plan.mark, origin).center(), plan.mark.w / ui.unit,
                   mark_of(panel.side), ui.colors.text);
    draw_model(panel, placed(plan.model, origin));
    const AttentionOption& attention = view.current_attention();
    const std::string form =
        fill(ui.text["compare.form"_t], {{"attention", attention_label(attention, ui.text)},
                                         {"sharing", sharing_text(view.own, attention, ui.text)}});
    if (plan.form && plan.form->w >= ui.px(80))
        text_in(p, type::body(ui), placed(*plan.form, origin), form);
    const Rect codecs = placed(plan.codecs, origin);
    const float end = draw_format(panel, Side::K, codecs.min());
    draw_format(panel, Side::V, {end + ui.px(kSwitchGap), codecs.y});
}

}  // namespace kv
