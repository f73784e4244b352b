#include "app/live/price/list.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "app/shell/texts/said.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// The share of a prompt that has to be dropped so that the budget is left.
std::string share_dropped(std::uint32_t budget, std::uint32_t prompt_tokens) {
    const double kept = std::min(1.0, budget / static_cast<double>(std::max(1u, prompt_tokens)));
    return fixed(1 - kept, 4);
}

std::vector<std::string> policies_at(std::uint32_t budget, std::uint32_t prompt_tokens) {
    const auto n = [](std::uint32_t number) { return std::to_string(number); };
    const std::uint32_t sinks = 4, half = budget / 2;
    return {"window:" + n(budget),
            "streaming:" + n(sinks) + "+" + n(budget - sinks),
            "h2o:" + n(half) + "+" + n(budget - half),
            "snapkv:" + n(budget) + ",window=" + n(budget / 3),
            "tova:" + n(budget),
            "knorm:" + share_dropped(budget, prompt_tokens) + ",skip=0",
            "random:" + n(budget)};
}

std::optional<std::string> codec_word(std::string_view word) {
    std::string why;
    const auto codec = parse_codec(word, why);
    return codec ? std::optional(codec_name(*codec)) : std::nullopt;
}

}  // namespace

std::string PriceCombination::key() const {
    return k_codec + " " + v_codec + " " + evict + " " +
           (positions ? std::string(name_of(*positions)) : std::string("usual"));
}

std::uint32_t price_budget(std::uint32_t prompt_tokens) {
    return std::max(8u, prompt_tokens / 12 * 4);
}

std::vector<PriceCombination> price_list(const ModelConfig& config, const EngineSettings& run,
                                         std::uint32_t prompt_tokens) {
    // Groups of 32 channels, or of all that a head has.
    const auto group =
        std::to_string(std::min<u64>(32, std::min(config.head_dim, config.v_head_dim)));
    std::vector<PriceCombination> list;
    const auto add = [&](PriceCombination what) {
        const auto same = std::find_if(list.begin(), list.end(), [&](const PriceCombination& c) {
            return c.key() == what.key();
        });
        if (same != list.end())
            same->of_run = same->of_run || what.of_run;
        else
            list.push_back(std::move(what));
    };
    const std::array<std::string, 8> codecs{"f32",  "bf16", "fp8_e4m3",       "int8",
                                            "int4", "int2", "int4:g" + group, "int2:g" + group};
    for (const std::string& codec : codecs) add({codec, codec});
    for (const std::string& policy : policies_at(price_budget(prompt_tokens), prompt_tokens))
        add({"bf16", "bf16", policy});
    const bool usual = positions_of(run) == usual_positions(eviction_of(run));
    add({codec_name(run.k_codec), codec_name(run.v_codec), run.evict,
         usual ? std::nullopt : run.positions, true});
    return list;
}

PriceCombination price_combination(const std::string& words) {
    std::istringstream in(words);
    std::vector<std::string> codecs;
    PriceCombination what;
    bool has_policy = false;
    for (std::string word; in >> word;) {
        std::string why;
        if (const auto codec = codec_word(word); codec && !has_policy && codecs.size() < 2)
            codecs.push_back(*codec);
        else if (!has_policy && parse_eviction(word, why))
            what.evict = word, has_policy = true;
        else
            throw Refused("refused.price.word"_t, {{"word", shown(word)}});
    }
    if (codecs.empty() && !has_policy) throw Refused("refused.price.nothing"_t);
    what.k_codec = codecs.empty() ? "bf16" : codecs.front();
    what.v_codec = codecs.empty() ? "bf16" : codecs.back();
    return what;
}

EngineSettings price_base(const EngineSettings& run) {
    EngineSettings base;
    base.backend = run.backend;
    base.block_size = run.block_size;
    base.prefill = run.prefill;
    base.rotation = run.rotation;
    base.order = run.order;
    base.max_batch_tokens = run.max_batch_tokens;
    base.compact = run.compact;
    return base;
}

EngineSettings with_combination(const EngineSettings& base, const PriceCombination& what,
                                const ModelConfig& config) {
    EngineSettings settings = base;
    const auto set = [&](const char* name, const std::string& value) {
        const std::string wrong = find_setting(name)->read(settings, value);
        if (!wrong.empty())
            throw Refused("refused.price.value"_t, {{"value", value}, {"why", wrong}});
    };
    set("k_codec", what.k_codec);
    set("v_codec", what.v_codec);
    set("evict", what.evict);
    settings.positions = what.positions;
    if (const auto refusal = codec_refusal(config, settings)) throw Refused(Said::as_is(*refusal));
    if (const std::string clash = clash_of(settings, config); !clash.empty())
        throw Refused(Said::as_is(clash));
    return settings;
}

}  // namespace kv
