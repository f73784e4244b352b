#include "app/cli/whatif/input.hpp"

#include <algorithm>

#include "app/cli/terminal/suggest.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/time/cards.hpp"
#include "core/whatif/record/service.hpp"

namespace kv {
namespace {

constexpr u64 kMostPool = 1'000'000'000;  // blocks
constexpr u64 kMostSizeOfBlock = 1 << 20;
constexpr std::size_t kMostPoints = 10'000;
constexpr u64 kLeastServicePool = 400, kMostServicePool = 1'000'000;

// Every word once; an empty list is no list.
std::vector<std::string> words_of(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    std::vector<std::string> words;
    if (!text) return words;
    for (std::size_t at = 0; at <= text->size();) {
        const std::size_t end = std::min(text->find(',', at), text->size());
        words.push_back(text->substr(at, end - at));
        if (std::count(words.begin(), words.end(), words.back()) > 1)
            refuse_value(name, words.back(), "stands twice", "name each once");
        at = end + 1;
    }
    return words;
}

std::vector<u64> numbers_of(const GivenOptions& given, std::string_view name, u64 most) {
    std::vector<u64> numbers;
    for (const std::string& word : words_of(given, name)) {
        std::string why;
        const auto number = parse_whole(word, 1, most, why);
        if (!number)
            refuse_value(
                name, word, why,
                "give whole numbers from 1 to " + with_commas(most) + ", with commas between them");
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<ReplayOrder> orders_of(const GivenOptions& given) {
    std::vector<std::string> known;
    for (const ReplayOrder& order : replay_orders()) known.emplace_back(order.name);
    std::vector<ReplayOrder> orders;
    for (const std::string& word : words_of(given, "--order")) {
        const auto order = replay_order_named(word);
        if (!order) {
            std::string all;
            for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
            const auto near = nearest(word, known);
            refuse_value("--order", word, "is not an order of eviction",
                         near ? "did you mean " + *near + "? See --help" : "choose from " + all);
        }
        orders.push_back(*order);
    }
    if (orders.empty()) orders.push_back(replay_orders().front());
    return orders;
}

CodecPair codecs_of(const GivenOptions& given) {
    const auto k = codec_option(given, "--k-codec"), v = codec_option(given, "--v-codec");
    // Keys and values go together unless both are said.
    const Codec one = k ? *k : v.value_or(Codec::Bf16);
    return {k.value_or(one), v.value_or(one)};
}

WhatIfModel model_of(const GivenOptions& given) {
    WhatIfModel model;
    model.preset = given.text("--preset").value_or(model.preset);
    if (!preset(model.preset)) {
        const std::vector<std::string> known(preset_names().begin(), preset_names().end());
        const auto near = nearest(model.preset, known);
        refuse_value("--preset", model.preset, "is not a preset",
                     near ? "did you mean " + *near + "? See --help" : "see kvarium calc --list");
    }
    model.card = given.text("--card").value_or(model.card);
    const Card* card = find_card(model.card);
    if (card == nullptr || !card->bf16) {
        std::vector<std::string> known;
        std::string all;
        for (const Card& each : cards())
            if (each.bf16) {
                known.emplace_back(each.name);
                all += (all.empty() ? "" : ", ") + known.back();
            }
        const auto near = nearest(model.card, known);
        refuse_value("--card", model.card, "is no card with a known peak",
                     near ? "did you mean " + *near + "? See --help" : "choose from " + all);
    }
    if (const auto percent = whole_option(given, "--roof-share", 1, 100))
        model.share = static_cast<double>(*percent) / 100;
    model.link = bandwidth_option(given, "--link").value_or(model.link);
    return model;
}

// With a made-up service only its pool can be chosen, and nothing is weighed.
WhatIfInput read_service(const GivenOptions& given, const CommonOptions& common,
                         WhatIfInput input) {
    for (const OptionSpec& option : whatif_options())
        if (given.positional || (given.has(option.name) && option.name != "--record-service" &&
                                 option.name != "--show-tokens" && option.name != "--pool"))
            throw Error{ErrorCode::Usage,
                        "--record-service writes a recording and weighs none; give it --pool, "
                        "--seed and --show-tokens alone."};
    if (input.service->empty() || *input.service == "-")
        refuse_value("--record-service", *input.service, "is no place of its own",
                     "name a FILE.jsonl");
    input.seed = common.seed.value_or(input.seed);
    input.show_tokens = given.has("--show-tokens");
    input.pools = {whole_option(given, "--pool", kLeastServicePool, kMostServicePool)
                       .value_or(ServiceRules{}.pool_blocks)};
    return input;
}

// Pools around today's, and one that never removes anything.
std::vector<u64> usual_pools(const WhatIfSummary& summary) {
    const u64 today = summary.today.blocks;
    std::vector<u64> pools;
    if (today > 0)
        pools = {(today + 1) / 2, today, today + (today + 1) / 2, 2 * today, 4 * today, 8 * today};
    else
        pools = curve_pools(0, summary.distinct, 1);
    pools.push_back(std::max<u64>(1, summary.distinct));
    std::sort(pools.begin(), pools.end());
    pools.erase(std::unique(pools.begin(), pools.end()), pools.end());
    return pools;
}

std::string pool_text(const WhatIfSetting& setting, u64 pool) {
    return std::string(setting.order.name) + ", " + counted(pool, "block") + " of " +
           std::to_string(setting.block_size);
}

// Every pool, block size and order that was asked for.
bool weigh_points(const WhatIfInput& input, WhatIfStudy& study, WhatIfResults& results,
                  const WhatIfTell& tell) {
    const std::uint32_t recorded = study.recording().block_size;
    const std::vector<std::uint32_t> sizes =
        input.block_sizes.empty() ? std::vector{recorded} : input.block_sizes;
    const std::vector<u64> pools = input.pools.empty() ? usual_pools(results.summary) : input.pools;
    if (pools.size() * sizes.size() * input.orders.size() > kMostPoints)
        throw Error{ErrorCode::Usage, "More than " + with_commas(kMostPoints) +
                                          " points are asked for; ask for fewer pools, block "
                                          "sizes or orders."};
    for (const ReplayOrder& order : input.orders)
        for (const std::uint32_t size : sizes)
            for (const u64 pool : pools) {
                const WhatIfSetting setting{size, order, input.codecs, input.host_blocks};
                // Pools that nobody named are meant as memory, so blocks of twice the size are half
                // as many.
                const u64 blocks = input.pools.empty() ? std::max(study.least_pool(setting),
                                                                  study.at_equal_bytes(pool, size))
                                                       : pool;
                auto point = study.point(
                    setting, blocks, input.one_pass_only ? HowKnown::OnePass : HowKnown::Both,
                    [&](double done) { return tell(pool_text(setting, blocks), done); });
                if (!point) return false;
                results.points.push_back(std::move(*point));
            }
    return true;
}

void refuse_block_sizes(const WhatIfInput& input, const WhatIfStudy& study) {
    for (const std::uint32_t size : input.block_sizes)
        if (!study.can_regroup_to(size)) {
            const std::string recorded = std::to_string(study.recording().block_size);
            refuse_value("--block-size", std::to_string(size),
                         "cannot be made, as the tokens were left out of the recording and hashes "
                         "of " +
                             recorded + " tokens can only be joined",
                         "give multiples of " + recorded + ", or record the tokens");
        }
}

}  // namespace

const std::vector<OptionSpec>& whatif_options() {
    static const std::vector<OptionSpec> options{
        {"--pool", "LIST", "pools in blocks, such as 13000,26000; default: around today's"},
        {"--block-size", "LIST",
         "tokens of a block; with tokens left out only multiples of the recorded size"},
        {"--order", "LIST",
         "which cached block goes first: lru (default, today's vLLM), fifo, lfu, mru, filo, "
         "lru-sglang, lru-strict, slru (orders of a radix tree)"},
        {"--k-codec", "CODEC",
         "keys and values as in kvarium run: more blocks in the memory of each pool"},
        {"--v-codec", "CODEC", "values alone; default: as the keys"},
        {"--host-blocks", "N", "a tier in the host below each pool, read over the link"},
        {"--today", "BLOCKS", "today's pool, where the recording does not say it"},
        {"--requests", "N", "of a public trace: the first N requests"},
        {"--preset", "NAME", "whose time to first token is modelled (llama-3-8b)"},
        {"--card", "NAME", "on which card (h100)"},
        {"--roof-share", "PERCENT", "of the card's peak that a prefill reaches (50)"},
        {"--link", "RATE", "between host and card (55GB/s)"},
        {"--show-tokens", "", "with --record-service: write token ids, for blocks of any size"},
        {"--record-service", "FILE.jsonl",
         "weigh nothing: write an hour of a made-up service there, with the pool of --pool", false,
         true},
        {"--one-pass", "", "do not replay what the one pass knows: faster, and the same numbers"}};
    return options;
}

WhatIfInput read_whatif(const GivenOptions& given, const CommonOptions& common) {
    WhatIfInput input;
    input.service = given.text("--record-service");
    if (input.service) return read_service(given, common, std::move(input));
    if (!given.positional)
        throw Error{ErrorCode::Usage,
                    "kvarium whatif wants a FILE: a recording of a server's events, a Mooncake or "
                    "a Qwen-Bailian trace."};
    if (given.has("--show-tokens"))
        throw Error{ErrorCode::Usage,
                    "--show-tokens is for --record-service; a recording has its tokens or not."};
    input.file = *given.positional;
    input.pools = numbers_of(given, "--pool", kMostPool);
    for (const u64 size : numbers_of(given, "--block-size", kMostSizeOfBlock))
        input.block_sizes.push_back(static_cast<std::uint32_t>(size));
    input.orders = orders_of(given);
    input.codecs = codecs_of(given);
    input.host_blocks = whole_option(given, "--host-blocks", 0, kMostReplayedBlocks).value_or(0);
    input.today = whole_option(given, "--today", 1, kMostPool);
    input.requests = whole_option(given, "--requests", 1, 100'000'000);
    input.model = model_of(given);
    input.one_pass_only = given.has("--one-pass");
    // Refuses a codec that the model's vectors cannot have, before the file is read.
    first_token_model(input.model, input.codecs);
    return input;
}

std::optional<WhatIfResults> weigh(const WhatIfInput& input, WhatIfStudy& study,
                                   const WhatIfTell& tell) {
    refuse_block_sizes(input, study);
    // Nobody knows the pool behind a trace; then the first that was asked for stands for today's.
    std::optional<u64> today = input.today;
    if (!today && study.today().from == TodayFrom::Nothing && !input.pools.empty())
        today = input.pools.front();
    auto summary = summarize(study, today, [&](double done) { return tell("one pass", done); });
    if (!summary) return std::nullopt;
    WhatIfResults results{std::move(*summary), {}, {}, {}};
    WhatIfSetting recorded;
    recorded.block_size = study.recording().block_size;
    constexpr u64 kToEachDoubling = 4;
    for (const u64 pool :
         curve_pools(results.summary.today.blocks, results.summary.distinct, kToEachDoubling)) {
        if (!tell("the curve", 0)) return std::nullopt;
        const PoolOutcome outcome = study.point(recorded, pool, HowKnown::OnePass)->outcome;
        results.curve.push_back({pool, outcome.hit_rate(), outcome.computed_tokens(),
                                 outcome.again_tokens, outcome.blocks_reclaimed});
    }
    if (!weigh_points(input, study, results, tell)) return std::nullopt;
    if (!(input.codecs == CodecPair{}) && results.summary.at_today) {
        WhatIfSetting smaller = recorded;
        smaller.codecs = input.codecs;
        results.smaller = study.point(smaller, results.summary.today.blocks, HowKnown::OnePass);
    }
    return results;
}

}  // namespace kv
