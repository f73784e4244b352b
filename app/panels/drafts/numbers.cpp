// What the drafts of a request came to: three counts, their bar with a key, and what follows.

#include <array>
#include <cmath>

#include "app/panels/drafts/paint.hpp"
#include "app/panels/view/real.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kNumberRow = 20, kNumberHead = 22, kNumberBig = 40, kNumberBar = 12;

struct NumberCount {
    TextId words;
    std::uint64_t n;
    Color ink;
};

// Writes line under line.
class NumberLines {
public:
    NumberLines(const DraftsPicture& s, const Rect& room)
        : s_(s), ui_(s.ui), p_(s.ui), room_(room), y_(room.y) {}

    Rect next(float logical) {
        const Rect line{room_.x, y_, room_.w, ui_.px(logical)};
        y_ = std::round(y_ + ui_.px(logical));
        return line;
    }
    void gap(float logical) { y_ = std::round(y_ + ui_.px(logical)); }

    void row(std::string_view words, std::string_view value, bool strong = true) {
        const Rect line = next(kNumberRow);
        TextStyle number = type::number(ui_);
        if (strong) number = with_font(number, ui_.fonts.mono_bold);
        const float w = std::ceil(text_width(ui_, number, value));
        text_in(p_, type::body(ui_), {line.x, line.y, line.w - w - ui_.px(8), line.h}, words);
        text_in(p_, aligned(number, Align::Right), line, value);
    }

    void big(std::span<const NumberCount> counts) {
        const Rect line = next(kNumberBig);
        const float w = std::floor(line.w / static_cast<float>(counts.size()));
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const Rect cell{line.x + static_cast<float>(i) * w, line.y, w, line.h};
            const TextStyle number{ui_.fonts.mono_bold, 22, counts[i].ink, Align::Left};
            text_in(p_, number, {cell.x, cell.y, cell.w, ui_.px(24)}, with_commas(counts[i].n));
            text_in(p_, type::caption(ui_), {cell.x, cell.y + ui_.px(24), cell.w, ui_.px(16)},
                    ui_.text[counts[i].words]);
        }
    }

    void bar() {
        const Rect line = next(kNumberBar);
        const DraftSums& sums = s_.sums;
        const auto at = [&](std::uint64_t n) {
            return std::round(line.x + line.w * static_cast<float>(real(n) / real(sums.proposed)));
        };
        const float a = at(sums.accepted), b = at(sums.accepted + sums.struck);
        fill(p_, {line.x, line.y, a - line.x, line.h}, s_.hue.fill);
        fill(p_, {a, line.y, b - a, line.h}, ui_.colors.loss.fill);
        hatch(p_, {b, line.y, line.right() - b, line.h}, ui_.colors.loss.ink);
        outline(p_, line, ui_.colors.edge);
    }

    void key(std::string_view words, std::uint64_t n, DraftPart part) {
        const Rect line = next(18);
        const Rect box{line.x, std::round(line.center().y - ui_.px(5)), ui_.px(10), ui_.px(10)};
        paint_draft_part(s_, p_, box, part);
        text_in(p_, type::caption(ui_),
                {box.right() + ui_.px(6), line.y, line.w - ui_.px(60), line.h}, words);
        text_in(p_, aligned(with_font(type::number_small(ui_), ui_.fonts.mono_bold), Align::Right),
                line, with_commas(n));
    }

    void rule() {
        gap(6);
        hline(p_, room_.x, room_.right(), y_, ui_.colors.line);
        gap(6);
    }
    void head(std::string_view words) { text_in(p_, type::section(ui_), next(kNumberHead), words); }

private:
    const DraftsPicture& s_;
    const Ui& ui_;
    Painter p_;
    Rect room_;
    float y_;
};

Text whole_number(double value) {
    return group_thousands(fixed(value, 0));
}

}  // namespace

Text two_decimals(double value) {
    return Text(fixed(value, 2));
}

void paint_draft_numbers(const DraftsPicture& s, const Rect& room) {
    const Ui& ui = s.ui;
    const DraftSums& sums = s.sums;
    const Texts& text = ui.text;
    NumberLines lines(s, room);
    lines.head(fill(text["drafts.so_far"_t], {{"name", name_of_request(s.run.now, s.request)},
                                              {"n", with_commas(sums.reads)}}));
    const std::array counts{NumberCount{"drafts.proposed"_t, sums.proposed, ui.colors.text},
                            NumberCount{"drafts.accepted"_t, sums.accepted, s.hue.ink},
                            NumberCount{"drafts.rejected"_t, sums.rejected(), ui.colors.loss.ink}};
    lines.big(counts);
    lines.gap(6);
    lines.bar();
    lines.gap(6);
    const auto said = [&](TextId id) { return fill(text[id], {{"model", s.run.model_name}}); };
    lines.key(said("drafts.key.accepted"_t), sums.accepted, DraftPart::Accepted);
    lines.key(said("drafts.key.struck"_t), sums.struck, DraftPart::Struck);
    lines.key(said("drafts.key.behind"_t), sums.behind, DraftPart::Behind);
    lines.rule();
    lines.row(fill(text["drafts.from_reads"_t], {{"n", with_commas(sums.reads)}}),
              fill(text["drafts.sum"_t], {{"accepted", with_commas(sums.accepted)},
                                          {"own", with_commas(sums.own())},
                                          {"all", with_commas(sums.tokens)}}));
    lines.row(text["drafts.per_read"_t], two_decimals(sums.per_read()));
    lines.row(text["drafts.right"_t],
              fill(text["drafts.share"_t], {{"part", with_commas(sums.accepted)},
                                            {"of", with_commas(sums.accepted + sums.struck)},
                                            {"share", fixed(sums.acceptance(), 3)}}));
    if (sums.bytes > 0) {
        lines.row(text["drafts.bytes"_t], whole_number(sums.bytes_per_token()));
        lines.row(text["drafts.without"_t], whole_number(sums.without_per_token()), false);
    }
    // Pictures hold nothing that a clock has said.
    if (s.run.roofs.state != MachineRoofs::State::Measured) return;
    if (s.times.with_us > 0) lines.row(text["drafts.time"_t], whole_number(s.times.with_us));
    if (s.times.without_us > 0)
        lines.row(text["drafts.without"_t], whole_number(s.times.without_us), false);
}

}  // namespace kv
