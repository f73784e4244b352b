// Two sums that share all terms but those at which they part: a tall box is shared by both rows, a
// term of one row alone leaves an empty dashed box in the other. Lines of the model's config feed
// the boxes that part. Below, both results on one scale, and how many of them fit into a room.

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kNameLine = 15;  // of a name that takes several

using Open = TwoSumsFacts::Open;
using Term = TwoSumsFacts::Term;
using Feeds = TwoSumsFacts::Line::Feeds;

// The keys: what stands open is the first one, then a part after the other.
struct SumKeys {
    std::uint32_t wrong = 1, right = 2, hole = 0, file = 0, bars = 0, room = 0, end = 0;

    explicit SumKeys(const TwoSumsFacts& facts) {
        if (facts.open == Open::Right) wrong = 2, right = 1;
        if (facts.open == Open::Both) right = 1;
        std::uint32_t next = facts.open == Open::Both ? 2 : 3;
        if (facts.open == Open::Both) hole = next++;
        if (!facts.lines.empty()) file = next++;
        bars = next++;
        if (!facts.room.empty()) room = next++;
        end = next - 1;
    }
};

class TwoSums {
public:
    TwoSums(const TwoSumsFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask), keys_(facts) {}

    Plan plan() {
        sheet_.header(Text(facts_.title), Text(facts_.how));
        // Without a file above and a room below, the rest is drawn larger.
        const bool is_short = facts_.lines.empty() && facts_.room.empty();
        scale_ = std::min(is_short ? 1.3f : 1.12f,
                          (sheet_.bottom() - sheet_.top()) / (is_short ? 620 : 760));
        const float file = facts_.lines.empty() ? 60 : 170;
        const float rows = sheet_.top() + file * scale_;
        place(rows);
        if (!facts_.lines.empty() && parts()) config();
        for (const bool wrong : {false, true})
            if (shows(wrong)) track(wrong);
        for (std::size_t i = 0; i < facts_.terms.size(); ++i) term(i);
        for (const bool wrong : {false, true})
            if (shows(wrong)) result(wrong);
        below(rows + 300 * scale_);
        name_keys();
        return sheet_.take();
    }

private:
    bool parts() const { return facts_.open == Open::All || ask_.revealed; }
    bool shows(bool wrong) const {
        return parts() || facts_.open == Open::Both || (facts_.open == Open::Wrong) == wrong;
    }
    bool stands(std::size_t i, bool wrong) const { return !value_of(i, wrong).empty(); }
    const std::string& value_of(std::size_t i, bool wrong) const {
        return wrong ? facts_.terms[i].wrong : facts_.terms[i].right;
    }
    std::uint32_t key_of(bool wrong) const { return wrong ? keys_.wrong : keys_.right; }
    Text name_of(bool wrong) const {
        const std::string& own = wrong ? facts_.wrong_name : facts_.right_name;
        if (!own.empty()) return Text(own);
        return ask_.text[wrong ? "figure.two_sums.wrong"_t : "figure.two_sums.right"_t];
    }
    Text says_of(bool wrong) const {
        const std::string& own = wrong ? facts_.wrong_says : facts_.right_says;
        if (!own.empty()) return Text(own);
        return ask_.text[wrong ? "figure.two_sums.claims"_t : "figure.two_sums.holds"_t];
    }
    const TwoSumsFacts::Result& sum(bool wrong) const {
        return wrong ? facts_.wrong : facts_.right;
    }
    // The second row is only called wrong where one of them is, and only when that is known.
    bool marked(bool wrong) const { return wrong && parts() && facts_.judged; }
    Ink ink(bool wrong) const { return marked(wrong) ? Ink::Loss : Ink::Strong; }

    // Whether a term is drawn. Until the sums part the boxes are alike, and nothing stands where
    // the shown sum lacks a term.
    bool is_drawn(std::size_t i) const {
        return parts() || facts_.open == Open::Both || stands(i, facts_.open == Open::Wrong);
    }
    bool is_wide(std::size_t i) const { return parts() && facts_.terms[i].parts(); }

