// A link and a device as lanes of one time axis: layers in turn above, a layer ahead below. What
// the device waits is hatched.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kLanesHead = 34, kMostLane = 46;

enum : std::uint32_t { kLayersInTurn = 1, kLayerAhead = 2, kSlowerLink = 3 };

class LanesPlan {
public:
    LanesPlan(const LanesFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(fill(text["figure.lanes.title"_t], {{"n", with_commas(facts_.layers)}}),
                      fill(text["figure.lanes.how"_t],
                           {{"copy", ms(facts_.copy)}, {"compute", ms(facts_.compute)}}));
        const bool ahead = facts_.when == FigureWhen::Now ||
                           (facts_.when == FigureWhen::Revealed && ask_.revealed);
        const bool slower = facts_.slower && ask_.revealed;
        end_ = facts_.in_turn.end;
        if (slower) end_ = std::max(end_, facts_.slower->end);
        label_ = sheet_.is_narrow() ? 64 : 92, total_ = sheet_.is_narrow() ? 96 : 150;
        const float blocks = facts_.slower ? 3 : 2;
        block_ = std::min(220.0f, (sheet_.bottom() - 30 - sheet_.top()) / blocks);
        float y = sheet_.top();
        run(y, text[facts_.whole ? "figure.lanes.whole"_t : "figure.lanes.in_turn"_t],
            facts_.in_turn, kLayersInTurn);
        if (ahead) run(y += block_, text["figure.lanes.ahead"_t], facts_.ahead, kLayerAhead);
        if (slower)
            run(y += block_,
                fill(text["figure.lanes.slower"_t], {{"copy", ms(facts_.slower_copy)}}),
                *facts_.slower, kSlowerLink);
        sheet_.legend(sheet_.left(), sheet_.bottom() - 20,
                      {{Look::Kept, text["figure.lanes.copies"_t], 150},
                       {Look::Fresh, text["figure.lanes.computes"_t], 150},
                       {Look::TooMuch, text["figure.lanes.stalls"_t], 200}});
        for (const TextId key :
             {"figure.lanes.in_turn"_t, "figure.lanes.ahead"_t, "figure.lanes.key.slower"_t})
            sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    static Text ms(double seconds) {
        Text words = short_number(1e3 * seconds, 3);
        return words += " ms";
    }
    float x(double seconds) const {
        const float room = sheet_.width() - label_ - total_;
        return sheet_.left() + label_ + room * static_cast<float>(seconds / end_);
    }

    void run(float y, const Text& name, const LanesFacts::Run& run, std::uint32_t from) {
        const Texts& text = ask_.text;
        sheet_
            .words("run", {sheet_.left(), y, sheet_.width(), kLanesHead - 6},
                   {{name, Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}})
            .from = from;
        const float lane = std::min(kMostLane, (block_ - kLanesHead - 24) / 2);
        const float link = y + kLanesHead, device = link + lane + 6;
        for (const auto& [words, top] : {std::pair{text["figure.lanes.link"_t], link},
                                         std::pair{text["figure.lanes.device"_t], device}})
            sheet_
                .words("lane", {sheet_.left(), top, label_ - 12, lane},
                       {{words, Font::Regular, 14, Ink::Plain}}, Edge::Right)
                .from = from;
        for (const LanesFacts::Span& stall : run.stalls)
            span("stall", stall, device, lane, Look::TooMuch, {}, from);
        for (std::uint32_t i = 0; i < facts_.layers; ++i) {
            span("copy", run.copies[i], link, lane, Look::Kept, with_commas(i), from);
            span("compute", run.computed[i], device, lane, Look::Fresh, with_commas(i), from);
        }
        Piece& end = sheet_.words(
            "end", {sheet_.right() - total_ + 12, link, total_ - 12, 2 * lane + 6},
            {{ms(run.end), Font::MonoBold, sheet_.is_narrow() ? 17.0f : 24.0f, Ink::Strong}},
            Edge::Right);
        end.from = from;
        Piece& waits = sheet_.words(
            "waits",
            {sheet_.left() + label_, device + lane + 2, sheet_.width() - label_ - total_, 18},
            {{fill(text["figure.lanes.waits"_t], {{"n", ms(run.stalled())}}), Font::Regular, 13}});
        waits.from = from;
    }

    void span(const char* id, const LanesFacts::Span& time, float y, float high, Look look,
              const Text& word, std::uint32_t from) {
        const float left = x(time.from), wide = x(time.to) - left;
        List<Word> words;
        if (wide >= 24 && !word.empty())
            words = {{word, Font::Mono, 13, look == Look::Fresh ? Ink::OnHue : Ink::Strong}};
        Piece& piece = sheet_.box(
            id, {left, y, std::max(1.0f, wide - (wide > 6 ? 2.0f : 0.0f)), high}, look, words);
        piece.from = from, piece.radius = 2, piece.names = true;
    }

    const LanesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    double end_ = 1;
    float label_ = 0, total_ = 0, block_ = 0;
};

}  // namespace

Keys keys_of(const LanesFacts& facts) {
    const std::uint32_t open = facts.when == FigureWhen::Now ? kLayerAhead : kLayersInTurn;
    const std::uint32_t end = facts.slower                         ? kSlowerLink
                              : facts.when == FigureWhen::Revealed ? kLayerAhead
                                                                   : open;
    return {kLayersInTurn, open, open, end};
}

Plan layout_lanes(const LanesFacts& facts, const Ask& ask) {
    return LanesPlan(facts, ask).plan();
}

}  // namespace kv::figure
