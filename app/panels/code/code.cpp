#include "app/panels/code/code.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/code/plan.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr double kPerLine = 0.2;  // seconds that a line is lit while they run by themselves
constexpr std::size_t kMostByThemselves = 24;
constexpr float kIdeaSize = 13, kIdeaPitch = 21, kOursSize = 12, kOursPitch = 18;
constexpr float kCodePadding = 10, kCodeBar = 3, kCodeGutter = 40, kPlaceRoom = 10,
                kLeastOurs = 150, kLeastIdea = 130, kLeastRoom = 60, kBetweenCode = 90;
constexpr float kCodeScrollbar = 11;

// ---- What runs now.

CodeUi::Stamp stamp_of(const LessonView& lesson, const RunView* run) {
    return {.lesson = lesson.lesson.value_or(0),
            .step = lesson.step,
            .revealed = lesson.revealed,
            .figure_key = lesson.figure_key,
            .run = run != nullptr ? run->id : 0,
            .run_length = run != nullptr ? run->trace.size() : 0};
}

std::optional<std::size_t> last_of(const std::vector<CodeBeat>& beats) {
    return beats.empty() ? std::nullopt : std::optional(beats.size() - 1);
}

// The newest beat that lies before the cursor of the run.
std::optional<std::size_t> beat_at(const std::vector<CodeBeat>& beats, std::uint64_t moment) {
    std::optional<std::size_t> at;
    for (std::size_t i = 0; i < beats.size(); ++i)
        if (beats[i].moment && *beats[i].moment <= moment) at = i;
    return at;
}

// The key went on, or the answer was revealed: its lines run one by one, as the picture moves.
bool goes_on(const CodeUi& own, const CodeUi::Stamp& now) {
    if (!own.stamp) return false;
    const CodeUi::Stamp& before = *own.stamp;
    const bool same_page = before.lesson == now.lesson && before.step == now.step;
    return same_page && (now.figure_key > before.figure_key || now.revealed != before.revealed);
}

void take_anew(CodeUi& own, const CodeUi::Stamp& stamp, const LessonView& lesson,
               const RunView* run, const Ui& ui) {
    const bool runs = goes_on(own, stamp) && !ui.reduced_motion;
    own.stamp = stamp;
    own.beats = code_beats(*lesson.shown.code, lesson, run);
    own.moment = run != nullptr ? run->moment : 0;
    own.at = last_of(own.beats.all);
    own.since.reset();
    const CodeUi::Enters enters = std::exchange(own.enters, CodeUi::Enters::Running);
    if (enters == CodeUi::Enters::Last || own.beats.all.empty()) return;
    if (enters == CodeUi::Enters::First) own.at = 0;
    if (enters == CodeUi::Enters::Running && runs && own.beats.all.size() > 1 &&
        own.beats.all.size() <= kMostByThemselves)
        own.since = ImGui::GetTime(), own.at = 0;
}

// Steps that were asked for: within the lines of the key, and over its ends to another key.
void take_steps(CodeUi& own, const Ui& ui, const LessonView& lesson) {
    const int steps = std::exchange(own.steps, 0);
    if (steps == 0) return;
    own.since.reset();
    const std::size_t n = own.beats.all.size();
    const auto at = own.at ? static_cast<std::ptrdiff_t>(*own.at) : -1;
    const std::ptrdiff_t to = at + steps;
    if (to >= 0 && to < static_cast<std::ptrdiff_t>(n)) {
        own.at = static_cast<std::size_t>(to);
        const CodeBeat& beat = own.beats.all[*own.at];
        if (own.beats.of_run && beat.moment && *beat.moment != own.moment) {
            own.moment = *beat.moment;
            ui.out.push("run.moment", own.moment);
        }
        return;
    }
    if (own.beats.of_run || !lesson.shown.figure) return;
    own.enters = to < 0 ? CodeUi::Enters::Last : CodeUi::Enters::First;
    ui.out.push(to < 0 ? CommandId("figure.back") : CommandId("figure.forward"));
}

