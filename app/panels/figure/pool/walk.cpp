// A token's way: its position in the text above, the block table between, the pool below. Blocks of
// the text stand in reading order, those of the pool in order of their addresses.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kPosition = 1, kDivide = 2, kLookUp = 3, kSlot = 4;

class WalkPlan {
public:
    WalkPlan(const WalkFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.walk.title"_t],
                      fill(text["figure.walk.how"_t], {{"n", with_commas(facts_.block_size)}}));
        names_ = sheet_.is_narrow() ? 96 : 150;
        const auto n = static_cast<float>(facts_.table.size());
        pitch_ = (sheet_.width() - names_) / n, gap_ = sheet_.is_narrow() ? 14 : 24;
        const float room = sheet_.bottom() - sheet_.top();
        cell_ = std::min(58.0f, room * 0.1f);
        text_y_ = sheet_.top() + room * 0.1f;
        table_y_ = sheet_.top() + room * 0.42f;
        pool_y_ = sheet_.top() + room * 0.74f;
        row(text["figure.walk.text"_t], text_y_, cell_);
        row(text["figure.walk.table"_t], table_y_, entry_high());
        row(text["figure.walk.pool"_t], pool_y_, cell_);
        in_address_order_ = facts_.table;
        std::sort(in_address_order_.begin(), in_address_order_.end());
        for (std::uint32_t i = 0; i < facts_.table.size(); ++i) block_of_text(i);
        for (std::uint32_t i = 0; i < facts_.table.size(); ++i) block_of_pool(i);
        position();
        if (is_gone()) way();
        for (const TextId key : {"figure.walk.key.position"_t, "figure.walk.key.divide"_t,
                                 "figure.walk.key.look"_t, "figure.walk.key.slot"_t})
            if (is_gone() || sheet_.key_names().empty()) sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    bool is_gone() const {
        return facts_.way == FigureWhen::Now ||
               (facts_.way == FigureWhen::Revealed && ask_.revealed);
    }
    float entry_high() const { return std::min(52.0f, cell_); }
    float block_x(std::size_t i) const {
        return sheet_.left() + names_ + pitch_ * static_cast<float>(i);
    }
    float block_wide() const { return pitch_ - gap_; }
    float slot_wide() const { return (block_wide() - 6) / static_cast<float>(facts_.block_size); }
    Rect slot(std::size_t block, std::uint32_t offset, float y) const {
        const float gap = slot_wide() > 6 ? 2.0f : 1.0f;
        return {block_x(block) + 3 + slot_wide() * static_cast<float>(offset), y + 4,
                std::max(1.0f, slot_wide() - gap), cell_ - 8};
    }
    std::size_t place_in_pool(std::uint32_t physical) const {
        return static_cast<std::size_t>(
            std::find(in_address_order_.begin(), in_address_order_.end(), physical) -
            in_address_order_.begin());
    }
    Rect entry(std::size_t i) const {
        const float wide = std::min(110.0f, block_wide());
        return {block_x(i) + (block_wide() - wide) / 2, table_y_, wide, entry_high()};
    }

    void row(const Text& name, float y, float high) {
        sheet_.words("row", {sheet_.left(), y, names_ - 12, high},
                     {{name, Font::Bold, sheet_.is_narrow() ? 14.0f : 17.0f, Ink::Strong}});
    }

    void block_of_text(std::uint32_t i) {
        const Texts& text = ask_.text;
        const float size = sheet_.is_narrow() ? 12 : 13;
        sheet_.box("logical", {block_x(i), text_y_, block_wide(), cell_}, Look::Outline);
        for (std::uint32_t t = 0; t < facts_.block_size; ++t)
            sheet_.box("token", slot(i, t, text_y_), Look::Kept).radius = 1;
        sheet_
            .words("logical.name", {block_x(i), text_y_ + cell_ + 2, block_wide(), 18},
                   {{fill(text["figure.walk.logical"_t], {{"n", with_commas(i)}}), Font::Regular,
                     size}},
                   Edge::Center)
            .names = true;
        const Rect at = entry(i);
        sheet_
            .box("entry", at, Look::Outline,
                 {{with_commas(facts_.table[i]), Font::MonoBold, sheet_.is_narrow() ? 17.0f : 22.0f,
                   Ink::Strong}})
            .names = true;
        sheet_
            .words(
                "entry.name", {at.x - 20, at.y - 20, at.w + 40, 18},
                {{fill(text["figure.walk.entry"_t], {{"n", with_commas(i)}}), Font::Regular, size}},
                Edge::Center)
            .names = true;
    }

    void block_of_pool(std::uint32_t i) {
        sheet_.box("physical", {block_x(i), pool_y_, block_wide(), cell_}, Look::Outline);
        for (std::uint32_t t = 0; t < facts_.block_size; ++t)
            sheet_.box("slot", slot(i, t, pool_y_), Look::Kept).radius = 1;
        sheet_
            .words("physical.name", {block_x(i), pool_y_ + cell_ + 2, block_wide(), 20},
                   {{fill(ask_.text["figure.walk.block"_t],
                          {{"n", with_commas(in_address_order_[i])}}),
                     Font::Semibold, sheet_.is_narrow() ? 13.0f : 15.0f, Ink::Strong}},
                   Edge::Center)
            .names = true;
        if (i == 0) return;
        sheet_.words("between", {block_x(i) - gap_, pool_y_, gap_, cell_},
                     {{"...", Font::Bold, 12, Ink::Quiet}}, Edge::Center);
    }

