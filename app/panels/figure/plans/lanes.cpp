// A device, a link and a host as lanes of one time axis: layers in turn above, a layer ahead below.
// What the device waits is hatched, what the link rests is inset, and the host counts the layers
// that are nowhere else. All runs have one scale.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kFewLayers = 12;  // each is a key of its own
constexpr float kLanesHead = 38, kLanesAxis = 22;
// On its way a layer looks as where it has arrived. No edge: it may be a pixel wide.
constexpr Look kSent = Look::Weight;

// How many keys the runs take that are drawn while the question is open, and those behind it.
struct LaneKeys {
    std::uint32_t each, open, later;

    explicit LaneKeys(const LanesFacts& facts)
        : each(facts.layers <= kFewLayers ? facts.layers : 1) {
        open = each;
        later = facts.slower || facts.when == FigureWhen::Revealed ? each : 0;
    }
};

class LanesPlan {
public:
    LanesPlan(const LanesFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask), keys_(facts) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text[facts_.sends ? "figure.lanes.send.title"_t : "figure.lanes.title"_t],
                      fill(text[facts_.sends ? "figure.lanes.send.how"_t : "figure.lanes.how"_t],
                           {{"n", with_commas(facts_.layers)},
                            {"copy", ms(facts_.copy)},
                            {"compute", ms(facts_.compute)}}));
        const bool ahead = facts_.when == FigureWhen::Now ||
                           (facts_.when == FigureWhen::Revealed && ask_.revealed);
        const bool slower = facts_.slower && ask_.revealed;
        end_ = facts_.in_turn.end;
        if (slower) end_ = std::max(end_, facts_.slower->end);
        label_ = sheet_.is_narrow() ? 124 : 140;
        const float blocks = slower ? 3 : 2, foot = 32;
        const float gap = sheet_.is_low() ? 6 : 16;
        block_ = std::min(390.0f, (sheet_.bottom() - foot - sheet_.top()) / blocks) - gap;
        float y = sheet_.top();
        run(y, in_turn_name(),
            text[facts_.sends   ? "figure.lanes.sent.how"_t
                 : facts_.whole ? "figure.lanes.whole.how"_t
                                : "figure.lanes.in_turn.how"_t],
            facts_.in_turn, facts_.copy, 0);
        const std::uint32_t later = keys_.open;
        if (ahead)
            run(y += block_ + gap, ahead_name(),
                text[facts_.sends ? "figure.lanes.sending.how"_t : "figure.lanes.ahead.how"_t],
                facts_.ahead, facts_.copy, facts_.when == FigureWhen::Now ? 0 : later);
        if (slower)
            run(y + block_ + gap, text["figure.lanes.slower"_t],
                fill(text["figure.lanes.slower.how"_t], {{"copy", ms(facts_.slower_copy)}}),
                *facts_.slower, facts_.slower_copy, later);
        foot_legend();
        for (std::uint32_t key = 0; key < keys_.open + keys_.later; ++key) name_key(key);
        return sheet_.take();
    }

