#include "app/panels/settings/rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/settings/setup.hpp"
#include "app/widgets/controls.hpp"

namespace kv {

std::size_t chosen_of(const RunView& run, SettingChoices& choices) {
    const std::string_view now = setting_of(run, choices.setting);
    const auto found = std::find(choices.values.begin(), choices.values.end(), now);
    const auto chosen = static_cast<std::size_t>(found - choices.values.begin());
    if (chosen == choices.values.size() && !now.empty()) {
        choices.values.push_back(now);
        choices.labels.push_back(now);
    }
    return chosen;
}

std::optional<std::size_t> choice_row(const Ui& ui, const char* id, const RowPlace& place,
                                      const SettingWords& labels, std::size_t chosen,
                                      std::optional<std::size_t>& pointed) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (!place.label.empty()) {
        TextStyle style = type::body(ui);
        if (place.ink) style = with_font(colored(style, *place.ink), ui.fonts.bold);
        text_in(Painter(ui), style,
                {std::floor(at.x), std::floor(at.y), place.label_width - ui.px(4),
                 control_height(ui, true)},
                place.label);
        ImGui::SetCursorScreenPos({at.x + place.label_width, at.y});
    }
    const auto pressed = choice(ui, id, labels, chosen, &pointed);
    space(ui, 4);
    return pressed;
}

void push_setting(const Ui& ui, std::string_view setting, std::string_view value) {
    ui.out.push("run.set", std::string(setting) + " " + std::string(value));
}

}  // namespace kv
