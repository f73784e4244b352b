// Two products with all factors but one in common: a tall box is shared by both rows, the factor at
// which they part is two boxes, each fed by its line of the model's config.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

enum : std::uint32_t { kWrongRow = 1, kRightRow, kFile, kBytes, kRequests };

class TwoSums {
public:
    TwoSums(const TwoSumsFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text[parts() ? "figure.two_sums.title"_t : "figure.two_sums.one"_t],
                      fill(text["figure.two_sums.how"_t],
                           {{"model", facts_.model}, {"tokens", with_commas(facts_.tokens)}}));
        const float high = sheet_.bottom() - sheet_.top();
        scale_ = std::min(1.12f, high / 760);
        const float rows = sheet_.top() + 170 * scale_;
        place(rows);
        if (parts()) config();
        factors();
        results();
        const float below = rows + 300 * scale_;
        if (parts()) {
            Piece& rule = sheet_.rule(below);
            rule.from = kBytes;
            bars(below + 26 * scale_);
            requests(below + 26 * scale_);
        }
        for (const TextId name : {"figure.two_sums.key.wrong"_t, "figure.two_sums.key.right"_t,
                                  "figure.two_sums.key.file"_t, "figure.two_sums.key.bytes"_t,
                                  "figure.two_sums.key.requests"_t})
            sheet_.key_names().push_back(text[name]);
        return sheet_.take();
    }