    // Boxes of two widths, signs between them, results at the right edge.
    void place(float y) {
        const bool narrow = sheet_.is_narrow();
        const float result = narrow ? 150 : 224, most = narrow ? 96 : 150;
        const float least_sign = narrow ? 24 : 40, high = 240 * scale_;
        float shared = 0, n_parted = 0, parted = most;
        for (std::size_t i = 0; i < facts_.terms.size(); ++i)
            if (is_drawn(i)) ++(is_wide(i) ? n_parted : shared);
        const float n = shared + n_parted;
        float each = shared > 0
                         ? (sheet_.width() - result - n * least_sign - n_parted * parted) / shared
                         : 0;
        each = std::min(each, narrow ? 96.0f : 124.0f);
        if (shared == 0) parted = std::min(260.0f, (sheet_.width() - result) / n - least_sign);
        sign_ = (sheet_.width() - result - n_parted * parted - shared * each) / n;
        float x = sheet_.left();
        for (std::size_t i = 0; i < facts_.terms.size(); ++i) {
            const float w = !is_drawn(i) ? 0 : is_wide(i) ? parted : each;
            boxes_.push_back({x, y, w, high});
            if (is_drawn(i)) x += w + sign_;
        }
        result_ = {sheet_.right() - result, y, result, high};
        half_ = 100 * scale_;
    }
    Rect half_of(const Rect& box, bool wrong) const {
        return {box.x, wrong ? box.bottom() - half_ : box.y, box.w, half_};
    }

    void config() {
        std::size_t at = 0;
        while (!facts_.terms[at].parts()) ++at;
        const Rect& parted = boxes_[at];
        const float w = sheet_.is_narrow() ? 300 : 360,
                    line = std::min(32 * scale_,
                                    120 * scale_ / static_cast<float>(facts_.lines.size()));
        const float side = parted.x - std::min(12.0f, sign_ * 0.3f),
                    low = half_of(parted, true).center().y;
        const float x = std::clamp(side + 26, sheet_.left() + 40, sheet_.right() - w);
        const Rect file{x, sheet_.top(), w,
                        static_cast<float>(facts_.lines.size()) * line + 18 * scale_};
        sheet_.box("file", file, Look::Config).from = keys_.file;
        const bool fits = file.right() + 164 < sheet_.right();
        sheet_
            .words("file.name",
                   fits ? Rect{file.right() + 14, file.y, 150, 24}
                        : Rect{std::min(file.x, side) - 164, file.y, 150, 24},
                   {{"config.json", Font::Mono, 13}}, fits ? Edge::Left : Edge::Right)
            .from = keys_.file;
        for (std::size_t i = 0; i < facts_.lines.size(); ++i)
            entry(file, facts_.lines[i], static_cast<float>(i), line, parted, side, low);
    }

    void entry(const Rect& file, const TwoSumsFacts::Line& line, float row, float high,
               const Rect& parted, float side, float low) {
        const Rect at{file.x + 18, file.y + 9 * scale_ + high * row, file.w - 36, high};
        const Rect frame{at.x - 8, at.y + 2, at.w + 16, at.h - 4};
        const Ink ink = line.feeds == Feeds::Right   ? Ink::Strong
                        : line.feeds == Feeds::Wrong ? this->ink(true)
                                                     : Ink::Plain;
        if (line.feeds == Feeds::Right)
            sheet_.box("file.right", frame, Look::Outline).from = keys_.file;
        if (line.feeds == Feeds::Wrong)
            sheet_.box("file.wrong", frame, marked(true) ? Look::WrongLine : Look::Outline).from =
                keys_.file;
        sheet_.words("file.line", at, {{Text("\"" + line.name + "\":"), Font::Mono, 13, ink}})
            .from = keys_.file;
        sheet_.words("file.value", at, {{Text(line.value), Font::MonoBold, 13, ink}}, Edge::Right)
            .from = keys_.file;
        if (line.feeds == Feeds::Right) {
            const float x = std::clamp(parted.center().x, file.x + 20, file.right() - 20);
            Piece& to = sheet_.wire("file.to_right", {{x, frame.bottom()}, {x, parted.y}}, true);
            to.from = keys_.file, to.width = 2;
        }
        if (line.feeds == Feeds::Wrong) {
            Piece& to = sheet_.wire("file.to_wrong",
                                    {{frame.x, frame.center().y},
                                     {side, frame.center().y},
                                     {side, low},
                                     {parted.x, low}},
                                    true);
            to.from = keys_.file, to.loss = to.dashed = marked(true), to.width = 2;
        }
    }

