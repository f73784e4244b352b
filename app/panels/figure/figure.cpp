#include "app/panels/figure/figure.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/panels/figure/paint.hpp"
#include "app/panels/figure/table.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kMotion = 0.3, kRest = 0.4;  // seconds
constexpr float kWidest = 2.1f;  // times as wide as high: what belongs together stays together

// Small rooms get the smallest plan, smaller; the others are laid out for what they are.
struct Fit {
    Vec2 size;  // of the plan
    float scale;
};
Fit fit(Vec2 room) {
    const float scale =
        std::min({1.0f, room.x / figure::kLeastWidth, room.y / figure::kLeastHeight});
    const Vec2 size{room.x / scale, room.y / scale};
    return {{std::min(size.x, kWidest * size.y), size.y}, scale};
}

Ui scaled_ui(const Ui& ui, float unit) {
    Ui other = ui;
    other.unit = unit;
    return other;
}

// How far the newest pieces have come. While it plays, the next key is asked for after a rest.
float follow(const Ui& ui, const LessonView& lesson, FigureUi& own) {
    const double now = ImGui::GetTime();
    const bool same_page = own.lesson == lesson.lesson && own.step == lesson.step;
    if (!same_page || own.key > lesson.figure_key) own.since = now - kMotion;
    if (same_page && own.key < lesson.figure_key) own.since = now;
    own.lesson = lesson.lesson, own.step = lesson.step, own.key = lesson.figure_key;
    const double motion = ui.reduced_motion ? 0 : kMotion, gone = now - own.since;
    if (lesson.figure_plays && gone >= motion + kRest) ui.out.push("figure.forward");
    own.is_moving = lesson.figure_plays || gone < motion;
    return motion == 0 ? 1.0f : static_cast<float>(std::clamp(gone / motion, 0.0, 1.0));
}

// Says on the line of the title what the figure leaves out.
void draw_leaves_out(const Ui& ui, const LessonView& lesson, const Rect& title) {
    const figure::Row& row = figure::row_of(*lesson.shown.figure);
    const char* words = ui.text["figure.leaves"_t];
    const float w = text_width(ui, type::body(ui), words);
    ImGui::SetCursorScreenPos({title.right() - w, title.y + ui.px(8)});
    const bool pressed = link(ui, "leaves", words);
    const bool reached = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
    if (pressed || reached || ImGui::IsItemHovered()) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(ui.px(360));
        ImGui::TextUnformatted(ui.text[row.leaves]);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

void point_at(const figure::Plan& plan, Vec2 origin, float unit, std::uint32_t key) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered()) return;
    const Vec2 point{(mouse.x - origin.x) / unit, (mouse.y - origin.y) / unit};
    if (const figure::Piece* piece = figure::piece_at(plan, point, key))
        ImGui::SetTooltip("%s", piece->caption.c_str());
}

}  // namespace

bool has_figure(const LessonView& lesson) {
    return lesson.lesson && lesson.shown.figure.has_value();
}

figure::Keys figure_keys(const FigureFacts& facts) {
    return figure::row_of(facts).keys(facts);
}

figure::Plan figure_plan(const LessonView& lesson, Vec2 size, const Texts& text) {
    const FigureFacts& facts = *lesson.shown.figure;
    const bool said = lesson.predictions.size() == 1 && lesson.predictions[0].said;
    return figure::row_of(facts).plan(facts,
                                      {.size = size,
                                       .revealed = lesson.revealed || lesson.predictions.empty(),
                                       .said = said ? Text(*lesson.predictions[0].said) : Text(),
                                       .text = text});
}

std::vector<DataTable> figure_tables(const LessonView& lesson) {
    if (!has_figure(lesson)) return {};
    return figure::row_of(*lesson.shown.figure)
        .tables(*lesson.shown.figure, lesson.revealed || lesson.predictions.empty());
}

namespace {

struct Drawn {
    figure::Plan plan;
    Vec2 origin;
    float unit;  // pixels of one of the plan's
};
// A frame of the figure: its plan for that room is made anew from the facts of the step, and of its
// pieces those are painted that are there at the key at hand.
Drawn draw(const Ui& ui, const LessonView& lesson, FigureUi& own, const Rect& room,
           bool at_left = false) {
    const Fit to = fit({room.w / ui.unit, room.h / ui.unit});
    const float unit = ui.unit * to.scale;
    const float beside = at_left ? 0 : std::max(0.0f, (room.w - to.size.x * unit) / 2);
    const Vec2 origin{room.x + beside, room.y};
    Drawn drawn{.plan = figure_plan(lesson, to.size, ui.text), .origin = origin, .unit = unit};
    const float share = follow(ui, lesson, own);
    figure::paint(scaled_ui(ui, unit), drawn.plan, origin,
                  {.key = lesson.figure_key, .share = share});
    point_at(drawn.plan, origin, unit, lesson.figure_key);
    return drawn;
}

}  // namespace

void draw_figure_in(const Ui& ui, const LessonView& lesson, FigureUi& own, const Rect& room,
                    bool at_left) {
    draw(ui, lesson, own, room, at_left);
}

void draw_figure(const Ui& ui, const LessonView& lesson, FigureUi& own) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    const ImVec2 pad{ui.px(16), ui.px(9)};  // of the panel's window: a figure has its own margin
    const auto [plan, origin, unit] =
        draw(ui, lesson, own, {at.x - pad.x, at.y - pad.y, size.x + 2 * pad.x, size.y + 2 * pad.y});
    // Each plan begins with Sheet::header: first the title, then how to read it.
    const Rect& title = plan.pieces[0].rect;
    const Rect& how = plan.pieces[1].rect;  // as wide as the content
    draw_leaves_out(
        scaled_ui(ui, unit), lesson,
        {origin.x + how.x * unit, origin.y + title.y * unit, how.w * unit, title.h * unit});
}

}  // namespace kv
