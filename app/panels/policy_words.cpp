#include "app/panels/policy_words.hpp"

#include "core/base/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {
namespace {

std::string percent(double share) {
    return round_trip(100 * share);
}

std::string kept_by_window(const EvictionSpec& spec, const Texts& text) {
    const std::string recent = with_commas(spec.recent);
    if (spec.policy == EvictionPolicy::Window)
        return fill(text["policy.window.keeps"_t], {{"n", recent}});
    return fill(text["policy.streaming.keeps"_t],
                {{"sinks", with_commas(spec.sinks)}, {"n", recent}});
}

std::string kept_by_observation(const EvictionSpec& spec, TextId words, const Texts& text) {
    const ObservationWindow& seen = spec.observed;
    return fill(text[words], {{"best", with_commas(seen.capacity - seen.window)},
                              {"window", with_commas(seen.window)}});
}

}  // namespace

PolicyWords policy_words(std::string_view policy, const Texts& text) {
    std::string why;
    const auto spec = parse_eviction(policy, why);
    if (!spec) return {std::string(policy), {}};
    const auto by_share = [&](TextId title, TextId keeps) {
        return PolicyWords{text[title], fill(text[keeps], {{"n", percent(spec->ratio)}})};
    };
    switch (spec->policy) {
        case EvictionPolicy::None:
            return {text["policy.none"_t], text["policy.none.keeps"_t]};
        case EvictionPolicy::Window:
            return {text["policy.window"_t], kept_by_window(*spec, text)};
        case EvictionPolicy::Streaming:
            return {text["policy.streaming"_t], kept_by_window(*spec, text)};
        case EvictionPolicy::H2o:
            return {text["policy.h2o"_t],
                    fill(text["policy.h2o.keeps"_t], {{"heavy", with_commas(spec->heavy.heavy)},
                                                      {"n", with_commas(spec->heavy.recent)}})};
        case EvictionPolicy::SnapKv:
            return {text["policy.snapkv"_t],
                    kept_by_observation(*spec, "policy.snapkv.keeps"_t, text)};
        case EvictionPolicy::PyramidKv:
            return {text["policy.pyramidkv"_t],
                    kept_by_observation(*spec, "policy.pyramidkv.keeps"_t, text)};
        case EvictionPolicy::AdaKv:
            return {text["policy.adakv"_t],
                    kept_by_observation(*spec, "policy.adakv.keeps"_t, text)};
        case EvictionPolicy::Tova:
            return {text["policy.tova"_t],
                    fill(text["policy.tova.keeps"_t], {{"n", with_commas(spec->budget)}})};
        case EvictionPolicy::Knorm:
            return by_share("policy.knorm"_t, "policy.knorm.keeps"_t);
        case EvictionPolicy::KeyDiff:
            return by_share("policy.keydiff"_t, "policy.keydiff.keeps"_t);
        case EvictionPolicy::LagKv:
            return by_share("policy.lagkv"_t, "policy.lagkv.keeps"_t);
        case EvictionPolicy::Quest:
            return {text["policy.quest"_t],
                    fill(text["policy.quest.keeps"_t], {{"n", with_commas(spec->budget)}})};
        case EvictionPolicy::Random:
            break;
    }
    return {text["policy.random"_t],
            fill(text["policy.random.keeps"_t], {{"n", with_commas(spec->budget)}})};
}

}  // namespace kv
