// A draft on the Stage: what became of its slots under the row, and the box of three rows: who
// proposes, what the model says, and what is kept or taken back.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr float kDraftTriangle = 9, kDraftMark = 12;

class DraftBox {
public:
    explicit DraftBox(const StagePicture& s)
        : s_(s),
          ui_(s.ui),
          p_(s.ui),
          draft_(*s.draft),
          plan_(plan_draft_box(s.on_screen(*s.plan.draft_box), s.ui.unit, s.draft->columns())),
          hue_(s.hue(s.draft->request)) {}

    void paint() {
        fill(p_, plan_.box, ui_.colors.inset, 4);
        outline(p_, plan_.box, ui_.colors.line, 4);
        paint_head();
        for (std::uint32_t row = 0; row < 3; ++row) {
            if (row > 0)
                hline(p_, plan_.names_x, plan_.box.right() - ui_.px(12), plan_.row_y(row),
                      ui_.colors.line);
            paint_name(row);
            for (std::uint32_t i = 0; i < plan_.n_columns; ++i) paint_cell(row, i);
        }
        paint_reads();
    }

private:
    const DraftCell* cell(std::uint32_t i) const {
        return i < draft_.cells.size() ? &draft_.cells[i] : nullptr;
    }
    std::string_view word(std::uint32_t token) const { return bare_word(s_.run.word(token)); }

    void paint_head() {
        const TextStyle quiet = type::caption(ui_);
        text_in(p_, quiet, {plan_.names_x, plan_.head_y, plan_.names_w, plan_.head_h},
                ui_.text["stage.draft.position"_t]);
        const TextStyle number =
            aligned(with_font(type::number_small(ui_), ui_.fonts.mono_bold), Align::Center);
        const std::uint32_t first = draft_.cells.front().position;
        for (std::uint32_t i = 0; i < plan_.n_columns; ++i)
            text_in(p_, number, plan_.column(i), with_commas(first + i));
        text_in(p_, aligned(quiet, Align::Right),
                {plan_.reads_x, plan_.head_y, plan_.reads_w, plan_.head_h},
                plan_.left_out > 0
                    ? fill(ui_.text["stage.draft.more"_t], {{"n", with_commas(plan_.left_out)}})
                    : Text(ui_.text["stage.draft.read"_t]));
    }

    Rect half(std::uint32_t row, float x, float w, bool lower) const {
        const float h = std::floor((plan_.row_h - ui_.px(6)) / 2);
        return {x, std::round(plan_.row_y(row) + ui_.px(3) + (lower ? h : 0)), w, h};
    }

    Text how(std::uint32_t row) const {
        if (row == 1)
            return fill(ui_.text["stage.draft.check.how"_t], {{"n", with_commas(draft_.k() + 1)}});
        if (row == 2) return ui_.text["stage.draft.keep.how"_t];
        if (!draft_.from) return ui_.text["stage.draft.propose.model"_t];
        return fill(ui_.text["stage.draft.propose.from"_t], {{"from", with_commas(*draft_.from)}});
    }

    void paint_name(std::uint32_t row) {
        const Rect disc{plan_.names_x,
                        plan_.row_y(row) + std::round((plan_.row_h - ui_.px(20)) / 2), ui_.px(20),
                        ui_.px(20)};
        outline(p_, disc, ui_.colors.text2, 10, 1.4f);
        text_in(p_, aligned(sized(type::strong(ui_), 12), Align::Center), disc,
                std::to_string(row + 1));
        const float x = disc.right() + ui_.px(8), w = plan_.names_x + plan_.names_w - ui_.px(6) - x;
        const Text name =
            row == 0   ? fill(ui_.text["stage.draft.propose"_t], {{"source", draft_.source}})
            : row == 1 ? fill(ui_.text["stage.draft.check"_t], {{"model", s_.run.model_name}})
                       : Text(ui_.text["stage.draft.keep"_t]);
        text_in(p_, sized(type::strong(ui_), 13), half(row, x, w, false), name);
        text_in(p_, type::caption(ui_), half(row, x, w, true), how(row));
    }

