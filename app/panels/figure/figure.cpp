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

// Small rooms get the smallest plan, smaller; the others are laid out for what they are.
struct Fit {
    Vec2 size;
    float scale;
};
Fit fit(Vec2 room) {
    const Vec2 size{std::max(room.x, figure::kLeastWidth), std::max(room.y, figure::kLeastHeight)};
    const float scale = std::min({1.0f, room.x / size.x, room.y / size.y});
    return {{room.x / scale, room.y / scale}, scale};
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

void draw_leaves_out(const Ui& ui, const LessonView& lesson, const Rect& room, float margin) {
    const figure::Row& row = figure::row_of(*lesson.shown.figure);
    const char* words = ui.text["figure.leaves"_t];
    const float w = text_width(ui, type::body(ui), words);
    ImGui::SetCursorScreenPos({room.right() - margin - w, room.y + ui.px(26)});
    if (link(ui, "leaves", words) || ImGui::IsItemHovered() || ImGui::IsItemFocused()) {
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
    return lesson.lesson != 0 && lesson.shown.figure.has_value();
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

void draw_figure_in(const Ui& ui, const LessonView& lesson, FigureUi& own, const Rect& room) {
    const Fit to = fit({room.w / ui.unit, room.h / ui.unit});
    const figure::Plan plan = figure_plan(lesson, to.size, ui.text);
    const Ui own_ui = scaled_ui(ui, ui.unit * to.scale);
    figure::paint(own_ui, plan, room.min(), {lesson.figure_key, follow(ui, lesson, own)});
    point_at(plan, room.min(), own_ui.unit, lesson.figure_key);
}

void draw_figure(const Ui& ui, const LessonView& lesson, FigureUi& own) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    const ImVec2 pad{ui.px(16), ui.px(9)};  // of the panel's window: a figure has its own margin
    const Rect room{at.x - pad.x, at.y - pad.y, size.x + 2 * pad.x, size.y + 2 * pad.y};
    draw_figure_in(ui, lesson, own, room);
    draw_leaves_out(ui, lesson, room, ui.px(room.w / ui.unit < 1000 ? 24 : 44));
}

}  // namespace kv