    void term(std::size_t i) {
        const Term& term = facts_.terms[i];
        const Rect& box = boxes_[i];
        if (!term.parts()) {
            sheet_.box("factor", box, Look::Outline);
            return value("factor", tall(box), Text(term.right), Text(term.name), Ink::Strong,
                         Ink::Plain, 0);
        }
        if (!parts()) return open_term(i);
        // The box of the one row grows into the room of both until the other joins.
        for (const bool wrong : {false, true}) parted_half(i, wrong);
        if (facts_.open == Open::Both) {
            sheet_.box("hole", box, Look::TurnedAway, {{"?", Font::MonoBold, 24, Ink::Quiet}})
                .until = keys_.hole - 1;
        }
    }

    // Draws the open term as any other, so that nothing tells which one it is.
    void open_term(std::size_t i) {
        const Rect& box = boxes_[i];
        const Term& term = facts_.terms[i];
        if (facts_.open == Open::Both) {
            sheet_.box("hole", box, Look::TurnedAway, {{"?", Font::MonoBold, 24, Ink::Quiet}});
            return;
        }
        const std::string& said = value_of(i, facts_.open == Open::Wrong);
        if (said.empty()) return;
        sheet_.box("factor", box, Look::Outline);
        value("factor", tall(box), Text(said), Text(term.called), Ink::Strong, Ink::Plain, 0);
    }

    static Rect tall(const Rect& box) {
        return {box.x, box.y + box.h * 0.32f, box.w, box.h * 0.36f};
    }

    void parted_half(std::size_t i, bool wrong) {
        const Term& term = facts_.terms[i];
        const Rect half = half_of(boxes_[i], wrong);
        const std::uint32_t key = facts_.open == Open::Both ? keys_.hole : key_of(wrong);
        if (!stands(i, wrong)) {
            sheet_
                .box(wrong ? "wrong.lacks" : "right.lacks", half,
                     marked(wrong) ? Look::WrongLine : Look::TurnedAway)
                .from = key;
            sheet_
                .words("lacks", {half.x + 2, half.y + half.h * 0.5f, half.w - 4, half.h * 0.5f},
                       {{ask_.text[wrong ? "figure.two_sums.lacks"_t : "figure.two_sums.none"_t],
                         Font::Regular, 13, marked(wrong) ? Ink::Loss : Ink::Plain}},
                       Edge::Center)
                .from = key;
            return;
        }
        const bool is_wrong = marked(wrong);
        sheet_.box(wrong ? "wrong" : "right", half, is_wrong ? Look::Wrong : Look::Strong).from =
            key;
        const Ink on = is_wrong ? Ink::Loss : Ink::OnStrong;
        value(wrong ? "wrong" : "right", half, Text(value_of(i, wrong)),
              Text(wrong ? term.wrong_name : term.name), on, on, key);
    }

    void value(const char* id, const Rect& in, const Text& value, const Text& name, Ink ink,
               Ink quiet, std::uint32_t key) {
        const float most = sheet_.is_narrow() ? 18 : 24;
        const float fits =
            (in.w - 6) / (0.62f * static_cast<float>(std::max<std::size_t>(1, value.size())));
        sheet_
            .words(id, {in.x, in.y + in.h * 0.08f, in.w, in.h * 0.5f},
                   {{value, Font::MonoBold, std::min(most, fits), ink}}, Edge::Center)
            .from = key;
        if (name.empty()) return;
        // A long name takes two lines.
        const float room = in.w - 6, size = 13;
        const bool two = 0.5f * size * static_cast<float>(name.size()) > room;
        const float high = two ? 2 * kNameLine : in.h * 0.36f,
                    top = two ? in.y + in.h * 0.74f - kNameLine : in.y + in.h * 0.55f;
        Piece& said = sheet_.words("name", {in.x + 3, top, room, high},
                                   {{name, Font::Regular, size, quiet}}, Edge::Center);
        said.from = key;
        if (two) said.pitch = kNameLine;
    }

