// The signals of a server over time, or of two under one load: a row a signal with one axis for
// both, the value now above the line of now. Behind the reveal each row says when the servers
// differ.

#include <algorithm>
#include <array>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kAxisWide = 52, kServerGap = 16, kNowHigh = 19, kRowGap = 8, kTimesHigh = 20,
                kSentenceHigh = 28;
constexpr int kTimeTicks = 4;

struct SignalWords {
    TextId title, name;
};
constexpr std::array<SignalWords, ServiceFacts::kSignals> kSignalWords{{
    {"figure.service.usage"_t, "figure.service.usage.name"_t},
    {"figure.service.running"_t, "figure.service.running.name"_t},
    {"figure.service.waiting"_t, "figure.service.waiting.name"_t},
    {"figure.service.hits"_t, "figure.service.hits.name"_t},
    {"figure.service.first"_t, "figure.service.first.name"_t},
    {"figure.service.preempted"_t, "figure.service.preempted.name"_t},
}};

bool is_share(std::size_t signal) {
    return signal == ServiceFacts::Usage || signal == ServiceFacts::HitRate;
}

Text signal_value(const Texts& text, std::size_t signal, std::optional<double> value) {
    if (!value) return text["figure.service.none"_t];
    if (is_share(signal)) return Text(fixed(*value * 100, 0) + " %");
    if (signal == ServiceFacts::FirstToken) return Text(fixed(*value, 1) + " s");
    return Text(with_commas(static_cast<std::uint64_t>(*value)));
}

Text clock_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
    const std::string rest = std::to_string(whole % 60);
    return Text(std::to_string(whole / 60) + (rest.size() < 2 ? ":0" : ":") + rest);
}