void follow_code(CodeUi& own, const Ui& ui, const LessonView& lesson, const RunView* run) {
    const CodeUi::Stamp stamp = stamp_of(lesson, run);
    if (own.stamp != stamp) take_anew(own, stamp, lesson, run, ui);
    if (own.beats.of_run && run != nullptr && run->moment != own.moment) {
        own.moment = run->moment;
        if (!own.since) own.at = beat_at(own.beats.all, own.moment);
    }
    if (own.since) {
        const double gone = ImGui::GetTime() - *own.since;
        const auto line = static_cast<std::size_t>(std::max(0.0, gone / kPerLine));
        own.at = std::min(line, own.beats.all.size() - 1);
        if (line >= own.beats.all.size()) own.since.reset();
    }
    own.is_moving = own.since.has_value();
    take_steps(own, ui, lesson);
}

// ---- On the screen.

struct CodeFace {
    TextStyle style;
    float pitch, letter;  // pixels
};
CodeFace code_face(const Ui& ui, float size, float pitch) {
    const TextStyle style{ui.fonts.mono, size, ui.colors.text};
    constexpr std::string_view kTen = "0000000000";
    return {style, ui.px(pitch), text_width(ui, style, kTen) / static_cast<float>(kTen.size())};
}

Color tone_color(const Palette& colors, CodeTone tone) {
    return tone == CodeTone::Comment ? colors.text2 : colors.text;
}

class CodePainter {
public:
    CodePainter(const Ui& ui, const CodeFace& face, const Rect& room, bool numbers)
        : ui_(ui), p_(ui), face_(face), room_(room), numbers_(numbers) {}

    void row(const CodeRow& row, float y) {
        const Rect line{room_.x, y, room_.w, face_.pitch};
        if (row.kind == CodeRow::Kind::FileName) return place(row, line);
        if (row.lit == CodeLit::Now) {
            fill(p_, line, ui_.colors.hover_wash());
            fill(p_, {line.x, line.y, ui_.px(kCodeBar), line.h}, ui_.colors.focus);
        } else if (row.lit == CodeLit::Ran) {
            fill(p_, {line.x, line.y, ui_.px(kCodeBar), line.h}, ui_.colors.edge);
        }
        if (row.number > 0 && row.kind == CodeRow::Kind::Line && numbers_)
            text_in(p_, {ui_.fonts.mono, 11, ui_.colors.text3, Align::Right},
                    {line.x, y, ui_.px(kCodeGutter - 8), face_.pitch}, with_commas(row.number));
        words(row, y);
        if (!row.value.empty()) value(row, y);
    }

private:
    float left() const { return room_.x + ui_.px(numbers_ ? kCodeGutter : kCodePadding); }

    void words(const CodeRow& row, float y) {
        float x = left() + face_.letter * static_cast<float>(row.column);
        for (const CodeSpan& span : code_spans(row.text, row.in_comment)) {
            TextStyle style = colored(face_.style, tone_color(ui_.colors, span.tone));
            if (span.tone == CodeTone::Word) style.font = ui_.fonts.mono_bold;
            text_in(p_, style, {x, y, 0, face_.pitch}, span.text);
            x += face_.letter * static_cast<float>(span.text.size());
        }
    }

    // A value in a box at the right, so that values stand in a column.
    void value(const CodeRow& row, float y) {
        const bool now = row.lit == CodeLit::Now;
        const TextStyle style{now ? ui_.fonts.mono_bold : ui_.fonts.mono, face_.style.size,
                              now ? ui_.colors.text : ui_.colors.text2, Align::Right};
        text_in(p_, style, {room_.x, y, room_.w - ui_.px(kCodePadding), face_.pitch}, row.value);
    }

    void place(const CodeRow& row, const Rect& line) {
        const Text words = Text(row.text) + ":" + std::to_string(row.number);
        text_in(p_, {ui_.fonts.mono, 12, ui_.colors.text2}, line, words);
    }

    const Ui& ui_;
    Painter p_;
    CodeFace face_;
    Rect room_;
    bool numbers_;
};