    Text sign() const {
        return facts_.sign == TwoSumsFacts::Sign::Times  ? "×"
               : facts_.sign == TwoSumsFacts::Sign::Over ? "÷"
                                                         : "−";
    }

    // The row through all boxes; it runs on where it lacks a term, and signs stand between those
    // that it has.
    void track(bool wrong) {
        const bool marked = this->marked(wrong);
        const float y = half_of(boxes_[0], wrong).center().y;
        const std::uint32_t key = key_of(wrong);
        const auto line = [&](float from, float to) {
            if (to - from < 2) return;
            Piece& piece = sheet_.wire("track", {{from, y}, {to, y}}, false);
            piece.from = key, piece.loss = piece.dashed = marked, piece.width = 2;
        };
        List<std::size_t> drawn;
        for (std::size_t i = 0; i < boxes_.size(); ++i)
            if (is_drawn(i)) drawn.push_back(i);
        bool has_begun = stands(drawn[0], wrong);
        for (std::size_t d = 0; d < drawn.size(); ++d) {
            const bool last = d + 1 == drawn.size();
            const float from = boxes_[drawn[d]].right(),
                        to = last ? result_.x : boxes_[drawn[d + 1]].x;
            const bool next = last || stands(drawn[d + 1], wrong);
            if (!(has_begun && next)) {
                line(from, to);
                has_begun = has_begun || next;
                continue;
            }
            const float mid = (from + to) / 2;
            line(from, mid - 9), line(mid + 9, to);
            sheet_
                .words("sign", {mid - 9, y - 12, 18, 24},
                       {{last ? Text("=") : sign(), Font::Mono, 15, ink(wrong)}}, Edge::Center)
                .from = key;
        }
    }

    void result(bool wrong) {
        const Rect box = half_of(result_, wrong);
        const std::uint32_t key = key_of(wrong);
        sheet_.box("result", box, marked(wrong) ? Look::WrongResult : Look::Outline).from = key;
        const TwoSumsFacts::Result& one = sum(wrong);
        const float most = sheet_.is_narrow() ? 20 : 26;
        const float fits = (box.w - 10) / (0.62f * static_cast<float>(one.said.size()));
        const bool exact = !one.exact.empty();
        sheet_
            .words("result.said",
                   {box.x, box.y + box.h * 0.08f, box.w, box.h * (exact ? 0.5f : 0.84f)},
                   {{Text(one.said), Font::MonoBold, std::min(most, fits), ink(wrong)}},
                   Edge::Center)
            .from = key;
        if (exact)
            sheet_
                .words("result.exact", {box.x, box.y + box.h * 0.55f, box.w, box.h * 0.36f},
                       {{Text(one.exact), Font::Mono, 13, ink(wrong)}}, Edge::Center)
                .from = key;
        const float y = wrong ? result_.bottom() + 4 : result_.y - 30;
        const float half = sheet_.width() / 2 - 20;
        if (parts() || facts_.open == Open::Both)
            sheet_
                .words(wrong ? "wrong.name" : "right.name", {sheet_.left(), y, half, 26},
                       {{name_of(wrong), Font::Bold, 14, ink(wrong)}})
                .from = key;
        sheet_
            .words(wrong ? "wrong.claims" : "right.holds", {sheet_.right() - half, y, half, 26},
                   {{says_of(wrong), Font::Bold, 14, ink(wrong)}}, Edge::Right)
            .from = key;
    }

    void below(float y) {
        sheet_.rule(y).from = parts() ? keys_.bars : 0;
        if (!parts()) return open_bars(y + 26 * scale_);
        const bool has_room = !facts_.room.empty();
        bars(y + 26 * scale_, sheet_.width() * (has_room ? 0.55f : 1.0f));
        if (has_room) requests(y + 26 * scale_);
    }

