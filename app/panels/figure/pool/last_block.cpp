// What the last block of a request holds: of one request, whose blocks stand in a row, or of all
// lengths, one column each, so that idle slots are half of a square less its diagonal.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kLastLegend = 34;
constexpr std::uint32_t kBlocksOfLine = 22;

class LastBlockPlan {
public:
    LastBlockPlan(const LastBlockFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        if (facts_.tokens > 0)
            one();
        else
            all();
        sheet_.legend(sheet_.left(), sheet_.bottom() - 20,
                      {{Look::Fresh, text["figure.last_block.filled"_t], 160},
                       {Look::NeverUsed, text["figure.last_block.idle.legend"_t], 120}});
        return sheet_.take();
    }

private:
    bool tells(std::size_t i) const { return ask_.revealed || i < facts_.open; }

    void one() {
        const Texts& text = ask_.text;
        const std::uint32_t size = facts_.block_sizes[0];
        sheet_.header(fill(text["figure.last_block.title"_t],
                           {{"n", with_commas(facts_.tokens)}, {"size", with_commas(size)}}),
                      text["figure.last_block.how"_t]);
        const auto blocks = static_cast<std::uint32_t>(facts_.blocks());
        const float pitch = sheet_.width() / static_cast<float>(kBlocksOfLine);
        const auto lines = static_cast<float>(ceil_div(blocks, kBlocksOfLine));
        const float room = sheet_.bottom() - kLastLegend - sheet_.top();
        const float high = std::min(56.0f, room * 0.36f / lines);
        const float top = sheet_.top() + 6;
        for (std::uint32_t b = 0; b < blocks; ++b) {
            const Rect at{sheet_.left() + pitch * static_cast<float>(b % kBlocksOfLine),
                          top + high * static_cast<float>(b / kBlocksOfLine), pitch - 6, high - 8};
            const bool last = b + 1 == blocks;
            if (last && !tells(0)) {
                sheet_.box("asked", at, Look::TurnedAway, {{"?", Font::MonoBold, 15, Ink::Quiet}});
                continue;
            }
            const bool full = !last || facts_.idle() == 0;
            Piece& box = sheet_.box("block", at, full ? Look::Fresh : Look::Reserved);
            box.radius = 2, box.from = last ? 2u : 1u;
        }
        if (!tells(0)) return;
        last(top + high * lines + room * 0.12f, std::min(120.0f, room * 0.26f));
    }

    // Draws the last block once more, large enough to count.
    void last(float y, float high) {
        const Texts& text = ask_.text;
        const std::uint32_t size = facts_.block_sizes[0];
        const auto held = static_cast<std::uint32_t>(size - facts_.idle());
        const float pitch = sheet_.width() / static_cast<float>(size);
        Piece& name = sheet_.words("last", {sheet_.left(), y - 34, sheet_.width(), 26},
                                   {{text["figure.last_block.last"_t], Font::Bold,
                                     sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}});
        name.from = 2;
        for (std::uint32_t s = 0; s < size; ++s) {
            Piece& cell = sheet_.box(
                "slot", {sheet_.left() + pitch * static_cast<float>(s), y, pitch - 6, high},
                s < held ? Look::Fresh : Look::NeverUsed);
            cell.from = 2;
        }
        const float cut = pitch * static_cast<float>(held);
        const float font = sheet_.is_narrow() ? 16 : 22;
        const auto label = [&](TextId id, std::uint64_t n, float x, float wide, Ink ink) {
            if (n == 0) return;
            Piece& words = sheet_.words(
                "said", {x, y + high + 8, wide, 30},
                {{fill(text[id], {{"n", with_commas(n)}}), Font::MonoBold, font, ink}});
            words.from = 2;
        };
        const float least = sheet_.is_narrow() ? 100 : 150;
        label("figure.last_block.holds"_t, held, sheet_.left(), std::max(cut, least), Ink::Strong);
        const float x = std::min(sheet_.left() + std::max(cut, least), sheet_.right() - least);
        label("figure.last_block.idle"_t, facts_.idle(), x, sheet_.right() - x, Ink::Loss);
    }

