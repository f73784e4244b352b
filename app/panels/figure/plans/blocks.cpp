// Block tables above, the pool below: an entry of a table and the block that it names have the hue
// of the request. A block that several tables name has a band for each of them.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kTableRow = 96, kMostEntry = 92, kPoolHead = 52, kMostBlock = 120, kBlockHigh = 250,
                kCopies = 46;
constexpr std::size_t kBlocksOfRow = 16;

class BlocksPlan {
public:
    BlocksPlan(const BlocksFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.blocks.title"_t],
                      fill(text["figure.blocks.how"_t], {{"n", with_commas(facts_.block_size)}}));
        const std::size_t rows = std::max(facts_.open.requests.size(), facts_.end.requests.size());
        const auto pool_rows =
            static_cast<float>(ceil_div(facts_.open.blocks.size(), kBlocksOfRow));
        const float below = facts_.copies.empty() ? 0 : kCopies;
        const float room = sheet_.bottom() - sheet_.top() - kPoolHead - 34 - below;
        block_high_ = std::min(kBlockHigh, room * 0.55f / pool_rows);
        row_ = std::min(kTableRow, (room - block_high_ * pool_rows) / static_cast<float>(rows + 1));
        pool_top_ = sheet_.top() + row_ * static_cast<float>(rows) + kPoolHead + 14;
        state(facts_.open, 1, ask_.revealed ? 1 : kAlways);
        if (ask_.revealed) state(facts_.end, 2, kAlways);
        if (ask_.revealed) copies();
        for (const TextId key : {"figure.blocks.key.before"_t, "figure.blocks.key.after"_t})
            sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    struct During {
        std::uint32_t from, until;
        Piece& operator()(Piece& piece) const {
            piece.from = from, piece.until = until;
            return piece;
        }
    };

    void state(const BlocksFacts::State& state, std::uint32_t from, std::uint32_t until) {
        const During during{from, until};
        for (std::size_t r = 0; r < state.requests.size(); ++r) table(state, r, during);
        std::size_t used = 0, found = 0;
        for (const BlocksFacts::Block& block : state.blocks) {
            used += block.refs > 0 ? 1 : 0;
            found += block.is_found ? 1 : 0;
        }
        const Text said =
            fill(ask_.text[state.in_step ? "figure.blocks.pool.within"_t : "figure.blocks.pool"_t],
                 {{"step", with_commas(state.step)},
                  {"used", with_commas(used)},
                  {"found", with_commas(found)},
                  {"free", with_commas(state.blocks.size() - used - found)}});
        during(sheet_.words(
            "pool", {sheet_.left(), pool_top_ - kPoolHead, sheet_.width(), 30},
            {{said, Font::Semibold, sheet_.is_narrow() ? 14.0f : 16.0f, Ink::Strong}}));
        for (std::size_t b = 0; b < state.blocks.size(); ++b) block(state, b, during);
    }

    void table(const BlocksFacts::State& state, std::size_t r, const During& during) {
        const Texts& text = ask_.text;
        const BlocksFacts::Request& request = state.requests[r];
        const float y = sheet_.top() + row_ * static_cast<float>(r), high = row_ - 12;
        const float label = sheet_.is_narrow() ? 150 : 210;
        Piece& sign = during(sheet_.tag("sign", {sheet_.left() + 11, y + high / 2}, 21,
                                        static_cast<std::uint8_t>(r)));
        sign.look = request.has_ended ? Look::Kept : Look::None, sign.dashed = request.waits;
        sign.caption = Text(request.name);
        Piece& name = during(
            sheet_.words("request", {sheet_.left() + 32, y, label - 44, high},
                         {{word_of(request), Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f}}));
        name.names = true;
        const auto n = static_cast<float>(std::max<std::size_t>(1, request.table.size()));
        const float pitch = std::min(kMostEntry, (sheet_.width() - label) / n);
        for (std::size_t e = 0; e < request.table.size(); ++e) {
            const auto& entry = request.table[e];
            const Rect at{sheet_.left() + label + pitch * static_cast<float>(e), y, pitch - 6,
                          high};
            Piece& cell =
                during(sheet_.box("entry", at, entry ? Look::Fresh : Look::Free,
                                  {{entry ? Text(with_commas(*entry)) : Text("-"), Font::MonoBold,
                                    pitch > 60   ? 20.0f
                                    : pitch > 34 ? 16.0f
                                                 : 12.0f,
                                    entry ? Ink::OnHue : Ink::Quiet}}));
            cell.hue = static_cast<std::uint8_t>(r), cell.names = true;
            cell.caption = fill(text["figure.blocks.entry"_t],
                                {{"request", Text(request.name)}, {"n", with_commas(e)}});
        }
    }

    Text word_of(const BlocksFacts::Request& request) const {
        const Texts& text = ask_.text;
        if (request.was_refused) return text["figure.blocks.refused"_t];
        if (request.has_ended) return text["figure.blocks.ended"_t];
        if (request.waits) return text["figure.blocks.waits"_t];
        return fill(text["figure.blocks.stores"_t], {{"n", with_commas(request.stored)}});
    }