    // Writes a name in as many lines as it takes, around the middle of its bar.
    Piece& bar_name(float y, float room, float h, const Text& name, Ink ink) {
        constexpr float kSize = 13;
        const float lines = std::ceil(0.56f * kSize * static_cast<float>(name.size()) / room);
        const Rect at = lines > 1 ? Rect{sheet_.left(), y + (h - lines * kNameLine) / 2, room,
                                         lines * kNameLine}
                                  : Rect{sheet_.left(), y, room, h};
        Piece& piece = sheet_.words("bar.name", at, {{name, Font::Bold, kSize, ink}});
        if (lines > 1) piece.pitch = kNameLine;
        return piece;
    }

    // The sum that is shown, and a room for the other one. Of two that are both shown, both.
    void open_bars(float y) {
        const Texts& text = ask_.text;
        const float label = sheet_.is_narrow() ? 150 : 250, number = sheet_.is_narrow() ? 100 : 130;
        const float full = sheet_.width() - label - number, h = 44 * scale_;
        head(sheet_.left(), y, sheet_.width(), text["figure.two_sums.bars"_t],
             text["figure.two_sums.bars.how"_t], 0);
        y += 40 * scale_;
        const double most = std::max(facts_.right.amount, facts_.wrong.amount);
        for (const bool wrong : {facts_.open == Open::Wrong, facts_.open != Open::Wrong}) {
            const bool is_shown = shows(wrong);
            if (!is_shown) {
                sheet_.box("asked", {sheet_.left() + label, y, full, h}, Look::TurnedAway,
                           {{"?", Font::MonoBold, 20, Ink::Quiet}});
                return;
            }
            const float w =
                facts_.open == Open::Both
                    ? std::max(2.0f, full * static_cast<float>(sum(wrong).amount / most))
                    : full;
            bar_name(y, label - 8, h, says_of(wrong), Ink::Strong);
            sheet_.box("bar.held", {sheet_.left() + label, y, w, h}, Look::Amount);
            sheet_.words("bar.value", {sheet_.left() + label + w + 12, y, number - 12, h},
                         {{Text(sum(wrong).said), Font::MonoBold, 15, Ink::Strong}});
            y += h + 14 * scale_;
        }
    }

    // The room of the names beside the bars: that of a long one leaves it in two lines.
    float bar_label() const {
        if (!sheet_.is_narrow()) return 190;
        const bool is_long = std::max(name_of(false).size(), name_of(true).size()) > 22;
        return is_long ? 150 : 100;
    }

    // What both sums have is solid; the rest is hatched, or dashed where the wrong one lacks it.
    void bars(float y, float w) {
        const Texts& text = ask_.text;
        const float label = bar_label(), number = sheet_.is_narrow() ? 100 : 130;
        const float full = w - label - number, h = 44 * scale_;
        head(sheet_.left(), y, w, text["figure.two_sums.bars"_t],
             text["figure.two_sums.bars.how"_t], keys_.bars);
        y += 40 * scale_;
        const double most = std::max(facts_.right.amount, facts_.wrong.amount);
        const auto wide = [&](double amount) {
            return std::max(2.0f, full * static_cast<float>(amount / most));
        };
        const float both = wide(std::min(facts_.right.amount, facts_.wrong.amount));
        for (const bool wrong : {false, true}) {
            const float x = sheet_.left() + label, own = wide(sum(wrong).amount);
            bar_name(y, label - 8, h, name_of(wrong), ink(wrong)).from = keys_.bars;
            const bool parts = wrong && facts_.judged;
            sheet_.box("bar.held", {x, y, parts ? both : own, h}, Look::Amount).from = keys_.bars;
            if (parts && own > both + 1)
                sheet_.box("bar.claimed", {x + both, y, own - both, h}, Look::TooMuch).from =
                    keys_.bars;
            const float right = wide(facts_.right.amount);
            if (parts && right > own + 1)
                sheet_.box("bar.lacks", {x + own, y, right - own, h}, Look::TurnedAway).from =
                    keys_.bars;
            sheet_
                .words("bar.value", {x + (wrong ? std::max(own, right) : own) + 12, y, number, h},
                       {{Text(sum(wrong).said), Font::MonoBold, 15, ink(wrong)}})
                .from = keys_.bars;
            y += h + 14 * scale_;
        }
        const bool more = facts_.wrong.amount > facts_.right.amount;
        const bool same = facts_.wrong.amount == facts_.right.amount;
        if (!facts_.judged && !same) return;
        sheet_
            .words("bar.how", {sheet_.left() + label, y, w - label, 20},
                   {{text[same   ? "figure.two_sums.same"_t
                          : more ? "figure.two_sums.hatched"_t
                                 : "figure.two_sums.dashed"_t],
                     Font::Regular, 13}})
            .from = keys_.bars;
    }

