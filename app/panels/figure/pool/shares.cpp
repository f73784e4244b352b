// Where the slots of a pool are on average: a bar for each rule, as long as the pool. What others
// have published about the same rule stands below it, thinner, on the same scale.

#include <algorithm>
#include <array>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kShareRow = 150, kShareBar = 56, kPaperBar = 24, kShareLegend = 34;

class SharesPlan {
public:
    SharesPlan(const SharesFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.shares.title"_t],
                      fill(text["figure.shares.how"_t], {{"slots", with_commas(facts_.slots)},
                                                         {"n", with_commas(facts_.requests)}}));
        names_ = sheet_.is_narrow() ? 104 : 166, numbers_ = sheet_.is_narrow() ? 84 : 120;
        const float room = sheet_.bottom() - kShareLegend - sheet_.top() - 12;
        row_ = std::min(kShareRow, room / static_cast<float>(facts_.rows.size()));
        bar_ = std::min(kShareBar, row_ * 0.42f), paper_ = std::min(kPaperBar, row_ * 0.2f);
        const std::size_t drawn = ask_.revealed ? facts_.rows.size() : facts_.open;
        for (std::size_t i = 0; i < facts_.rows.size(); ++i) row(i, i < drawn);
        const float wide = sheet_.is_narrow() ? 128 : 172;
        sheet_.legend(sheet_.left() + names_, sheet_.bottom() - 20,
                      {{Look::Fresh, text["figure.shares.tokens"_t], wide},
                       {Look::Reserved, text["figure.arena.reserved"_t], wide},
                       {Look::NeverUsed, text["figure.arena.never"_t], wide - 20},
                       {Look::Gap, text["figure.shares.gaps"_t], wide - 30},
                       {Look::Free, text["figure.shares.free"_t], wide - 60}});
        return sheet_.take();
    }

private:
    float x0() const { return sheet_.left() + names_; }
    float full() const { return sheet_.width() - names_ - numbers_; }

    void row(std::size_t i, bool is_drawn) {
        const Texts& text = ask_.text;
        const SharesFacts::Row& ours = facts_.rows[i];
        const float y = sheet_.top() + 12 + row_ * static_cast<float>(i);
        const auto key = static_cast<std::uint32_t>(i + 1);
        sheet_
            .words("rule", {sheet_.left(), y, names_ - 10, bar_},
                   {{Text(std::string(name_of(ours.kind))), Font::Bold,
                     sheet_.is_narrow() ? 15.0f : 20.0f, Ink::Strong}})
            .names = true;
        if (!is_drawn) {
            sheet_.box("asked", {x0(), y, full(), bar_}, Look::TurnedAway,
                       {{"?", Font::MonoBold, 20, Ink::Quiet}});
            return;
        }
        bar(ours, {x0(), y, full(), bar_}, key, sheet_.is_narrow() ? 13.0f : 16.0f);
        const float right = x0() + full() + 10;
        sheet_
            .words("at_once", {right, y, sheet_.right() - right, bar_ - 16},
                   {{short_number(*ours.at_once, 3), Font::MonoBold,
                     sheet_.is_low() ? 20.0f : 28.0f, Ink::Strong}},
                   Edge::Right)
            .from = key;
        sheet_
            .words("at_once.word", {right, y + bar_ - 16, sheet_.right() - right, 16},
                   {{text["figure.shares.at_once"_t], Font::Regular, 12}}, Edge::Right)
            .from = key;
        const auto theirs =
            std::find_if(facts_.published.begin(), facts_.published.end(),
                         [&](const SharesFacts::Row& one) { return one.kind == ours.kind; });
        if (theirs == facts_.published.end()) return;
        const float below = y + bar_ + 5;
        sheet_
            .words("paper", {sheet_.left(), below, names_ - 10, paper_},
                   {{Text(facts_.source), Font::Regular, 12, Ink::Quiet}}, Edge::Left)
            .from = key;
        bar(*theirs, {x0(), below, full(), paper_}, key, 12);
    }

    // Tokens first, so that they can be compared from one x.
    void bar(const SharesFacts::Row& of, const Rect& room, std::uint32_t key, float size) {
        const std::array<std::pair<Look, double>, 5> parts{{{Look::Fresh, of.tokens},
                                                            {Look::Reserved, of.reserved},
                                                            {Look::NeverUsed, of.never},
                                                            {Look::Gap, of.gaps},
                                                            {Look::Free, of.free}}};
        sheet_.box("pool", room, Look::Free).from = key;
        float x = room.x;
        for (const auto& [look, share] : parts) {
            const float wide = room.w * static_cast<float>(share);
            if (wide < 0.5f) continue;
            Piece& part = sheet_.box("part", {x, room.y, wide, room.h}, look);
            part.from = key, part.radius = 0;
            part.caption = part_text(share);
            x += wide;
            if (wide < 4 * size) continue;
            if (look == Look::Gap) {  // whose marks leave room for its own words
                part.words = {{part_text(share), Font::MonoBold, size, Ink::Strong}};
                continue;
            }
            // Hatched parts have their number on a chip that can be read.
            const bool chip = look == Look::NeverUsed;
            const Rect at{part.rect.x + wide / 2 - 1.9f * size, room.y + room.h / 2 - 0.72f * size,
                          3.8f * size, 1.44f * size};
            Piece& said = sheet_.box("share", chip ? at : part.rect, chip ? Look::Chip : Look::None,
                                     {{part_text(share), Font::MonoBold, size,
                                       look == Look::Fresh ? Ink::OnHue : Ink::Strong}});
            said.from = key;
        }
    }
    static Text part_text(double share) {
        Text words(fixed(100 * share, 1));
        return words += " %";
    }

    const SharesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, numbers_ = 0, row_ = 0, bar_ = 0, paper_ = 0;
};

}  // namespace

Keys keys_of(const SharesFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.rows.size());
    return {.first = std::min(1u, facts.open), .opens = facts.open, .last = facts.open, .end = n};
}

Plan layout_shares(const SharesFacts& facts, const Ask& ask) {
    return SharesPlan(facts, ask).plan();
}

}  // namespace kv::figure