float height_of(const Ui& ui, const List<CodeRow>& rows, const CodeFace& face) {
    float height = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        height +=
            face.pitch + (rows[i].kind == CodeRow::Kind::FileName && i > 0 ? ui.px(kPlaceRoom) : 0);
    return height;
}

// Calls each(row, y) for every row, with the height at which it stands.
template <class Each>
void each_row(const Ui& ui, const List<CodeRow>& rows, const CodeFace& face, float y,
              const Each& each) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].kind == CodeRow::Kind::FileName && i > 0) y += ui.px(kPlaceRoom);
        each(i, y);
        y += face.pitch;
    }
}

void draw_code_rows(const Ui& ui, const List<CodeRow>& rows, const CodeFace& face, bool numbers) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = height_of(ui, rows, face);
    CodePainter painter(ui, face, {at.x, at.y, width, height}, numbers);
    each_row(ui, rows, face, at.y, [&](std::size_t i, float y) { painter.row(rows[i], y); });
    ImGui::Dummy({width, height});
}

// Keeps the line that runs now in sight.
void scroll_to_now(const Ui& ui, const List<CodeRow>& rows, std::optional<std::size_t> now,
                   const CodeFace& face) {
    if (!now) return;
    float top = 0;
    each_row(ui, rows, face, 0, [&](std::size_t i, float y) {
        if (i == *now) top = y;
    });
    const float room = ImGui::GetWindowHeight(), from = ImGui::GetScrollY();
    const float margin = std::min(2 * face.pitch, room / 4);
    if (top < from + margin || top + face.pitch > from + room - margin)
        ImGui::SetScrollY(std::max(0.0f, top - room / 3));
}

// Draws the idea as high as it is; where that leaves too little to the lines of this program, it
// scrolls.
void draw_idea(const Ui& ui, const CodePlan& plan, const CodeFace& face, bool moved) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float pad = ui.px(8), needed = height_of(ui, plan.idea, face) + 2 * pad;
    const float most = std::max(ui.px(kLeastIdea), room.y - ui.px(kLeastOurs + kBetweenCode));
    const float height = std::min(needed, most);
    fill(Painter(ui), snap({at.x, at.y, room.x, height}), ui.colors.inset, 3);
    if (height >= needed) {
        ImGui::SetCursorScreenPos({at.x, at.y + pad});
        draw_code_rows(ui, plan.idea, face, false);
    } else {
        ImGui::BeginChild("idea", {room.x, height}, 0, ImGuiWindowFlags_NoBackground);
        if (moved) scroll_to_now(ui, plan.idea, plan.idea_now, face);
        draw_code_rows(ui, plan.idea, face, false);
        ImGui::EndChild();
    }
    ImGui::SetCursorScreenPos({at.x, at.y + height});
    ImGui::Dummy({room.x, 0});
}

void draw_stepper(const Ui& ui, const LessonView& lesson, CodeUi& own) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = control_height(ui, true);
    const std::size_t n = own.beats.all.size(), i = own.at ? *own.at + 1 : 0;
    const bool has_keys = !own.beats.of_run && lesson.shown.figure.has_value();
    const bool wide = width >= ui.px(420);
    const auto look = [&](bool enabled, std::string_view key) {
        return ButtonLook{.enabled = enabled, .dense = true, .key = wide ? key : ""};
    };
    const ButtonLook back = look(i > 1 || has_keys, "Shift+Left"),
                     on = look(i < n || has_keys, "Shift+Right");
    if (button(ui, "code back", ui.text["code.back"_t], back)) --own.steps;
    const float second = at.x + button_width(ui, ui.text["code.back"_t], back) + ui.px(8);
    ImGui::SetCursorScreenPos({second, at.y});
    if (button(ui, "code forward", ui.text["code.forward"_t], on)) ++own.steps;
    const float words = second + button_width(ui, ui.text["code.forward"_t], on) + ui.px(12);
    const Text said =
        n == 0 ? Text(ui.text["code.nothing"_t])
               : fill(ui.text["code.line"_t], {{"n", with_commas(i)}, {"all", with_commas(n)}});
    const TextStyle style = type::body(ui);
    const float room = at.x + width - words;
    const bool fits = text_width(ui, style, said) <= room;
    if (fits) text_in(Painter(ui), style, {words, at.y, room, height}, said);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
    ImGui::Dummy({width, 0});
    if (fits) return;
    space(ui, 4);
    paragraph(ui, style, 20, said);
}

