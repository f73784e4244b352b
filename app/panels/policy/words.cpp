#include "app/panels/policy/words.hpp"

#include "core/base/numbers/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {
namespace {

Text percent_number(double share) {
    return round_trip(100 * share);
}

Text kept_by_window(const EvictionSpec& spec, const Texts& text) {
    const Text recent = with_commas(spec.recent);
    if (spec.policy == EvictionPolicy::Window)
        return fill(text["policy.window.keeps"_t], {{"n", recent}});
    return fill(text["policy.streaming.keeps"_t],
                {{"sinks", with_commas(spec.sinks)}, {"n", recent}});
}

Text kept_by_observation(const EvictionSpec& spec, TextId words, const Texts& text) {
    const ObservationWindow& seen = spec.observed;
    return fill(text[words], {{"best", with_commas(seen.capacity - seen.window)},
                              {"window", with_commas(seen.window)}});
}

Text kept(const EvictionSpec& spec, const Texts& text) {
    const auto by_share = [&](TextId words) {
        return fill(text[words], {{"n", percent_number(spec.ratio)}});
    };
    const auto by_budget = [&](TextId words) {
        return fill(text[words], {{"n", with_commas(spec.budget)}});
    };
    switch (spec.policy) {
        case EvictionPolicy::None:
            return text["policy.none.keeps"_t];
        case EvictionPolicy::Window:
        case EvictionPolicy::Streaming:
            return kept_by_window(spec, text);
        case EvictionPolicy::H2o:
            return fill(text["policy.h2o.keeps"_t], {{"heavy", with_commas(spec.heavy.heavy)},
                                                     {"n", with_commas(spec.heavy.recent)}});
        case EvictionPolicy::SnapKv:
            return kept_by_observation(spec, "policy.snapkv.keeps"_t, text);
        case EvictionPolicy::PyramidKv:
            return kept_by_observation(spec, "policy.pyramidkv.keeps"_t, text);
        case EvictionPolicy::AdaKv:
            return kept_by_observation(spec, "policy.adakv.keeps"_t, text);
        case EvictionPolicy::Tova:
            return by_budget("policy.tova.keeps"_t);
        case EvictionPolicy::Knorm:
            return by_share("policy.knorm.keeps"_t);
        case EvictionPolicy::KeyDiff:
            return by_share("policy.keydiff.keeps"_t);
        case EvictionPolicy::LagKv:
            return fill(text["policy.lagkv.keeps"_t],
                        {{"n", percent_number(spec.ratio)},
                         {"least", with_commas(least_judged(spec.lag))}});
        case EvictionPolicy::Expected:
            return fill(
                text["policy.expected.keeps"_t],
                {{"n", percent_number(spec.ratio)}, {"sinks", with_commas(spec.expected.sinks)}});
        case EvictionPolicy::Quest:
            return by_budget("policy.quest.keeps"_t);
        case EvictionPolicy::Random:
            break;
    }
    return by_budget("policy.random.keeps"_t);
}

}  // namespace

std::string_view policy_title(EvictionPolicy policy, const Texts& text) {
    switch (policy) {
        case EvictionPolicy::None:
            return text["policy.none"_t];
        case EvictionPolicy::Window:
            return text["policy.window"_t];
        case EvictionPolicy::Streaming:
            return text["policy.streaming"_t];
        case EvictionPolicy::H2o:
            return text["policy.h2o"_t];
        case EvictionPolicy::SnapKv:
            return text["policy.snapkv"_t];
        case EvictionPolicy::PyramidKv:
            return text["policy.pyramidkv"_t];
        case EvictionPolicy::AdaKv:
            return text["policy.adakv"_t];
        case EvictionPolicy::Tova:
            return text["policy.tova"_t];
        case EvictionPolicy::Knorm:
            return text["policy.knorm"_t];
        case EvictionPolicy::KeyDiff:
            return text["policy.keydiff"_t];
        case EvictionPolicy::LagKv:
            return text["policy.lagkv"_t];
        case EvictionPolicy::Expected:
            return text["policy.expected"_t];
        case EvictionPolicy::Quest:
            return text["policy.quest"_t];
        case EvictionPolicy::Random:
            break;
    }
    return text["policy.random"_t];
}

PolicyWords policy_words(std::string_view policy, const Texts& text) {
    std::string why;
    const auto spec = parse_eviction(policy, why);
    if (!spec) return {policy, {}};
    return {policy_title(spec->policy, text), kept(*spec, text)};
}

}  // namespace kv