    // Few blocks of many slots are wide, so that their slots can be counted.
    Rect place(const BlocksFacts::State& state, std::size_t b) const {
        const std::size_t of_row = std::min(kBlocksOfRow, state.blocks.size());
        const float most = std::max(kMostBlock, 16.0f * static_cast<float>(facts_.block_size));
        const float pitch = std::min(most, sheet_.width() / static_cast<float>(of_row));
        return {sheet_.left() + pitch * static_cast<float>(b % kBlocksOfRow),
                pool_top_ + block_high_ * static_cast<float>(b / kBlocksOfRow), pitch - 8,
                block_high_ - 14};
    }

    // Draws copies below the pool: from the block that was shared to the one that a request got for
    // itself.
    void copies() {
        float lane = 0;
        for (const BlocksFacts::Copy& copy : facts_.copies) {
            if (copy.from / kBlocksOfRow != copy.to / kBlocksOfRow) continue;
            const Rect a = place(facts_.end, copy.from), b = place(facts_.end, copy.to);
            const float from = a.center().x - 8 + 6 * lane, y = a.bottom() + 12 + 9 * lane;
            Piece& wire = sheet_.wire("copy",
                                      {{from, a.bottom() + 2},
                                       {from, y},
                                       {b.center().x, y},
                                       {b.center().x, b.bottom() + 3}},
                                      true);
            wire.from = 2;
            lane = std::min(lane + 1, 3.0f);
        }
        if (facts_.copies.empty()) return;
        const Rect last = place(facts_.end, facts_.copies.back().to);
        const Text words =
            fill(ask_.text["figure.blocks.copies"_t], {{"n", with_commas(facts_.copies.size())}});
        const float x = std::min(last.right() + 10, sheet_.right() - 220);
        Piece& said = sheet_.words("copies", {x, last.bottom() + 14, 220, 20},
                                   {{words, Font::Semibold, 14, Ink::Strong}});
        said.from = 2;
    }

    void block(const BlocksFacts::State& state, std::size_t b, const During& during) {
        const BlocksFacts::Block& one = state.blocks[b];
        const Rect at = place(state, b);
        during(sheet_.box("block", {at.x, at.y + 20, at.w, at.h - 40},
                          one.refs > 0 ? Look::Outline : Look::Free))
            .radius = 4;
        during(sheet_.words("block.name", {at.x, at.y, at.w, 18},
                            {{with_commas(b), Font::Mono, 13, Ink::Quiet}}, Edge::Center))
            .names = true;
        slots(state, b, {at.x + 4, at.y + 24, at.w - 8, at.h - 48}, during);
        const TextId word = one.refs > 1   ? "figure.blocks.held"_t
                            : one.refs > 0 ? "figure.blocks.one"_t
                            : one.is_found ? "figure.blocks.found"_t
                                           : "figure.blocks.free"_t;
        if (at.w < 50 && one.refs < 2) return;
        during(sheet_.words("block.state", {at.x - 1, at.bottom() - 18, at.w + 2, 18},
                            {{fill(ask_.text[word], {{"n", with_commas(one.refs)}}),
                              one.refs > 1 ? Font::Bold : Font::Regular, 12,
                              one.refs > 1 ? Ink::Strong : Ink::Quiet}},
                            Edge::Center));
    }

    // A column a slot, a band for each table that names the block, and the sign of its request:
    // every fourth one has the same hue.
    void slots(const BlocksFacts::State& state, std::size_t b, const Rect& room,
               const During& during) {
        const std::optional number(static_cast<std::uint32_t>(b));
        std::vector<std::uint8_t> holders;
        for (std::size_t r = 0; r < state.requests.size(); ++r) {
            const auto& table = state.requests[r].table;
            if (std::find(table.begin(), table.end(), number) != table.end())
                holders.push_back(static_cast<std::uint8_t>(r));
        }
        const float wide = room.w / static_cast<float>(facts_.block_size);
        const float gap = wide > 7 ? 2.0f : 0.0f;
        const std::size_t bands = std::max<std::size_t>(1, holders.size());
        const float high = room.h / static_cast<float>(bands);
        // A block of nobody has the hue of nobody. Slots without a gap are drawn as one.
        const Look look = holders.empty() ? Look::Amount : Look::Fresh;
        const std::uint32_t filled = state.blocks[b].filled, n = gap > 0 ? filled : 1;
        const float each = gap > 0 ? wide : wide * static_cast<float>(filled);
        for (std::size_t band = 0; band < bands && filled > 0; ++band) {
            const float y = room.y + high * static_cast<float>(band);
            for (std::uint32_t s = 0; s < n; ++s) {
                Piece& slot = during(sheet_.box("slot",
                                                {room.x + each * static_cast<float>(s), y,
                                                 std::max(1.0f, each - gap), high - 2},
                                                look));
                slot.radius = 1;
                if (!holders.empty()) slot.hue = holders[band];
            }
            const float sign = std::min(21.0f, high - 6);
            if (!holders.empty() && sign >= 13 && room.w > sign + 4)
                during(
                    sheet_.tag("block.sign", {room.center().x, y + high / 2}, sign, holders[band]));
        }
    }

    const BlocksFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float row_ = 0, pool_top_ = 0, block_high_ = 0;
};

}  // namespace

Keys keys_of(const BlocksFacts&) {
    return {.first = 1, .opens = 1, .last = 1, .end = 2};
}

Plan layout_blocks(const BlocksFacts& facts, const Ask& ask) {
    return BlocksPlan(facts, ask).plan();
}

}  // namespace kv::figure
