// A bar for each pass of an answer: above with nothing kept, below with a cache, on one scale. A
// long answer has fewer bars than passes; each then stands for the last of its passes, but the
// first one, which stands for the pass over the prompt.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint64_t kMostBars = 200, kFewPasses = 12;
constexpr float kPassHead = 34, kTicks = 26;

enum : std::uint32_t { kNothingKept = 1, kCache = 2, kSums = 3, kLonger = 4 };

class PassesPlan {
public:
    PassesPlan(const PassesFacts& facts, const Ask& ask)
        : facts_(facts),
          ask_(ask),
          sheet_(ask),
          longer_(facts.then > 0 && ask.revealed),
          n_(longer_ ? facts.then : facts.fresh) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const bool cache = shows(facts_.cache), sums = shows(facts_.sums);
        sheet_.header(fill(text["figure.passes.title"_t], {{"prompt", with_commas(facts_.prompt)},
                                                           {"n", with_commas(facts_.fresh)}}),
                      text["figure.passes.how"_t]);
        const bool both = facts_.cache != FigureWhen::Never;
        const float gap = sheet_.is_low() ? 10 : 26,
                    high = sheet_.bottom() - sheet_.top() - (both ? gap : 0);
        const float first = both ? high / 2 : high;
        block(sheet_.top(), first, text["figure.passes.without"_t],
              text["figure.passes.without.how"_t], false);
        if (cache)
            block(sheet_.top() + first + gap, high - first, text["figure.passes.with"_t],
                  text["figure.passes.with.how"_t], true);
        if (sums) {
            sum(sheet_.top(), facts_.without, "sum.without");
            if (cache) sum(sheet_.top() + first + gap, facts_.with, "sum.with");
        }
        for (const TextId key : {"figure.passes.key.without"_t, "figure.passes.key.with"_t,
                                 "figure.passes.key.sums"_t, "figure.passes.key.longer"_t})
            sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    bool shows(FigureWhen when) const {
        return when == FigureWhen::Now || (when == FigureWhen::Revealed && ask_.revealed);
    }
    std::uint64_t computed(std::uint64_t pass, bool with_cache) const {
        return pass == 1 ? facts_.prompt : with_cache ? 1 : facts_.prompt + pass - 1;
    }

    void block(float y, float high, const Text& name, const Text& how, bool with_cache) {
        const std::uint32_t from = with_cache ? kCache : kNothingKept;
        Piece& heading =
            sheet_.block_head(with_cache ? "with" : "without", y, kPassHead, name, how);
        heading.from = from, heading.rect.w = sheet_.width() * 0.72f;
        const float floor = y + high - kTicks, room = floor - y - kPassHead - 22;
        const std::uint64_t n = std::min(n_, kMostBars);
        const auto full = static_cast<double>(computed(n_, false));
        const float pitch = sheet_.width() / static_cast<float>(n);
        const float gap = pitch > 24 ? 8.0f : pitch > 5 ? 2.0f : 0.0f;
        sheet_.rule(floor).from = from;
        for (std::uint64_t b = 0; b < n; ++b) {
            const std::uint64_t pass = b == 0 ? 1 : (b + 1) * n_ / n;
            const std::uint64_t count = computed(pass, with_cache);
            const float tall =
                std::max(1.0f, room * static_cast<float>(static_cast<double>(count) / full));
            const float x = sheet_.left() + pitch * static_cast<float>(b);
            const bool late = pass > facts_.fresh;
            Piece& bar = sheet_.box(late         ? "bar.longer"
                                    : with_cache ? "bar.with"
                                                 : "bar.without",
                                    {x, floor - tall, std::max(1.0f, pitch - gap), tall},
                                    late ? Look::Again : Look::Fresh);
            bar.from = late ? static_cast<std::uint32_t>(kLonger) : from, bar.radius = 1;
            if (n_ <= kFewPasses) label(x, floor, pitch - gap, tall, pass, count, bar.from);
        }
        if (n_ > kFewPasses) label_first_and_last(floor, room, full, with_cache, from);
    }

    // Few passes: each says which it is and what it computes.
    void label(float x, float floor, float wide, float tall, std::uint64_t pass,
               std::uint64_t count, std::uint32_t from) {
        Piece& tick = sheet_.words("pass", {x, floor + 4, wide, 18},
                                   {{with_commas(pass), Font::Mono, 12, Ink::Quiet}}, Edge::Center);
        tick.from = from, tick.names = true;
        if (pass == n_ && !shows(facts_.last)) return;
        Piece& value =
            sheet_.words("count", {x, floor - tall - 20, wide, 18},
                         {{with_commas(count), Font::MonoBold, 13, Ink::Strong}}, Edge::Center);
        value.from = from;
    }

    // Many passes: the first and the last say it.
    void label_first_and_last(float floor, float room, double full, bool with_cache,
                              std::uint32_t from) {
        const Texts& text = ask_.text;
        for (const std::uint64_t pass : {std::uint64_t{1}, n_}) {
            const bool first = pass == 1;
            const std::uint64_t count = computed(pass, with_cache);
            const float tall = room * static_cast<float>(static_cast<double>(count) / full);
            const float x = first ? sheet_.left() : sheet_.right() - 200;
            Piece& tick =
                sheet_.words("pass", {x, floor + 4, 200, 18},
                             {{fill(text["figure.passes.pass"_t], {{"n", with_commas(pass)}}),
                               Font::Regular, 12, Ink::Quiet}},
                             first ? Edge::Left : Edge::Right);
            tick.from = from, tick.names = true;
            if (!first && !shows(facts_.last)) continue;
            Piece& value = sheet_.words("count", {x, floor - std::max(1.0f, tall) - 20, 200, 18},
                                        {{with_commas(count), Font::MonoBold, 14, Ink::Strong}},
                                        first ? Edge::Left : Edge::Right);
            value.from = from;
        }
    }

    void sum(float y, std::uint64_t positions, const char* id) {
        Piece& sum = sheet_.words(
            id, {sheet_.right() - sheet_.width() * 0.27f, y, sheet_.width() * 0.27f, kPassHead},
            {{with_commas(positions), Font::MonoBold, sheet_.is_narrow() ? 20.0f : 28.0f,
              Ink::Strong},
             {ask_.text["figure.passes.positions"_t], Font::Regular, 13, Ink::Plain, 8}},
            Edge::Right);
        sum.from = kSums;
    }

    const PassesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    bool longer_;
    std::uint64_t n_;
};

}  // namespace

Keys keys_of(const PassesFacts& facts) {
    std::uint32_t open = kNothingKept;
    if (facts.cache == FigureWhen::Now) open = facts.sums == FigureWhen::Now ? kSums : kCache;
    std::uint32_t end = open;
    if (facts.cache == FigureWhen::Revealed) end = kCache;
    if (facts.sums != FigureWhen::Never) end = kSums;
    if (facts.then > 0) end = kLonger;
    return {.first = kNothingKept, .opens = open, .last = open, .end = end};
}

Plan layout_passes(const PassesFacts& facts, const Ask& ask) {
    return PassesPlan(facts, ask).plan();
}

}  // namespace kv::figure