    void chip(const Rect& at, ChipState state, std::string_view word, bool bar = false) {
        paint_chip(p_, at, {.state = state, .generated = true, .has_bar = bar}, word, hue_);
    }

    void paint_cell(std::uint32_t row, std::uint32_t i) {
        const Rect at = plan_.chip(row, i);
        const DraftCell* of = cell(i);
        if (row == 0) {
            if (of == nullptr) return;
            chip(at, ChipState::Ghost, word(of->token));
            if (i + 1 < plan_.n_columns && cell(i + 1) != nullptr && !draft_.from)
                arrow(p_, {at.right() + ui_.px(3), std::floor(at.center().y)},
                      {plan_.chip(row, i + 1).x - ui_.px(3), std::floor(at.center().y)},
                      ui_.colors.text3);
            return;
        }
        if (!draft_.verified) return paint_open(at);
        if (row == 1)
            paint_said(at, of);
        else
            paint_kept(at, of);
    }

    void paint_open(const Rect& at) {
        dashed_pill(p_, at, ui_.colors.text3);
        text_in(p_, aligned(colored(type::strong(ui_), ui_.colors.text3), Align::Center), at, "?");
    }

    void paint_said(const Rect& at, const DraftCell* of) {
        const float beside = at.right() + ui_.px(4) + ui_.px(kDraftMark) / 2;
        const float y = std::floor(at.center().y);
        if (of == nullptr) return chip(at, ChipState::Own, word(*draft_.own));
        switch (of->verdict) {
            case Verdict::Accepted:
                fill(p_, at, ui_.colors.raised, at.h / 2 / ui_.unit);
                outline(p_, at, ui_.colors.edge, at.h / 2 / ui_.unit);
                text_that_fits(p_, type::body(ui_), at, word(of->token));
                return tick_mark(p_, {beside, y}, kDraftMark, ui_.colors.text);
            case Verdict::Struck:
                if (draft_.own) chip(at, ChipState::Own, word(*draft_.own));
                return cross_mark(p_, {beside, y}, kDraftMark, ui_.colors.loss.ink, 2);
            default:
                dashed_pill(p_, at, ui_.colors.text3);
                return text_that_fits(p_, colored(type::caption(ui_), ui_.colors.text3), at,
                                      ui_.text["stage.draft.not_judged"_t]);
        }
    }

    void paint_kept(const Rect& at, const DraftCell* of) {
        if (of == nullptr) return chip(at, ChipState::Own, word(*draft_.own));
        switch (of->verdict) {
            case Verdict::Accepted:
                return chip(at, ChipState::Accepted, word(of->token), true);
            case Verdict::Struck:
                return paint_struck_and_own(at, *of);
            default:
                return chip(at, ChipState::Behind, word(of->token));
        }
    }

    // Both stand in one column: the wrong one, and what the model says instead.
    void paint_struck_and_own(const Rect& at, const DraftCell& of) {
        if (!draft_.own) return chip(at, ChipState::Struck, word(of.token));
        const float wide = std::min(plan_.pitch - ui_.px(6), at.w * 1.4f), gap = ui_.px(4);
        const float w = std::floor((wide - gap) / 2);
        const float x = std::round(at.center().x - wide / 2);
        chip({x, at.y, w, at.h}, ChipState::Struck, word(of.token));
        chip({x + w + gap, at.y, w, at.h}, ChipState::Own, word(*draft_.own));
    }

    void said_of(std::uint32_t row, std::string_view amount, std::string_view below, Color ink) {
        const TextStyle number =
            aligned(with_font(type::number_small(ui_), ui_.fonts.mono_bold), Align::Right);
        text_in(p_, sized(number, 13), half(row, plan_.reads_x, plan_.reads_w, false), amount);
        text_in(p_, aligned(colored(type::number_small(ui_), ink), Align::Right),
                half(row, plan_.reads_x, plan_.reads_w, true), below);
    }

