#include "app/panels/whatif/answer.hpp"

#include <cmath>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

// Below a twentieth of a point the rate reads the same.
constexpr double kLeastChange = 0.0005;

// Tokens of prefill, a second where it is known how many those are; at least one.
struct Spared {
    std::string n;
    bool a_second = false;
};
Spared spared_words(u64 tokens, double seconds) {
    const double a_second = seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
    const auto whole = static_cast<u64>(std::llround(a_second));
    return whole > 0 ? Spared{with_commas(whole), true} : Spared{with_commas(tokens), false};
}

Text twice_words(const Texts& text, const WhatIfSummary& summary) {
    const double now = summary.at_today->outcome.hit_rate();
    const double then = summary.twice->outcome.hit_rate();
    const std::string of_now = share_words(now), of_then = share_words(then);
    if (then - now < kLeastChange) {
        const std::string most = share_words(summary.without_end.outcome.hit_rate());
        return fill(text["whatif.answer.nothing"_t], {{"now", of_now}, {"most", most}});
    }
    const Spared spared = spared_words(summary.spared(), summary.seconds);
    return fill(text[spared.a_second ? "whatif.answer.twice"_t : "whatif.answer.twice_all"_t],
                {{"now", of_now}, {"then", of_then}, {"n", spared.n}});
}

Text knee_words(const Texts& text, const WhatIfSummary& summary) {
    const WhatIfPoint& knee = summary.knee;
    const std::string blocks = with_commas(knee.pool);
    return fill(text["whatif.answer.knee"_t],
                {{"blocks", blocks},
                 {"size", std::to_string(knee.setting.block_size)},
                 {"rate", share_words(knee.outcome.hit_rate())},
                 {"most", share_words(summary.without_end.outcome.hit_rate())}});
}

}  // namespace

std::string share_words(double share) {
    return fixed(100 * share, 1) + " %";
}

std::string points_words(double points) {
    const std::string number = fixed(points, 1);
    return points >= 0.05 ? "+" + number : number;
}

std::string pool_bytes_words(u64 bytes) {
    constexpr double kMib = 1024.0 * 1024, kGib = 1024 * kMib, kTib = 1024 * kGib;
    const auto n = static_cast<double>(bytes);
    const auto in = [&](double unit, const char* name) {
        return fixed(n / unit, n / unit < 9.95 ? 1 : 0) + name;
    };
    if (n >= 10 * kTib) return in(kTib, " TiB");
    if (n >= kGib) return in(kGib, " GiB");
    if (n >= kMib) return in(kMib, " MiB");
    return bytes_binary(bytes);
}

std::string ms_words(double seconds) {
    const double ms = 1e3 * seconds;
    return fixed(ms, ms < 99.95 ? 1 : 0);
}

std::string times_words(double factor) {
    std::string words = fixed(factor, factor < 9.995 ? 2 : 0);
    if (words.find('.') == std::string::npos) return words;
    while (words.back() == '0') words.pop_back();
    if (words.back() == '.') words.pop_back();
    return words;
}

Text duration_words(const Texts& text, double seconds) {
    const auto whole = [&](TextId words, double n) {
        return fill(text[words], {{"n", fixed(n, 0)}});
    };
    if (seconds < 90) return whole("whatif.seconds"_t, seconds);
    if (seconds < 3540) return whole("whatif.minutes"_t, seconds / 60);
    if (seconds < 3660) return Text(text["whatif.one_hour"_t]);
    return fill(text["whatif.hours"_t], {{"n", fixed(seconds / 3600, 1)}});
}

Text whatif_beside_answer(const Texts& text, const WhatIfBeside& beside) {
    const WhatIfPoint &recorded = beside.recorded, &best = beside.best;
    const std::string now = share_words(recorded.outcome.hit_rate());
    const Text memory = beside.knows_today ? Text(text["whatif.memory.today"_t])
                                           : fill(text["whatif.memory.of"_t],
                                                  {{"size", pool_bytes_words(recorded.bytes)}});
    const std::string of_recorded = beside.by_order ? std::string(recorded.setting.order.name)
                                                    : std::to_string(recorded.setting.block_size);
    const std::string of_best = beside.by_order ? std::string(best.setting.order.name)
                                                : std::to_string(best.setting.block_size);
    if (best.outcome.hit_rate() - recorded.outcome.hit_rate() < kLeastChange)
        return fill(text[beside.by_order ? "whatif.answer.order.none"_t
                                         : "whatif.answer.block_size.none"_t],
                    {{"recorded", of_recorded}, {"memory", memory}, {"now", now}});
    const Spared spared = spared_words(
        recorded.outcome.computed_tokens() - best.outcome.computed_tokens(), beside.seconds);
    const Text raised =
        fill(text[beside.by_order ? "whatif.answer.order"_t : "whatif.answer.block_size"_t],
             {{"best", of_best},
              {"now", now},
              {"then", share_words(best.outcome.hit_rate())},
              {"memory", memory}});
    return fill(text[spared.a_second ? "whatif.answer.spares"_t : "whatif.answer.spares_all"_t],
                {{"answer", raised}, {"n", spared.n}});
}

Text whatif_answer(const Texts& text, const WhatIfSummary& summary, const WhatIfPoint* smaller) {
    const Text answer =
        summary.at_today && summary.twice ? twice_words(text, summary) : knee_words(text, summary);
    if (smaller == nullptr) return answer;
    const Text codec =
        fill(text["whatif.answer.codec"_t], {{"codec", codec_name(smaller->setting.codecs.k)},
                                             {"rate", share_words(smaller->outcome.hit_rate())}});
    return fill(text["whatif.answer.both"_t], {{"answer", answer}, {"codec", codec}});
}

}  // namespace kv
