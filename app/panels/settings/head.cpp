#include "app/panels/settings/head.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kHeadPictureW = 60, kHeadPictureH = 36, kHeadBesidePicture = 12, kHeadUnderHead = 4;
constexpr float kHeadBetweenGroups = 6, kHeadSmallest = 10.5f;

}  // namespace

SettingHead reserve_setting_head(const Ui& ui, bool ruled) {
    if (ruled) rule(ui, RuleSpan::Content, kHeadBetweenGroups - 4, kHeadBetweenGroups);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float x = std::floor(at.x), y = std::floor(at.y), w = room_width();
    const Rect picture{x, y, ui.px(kHeadPictureW), ui.px(kHeadPictureH)};
    const float left = picture.right() + ui.px(kHeadBesidePicture);
    const float line = std::floor(picture.h / 2);
    space(ui, kHeadPictureH + kHeadUnderHead);
    return {picture, {left, y, x + w - left, line}, {left, y + line, x + w - left, line}};
}

void paint_setting_head(const Ui& ui, const SettingHead& head, std::string_view name,
                        std::string_view consequence) {
    const Painter p(ui);
    text_in(p, type::section(ui), head.name, name);
    // A long one is set a little smaller before it is cut.
    TextStyle style = type::number_small(ui);
    const float wide = text_width(ui, style, consequence);
    if (wide > head.consequence.w)
        style.size = std::max(kHeadSmallest, style.size * head.consequence.w / wide - 0.2f);
    text_in(p, style, head.consequence, consequence);
}

}  // namespace kv