    void requests(float y) {
        const Texts& text = ask_.text;
        const float x = sheet_.left() + sheet_.width() * 0.6f, w = sheet_.right() - x, number = 56,
                    h = 44 * scale_;
        head(x, y, w, fill(text["figure.two_sums.room"_t], {{"n", facts_.room}}),
             text["figure.two_sums.room.how"_t], keys_.room);
        y += 40 * scale_;
        const std::uint64_t right = facts_.right.fit, n = std::max(right, facts_.wrong.fit);
        const float pitch = (w - number) / static_cast<float>(n);
        for (const bool wrong : {false, true}) {
            const std::uint64_t fit = sum(wrong).fit;
            for (std::uint64_t i = 0; i < (wrong ? n : right); ++i) {
                const bool fits = i < std::min(fit, right);
                sheet_
                    .box(fits      ? "fits"
                         : i < fit ? "promised"
                                   : "turned_away",
                         {x + pitch * static_cast<float>(i), y, pitch - 3, h},
                         fits      ? Look::Amount
                         : i < fit ? Look::TooMuch
                                   : Look::TurnedAway)
                    .from = keys_.room;
            }
            sheet_
                .words("fit", {sheet_.right() - number, y, number, h},
                       {{with_commas(fit), Font::MonoBold, 22, ink(wrong)}}, Edge::Right)
                .from = keys_.room;
            y += h + 14 * scale_;
        }
        const bool turns = facts_.wrong.fit < right;
        const std::uint64_t differ = turns ? right - facts_.wrong.fit : facts_.wrong.fit - right;
        sheet_
            .words("away", {x, y, w, 20},
                   {{fill(text[turns ? "figure.two_sums.away"_t : "figure.two_sums.promised"_t],
                          {{"n", with_commas(right)}, {"away", with_commas(differ)}}),
                     Font::Regular, 13}})
            .from = keys_.room;
    }

    void head(float x, float y, float w, const Text& name, const Text& how, std::uint32_t key) {
        sheet_
            .words("head", {x, y, w, 26},
                   {{name, Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong},
                    {how, Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f, Ink::Plain, 12}})
            .from = key;
    }

    void name_keys() {
        const Texts& text = ask_.text;
        const auto add = [&](TextId id) { sheet_.key_names().push_back(text[id]); };
        const bool right_first = keys_.right < keys_.wrong;
        if (facts_.open == Open::Both) {
            add("figure.two_sums.key.results"_t), add("figure.two_sums.key.hole"_t);
        } else {
            for (const bool wrong : {!right_first, right_first}) {
                const std::string& own = wrong ? facts_.wrong_name : facts_.right_name;
                if (own.empty())
                    add(wrong ? "figure.two_sums.key.wrong"_t : "figure.two_sums.key.right"_t);
                else
                    sheet_.key_names().push_back(Text(own));
            }
        }
        if (keys_.file > 0) add("figure.two_sums.key.file"_t);
        add("figure.two_sums.key.bars"_t);
        if (keys_.room > 0) add("figure.two_sums.key.requests"_t);
    }

    const TwoSumsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    SumKeys keys_;
    float scale_ = 1, sign_ = 0, half_ = 0;
    List<Rect> boxes_;
    Rect result_;
};

}  // namespace

Keys keys_of(const TwoSumsFacts& facts) {
    const std::uint32_t end = SumKeys(facts).end;
    const std::uint32_t opens = facts.open == Open::All ? end : 1;
    return {.first = 1, .opens = opens, .last = opens, .end = end};
}

Plan layout_two_sums(const TwoSumsFacts& facts, const Ask& ask) {
    return TwoSums(facts, ask).plan();
}

}  // namespace kv::figure