private:
    static Text ms(double seconds) {
        Text words = short_number(1e3 * seconds, 3);
        return words += " ms";
    }
    float x0() const { return sheet_.left() + label_; }
    float x(double seconds) const {
        return x0() + (sheet_.width() - label_ - 30) * static_cast<float>(seconds / end_);
    }

    Text in_turn_name() const {
        return ask_.text[facts_.sends ? "figure.lanes.sent"_t : "figure.lanes.in_turn"_t];
    }
    Text ahead_name() const {
        return ask_.text[facts_.sends ? "figure.lanes.sending"_t : "figure.lanes.ahead"_t];
    }

    void name_key(std::uint32_t key) {
        const Texts& text = ask_.text;
        const bool later = key >= keys_.open;
        Text name = keys_.each == 1 ? in_turn_name()
                                    : fill(text["figure.lanes.layer"_t],
                                           {{"n", with_commas(key % keys_.each)}});
        if (keys_.each == 1 && later) name = ahead_name();
        sheet_.key_names().push_back(std::move(name));
    }

    void foot_legend() {
        const Texts& text = ask_.text;
        const bool narrow = sheet_.is_narrow();
        List<Sheet::Entry> entries;
        if (facts_.sends) {
            entries = {{Look::Fresh, text["figure.lanes.device.how"_t], 150},
                       {kSent, text["figure.lanes.link.sends"_t], 130},
                       {Look::Amount, text["figure.lanes.arrived"_t], 165}};
        } else {
            entries = {{Look::Fresh, text["figure.lanes.computes"_t], 200},
                       {Look::TooMuch, text["figure.lanes.stalls"_t], 180}};
        }
        if (facts_.blocks > 0) {
            entries.push_back({Look::Key, text["figure.lanes.k"_t], narrow ? 130.0f : 150.0f});
            entries.push_back({Look::Value,
                               fill(text["figure.lanes.v"_t], {{"n", with_commas(facts_.blocks)}}),
                               210});
        }
        sheet_.legend(narrow ? sheet_.left() : x0(), sheet_.bottom() - 22, entries);
    }

    struct Lanes {
        Rect device, link, host;
        float bottom;
    };
    Lanes lanes_of(float y) const {
        const float room = block_ - kLanesHead - kLanesAxis, gap = room < 130 ? 4 : 14;
        const bool has_host = room > 130;
        const float used = room - gap * (has_host ? 2 : 1);
        const float device = std::min(74.0f, used * (has_host ? 0.38f : 0.5f)),
                    link = std::min(74.0f, used * (has_host ? 0.38f : 0.5f)),
                    host = has_host ? std::min(54.0f, used * 0.24f) : 0;
        const float w = sheet_.right() - x0();
        const float top = y + kLanesHead;
        return {{x0(), top, w, device},
                {x0(), top + device + gap, w, link},
                {x0(), top + device + link + 2 * gap, w, host},
                top + device + link + gap + (has_host ? gap + host : 0)};
    }

    // `before`: keys that pass before its first layer appears.
    void run(float y, const Text& name, const Text& how, const LanesFacts::Run& run, double copy,
             std::uint32_t before) {
        const Texts& text = ask_.text;
        const std::uint32_t first = before + 1, last = before + keys_.each;
        const bool narrow = sheet_.is_narrow();
        const float end = x(run.end), sums = narrow ? 330 : 384, number = narrow ? 96 : 116;
        sheet_
            .words("run", {sheet_.left(), y, std::max(200.0f, end - sums - sheet_.left()), 28},
                   {{name, Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong},
                    {how, Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f, Ink::Plain, 14}})
            .from = first;
        double computed = 0;
        for (const LanesFacts::Span& one : run.computed) computed += one.to - one.from;
        Piece& total = sheet_.words(
            "end", {end - number, y - 4, number, 34},
            {{ms(run.end), Font::MonoBold, sheet_.is_narrow() ? 18.0f : 26.0f, Ink::Strong}},
            Edge::Right);
        total.from = last;
        if (!facts_.sends)
            sheet_
                .words("waits", {end - sums, y, sums - number - 14, 28},
                       {{fill(text["figure.lanes.sums"_t],
                              {{"computed", ms(computed)}, {"stalled", ms(run.stalled())}}),
                         Font::Regular, narrow ? 12.0f : 14.0f}},
                       Edge::Right)
                .from = last;
        const Lanes lanes = lanes_of(y);
        axis(lanes, first);
        names(lanes, first);
        for (std::uint32_t i = 0; i < facts_.layers; ++i) {
            const std::uint32_t key = keys_.each == 1 ? first : before + 1 + i;
            copy_of(lanes.link, run.copies[i], i, copy, key);
            span("compute", lanes.device, run.computed[i], Look::Fresh, i, ms(facts_.compute), key);
            if (lanes.host.h > 0) host(lanes.host, run, i, key);
        }
        waits(lanes.device, run, before);
        idle(lanes.link, run, first, last);
        Piece& line = sheet_.wire("run.end", {{end, y + 30}, {end, lanes.bottom}}, false);
        line.from = last, line.width = 3;
        if (run.end < facts_.in_turn.end) sooner(lanes, run, last);
    }

    void names(const Lanes& lanes, std::uint32_t key) {
        const Texts& text = ask_.text;
        const auto name = [&](const Rect& lane, TextId id, TextId how) {
            const bool two = lane.h > 40;
            sheet_
                .words("lane", {sheet_.left(), lane.y, label_ - 8, two ? lane.h / 2 : lane.h},
                       {{text[id], Font::Semibold, 15, Ink::Strong}})
                .from = key;
            if (two && !sheet_.is_narrow())
                sheet_
                    .words("lane.how",
                           {sheet_.left(), lane.y + lane.h / 2, label_ - 8, lane.h / 2 - 4},
                           {{text[how], Font::Regular, 13}})
                    .from = key;
        };
        const bool sends = facts_.sends;
        name(lanes.device, sends ? "figure.lanes.first"_t : "figure.lanes.device"_t,
             "figure.lanes.device.how"_t);
        name(lanes.link, "figure.lanes.link"_t,
             sends ? "figure.lanes.link.sends"_t : "figure.lanes.link.how"_t);
        if (lanes.host.h > 0)
            name(lanes.host, sends ? "figure.lanes.second"_t : "figure.lanes.host"_t,
                 sends ? "figure.lanes.second.how"_t : "figure.lanes.host.how"_t);
    }

    // Steps of 1, 2 or 5 times a power of ten, at most seven of them.
    double tick() const {
        double step = 1e-6;
        while (end_ / step > 7)
            for (const double by : {2.0, 2.5, 2.0})
                if (end_ / step > 7) step *= by;
        return step;
    }

    void axis(const Lanes& lanes, std::uint32_t key) {
        const double step = tick();
        const int last = static_cast<int>(end_ * 1.0001 / step);
        for (int i = 0; i <= last; ++i) {
            const double at = i * step;
            const float mid = x(at);
            Piece& line =
                sheet_.box("grid", {mid, lanes.device.y - 4, 2, lanes.bottom - lanes.device.y + 4},
                           Look::NowRow);
            line.from = key;
            Text said = short_number(1e3 * at, 4);
            if (i == last) said += " ms";
            Piece& words = sheet_.words("tick", {mid - 40, lanes.bottom + 2, 80, 18},
                                        {{said, Font::Mono, 12, Ink::Quiet}}, Edge::Center);
            if (words.rect.right() > sheet_.right())
                words.rect.x = sheet_.right() - 80, words.edge = Edge::Right;
            words.from = key, words.names = true;
        }
    }

    Rect during(const LanesFacts::Span& time, const Rect& lane) const {
        const float left = x(time.from), wide = x(time.to) - left;
        return {left, lane.y, std::max(1.0f, wide - (wide > 6 ? 1.5f : 0.0f)), lane.h};
    }

    // The number of a layer, and how long it takes where there is room for both.
    void span(const char* id, const Rect& lane, const LanesFacts::Span& time, Look look,
              std::uint32_t layer, const Text& long_, std::uint32_t key) {
        const Rect at = during(time, lane);
        const Ink ink = look == Look::Fresh ? Ink::OnHue : Ink::Strong;
        Piece& piece = sheet_.box(id, at, look);
        piece.from = key, piece.radius = 2;
        piece.caption = fill(ask_.text["figure.lanes.layer"_t], {{"n", with_commas(layer)}});
        if (at.w >= 56 && at.h >= 36) {
            label(piece.caption, Font::Semibold, 13, ink, {at.x, at.y + at.h * 0.16f, at.w, 18},
                  key);
            label(long_, Font::Mono, 13, ink, {at.x, at.y + at.h * 0.54f, at.w, 18}, key);
        } else if (at.w >= 20) {
            label(with_commas(layer), Font::Mono, 13, ink, at, key);
        }
    }

    void label(const Text& words, Font font, float size, Ink ink, const Rect& at,
               std::uint32_t key) {
        Piece& piece = sheet_.words("layer", at, {{words, font, size, ink}}, Edge::Center);
        piece.from = key, piece.names = true;
    }

    // Draws a copy: its keys above its values, a cell for each block.
    void copy_of(const Rect& lane, const LanesFacts::Span& time, std::uint32_t layer, double copy,
                 std::uint32_t key) {
        const Rect at = during(time, lane);
        const auto n = static_cast<float>(facts_.blocks);
        const bool cells = facts_.blocks > 0 && at.w >= 3 * n + 8 && at.h >= 40;
        const Look look = facts_.sends ? kSent : Look::Outline;
        if (!cells) return span("copy", lane, time, look, layer, ms(copy), key);
        Piece& piece = sheet_.box("copy", at, Look::Outline);
        piece.from = key, piece.radius = 2;
        const float row = std::min(14.0f, at.h * 0.2f), pitch = (at.w - 6) / n;
        for (const bool is_value : {false, true})
            for (std::uint32_t b = 0; b < facts_.blocks; ++b)
                sheet_
                    .box("copied",
                         {at.x + 3 + pitch * static_cast<float>(b),
                          at.bottom() - 3 - row * (is_value ? 1.0f : 2.0f), pitch - 1, row - 1},
                         is_value ? Look::Value : Look::Key)
                    .from = key;
        const Rect words{at.x + 2, at.y + 3, at.w - 4, at.h - 2 * row - 8};
        const Text name = fill(ask_.text["figure.lanes.layer"_t], {{"n", with_commas(layer)}});
        if (at.w < 56) return label(with_commas(layer), Font::Mono, 13, Ink::Strong, words, key);
        Piece& said =
            sheet_.words("layer", words, {{name, Font::Semibold, 13, Ink::Strong}}, Edge::Center);
        if (at.w >= 104) said.words.push_back({ms(copy), Font::Mono, 12.5f, Ink::Strong, 8});
        said.from = key, said.names = true;
    }

    void waits(const Rect& lane, const LanesFacts::Run& run, std::uint32_t before) {
        std::uint32_t layer = 0;
        for (const LanesFacts::Span& stall : run.stalls) {
            while (layer + 1 < facts_.layers && run.computed[layer].from < stall.to - 1e-12)
                ++layer;
            const Rect at = during(stall, lane);
            const std::uint32_t key = keys_.each == 1 ? before + 1 : before + 1 + layer;
            Piece& piece = sheet_.box("stall", at, Look::TooMuch);
            piece.from = key, piece.radius = 2, piece.caption = ms(stall.to - stall.from);
            if (at.w < 44) continue;
            const float w = std::min(at.w - 6, 58.0f);
            const Rect plate{at.center().x - w / 2, at.center().y - 11, w, 22};
            sheet_.box("stall.plate", plate, Look::Chip).from = key;
            Piece& words = sheet_.words(
                "stalled", plate,
                {{ms(stall.to - stall.from), Font::MonoBold, w < 50 ? 12.0f : 13.0f, Ink::Loss}},
                Edge::Center);
            words.from = key;
        }
    }

    // Marks the idle time between copies, and behind the last one.
    void idle(const Rect& lane, const LanesFacts::Run& run, std::uint32_t first,
              std::uint32_t last) {
        for (std::uint32_t n = 0; n <= facts_.layers; ++n) {
            const std::uint32_t i = n == 0 ? 0 : n - 1;
            const double from = n == 0 ? 0 : run.copies[i].to,
                         to = n < facts_.layers ? run.copies[n].from : run.end;
            const Rect at = during({from, to}, lane);
            if (to - from < 1e-9 * end_ || at.w < 3) continue;
            const std::uint32_t key = keys_.each == 1 ? first : std::min(last, first + i);
            Piece& piece = sheet_.box("idle", at, Look::Free);
            piece.from = key;
            if (at.w >= 40)
                label(ask_.text["figure.lanes.idle"_t], Font::Regular, 13, Ink::Quiet, at, key);
        }
    }

    void host(const Rect& lane, const LanesFacts::Run& run, std::uint32_t i, std::uint32_t key) {
        const bool grows = facts_.sends;  // then it is the machine at the other end of the link
        const double from = grows ? run.copies[i].to : i == 0 ? 0 : run.copies[i - 1].to;
        const double next = i + 1 < facts_.layers ? run.copies[i + 1].to : run.end;
        const Rect at = during({from, grows ? next : run.copies[i].to}, lane);
        if (at.w < 1.5f) return;
        const std::uint32_t left = grows ? i + 1 : facts_.layers - i;
        const float full = lane.h - 16;
        const float tall = full * static_cast<float>(left) / static_cast<float>(facts_.layers);
        sheet_.box("host", {at.x, lane.bottom() - tall, at.w, tall}, Look::Amount).from = key;
        if (at.w >= 20)
            label(with_commas(left), Font::Mono, 12, Ink::Strong,
                  {at.x, lane.bottom() - tall - 17, at.w, 16}, key);
    }

    void sooner(const Lanes& lanes, const LanesFacts::Run& run, std::uint32_t key) {
        const float a = x(run.end), b = x(facts_.in_turn.end);
        Piece& line = sheet_.wire("turn.end", {{b, lanes.device.y}, {b, lanes.bottom}}, false);
        line.from = key, line.width = 1.5f;
        if (b - a < 150) return;
        const float y = lanes.device.center().y;
        sheet_
            .span("sooner", {a + 6, y}, {b - 6, y},
                  {{fill(ask_.text["figure.lanes.sooner"_t],
                         {{"n", ms(facts_.in_turn.end - run.end)}}),
                    Font::Semibold, 14, Ink::Strong}})
            .from = key;
        sheet_
            .words("turn.name", {a + 10, lanes.link.y, b - a - 20, lanes.link.h},
                   {{ask_.text[facts_.sends ? "figure.lanes.send.end"_t : "figure.lanes.end"_t],
                     Font::Regular, 13}},
                   Edge::Right)
            .from = key;
    }

    const LanesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    LaneKeys keys_;
    double end_ = 1;
    float label_ = 0, block_ = 0;
};

}  // namespace

Keys keys_of(const LanesFacts& facts) {
    const LaneKeys keys(facts);
    return {.first = 1, .opens = keys.open, .last = keys.open, .end = keys.open + keys.later};
}

Plan layout_lanes(const LanesFacts& facts, const Ask& ask) {
    return LanesPlan(facts, ask).plan();
}

}  // namespace kv::figure
