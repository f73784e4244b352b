// The stages of a step from left to right, those of each layer in a frame. Below it the rows that a
// layer has stored: append writes one of them, attend reads all.

#include <algorithm>
#include <array>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::array kStageNames{
    "figure.stages.embed"_t,  "figure.stages.project"_t, "figure.stages.rotate"_t,
    "figure.stages.append"_t, "figure.stages.attend"_t,  "figure.stages.output"_t,
    "figure.stages.mlp"_t,    "figure.stages.logits"_t,  "figure.stages.draw"_t};
// Keys count from 1: the stage of that number.
constexpr std::uint32_t kAppendStage = 4, kAttendStage = 5;
constexpr std::size_t kFirstOfLayer = 1, kLastOfLayer = 6;  // in the row of stages
constexpr float kMostStageHigh = 84, kFrameHead = 34, kMostCell = 40;

class StagesPlan {
public:
    StagesPlan(const StagesFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.stages.title"_t],
                      fill(text["figure.stages.how"_t], {{"n", with_commas(facts_.layers)}}));
        measure();
        frame();
        for (std::size_t i = 0; i < kStageNames.size(); ++i) stage(i);
        rows();
        append();
        attend();
        return sheet_.take();
    }

private:
    void measure() {
        const auto n = static_cast<float>(kStageNames.size());
        const float room = sheet_.bottom() - sheet_.top();
        gap_ = sheet_.is_narrow() ? 10 : 22;
        wide_ = (sheet_.width() - gap_ * (n - 1)) / n;
        high_ = std::min(kMostStageHigh, room * 0.16f);
        y_ = sheet_.top() + kFrameHead + 8 + room * 0.06f;
        rows_y_ = sheet_.top() + room * 0.62f;
        cell_ = std::min(kMostCell, sheet_.width() / static_cast<float>(facts_.stored));
        cell_high_ = std::clamp(room * 0.1f, 30.0f, 56.0f);
    }
    Rect box(std::size_t i) const {
        return {sheet_.left() + (wide_ + gap_) * static_cast<float>(i), y_, wide_, high_};
    }
    Rect row(std::uint64_t i) const {
        const float gap = cell_ > 12 ? 3.0f : 1.0f;
        return {sheet_.left() + cell_ * static_cast<float>(i), rows_y_, cell_ - gap, cell_high_};
    }

    void frame() {
        const Rect first = box(kFirstOfLayer), last = box(kLastOfLayer);
        const float pad = gap_ / 2;
        sheet_.box("layer",
                   {first.x - pad + 1, y_ - kFrameHead, last.right() - first.x + 2 * pad - 2,
                    high_ + kFrameHead + 10},
                   Look::Config);
        sheet_.words(
            "layer.name", {first.x, y_ - kFrameHead + 4, last.right() - first.x, 24},
            {{fill(ask_.text["figure.stages.layer"_t], {{"n", with_commas(facts_.layers)}}),
              Font::Semibold, 14, Ink::Plain}});
    }

    void stage(std::size_t i) {
        const auto key = static_cast<std::uint32_t>(i + 1);
        const Text name = ask_.text[kStageNames[i]];
        const float size = sheet_.is_narrow() ? 13 : 16;
        const bool touches = key == kAppendStage || key == kAttendStage;
        Piece& rest = sheet_.box("stage", box(i), touches ? Look::Pill : Look::Outline,
                                 {{name, touches ? Font::Bold : Font::Regular, size, Ink::Strong}});
        rest.names = true, rest.radius = 4;
        Piece& now = sheet_.box("stage.now", box(i), Look::Strong,
                                {{name, Font::Bold, size, Ink::OnStrong}});
        now.from = now.until = key, now.names = true;
        if (i + 1 == kStageNames.size()) return;
        const float y = box(i).center().y;
        sheet_.wire("then", {{box(i).right() + 2, y}, {box(i + 1).x - 2, y}}, true);
    }

    // Rows 0 to t - 1 stand there; row t comes with append.
    void rows() {
        const Texts& text = ask_.text;
        const std::uint64_t old = facts_.stored - 1;
        sheet_.words("rows.name", {sheet_.left(), rows_y_ - 34, sheet_.width(), 24},
                     {{text["figure.stages.rows"_t], Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f,
                       Ink::Strong}});
        for (std::uint64_t i = 0; i < old; ++i) sheet_.box("row", row(i), Look::Kept).radius = 1;
        Piece& free = sheet_.box("row.free", row(old), Look::Free);
        free.radius = 1, free.until = kAppendStage - 1;
        Piece& fresh = sheet_.box("row.fresh", row(old), Look::Fresh);
        fresh.radius = 1, fresh.from = kAppendStage;
        count(old, 0, kAppendStage - 1);
        count(facts_.stored, kAppendStage, kAlways);
    }
    void count(std::uint64_t n, std::uint32_t from, std::uint32_t until) {
        Piece& words = sheet_.words(
            "rows.count", {sheet_.left(), rows_y_ + cell_high_ + 10, sheet_.width(), 24},
            {{fill(ask_.text["figure.stages.count"_t],
                   {{"n", with_commas(n)}, {"last", with_commas(n > 0 ? n - 1 : 0)}}),
              Font::Regular, 16, Ink::Strong}});
        words.from = from, words.until = until;
    }

    void append() {
        const Rect from = box(kAppendStage - 1), to = row(facts_.stored - 1);
        const float bend = y_ + high_ + 34;
        Piece& wire = sheet_.wire("append",
                                  {{from.center().x, from.bottom() + 2},
                                   {from.center().x, bend},
                                   {to.center().x, bend},
                                   {to.center().x, to.y - 3}},
                                  true);
        wire.from = kAppendStage, wire.width = 2;
        sentence("append.said", "figure.stages.append.said"_t, kAppendStage,
                 with_commas(facts_.row_bytes));
    }

    void attend() {
        const Rect first = row(0), last = row(facts_.stored - 1);
        Piece& frame = sheet_.brackets(
            "attend.rows", {first.x - 4, rows_y_ - 4, last.right() - first.x + 8, cell_high_ + 8});
        frame.from = kAttendStage;
        sentence("attend.said", "figure.stages.attend.said"_t, kAttendStage,
                 with_commas(facts_.stored));
    }
    void sentence(const char* id, TextId words, std::uint32_t key, const Text& n) {
        const float y = rows_y_ + cell_high_ + 44 + (key == kAttendStage ? 28.0f : 0.0f);
        sheet_
            .words(id, {sheet_.left(), y, sheet_.width(), 24},
                   {{fill(ask_.text[words], {{"n", n}}), Font::Semibold,
                     sheet_.is_narrow() ? 14.0f : 17.0f, Ink::Strong}})
            .from = key;
    }

    const StagesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float gap_ = 0, wide_ = 0, high_ = 0, y_ = 0, rows_y_ = 0, cell_ = 0, cell_high_ = 0;
};

}  // namespace

Keys keys_of(const StagesFacts&) {
    constexpr auto kAll = static_cast<std::uint32_t>(kStageNames.size());
    return {.first = 1, .opens = kAll, .last = kAll, .end = kAll};
}

Plan layout_stages(const StagesFacts& facts, const Ask& ask) {
    return StagesPlan(facts, ask).plan();
}

}  // namespace kv::figure