    void paint_reads() {
        const auto count = [&](TextId id, std::uint64_t n) {
            return fill(ui_.text[id], {{"n", with_commas(n)}});
        };
        const auto bytes = [&](std::uint64_t n) {
            return knows_bytes(s_.run.layout) ? Text(with_commas(n) + " B") : Text();
        };
        const Color quiet = ui_.colors.text2;
        said_of(0, count("stage.draft.reads"_t, draft_.passes), bytes(draft_.drafter_bytes), quiet);
        said_of(1, count("stage.draft.reads"_t, 1), bytes(draft_.bytes_read), quiet);
        if (!draft_.verified) return;
        const std::uint32_t back = draft_.slots_back();
        said_of(2, count("stage.draft.tokens"_t, draft_.tokens()),
                back > 0 ? count("stage.draft.slots_back"_t, back) : Text(), ui_.colors.loss.ink);
    }

    const StagePicture& s_;
    const Ui& ui_;
    Painter p_;
    const DraftShown& draft_;
    DraftBoxPlan plan_;
    Hue hue_;
};

// The chip of a position of the request in focus, where its row is drawn.
std::optional<Rect> chip_at(const StagePicture& s, std::uint32_t position) {
    const auto row = s.row_of(position), offset = s.offset_of(position);
    if (!row || !offset) return std::nullopt;
    for (const StageRow& drawn : s.plan.rows)
        if (drawn.left_out == 0 && drawn.entry == *row)
            return s.on_screen(s.plan.chip(drawn, *offset));
    return std::nullopt;
}

// Words under the chips that they are about, inside the line.
float words_under(const StagePicture& s, const Painter& p, const Rect& line, float from,
                  const Rect& chips, const TextStyle& style, std::string_view words) {
    const float w = std::ceil(text_width(s.ui, style, words));
    const float x =
        std::clamp(std::round(chips.center().x - w / 2), from, std::max(from, line.right() - w));
    text_in(p, style, {x, line.y, 0, line.h}, words);
    return x + w + s.ui.px(14);
}

}  // namespace

void paint_draft_line(const StagePicture& s) {
    if (s.draft == nullptr || !s.plan.draft_line) return;
    const Ui& ui = s.ui;
    const Painter p(ui);
    const DraftShown& draft = *s.draft;
    const Rect line = s.on_screen(*s.plan.draft_line);
    std::array<std::optional<Rect>, 2> parts;  // kept or ahead, given back
    const auto join = [](std::optional<Rect>& to, const Rect& chip) {
        to = to && to->y == chip.y ? Rect{to->x, to->y, chip.right() - to->x, chip.h} : chip;
    };
    for (const DraftCell& cell : draft.cells) {
        const auto chip = chip_at(s, cell.position);
        if (!chip) continue;
        const bool back = cell.verdict == Verdict::Struck || cell.verdict == Verdict::Behind;
        join(parts[back ? 1 : 0], *chip);
        if (back)
            triangle(p, {std::round(chip->center().x), chip->bottom() + ui.px(6)}, kDraftTriangle,
                     Dir::Down, ui.colors.loss.ink, false);
    }
    const TextStyle small = sized(type::caption(ui), 12);
    const Rect below{line.x, line.y + ui.px(6), line.w, line.h - ui.px(4)};
    float x = below.x;
    const std::uint32_t n = draft.verified ? draft.accepted : draft.k();
    if (parts[0])
        x = words_under(s, p, below, x, *parts[0], colored(small, s.hue(draft.request).ink),
                        fill(ui.text[draft.verified ? "stage.draft.kept"_t : "stage.draft.ahead"_t],
                             {{"n", with_commas(n)}}));
    if (parts[1])
        words_under(s, p, below, x, *parts[1], colored(small, ui.colors.loss.ink),
                    fill(ui.text["stage.draft.back"_t], {{"n", with_commas(draft.slots_back())}}));
}

void paint_draft_box(const StagePicture& s) {
    if (s.draft != nullptr && s.plan.draft_box) DraftBox(s).paint();
}

}  // namespace kv
