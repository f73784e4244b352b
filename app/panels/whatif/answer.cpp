#include "app/panels/whatif/answer.hpp"

#include <cmath>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

// Below a twentieth of a point the rate reads the same.
constexpr double kLeastChange = 0.0005;

Text twice_words(const Texts& text, const WhatIfSummary& summary) {
    const double now = summary.at_today->outcome.hit_rate();
    const double then = summary.twice->outcome.hit_rate();
    const std::string of_now = share_words(now), of_then = share_words(then);
    if (then - now < kLeastChange) {
        const std::string most = share_words(summary.without_end.outcome.hit_rate());
        return fill(text["whatif.answer.nothing"_t], {{"now", of_now}, {"most", most}});
    }
    const auto spared = static_cast<double>(summary.spared());
    const auto a_second =
        static_cast<u64>(std::llround(summary.seconds > 0 ? spared / summary.seconds : 0));
    if (a_second > 0)
        return fill(text["whatif.answer.twice"_t],
                    {{"now", of_now}, {"then", of_then}, {"n", with_commas(a_second)}});
    return fill(text["whatif.answer.twice_all"_t],
                {{"now", of_now}, {"then", of_then}, {"n", with_commas(summary.spared())}});
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
