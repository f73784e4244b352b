// The tokens of a request one after the other, and step by step which of them are stored. Where
// blocks are drawn, the tokens of a block lie side by side.

#include "core/base/numbers/text.hpp"

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"

namespace kv::figure {
namespace {

constexpr float kLeastPitch = 84, kMostPitch = 120, kTokenRow = 176, kPositionHigh = 22,
                kSentence = 40, kLegendHigh = 34, kBlockGap = 14, kOtherHigh = 150;
constexpr std::uint32_t kNumbersAtFirst = 3;  // of the positions, where the others are asked

class TextPlan {
public:
    TextPlan(const TextFacts& facts, const Ask& ask)
        : facts_(facts),
          ask_(ask),
          sheet_(ask),
          last_(ask.revealed ? facts.end : facts.open),
          n_(facts.prompt + last_) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const bool has_numbers = facts_.positions != FigureWhen::Never;
        sheet_.header(text["figure.text.title"_t],
                      fill(text[has_blocks()  ? "figure.text.how.blocks"_t
                                : has_numbers ? "figure.text.how"_t
                                              : "figure.text.how.boxes"_t],
                           {{"n", with_commas(facts_.block_size)}}));
        measure();
        for (std::uint32_t i = 0; i < n_; ++i) token(i);
        if (has_blocks()) {
            const std::uint32_t stored = facts_.stored(last_);
            for (std::uint32_t b = 0; b * facts_.block_size < stored; ++b) block(b);
        }
        for (std::uint32_t step = 0; step <= last_; ++step) sentence(step);
        if (facts_.other_block_size > 0 && ask_.revealed) other_blocks();
        sheet_.legend(sheet_.left(), sheet_.bottom() - 20, legend());
        return sheet_.take();
    }

private:
    void measure() {
        const std::uint32_t piece = std::max(1u, facts_.block_size);
        const auto slots = std::max(
            n_, facts_.block_size == 0
                    ? 0
                    : static_cast<std::uint32_t>(ceil_div(facts_.stored(last_), piece)) * piece);
        per_row_ = std::max(
            piece, static_cast<std::uint32_t>(sheet_.width() / kLeastPitch) / piece * piece);
        per_row_ = std::min(per_row_, static_cast<std::uint32_t>(ceil_div(slots, piece)) * piece);
        const auto rows = static_cast<float>(ceil_div(slots, per_row_));
        const std::uint32_t of_row = per_row_ / piece;
        const float gaps = has_blocks() ? kBlockGap * static_cast<float>(of_row - 1) : 0;
        pitch_ = std::min(kMostPitch, (sheet_.width() - gaps) / static_cast<float>(per_row_));
        const float other = facts_.other_block_size > 0 ? kOtherHigh : 0;
        const float high = sheet_.bottom() - kLegendHigh - kSentence - other - sheet_.top();
        row_ = std::min(kTokenRow, high / rows);
        under_ = has_blocks() ? kPositionHigh : 0;
        cell_ = std::min(72.0f, row_ - kPositionHigh - under_ - 12);
        said_ = sheet_.top() + row_ * rows;
    }

    bool asks_position(std::uint32_t i) const {
        return facts_.positions == FigureWhen::Revealed && i >= kNumbersAtFirst;
    }
    bool has_blocks() const { return facts_.block_size > 0; }

    // The place of a token, and of an empty slot of its block.
    Rect cell(std::uint32_t i) const {
        const std::uint32_t blocks = has_blocks() ? i % per_row_ / facts_.block_size : 0;
        const std::uint32_t row = i / per_row_;
        return {sheet_.left() + pitch_ * static_cast<float>(i % per_row_) +
                    kBlockGap * static_cast<float>(blocks),
                sheet_.top() + row_ * static_cast<float>(row) + kPositionHigh, pitch_ - 6, cell_};
    }
    std::uint32_t stored_at(std::uint32_t i) const {
        return i < facts_.prompt ? 1 : i - facts_.prompt + 2;
    }
    std::uint32_t drawn_at(std::uint32_t i) const {
        return i < facts_.prompt ? 0 : i - facts_.prompt + 1;
    }

    // What stands there behind the last step stands there beside the answer, too.
    void lasts(Piece& piece, std::uint32_t from, std::uint32_t until) const {
        piece.from = from, piece.until = until >= last_ ? kAlways : until;
    }

    void token(std::uint32_t i) {
        const bool is_given = i < facts_.prompt;
        const std::uint32_t drawn = drawn_at(i), stored = stored_at(i);
        const Text word = facts_.words[i];
        const auto add = [&](const char* id, Look look, Ink ink) -> Piece& {
            Piece& piece = sheet_.box(id, cell(i), look, {{word, Font::Regular, 14, ink}});
            piece.caption = word, piece.names = true;
            return piece;
        };
        // Where slots are drawn, a token that is not stored stands in none of them.
        if (is_given || !has_blocks()) {
            Piece& waits = add("waits", is_given ? Look::Chip : Look::Pill, Ink::Strong);
            lasts(waits, drawn, stored - 1);
        }
        if (stored <= last_) {
            Piece& fresh = add("fresh", Look::Fresh, Ink::OnHue);
            lasts(fresh, stored, stored);
            if (stored < last_) add("kept", Look::Kept, Ink::Strong).from = stored + 1;
        }
        const bool is_seen = !has_blocks() || stored <= last_;
        const bool says = is_seen && facts_.positions != FigureWhen::Never &&
                          (!asks_position(i) || ask_.revealed);
        if (!says) return;
        const Rect at = cell(i);
        Piece& number =
            sheet_.words("position", {at.x, at.y - kPositionHigh, at.w, kPositionHigh - 2},
                         {{with_commas(i), Font::Mono, 13, Ink::Quiet}}, Edge::Center);
        number.from = asks_position(i) ? facts_.end + 1 : has_blocks() ? stored : drawn;
        number.names = true;
    }