private:
    bool parts() const { return facts_.parting == FigureWhen::Now || ask_.revealed; }
    Text name_of(const SumFactor& f) const {
        const Texts& t = ask_.text;
        if (f.name == "sides") return t["figure.wiring.sides"_t];
        if (f.name == "layers") return t["figure.wiring.layers"_t];
        if (f.name == "kv_heads") return t["figure.wiring.kv_heads"_t];
        if (f.name == "query_heads") return t["figure.two_sums.query_heads"_t];
        if (f.name == "head_dim") return t["figure.wiring.head_dim"_t];
        if (f.name == "tokens") return t["figure.two_sums.tokens"_t];
        return t["figure.two_sums.element"_t];
    }
    Text value_of(const SumFactor& f) const {
        return f.is_bytes ? fill(ask_.text["figure.wiring.bytes"_t], {{"n", with_commas(f.value)}})
                          : Text(with_commas(f.value));
    }

    // Boxes of one width each, signs between them, results at the right edge.
    void place(float y) {
        const float result = sheet_.is_narrow() ? 150 : 200, sign = sheet_.is_narrow() ? 26 : 46;
        const auto n = static_cast<float>(facts_.factors.size());
        const float parted = sheet_.is_narrow() ? 96 : 150;
        const float each = (sheet_.width() - result - parted - n * sign) / (n - 1);
        float x = sheet_.left();
        for (std::size_t i = 0; i < facts_.factors.size(); ++i) {
            const float w = i == facts_.parted ? parted : each;
            boxes_.push_back({x, y, w, 240 * scale_});
            x += w + sign;
        }
        result_ = {sheet_.right() - result, y, result, 240 * scale_};
        sign_ = sign;
        half_ = 100 * scale_;
    }
    Rect right_half(const Rect& box) const { return {box.x, box.y, box.w, half_}; }
    Rect wrong_half(const Rect& box) const { return {box.x, box.bottom() - half_, box.w, half_}; }

    void config() {
        const Rect& parted = boxes_[facts_.parted];
        const float w = sheet_.is_narrow() ? 300 : 360, line = 32 * scale_;
        const float side = parted.x - sign_ * 0.35f, low = wrong_half(parted).center().y;
        const Rect file{side + 26, sheet_.top(), w, 3 * line + 18 * scale_};
        sheet_.box("file", file, Look::Config).from = kFile;
        sheet_
            .words("file.name", {file.right() + 14, file.y, 150, 24},
                   {{"config.json", Font::Mono, 13}})
            .from = kFile;
        const auto entry = [&](int row, const std::string& name, std::uint64_t value, Ink ink) {
            const Rect at{file.x + 18, file.y + 9 * scale_ + line * static_cast<float>(row),
                          file.w - 36, line};
            const Rect frame{at.x - 8, at.y + 2, at.w + 16, at.h - 4};
            if (ink == Ink::Strong) sheet_.box("file.right", frame, Look::Outline).from = kFile;
            if (ink == Ink::Loss) sheet_.box("file.wrong", frame, Look::WrongLine).from = kFile;
            sheet_.words("file.line", at, {{"\"" + name + "\":", Font::Mono, 13, ink}}).from =
                kFile;
            sheet_
                .words("file.value", at, {{with_commas(value), Font::MonoBold, 13, ink}},
                       Edge::Right)
                .from = kFile;
            return frame;
        };
        const Rect wrong = entry(0, facts_.wrong_line, facts_.wrong.value, Ink::Loss);
        entry(1, "num_hidden_layers", facts_.factors[1].value, Ink::Plain);
        const Rect right =
            entry(2, facts_.right_line, facts_.factors[facts_.parted].value, Ink::Strong);
        Piece& to_right =
            sheet_.wire("file.to_right",
                        {{parted.center().x, right.bottom()}, {parted.center().x, parted.y}}, true);
        to_right.from = kFile, to_right.width = 2;
        Piece& to_wrong = sheet_.wire(
            "file.to_wrong",
            {{wrong.x, wrong.center().y}, {side, wrong.center().y}, {side, low}, {parted.x, low}},
            true);
        to_wrong.from = kFile, to_wrong.loss = to_wrong.dashed = true, to_wrong.width = 2;
    }

    void factors() {
        const float top = right_half(boxes_[0]).center().y, low = wrong_half(boxes_[0]).center().y;
        track(top, kRightRow, false);
        track(low, kWrongRow, true);
        for (std::size_t i = 0; i < facts_.factors.size(); ++i) {
            if (i == facts_.parted) continue;
            const Rect& box = boxes_[i];
            sheet_.box("factor", box, Look::Outline);
            tall_value(box, facts_.factors[i]);
        }
        const Rect& parted = boxes_[facts_.parted];
        if (!parts()) {  // as any other
            sheet_.box("factor", parted, Look::Outline);
            return tall_value(parted, facts_.wrong);
        }
        sheet_.box("wrong", wrong_half(parted), Look::Wrong).from = kWrongRow;
        value("wrong", wrong_half(parted), value_of(facts_.wrong), name_of(facts_.wrong), Ink::Loss,
              Ink::Loss, kWrongRow);
        sheet_.box("right", right_half(parted), Look::Strong).from = kRightRow;
        value("right", right_half(parted), value_of(facts_.factors[facts_.parted]),
              name_of(facts_.factors[facts_.parted]), Ink::OnStrong, Ink::OnStrong, kRightRow);
    }

    // What a factor is, is said once the slip is known: until then it is the question.
    void tall_value(const Rect& box, const SumFactor& factor) {
        value("factor", {box.x, box.y + box.h * 0.32f, box.w, box.h * 0.36f}, value_of(factor),
              parts() ? name_of(factor) : Text(), Ink::Strong, Ink::Plain, 0);
    }

    void value(const char* id, const Rect& in, const Text& value, const Text& name, Ink ink,
               Ink quiet, std::uint32_t key) {
        const float size = sheet_.is_narrow() ? 18 : 24;
        sheet_
            .words(id, {in.x, in.y + in.h * 0.08f, in.w, in.h * 0.5f},
                   {{value, Font::MonoBold, size, ink}}, Edge::Center)
            .from = key;
        if (name.empty()) return;
        sheet_
            .words("name", {in.x, in.y + in.h * 0.55f, in.w, in.h * 0.36f},
                   {{name, Font::Regular, 13, quiet}}, Edge::Center)
            .from = key;
    }

    // The row through all boxes; signs stand between them.
    void track(float y, std::uint32_t key, bool wrong) {
        if (!wrong && !parts()) return;
        const bool marked = wrong && parts();
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            const float from = boxes_[i].right(),
                        to = i + 1 < boxes_.size() ? boxes_[i + 1].x : result_.x;
            const float mid = (from + to) / 2;
            for (const auto& [a, b] : {std::pair{from, mid - 9}, std::pair{mid + 9, to}}) {
                if (b - a < 2) continue;
                Piece& line = sheet_.wire("track", {{a, y}, {b, y}}, false);
                line.from = key, line.loss = line.dashed = marked, line.width = 2;
            }
            sheet_
                .words("sign", {mid - 9, y - 12, 18, 24},
                       {{i + 1 < boxes_.size() ? "×" : "=", Font::Mono, 15,
                         marked ? Ink::Loss : Ink::Strong}},
                       Edge::Center)
                .from = key;
        }
    }

    void results() {
        const Texts& text = ask_.text;
        const auto row = [&](const Rect& box, Look look, std::uint64_t bytes, Ink ink,
                             std::uint32_t key) {
            sheet_.box("result", box, look).from = key;
            sheet_
                .words("result.gib", {box.x, box.y + box.h * 0.08f, box.w, box.h * 0.5f},
                       {{gib(bytes), Font::MonoBold, sheet_.is_narrow() ? 20.0f : 26.0f, ink}},
                       Edge::Center)
                .from = key;
            sheet_
                .words("result.bytes", {box.x, box.y + box.h * 0.55f, box.w, box.h * 0.36f},
                       {{fill(text["figure.wiring.bytes"_t], {{"n", with_commas(bytes)}}),
                         Font::Mono, 13, ink}},
                       Edge::Center)
                .from = key;
        };
        const Ink claimed = parts() ? Ink::Loss : Ink::Strong;
        row(wrong_half(result_), parts() ? Look::WrongResult : Look::Outline, facts_.wrong_bytes,
            claimed, kWrongRow);
        const float low = result_.bottom() + 4, w = 220;
        if (parts())
            sheet_
                .words("wrong.name", {sheet_.left(), low, w, 26},
                       {{text["figure.two_sums.wrong"_t], Font::Bold, 14, Ink::Loss}})
                .from = kWrongRow;
        sheet_
            .words("wrong.claims", {sheet_.right() - w, low, w, 26},
                   {{text["figure.two_sums.claims"_t], Font::Bold, 14, claimed}}, Edge::Right)
            .from = kWrongRow;
        if (!parts()) return;
        row(right_half(result_), Look::Outline, facts_.right_bytes, Ink::Strong, kRightRow);
        sheet_
            .words("right.name", {sheet_.left(), result_.y - 30, w, 26},
                   {{text["figure.two_sums.right"_t], Font::Bold, 14, Ink::Strong}})
            .from = kRightRow;
        sheet_
            .words("right.holds", {sheet_.right() - w, result_.y - 30, w, 26},
                   {{text["figure.two_sums.holds"_t], Font::Bold, 14, Ink::Strong}}, Edge::Right)
            .from = kRightRow;
    }

    Text gib(std::uint64_t bytes) const {
        return fill(ask_.text["figure.two_sums.gib"_t], {{"n", shown_gib(bytes)}});
    }
    static Text shown_gib(std::uint64_t bytes) {
        const std::uint64_t hundredths = bytes * 100 / (std::uint64_t{1} << 30);
        const Text rest = with_commas(hundredths % 100);
        if (hundredths % 100 == 0) return with_commas(hundredths / 100);
        return with_commas(hundredths / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
    }

    // What the right sum also has is solid, the rest is hatched.
    void bars(float y) {
        const Texts& text = ask_.text;
        const float w = sheet_.width() * 0.55f, label = 100, number = 90;
        const float full = w - label - number, h = 44 * scale_;
        head(sheet_.left(), y, w, text["figure.two_sums.one"_t], text["figure.two_sums.one.how"_t],
             kBytes);
        y += 40 * scale_;
        const float share =
            static_cast<float>(facts_.right_bytes) / static_cast<float>(facts_.wrong_bytes);
        for (const bool wrong : {false, true}) {
            const float x = sheet_.left() + label, end = x + (wrong ? full : full * share);
            sheet_
                .words("bar.name", {sheet_.left(), y, label - 8, h},
                       {{text[wrong ? "figure.two_sums.wrong"_t : "figure.two_sums.right"_t],
                         Font::Bold, 13, wrong ? Ink::Loss : Ink::Strong}})
                .from = kBytes;
            sheet_.box("bar.held", {x, y, full * share, h}, Look::Amount).from = kBytes;
            if (wrong)
                sheet_
                    .box("bar.claimed", {x + full * share, y, full * (1 - share), h}, Look::TooMuch)
                    .from = kBytes;
            sheet_
                .words("bar.value", {end + 12, y, number, h},
                       {{gib(wrong ? facts_.wrong_bytes : facts_.right_bytes), Font::MonoBold, 15,
                         wrong ? Ink::Loss : Ink::Strong}})
                .from = kBytes;
            y += h + 14 * scale_;
        }
        sheet_
            .words("bar.how", {sheet_.left() + label, y, w, 20},
                   {{text["figure.two_sums.hatched"_t], Font::Regular, 13}})
            .from = kBytes;
    }

    void requests(float y) {
        const Texts& text = ask_.text;
        const float x = sheet_.left() + sheet_.width() * 0.6f, w = sheet_.right() - x, number = 56,
                    h = 44 * scale_;
        head(x, y, w, fill(text["figure.two_sums.room"_t], {{"n", shown_gib(facts_.room_bytes)}}),
             text["figure.two_sums.room.how"_t], kRequests);
        y += 40 * scale_;
        const std::uint64_t n = facts_.right_fit();
        const float pitch = (w - number) / static_cast<float>(n);
        for (const bool wrong : {false, true}) {
            const std::uint64_t fit = wrong ? facts_.wrong_fit() : n;
            for (std::uint64_t i = 0; i < n; ++i)
                sheet_
                    .box(i < fit ? "fits" : "turned_away",
                         {x + pitch * static_cast<float>(i), y, pitch - 3, h},
                         i < fit ? Look::Amount : Look::TurnedAway)
                    .from = kRequests;
            sheet_
                .words("fit", {sheet_.right() - number, y, number, h},
                       {{with_commas(fit), Font::MonoBold, 22, wrong ? Ink::Loss : Ink::Strong}},
                       Edge::Right)
                .from = kRequests;
            y += h + 14 * scale_;
        }
        sheet_
            .words("away", {x, y, w, 20},
                   {{fill(text["figure.two_sums.away"_t],
                          {{"n", with_commas(n)}, {"away", with_commas(n - facts_.wrong_fit())}}),
                     Font::Regular, 13}})
            .from = kRequests;
    }

    void head(float x, float y, float w, const Text& name, const Text& how, std::uint32_t key) {
        sheet_
            .words("head", {x, y, w, 26},
                   {{name, Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong},
                    {how, Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f, Ink::Plain, 12}})
            .from = key;
    }

    const TwoSumsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float scale_ = 1, sign_ = 0, half_ = 0;
    List<Rect> boxes_;
    Rect result_;
};

}  // namespace

Keys keys_of(const TwoSumsFacts& facts) {
    const bool now = facts.parting == FigureWhen::Now;
    return {kWrongRow, now ? kRequests : kWrongRow, now ? kRequests : kWrongRow, kRequests};
}

Plan layout_two_sums(const TwoSumsFacts& facts, const Ask& ask) {
    return TwoSums(facts, ask).plan();
}

}  // namespace kv::figure