    void position() {
        const Rect at = slot(facts_.logical(), facts_.offset(), text_y_);
        Piece& words = sheet_.words(
            "position.words", {at.center().x - 70, at.y - 30, 140, 20},
            {{fill(ask_.text["figure.walk.position"_t], {{"n", with_commas(facts_.position)}}),
              Font::Bold, sheet_.is_narrow() ? 14.0f : 16.0f, Ink::Strong}},
            Edge::Center);
        words.from = kPosition, words.names = true;
        if (!is_gone()) {  // its block is half of the answer
            words.rect.x = sheet_.left(), words.edge = Edge::Left;
            return;
        }
        Piece& cell = sheet_.box("position", at, Look::Fresh);
        cell.radius = 1, cell.from = kPosition;
    }

    // The three terms of the way, each beside what it leads to.
    void way() {
        const Texts& text = ask_.text;
        const std::size_t to = place_in_pool(facts_.physical());
        const Rect row = entry(facts_.logical());
        const float mid = block_x(facts_.logical()) + block_wide() / 2;
        sheet_
            .brackets("divide.frame",
                      {block_x(facts_.logical()) - 3, text_y_ - 3, block_wide() + 6, cell_ + 6})
            .from = kDivide;
        const float divide_y = (text_y_ + cell_ + 20 + table_y_ - 22) / 2;
        term("divide",
             fill(text["figure.walk.divide"_t], {{"position", with_commas(facts_.position)},
                                                 {"size", with_commas(facts_.block_size)},
                                                 {"n", with_commas(facts_.logical())},
                                                 {"rest", with_commas(facts_.offset())}}),
             mid, divide_y, kDivide);
        Piece& strong = sheet_.box("entry.strong", row, Look::Strong,
                                   {{with_commas(facts_.physical()), Font::MonoBold,
                                     sheet_.is_narrow() ? 17.0f : 22.0f, Ink::OnStrong}});
        strong.from = kLookUp;
        const float pool_mid = block_x(to) + block_wide() / 2;
        const float bend = (row.bottom() + pool_y_) / 2;
        Piece& wire =
            sheet_.wire("look",
                        pool_mid == row.center().x
                            ? List<Vec2>{{row.center().x, row.bottom()}, {pool_mid, pool_y_ - 2}}
                            : List<Vec2>{{row.center().x, row.bottom()},
                                         {row.center().x, bend},
                                         {pool_mid, bend},
                                         {pool_mid, pool_y_ - 2}},
                        true);
        wire.from = kLookUp, wire.width = 2;
        const bool left = pool_mid > row.center().x;
        const float look_x = left ? row.center().x - 12 - look_wide() : row.center().x + 12;
        Piece& look = sheet_.words(
            "look.words", {std::max(sheet_.left(), look_x), row.bottom() + 6, look_wide(), 20},
            {{fill(text["figure.walk.look"_t], {{"row", with_commas(facts_.logical())},
                                                {"block", with_commas(facts_.physical())}}),
              Font::Semibold, sheet_.is_narrow() ? 13.0f : 15.0f, Ink::Strong}},
            left ? Edge::Right : Edge::Left);
        look.from = kLookUp;
        Piece& frame = sheet_.brackets("look.frame",
                                       {block_x(to) - 3, pool_y_ - 3, block_wide() + 6, cell_ + 6});
        frame.from = kLookUp;
        Piece& cell = sheet_.box("found", slot(to, facts_.offset(), pool_y_), Look::Fresh);
        cell.from = kSlot, cell.radius = 1;
        term("slot",
             fill(text["figure.walk.slot"_t], {{"block", with_commas(facts_.physical())},
                                               {"size", with_commas(facts_.block_size)},
                                               {"rest", with_commas(facts_.offset())},
                                               {"n", with_commas(facts_.slot())}}),
             pool_mid, pool_y_ + cell_ + (sheet_.is_low() ? 36.0f : 50.0f), kSlot);
    }
    float look_wide() const { return sheet_.is_narrow() ? 170.0f : 230.0f; }

    void term(const char* id, const Text& words, float mid, float y, std::uint32_t from) {
        const float wide = sheet_.is_narrow() ? 210 : 290, high = sheet_.is_low() ? 24 : 36;
        const float x = std::clamp(mid - wide / 2, sheet_.left(), sheet_.right() - wide);
        Piece& box =
            sheet_.box(id, {x, y - high / 2, wide, high}, Look::Outline,
                       {{words, Font::MonoBold, sheet_.is_narrow() ? 13.0f : 17.0f, Ink::Strong}});
        box.from = from;
    }

    const WalkFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    std::vector<std::uint32_t> in_address_order_;
    float names_ = 0, pitch_ = 0, gap_ = 0, cell_ = 0, text_y_ = 0, table_y_ = 0, pool_y_ = 0;
};

}  // namespace

Keys keys_of(const WalkFacts& facts) {
    const std::uint32_t open = facts.way == FigureWhen::Now ? kSlot : kPosition;
    return {.first = kPosition,
            .opens = open,
            .last = open,
            .end = facts.way == FigureWhen::Never ? kPosition : kSlot};
}

Plan layout_walk(const WalkFacts& facts, const Ask& ask) {
    return WalkPlan(facts, ask).plan();
}

}  // namespace kv::figure