    void block(std::uint32_t b) {
        const std::uint32_t first = b * facts_.block_size, from = stored_at(first);
        const Rect left = cell(first), right = cell(first + facts_.block_size - 1);
        Piece& frame = sheet_.brackets(
            "block", {left.x - 3, left.y - 3, right.right() - left.x + 6, left.h + 6});
        frame.from = from;
        Piece& name = sheet_.words(
            "block.name", {left.x, left.bottom() + 4, right.right() - left.x, under_ - 4},
            {{fill(ask_.text["figure.text.block"_t],
                   {{"entry", with_commas(b)}, {"block", with_commas(facts_.table[b])}}),
              Font::Mono, 12, Ink::Quiet}},
            Edge::Center);
        name.from = from, name.names = true;
        for (std::uint32_t i = first + 1; i < first + facts_.block_size; ++i) {
            if (stored_at(i) == from) continue;
            Piece& empty = sheet_.box("empty", cell(i), Look::Free);
            lasts(empty, from, stored_at(i) - 1);
        }
    }

    // Draws the same tokens in blocks of another size, one beside the other.
    void other_blocks() {
        const Texts& text = ask_.text;
        const std::uint32_t size = facts_.other_block_size, key = facts_.end + 1;
        const std::uint32_t stored = facts_.stored(facts_.end);
        const auto blocks = static_cast<std::uint32_t>(ceil_div(stored, size));
        const std::uint32_t slots = blocks * size;
        const float y = said_ + kSentence;
        sheet_
            .block_head("other", y, 30,
                        fill(text["figure.text.other"_t], {{"n", with_commas(size)}}),
                        fill(text["figure.text.other.empty"_t],
                             {{"blocks", with_commas(blocks)}, {"n", with_commas(slots - stored)}}))
            .from = key;
        const float gaps = kBlockGap * static_cast<float>(blocks - 1);
        const float pitch = std::min(72.0f, (sheet_.width() - gaps) / static_cast<float>(slots));
        const auto at = [&](std::uint32_t i) -> Rect {
            const std::uint32_t before = i / size;
            return {sheet_.left() + pitch * static_cast<float>(i) +
                        kBlockGap * static_cast<float>(before),
                    y + 44, pitch - 4, 44};
        };
        for (std::uint32_t i = 0; i < slots; ++i)
            sheet_
                .box(i < stored ? "other.kept" : "other.empty", at(i),
                     i < stored ? Look::Kept : Look::Free)
                .from = key;
        for (std::uint32_t b = 0; b < blocks; ++b) {
            const Rect first = at(b * size), last = at(b * size + size - 1);
            sheet_
                .brackets("other.block",
                          {first.x - 3, first.y - 3, last.right() - first.x + 6, first.h + 6})
                .from = key;
        }
    }

    void sentence(std::uint32_t step) {
        const Texts& text = ask_.text;
        const std::uint32_t stored = facts_.stored(step),
                            before = facts_.stored(step == 0 ? 0 : step - 1);
        const std::uint32_t blocks =
            facts_.block_size == 0
                ? 0
                : static_cast<std::uint32_t>(ceil_div(stored, facts_.block_size));
        const Text words =
            step == 0
                ? Text(text["figure.text.before"_t])
                : fill(text[has_blocks() ? "figure.text.step.blocks"_t : "figure.text.step"_t],
                       {{"step", with_commas(step)},
                        {"computed", with_commas(stored - before)},
                        {"stored", with_commas(stored)},
                        {"blocks", with_commas(blocks)}});
        Piece& said = sheet_.words(
            "said", {sheet_.left(), said_, sheet_.width(), kSentence - 10},
            {{words, Font::Semibold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}});
        lasts(said, step, step);
    }

    List<Sheet::Entry> legend() const {
        const Texts& text = ask_.text;
        const float w = sheet_.is_narrow() ? 250 : 240;
        List<Sheet::Entry> entries{{Look::Fresh, text["figure.text.fresh"_t], w},
                                   {Look::Kept, text["figure.text.kept"_t], w},
                                   {Look::Pill, text["figure.text.drawn"_t], w}};
        if (has_blocks() && !sheet_.is_narrow())
            entries.push_back({Look::Free, text["figure.text.empty"_t], w});
        return entries;
    }

    const TextFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    std::uint32_t last_, n_, per_row_ = 1;
    float pitch_ = 0, row_ = 0, cell_ = 0, under_ = 0, said_ = 0;
};

}  // namespace

Keys keys_of(const TextFacts& facts) {
    const bool answers = facts.other_block_size > 0 || facts.positions == FigureWhen::Revealed;
    return {.first = std::min(facts.open, 1u),
            .opens = facts.open,
            .last = facts.open,
            .end = facts.end + (answers ? 1 : 0)};
}

Plan layout_text(const TextFacts& facts, const Ask& ask) {
    return TextPlan(facts, ask).plan();
}

}  // namespace kv::figure