std::uint32_t columns(float room, const CodeFace& face) {
    return static_cast<std::uint32_t>(std::max(1.0f, std::floor(room / face.letter)));
}

void draw_ours(const Ui& ui, const CodePlan& plan, const CodeFace& face, bool moved, float width) {
    const float room = std::max(ImGui::GetContentRegionAvail().y, ui.px(kLeastRoom));
    ImGui::SetNextWindowContentSize({width, 0});
    ImGui::BeginChild("ours", {width + ui.px(kCodeScrollbar), room});
    if (moved) scroll_to_now(ui, plan.ours, plan.ours_now, face);
    draw_code_rows(ui, plan.ours, face, true);
    ImGui::EndChild();
}

void draw_sample(const Ui& ui, const LessonView& lesson, const RunView* run, CodeUi& own) {
    const Flush flush;
    own.is_drawn = true;
    follow_code(own, ui, lesson, run);
    const ShownCode& code = shown_code(*lesson.shown.code);
    const float width = ImGui::GetContentRegionAvail().x;
    const CodeFace idea = code_face(ui, kIdeaSize, kIdeaPitch),
                   ours = code_face(ui, kOursSize, kOursPitch);
    const CodePlan plan =
        plan_code(code, own.beats.all, own.at,
                  {.idea_columns = columns(width - 2 * ui.px(kCodePadding), idea),
                   .ours_columns = columns(width - ui.px(kCodeGutter) - ui.px(4), ours)});
    paragraph(ui, type::object_title(ui), 26, code.title);
    space(ui, 8);
    const bool moved = own.shown_at != own.at;
    own.shown_at = own.at;
    draw_idea(ui, plan, idea, moved);
    space(ui, 8);
    draw_stepper(ui, lesson, own);
    space(ui, 12);
    section_head(ui, ui.text["code.ours"_t]);
    space(ui, 4);
    draw_ours(ui, plan, ours, moved, width);
}

}  // namespace

bool has_code(const LessonView& lesson) {
    return lesson.lesson && lesson.shown.code != nullptr;
}

void draw_code(const Ui& ui, const LessonView& lesson, const RunView* run, CodeUi& own) {
    draw_sample(ui, lesson, run, own);
}

void draw_code_in(const Ui& ui, const LessonView& lesson, const RunView* run, CodeUi& own,
                  const Rect& room) {
    ImGui::SetCursorScreenPos(im(room.min()));
    ImGui::BeginChild("code", {room.w, room.h}, 0, ImGuiWindowFlags_NoBackground);
    draw_sample(ui, lesson, run, own);
    ImGui::EndChild();
}

std::vector<DataTable> code_tables(const LessonView& lesson, const RunView* run) {
    if (!has_code(lesson)) return {};
    const ShownCode& code = shown_code(*lesson.shown.code);
    DataTable listing{"listing", std::string(code.title), {{"line"}, {"words"}, {"value"}}, {}};
    const CodeBeats beats = code_beats(*lesson.shown.code, lesson, run);
    for (std::size_t i = 0; i < code.idea.size(); ++i) {
        listing.add(std::uint64_t{i + 1}, code.idea[i], TableCell());
        for (const CodeBeat& beat : beats.all)
            if (const auto* mark = code.mark(beat.mark); mark && mark->idea == i)
                listing.rows.back().back() = beat.value;
    }
    DataTable ours{"source", "The lines of this program", {{"file"}, {"line"}, {"words"}}, {}};
    for (const ShownExcerpt& excerpt : code.ours)
        for (const SourceLine& line : excerpt.lines)
            ours.add(excerpt.file, std::uint64_t{line.number}, line.text);
    return {listing, ours};
}

}  // namespace kv