// The next number that a person would write at the end of an axis.
double axis_end(double most) {
    double unit = 1;
    while (unit * 10 < most) unit *= 10;
    for (const double step : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (step * unit >= most) return step * unit;
    return most;
}

std::uint32_t parts_of(const ServiceFacts& facts, std::uint32_t steps) {
    return static_cast<std::uint32_t>(ceil_div(steps, facts.part));
}

class ServicePlan {
public:
    ServicePlan(const ServiceFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask), drawn_(ask.revealed ? facts.end : facts.open) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const bool two = facts_.servers.size() > 1;
        const Text time = clock_text(drawn_ * facts_.step);
        sheet_.header(fill(text[two ? "figure.service.title.two"_t : "figure.service.title"_t],
                           {{"time", time}}),
                      fill(text[two ? "figure.service.how.two"_t : "figure.service.how"_t],
                           {{"step", short_number(facts_.step, 2)}}));
        const auto n = static_cast<float>(facts_.servers.size());
        names_ = std::max(sheet_.width() * 0.24f, 244.0f);
        chart_ = (sheet_.width() - names_ - n * kAxisWide - (n - 1) * kServerGap) / n;
        top_ = sheet_.top() + (two ? 26 : 0);
        pitch_ = (sheet_.bottom() - top_ - kTimesHigh - kSentenceHigh) /
                 static_cast<float>(ServiceFacts::kSignals);
        if (two) heads();
        for (std::size_t row = 0; row < ServiceFacts::kSignals; ++row) {
            names(row);
            for (std::size_t s = 0; s < facts_.servers.size(); ++s) chart(row, s);
        }
        for (std::size_t s = 0; s < facts_.servers.size(); ++s) times(s);
        if (two && ask_.revealed) differences();
        key_names();
        return sheet_.take();
    }

private:
    float row_y(std::size_t row) const { return top_ + pitch_ * static_cast<float>(row); }
    Rect room(std::size_t row, std::size_t server) const {
        const float x = sheet_.left() + names_ + kAxisWide +
                        (chart_ + kAxisWide + kServerGap) * static_cast<float>(server);
        return {x, row_y(row) + kNowHigh, chart_, pitch_ - kNowHigh - kRowGap};
    }
    float x_of(const Rect& room, std::uint32_t step) const {
        return room.x + room.w * static_cast<float>(step) / static_cast<float>(facts_.end);
    }

    void heads() {
        for (std::size_t s = 0; s < facts_.servers.size(); ++s) {
            const Rect first = room(0, s);
            sheet_.words("server", {first.x, sheet_.top() - 2, chart_, 24},
                         {{ask_.text[s == 0 ? "figure.service.left"_t : "figure.service.right"_t],
                           Font::Bold, 16, Ink::Strong},
                          {Text(facts_.servers[s].name), Font::Regular, 14, Ink::Plain, 10}});
        }
    }

    // What the row is called here, and under which names a server exports it.
    void names(std::size_t row) {
        const Texts& text = ask_.text;
        const float size = sheet_.is_narrow() ? 12.0f : 12.5f,
                    line = sheet_.is_low() ? 15.0f : 19.0f;
        float y = row_y(row) + (sheet_.is_low() ? 2.0f : kNowHigh);
        sheet_.words("row", {sheet_.left(), y, names_ - 8, 20},
                     {{text[kSignalWords[row].title], Font::Bold,
                       sheet_.is_narrow() ? 15.0f : 17.0f, Ink::Strong}});
        y += sheet_.is_low() ? 18.0f : 24.0f;
        const auto add = [&](Text words, Font font) {
            sheet_.words("row.name", {sheet_.left(), y, names_ - 4, 16},
                         {{std::move(words), font, size, Ink::Plain}});
            y += line;
        };
        add(text[kSignalWords[row].name], Font::Mono);
        const Text window = short_number(facts_.window * facts_.step, 3);
        if (row == ServiceFacts::HitRate)
            add(fill(text["figure.service.hits.over"_t], {{"n", window}}), Font::Regular);
        if (row == ServiceFacts::FirstToken)
            add(fill(text["figure.service.first.over"_t], {{"n", window}}), Font::Regular);
        told_y_[row] = y;
    }

    void chart(std::size_t row, std::size_t server) {
        const Rect r = room(row, server);
        const double full = axis_end(facts_.most(row));
        sheet_.box("plot", r, Look::Plot);
        for (int t = 1; t < kTimeTicks; ++t)
            sheet_.box("grid", {r.x + r.w * (static_cast<float>(t) / kTimeTicks), r.y, 1, r.h},
                       Look::Grid);
        for (const bool upper : {true, false}) {
            Piece& tick = sheet_.words(
                "tick", {r.x - kAxisWide, upper ? r.y - 2 : r.bottom() - 14, kAxisWide - 6, 16},
                {{axis_words(row, upper ? full : 0), Font::Mono, 12, Ink::Quiet}}, Edge::Right);
            tick.names = true;
        }
        const ServiceFacts::Curve& curve = facts_.servers[server].curves[row];
        for (std::uint32_t part = 0; part < parts_of(facts_, drawn_); ++part)
            draw_part(row, server, curve, part, full);
    }

    Text axis_words(std::size_t row, double value) const {
        if (row == ServiceFacts::FirstToken) return Text(fixed(value, 0) + " s");
        return signal_value(ask_.text, row, value);
    }

    // A part begins where the one before it ended, so that parts make one line.
    void draw_part(std::size_t row, std::size_t server, const ServiceFacts::Curve& curve,
                   std::uint32_t part, double full) {
        const Rect r = room(row, server);
        const std::uint32_t first = std::max(1u, part * facts_.part),
                            last = std::min(drawn_, (part + 1) * facts_.part), key = part + 1;
        List<Vec2> points;
        const auto put = [&] {
            if (!points.empty()) sheet_.curve("curve", r, std::move(points)).from = key;
            points.clear();
        };
        for (std::uint32_t step = first; step <= last; ++step) {
            const std::optional<double> value = curve[step - 1];
            if (!value)
                put();
            else
                points.push_back(
                    {x_of(r, step),
                     r.bottom() - 1.5f - (r.h - 3) * static_cast<float>(*value / full)});
        }
        put();
        const bool stays = last == drawn_;
        const float x = x_of(r, last);
        Piece& now = sheet_.wire("now", {{x, r.y - 3}, {x, r.bottom()}}, false);
        now.from = key, now.until = stays ? kAlways : key, now.width = 2;
        const float left = std::clamp(x - 72, r.x, r.right() - 76);
        Piece& value = sheet_.words(
            "value", {left, row_y(row) - 1, 76, kNowHigh - 2},
            {{signal_value(ask_.text, row, curve[last - 1]), Font::MonoBold, 15, Ink::Strong}},
            Edge::Right);
        value.from = key, value.until = stays ? kAlways : key;
    }

    void times(std::size_t server) {
        const Rect r = room(ServiceFacts::kSignals - 1, server);
        for (int t = 0; t <= kTimeTicks; ++t) {
            const float x = r.x + r.w * (static_cast<float>(t) / kTimeTicks);
            const bool ends = t == kTimeTicks;
            Piece& tick = sheet_.words(
                "time", {ends ? x - 40 : x - (t == 0 ? 0.0f : 20.0f), r.bottom() + 4, 40, 16},
                {{clock_text(facts_.end * facts_.step * t / kTimeTicks), Font::Mono, 12,
                  Ink::Quiet}},
                ends     ? Edge::Right
                : t == 0 ? Edge::Left
                         : Edge::Center);
            tick.names = true;
        }
    }

    // Which rows came apart, when, and which never did.
    void differences() {
        const Texts& text = ask_.text;
        const std::uint32_t key = keys_of(facts_).end;
        std::optional<std::size_t> first;
        std::string never;
        for (std::size_t row = 0; row < ServiceFacts::kSignals; ++row) {
            const auto apart = facts_.apart(row);
            if (apart && (!first || *apart < *facts_.apart(*first))) first = row;
            if (!apart)
                never += (never.empty() ? "" : ", ") + std::string(text[kSignalWords[row].title]);
            Piece& told = sheet_.words(
                "told", {sheet_.left(), told_y_[row], names_ - 8, 16},
                {{apart ? fill(text["figure.service.apart"_t],
                               {{"time", clock_text(*apart * facts_.step)}})
                        : Text(text["figure.service.together"_t]),
                  apart ? Font::Semibold : Font::Regular, 13, apart ? Ink::Strong : Ink::Quiet}});
            told.from = key;
        }
        if (!first) return;
        const float ring = sheet_.is_low() ? 2 : 6;
        Piece& mark = sheet_.brackets(
            "first", {sheet_.left() - ring, row_y(*first) + (sheet_.is_low() ? 1 : 14.0f),
                      names_ - 12 + ring,
                      told_y_[*first] + 18 - row_y(*first) - (sheet_.is_low() ? 1 : 14.0f)});
        mark.from = key;
        Piece& sentence = sheet_.words(
            "sentence", {sheet_.left(), sheet_.bottom() - kSentenceHigh + 6, sheet_.width(), 22},
            {{fill(text["figure.service.first_row"_t],
                   {{"row", text[kSignalWords[*first].title]},
                    {"time", clock_text(*facts_.apart(*first) * facts_.step)}}),
              Font::Semibold, sheet_.is_narrow() ? 14.0f : 16.0f, Ink::Strong},
             {never.empty() ? Text(text["figure.service.all_rows"_t])
                            : fill(text["figure.service.no_row"_t], {{"rows", Text(never)}}),
              Font::Regular, sheet_.is_narrow() ? 14.0f : 16.0f, Ink::Plain, 8}});
        sentence.from = key;
    }

    void key_names() {
        const Keys keys = keys_of(facts_);
        const std::uint32_t parts = parts_of(facts_, drawn_);
        for (std::uint32_t k = 1; k <= parts; ++k)
            sheet_.key_names().push_back(
                clock_text(std::min(drawn_, k * facts_.part) * facts_.step));
        if (keys.top(ask_.revealed) > parts)
            sheet_.key_names().push_back(ask_.text["figure.service.key.parts"_t]);
    }

    const ServiceFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    std::uint32_t drawn_;
    float names_ = 0, chart_ = 0, top_ = 0, pitch_ = 0;
    std::array<float, ServiceFacts::kSignals> told_y_{};
};

}  // namespace

Keys keys_of(const ServiceFacts& facts) {
    const std::uint32_t open = parts_of(facts, facts.open),
                        end = parts_of(facts, facts.end) + (facts.servers.size() > 1 ? 1 : 0);
    return {.first = 1, .opens = open, .last = open, .end = end};
}

Plan layout_service(const ServiceFacts& facts, const Ask& ask) {
    return ServicePlan(facts, ask).plan();
}

}  // namespace kv::figure
