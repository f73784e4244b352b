// What panels show of a run that was read from a file of events where they would steer or decode.

#include <array>

#include "app/panels/timeline/panels.hpp"
#include "app/widgets/message.hpp"
#include "app/widgets/rows.hpp"

namespace kv {

void draw_missing_in_record(const Ui& ui, const RunView& run, TextId title, TextId why) {
    const std::string words = fill(ui.text[why], {{"file", run.scene}});
    const std::array<std::string_view, 1> lines{words};
    message_centered(ui, "missing", {.title = ui.text[title], .lines = lines});
}

void draw_recorded_settings(const Ui& ui, const RunView& run) {
    if (run.settings.empty())
        return draw_missing_in_record(ui, run, "trace.settings.title"_t, "trace.settings.why"_t);
    paragraph(ui, type::caption(ui), 17,
              fill(ui.text["trace.settings.what"_t], {{"file", run.scene}}));
    rule(ui, RuleSpan::Window, 8, 8);
    for (const auto& [name, value] : run.settings) value_row(ui, name, value, {.small = true});
}

}  // namespace kv
