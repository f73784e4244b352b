#include "app/panels/present/run/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/present/paint.hpp"
#include "app/panels/present/run/picture.hpp"
#include "app/panels/present/run/plan.hpp"
#include "app/panels/present/run/words.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

struct RunPicture {
    const Ui& ui;     // a unit of it is a pixel of the design
    const Ui& words;  // and as large as the person wants to read
    const RunView& run;
    const RunFocus& focus;
    StageUi& own;
    const PresentRunPlan& plan;
    bool frozen;
};

void draw_title(const RunPicture& s) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const Text frozen =
        s.frozen ? fill(ui.text["present.frozen"_t], {{"n", with_commas(s.run.now.iteration)}})
                 : Text();
    List<Run> left{{{ui.fonts.bold, 30, ui.colors.text}, s.run.scene}};
    if (s.frozen) left.push_back({{ui.fonts.regular, 24, ui.colors.text3}, frozen, 20});
    runs_in(p, left, s.plan.title);
    const NowSentence now = now_sentence(s.run, s.focus, ui.text);
    TextStyle words{ui.fonts.regular, 26, ui.colors.text2},
        values{ui.fonts.bold, 26, ui.colors.text};
    List<Run> right = runs_of(now.pieces, words, values);
    const float room = s.plan.title.w - runs_width(ui, left) - ui.px(40);
    for (float size = 26; size > 18 && runs_width(ui, right) > room; --size)
        for (Run& run : right) run.style.size = size;
    if (runs_width(ui, right) <= room) runs_in(p, right, s.plan.title, Align::Right);
}

// ---- Memory over time.

void draw_memory(const RunPicture& s) {
    const Ui large = scaled(s.ui, s.ui.unit * kPresentWidgets);
    const HeldMemory held = held_memory(s.run);
    const auto most = static_cast<u64>(std::max(held.most, 1.0));
    const ByteAxis axis = knows_bytes(s.run.layout)
                              ? byte_axis(most, UnitSystem::Binary, 3)
                              : count_axis(most, s.ui.text["trace.slots"_t], 3);
    const List<ChartTick> y_ticks = ticks_of(axis.marks);
    const double now = std::max<double>(1, s.run.now.iteration);
    const Text now_label =
        fill(s.ui.text["pair.memory.step"_t], {{"n", with_commas(s.run.now.iteration)}});
    const std::array x_ticks{ChartTick{0, "0"}, ChartTick{now, now_label, true}};
    ImGui::SetCursorScreenPos(im(s.plan.chart.min()));
    const ChartSpec spec{.title = s.ui.text["present.held"_t],
                         .unit = axis.unit,
                         .x = {.max = now, .ticks = x_ticks, .grid = false},
                         .y = {.max = axis.max(), .ticks = y_ticks},
                         .height = s.plan.chart.h,
                         .width = s.plan.chart.w,
                         .label_room = 116,
                         .playhead = now};
    const Chart chart = begin_chart(large, "held", spec);
    if (!chart) return;
    const Palette& colors = s.ui.colors;
    const List<double> zero(held.steps.size(), 0.0);
    chart_area(chart, held.steps, zero, held.reserved, colors.wash_of(colors.loss), true);
    chart_area(chart, held.steps, zero, held.paged, mix(colors.panel, colors.text, 0.3), true);
    chart_line(chart, held.steps, held.reserved,
               {.color = colors.loss.ink, .width = 1.6f, .dash = LineDash::Dashed, .steps = true});
    chart_line(chart, held.steps, held.paged, {.color = colors.text, .width = 2, .steps = true});
    const auto words = [&s](double amount) {
        return measured(static_cast<u64>(amount), s.run.layout, s.ui.text);
    };
    const Text reserved = words(held.reserved.back()), paged = words(held.paged.back());
    const std::array labels{EndLabel{.y = held.reserved.back(),
                                     .value = reserved,
                                     .caption = s.ui.text["present.held.reserved"_t],
                                     .strong = true,
                                     .color = colors.loss.ink},
                            EndLabel{.y = held.paged.back(),
                                     .value = paged,
                                     .caption = s.ui.text["present.held.paged"_t],
                                     .strong = true}};
    chart_end_labels(chart, labels);
    end_chart(chart);
}

void draw_caption(const RunPicture& s) {
    const Ui& ui = s.words;
    const Painter p(ui);
    hline(p, s.plan.caption.x, s.plan.page.right(), s.plan.rule_y, ui.colors.line, 2);
    const PresentRunWords words = present_run_words(s.run, s.focus, ui.text);
    const TextStyle caption{ui.fonts.bold, 60, ui.colors.text};
    text_in(p, fitting(ui, caption, words.caption, s.plan.caption.w), s.plan.caption,
            words.caption);
    const TextStyle prose{ui.fonts.regular, 33, ui.colors.text2};
    Rect room = s.plan.prose;
    room.w = s.plan.page.right() - room.x;  // the first line stands above the buttons
    room.y += wrapped_at(p, fitting(ui, prose, words.prose[0], room.w), 46, room, words.prose[0]);
    room.w = s.plan.prose.w;
    wrapped_at(p, prose, 46, room, words.prose[1]);
}

void draw_steps(const RunPicture& s) {
    const Ui& ui = s.words;
    const std::uint32_t last =
        s.run.samples.empty() ? s.run.now.iteration : s.run.samples.back().iteration;
    text_in(Painter(ui), {ui.fonts.mono, 28, ui.colors.text3, Align::Right}, s.plan.page,
            fill(ui.text["present.step"_t],
                 {{"n", with_commas(s.run.now.iteration)}, {"total", with_commas(last)}}));
    const Ui large = scaled(ui, ui.unit * kPresentWidgets);
    const std::string_view back = ui.text["present.back"_t], next = ui.text["present.forward"_t];
    const float next_x = s.plan.buttons.right() - button_width(large, next);
    const float back_x = next_x - ui.px(12) - button_width(large, back);
    ImGui::SetCursorScreenPos({std::floor(back_x), s.plan.buttons.y});
    if (button(large, "back", back, {.enabled = s.run.moment > 0})) ui.out.push("run.back");
    ImGui::SetCursorScreenPos({std::floor(next_x), s.plan.buttons.y});
    if (button(large, "next", next, {.primary = true, .enabled = !s.run.at_end}))
        ui.out.push("run.forward");
}

void draw_picture(const RunPicture& s) {
    draw_title(s);
    draw_run_picture(s.ui, s.run, s.focus, s.own, s.plan);
    draw_memory(s);
    draw_caption(s);
    draw_steps(s);
}

}  // namespace

void draw_present_run(const Ui& ui, const RunView& run, const RunFocus& focus, StageUi& own,
                      const Rect& room, bool frozen, const PresentLook& look) {
    const PresentRunPlan plan = plan_present_run(room, run_picture_needs(run, focus), look);
    const Ui own_ui = scaled(ui, plan.unit), words = scaled(ui, plan.words);
    draw_picture({own_ui, words, run, focus, own, plan, frozen});
}

}  // namespace kv