    void all() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.last_block.title.all"_t], text["figure.last_block.how.all"_t]);
        const float gap = sheet_.is_narrow() ? 40 : 80;
        const float room = sheet_.bottom() - kLastLegend - sheet_.top() - 114;
        float columns = 0;
        std::uint32_t most = 1;
        for (const std::uint32_t size : facts_.block_sizes)
            columns += static_cast<float>(size), most = std::max(most, size);
        const auto n = static_cast<float>(facts_.block_sizes.size());
        const float least = 230;  // of the words under a small one
        const float cell = std::min({44.0f, room / static_cast<float>(most),
                                     (sheet_.width() - gap * (n - 1) - least) / columns});
        float x = sheet_.left();
        for (std::size_t i = 0; i < facts_.block_sizes.size(); ++i) {
            const float wide = cell * static_cast<float>(facts_.block_sizes[i]);
            stair(i, x, cell, std::max(wide, least));
            x += std::max(wide, least) + gap;
        }
    }

    // Column by column from one token to a full block, from the bottom.
    void stair(std::size_t i, float x, float cell, float room) {
        const Texts& text = ask_.text;
        const std::uint32_t size = facts_.block_sizes[i];
        const auto key = static_cast<std::uint32_t>(i + 1);
        const float top = sheet_.top() + 40;
        sheet_
            .words("size", {x, sheet_.top() + 4, room, 26},
                   {{fill(text["figure.last_block.size"_t], {{"n", with_commas(size)}}), Font::Bold,
                     sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}})
            .names = true;
        const float gap = cell > 12 ? 2 : 1;
        for (std::uint32_t held = 1; held <= size; ++held) {
            const float left = x + cell * static_cast<float>(held - 1);
            for (std::uint32_t s = 0; s < size; ++s) {
                const bool full = s < held;
                sheet_
                    .box("slot",
                         {left, top + cell * static_cast<float>(size - 1 - s), cell - gap,
                          cell - gap},
                         full ? Look::Fresh : Look::NeverUsed)
                    .radius = 1;
            }
            if (cell < 16 && held > 1 && held < size) continue;
            sheet_
                .words("held", {left - 8, top + cell * static_cast<float>(size) + 2, cell + 14, 18},
                       {{with_commas(held), Font::Mono, 12, Ink::Quiet}}, Edge::Center)
                .names = true;
        }
        const float under = top + cell * static_cast<float>(size) + 22;
        if (cell * static_cast<float>(size) > 150 || room > 150)
            sheet_.words("axis", {x, under, room, 18},
                         {{text["figure.last_block.tokens"_t], Font::Regular, 12, Ink::Quiet}});
        if (!tells(i)) return;
        const std::uint64_t sum = std::uint64_t{size} * (size - 1) / 2;
        Piece& mean =
            sheet_.words("mean", {x, under + 20, room, 40},
                         {{fill(text["figure.last_block.mean"_t],
                                {{"sum", with_commas(sum)},
                                 {"n", with_commas(size)},
                                 {"mean", short_number(static_cast<double>(sum) / size, 3)}}),
                           Font::Semibold, sheet_.is_narrow() ? 13.0f : 15.0f, Ink::Strong}});
        mean.from = key, mean.pitch = 20;
    }

    const LastBlockFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
};

}  // namespace

Keys keys_of(const LastBlockFacts& facts) {
    if (facts.tokens > 0) {
        const std::uint32_t open = facts.open > 0 ? 2 : 1;
        return {.first = 1, .opens = open, .last = open, .end = 2};
    }
    const auto n = static_cast<std::uint32_t>(facts.block_sizes.size());
    return {.first = std::min(1u, facts.open), .opens = facts.open, .last = facts.open, .end = n};
}

Plan layout_last_block(const LastBlockFacts& facts, const Ask& ask) {
    return LastBlockPlan(facts, ask).plan();
}

}  // namespace kv::figure
