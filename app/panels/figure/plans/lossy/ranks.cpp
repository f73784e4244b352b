// Kept tokens twice: at their places in the text, with a gap where tokens were dropped, and at
// their ranks in the cache, where it is closed. Ranks come with the reveal: whoever sees them can
// read off where the next query stands.

#include <algorithm>
#include <utility>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kInText = 1, kInCache = 2, kNextQuery = 3;
constexpr float kRankBox = 56;

class RanksPlan {
public:
    RanksPlan(const RanksFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.ranks.title"_t], text["figure.ranks.how"_t]);
        // Two columns for the gap, one for the next query.
        pitch_ = std::min(100.0f, sheet_.width() / static_cast<float>(facts_.kept() + 3));
        const float high = std::min(380.0f, (sheet_.bottom() - sheet_.top()) / 2);
        const float above = sheet_.top() + 16, below = above + high;
        sheet_.block_head("text", above, 28, text["figure.ranks.text"_t],
                          text["figure.ranks.text.how"_t]);
        sheet_.block_head("cache", below, 28, text["figure.ranks.cache"_t],
                          text["figure.ranks.cache.how"_t]);
        const float top = above + 52, bottom = below + 52;
        sheet_
            .box("asked", {sheet_.left(), bottom, sheet_.width(), kRankBox}, Look::TurnedAway,
                 {{"?", Font::MonoBold, 28, Ink::Quiet}})
            .until = kInText;
        gap(top);
        for (std::uint32_t rank = 0; rank <= facts_.kept(); ++rank) token(rank, top, bottom);
        for (const TextId name :
             {"figure.ranks.key.text"_t, "figure.ranks.key.cache"_t, "figure.ranks.key.next"_t})
            sheet_.key_names().push_back(text[name]);
        return sheet_.take();
    }

private:
    float in_text(std::uint32_t rank) const {
        return in_cache(rank) + (rank >= facts_.sinks ? 2 * pitch_ : 0);
    }
    float in_cache(std::uint32_t rank) const {
        return sheet_.left() + pitch_ * static_cast<float>(rank);
    }

    void gap(float y) {
        const float x0 = in_text(facts_.sinks - 1) + pitch_, x1 = in_text(facts_.sinks);
        sheet_.box("gap", {x0 - 4, y, x1 - x0, kRankBox}, Look::Gone);
        Piece& said = sheet_.words("gap.said", {x0 - 30, y + kRankBox + 6, x1 - x0 + 60, 18},
                                   {{fill(ask_.text["figure.ranks.gap"_t],
                                          {{"n", with_commas(facts_.first - facts_.sinks)}}),
                                     Font::Regular, 13}},
                                   Edge::Center);
        said.names = true;
    }

    void token(std::uint32_t rank, float top, float bottom) {
        const bool is_next = rank == facts_.kept(), is_sink = rank < facts_.sinks;
        const std::uint32_t place = is_sink ? rank : facts_.first + rank - facts_.sinks;
        const Rect text{in_text(rank), top, pitch_ - 8, kRankBox},
            cache{in_cache(rank), bottom, pitch_ - 8, kRankBox};
        const float size = pitch_ < 70 ? 14.0f : 17.0f;
        if (is_next) {
            next(text, cache, place, rank, size);
            return;
        }
        const Look look = is_sink ? Look::Sink : Look::Fresh;
        Piece& above = sheet_.box("place", text, look,
                                  {{with_commas(place), Font::MonoBold, size, Ink::OnHue}});
        above.from = kInText, above.names = true;
        if (!ask_.revealed) return;
        Piece& wire = sheet_.wire(
            "moves", {{text.center().x, text.bottom() + 30}, {cache.center().x, cache.y - 60}},
            false);
        wire.from = kInCache, wire.look = Look::Rule;
        Piece& below = sheet_.box("rank", cache, look,
                                  {{with_commas(rank), Font::MonoBold, size, Ink::OnHue}});
        below.from = kInCache, below.names = true;
    }

    void next(const Rect& text, const Rect& cache, std::uint32_t place, std::uint32_t rank,
              float size) {
        for (const auto& [room, from] : {std::pair{text, kInText}, std::pair{cache, kInCache}}) {
            Piece& said =
                sheet_.words("next.name", {room.x - 20, room.bottom() + 6, room.w + 40, 18},
                             {{ask_.text["figure.ranks.next"_t], Font::Semibold, 13, Ink::Strong}},
                             Edge::Center);
            said.from = from;
            Piece& asked = sheet_.box("asked", room, Look::TurnedAway,
                                      {{"?", Font::MonoBold, size, Ink::Quiet}});
            asked.from = from, asked.until = kNextQuery - 1;
            if (!ask_.revealed) return;
        }
        for (const auto& [room, number] : {std::pair{text, place}, std::pair{cache, rank}}) {
            Piece& box = sheet_.box("next", room, Look::Strong,
                                    {{with_commas(number), Font::MonoBold, size, Ink::OnStrong}});
            box.from = kNextQuery;
        }
    }

    const RanksFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float pitch_ = 0;
};

}  // namespace

Keys keys_of(const RanksFacts&) {
    return {.first = kInText, .opens = kInText, .last = kInText, .end = kNextQuery};
}

Plan layout_ranks(const RanksFacts& facts, const Ask& ask) {
    return RanksPlan(facts, ask).plan();
}

}  // namespace kv::figure
