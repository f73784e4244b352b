// Facts about policies: where a head looks with several caches, which score decides, and what the
// end of a prompt looked at.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/kv_head.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/cache/eviction/quest.hpp"
#include "core/lesson/figures/ask.hpp"
#include "core/lesson/language/mask_experiment.hpp"

namespace kv {
namespace {

constexpr u64 kMostTokens = 128;
constexpr std::uint32_t kRowOfPool = 16;

std::unique_ptr<Backend> plain_backend(const FigureAsk& ask, std::size_t n_tokens) {
    const auto blocks = static_cast<std::uint32_t>(ceil_div(n_tokens, u64{kRowOfPool}));
    return ask.run().model().open(
        "reference",
        {.n_blocks = blocks, .block_size = kRowOfPool, .k = Codec::F32, .v = Codec::F32});
}

std::uint32_t below(const FigureAsk& ask, const char* name, std::uint64_t end) {
    const u64 n = ask.given.whole(name);
    if (n >= end) ask.given.refuse(std::string("wants ") + name + " below " + std::to_string(end));
    return static_cast<std::uint32_t>(n);
}

// A quoted figure with its text, or a number.
std::pair<double, std::string> loss_in(const FigureAsk& ask, const LessonValue& value) {
    if (const auto* quoted = value.shared<QuotedFigure>()) {
        std::string why;
        const std::optional<double> printed = parse_decimal(quoted->text, why);
        if (!printed) ask.given.refuse("wants printed losses that are numbers");
        return {*printed, quoted->text};
    }
    const auto* number = value.plain<Number>();
    if (number == nullptr || !(number->unit == kCount) || !(number->value >= 0))
        ask.given.refuse("wants losses that are not below zero");
    return {number->value, fixed(number->value, 3)};
}

SinkFacts::Strip strip_of(const FigureAsk& ask, const SinkFacts& facts, const std::string& policy,
                          const std::vector<std::uint32_t>& tokens) {
    std::string why;
    const auto spec = parse_eviction(policy, why);
    const bool fits =
        spec && (spec->policy == EvictionPolicy::None || spec->policy == EvictionPolicy::Window ||
                 spec->policy == EvictionPolicy::Streaming);
    if (!fits) ask.given.refuse("wants none, window:N or streaming:S+N");
    SinkFacts::Strip strip;
    strip.everything = spec->policy == EvictionPolicy::None;
    strip.sinks = spec->sinks, strip.recent = spec->recent;
    strip.kept.assign(tokens.size(), true);
    const auto backend = plain_backend(ask, tokens.size());
    std::vector<float> weights;
    if (strip.everything) {
        weights = attention_weights(*backend, tokens, facts.layer, facts.head);
    } else {
        EngineSettings settings = ask.run().engine().settings();
        settings.k_codec = settings.v_codec = Codec::F32;
        settings.evict = policy;
        const PolicySight sight = ask.run().sight_of(tokens, settings);
        const ModelConfig& config = ask.run().model().config();
        const HeadId kv_head = kv_head_of(facts.head, config.n_heads, config.n_kv_heads);
        weights =
            attention_weights(*backend, tokens, facts.layer, facts.head,
                              {{sight.seen, sight.lanes, sight.key_rotation}, kv_head, kv_head});
        strip.kept.assign(tokens.size(), false);
        for (const KeyRange& range :
             sight.seen.back()[sight.lanes.lane_of(LayerId(facts.layer), kv_head).index()])
            for (std::uint32_t t = range.begin; t < range.end; ++t) strip.kept[t] = true;
    }
    strip.weights.assign(weights.begin(), weights.end());
    return strip;
}

}  // namespace

std::uint32_t SinkFacts::Strip::looked_at() const {
    constexpr double kHundredth = 0.01;
    return static_cast<std::uint32_t>(
        std::count_if(weights.begin(), weights.end(), [](double w) { return w >= kHundredth; }));
}

FigureFacts ask_sink(const FigureAsk& ask) {
    constexpr std::size_t kMostStrips = 4;
    const std::string request = ask.given.text_or("request", "A");
    std::vector<std::uint32_t> tokens = ask.counts(request + ".tokens");
    const u64 n = ask.given.whole_or("tokens", tokens.size());
    if (n < 2 || n > tokens.size() || n > kMostTokens)
        ask.given.refuse("wants 2 to " + std::to_string(std::min<u64>(tokens.size(), kMostTokens)) +
                         " tokens");
    tokens.resize(n);
    const ModelConfig& config = ask.run().model().config();
    SinkFacts facts;
    facts.layer = below(ask, "layer", static_cast<u64>(config.n_layers));
    facts.head = below(ask, "head", static_cast<u64>(config.n_heads));
    facts.words = ask.words(tokens);
    const LessonList& policies = ask.given.list("evict");
    const LessonList& losses = ask.given.list("losses");
    if (policies.empty() || policies.size() > kMostStrips || policies.size() != losses.size())
        ask.given.refuse("wants 1 to " + std::to_string(kMostStrips) +
                         " policies, and a loss for each");
    for (std::size_t i = 0; i < policies.size(); ++i) {
        const auto* policy = policies[i].plain<std::string>();
        if (policy == nullptr) ask.given.refuse("wants policies in quotes");
        facts.strips.push_back(strip_of(ask, facts, *policy, tokens));
        std::tie(facts.strips.back().loss, facts.strips.back().loss_said) = loss_in(ask, losses[i]);
    }
    facts.texts = ask.given.whole("texts", 1);
    facts.spread = loss_in(ask, ask.given.value("spread")).second;
    const u64 open = ask.given.whole_or("open", facts.strips.size());
    if (open == 0 || open > facts.strips.size()) ask.given.refuse("opens with 1 strip or more");
    facts.open = static_cast<std::uint32_t>(open);
    return facts;
}

FigureFacts ask_heavy(const FigureAsk& ask) {
    constexpr std::size_t kMostScores = 16;
    HeavyFacts facts;
    facts.scores = ask.given.numbers("scores");
    if (facts.scores.size() < 2 || facts.scores.size() > kMostScores ||
        std::any_of(facts.scores.begin(), facts.scores.end(), [](double s) { return !(s >= 0); }))
        ask.given.refuse("wants 2 to " + std::to_string(kMostScores) +
                         " scores that are not below zero");
    const u64 keep = ask.given.whole("keep", 1), newest = ask.given.whole("newest");
    if (keep >= facts.scores.size() || newest >= keep)
        ask.given.refuse("wants to keep fewer than there are, and more than the newest");
    facts.keep = static_cast<std::uint32_t>(keep),
    facts.newest = static_cast<std::uint32_t>(newest);
    const std::vector<float> scores(facts.scores.begin(), facts.scores.end());
    std::vector<std::uint32_t> positions(scores.size());
    std::iota(positions.begin(), positions.end(), 0u);
    for (const Drop& drop :
         keep_heavy(scores, positions, {.heavy = facts.keep - facts.newest, .recent = facts.newest})
             .dropped)
        facts.dropped.push_back(drop.place);
    return facts;
}

std::uint32_t ObservedFacts::n_kept() const {
    return static_cast<std::uint32_t>(std::count(kept.begin(), kept.end(), true));
}

FigureFacts ask_ranks(const FigureAsk& ask) {
    constexpr std::uint32_t kMostKept = 14;
    RanksFacts facts;
    const u64 sinks = ask.given.whole("sinks", 1), first = ask.given.whole("first", 1),
              end = ask.given.whole("end", 1);
    if (first <= sinks || end <= first || end > 99'999 || sinks + (end - first) > kMostKept)
        ask.given.refuse(
            "wants first tokens, a gap, and newest tokens from first to end, at most " +
            std::to_string(kMostKept) + " together");
    facts.sinks = static_cast<std::uint32_t>(sinks);
    facts.first = static_cast<std::uint32_t>(first), facts.end = static_cast<std::uint32_t>(end);
    return facts;
}

FigureFacts ask_bounds(const FigureAsk& ask) {
    constexpr std::size_t kMostBlocks = 16;
    const std::string request = ask.given.text_or("request", "A");
    const LessonRun& run = ask.run();
    const EngineSettings& settings = run.engine().settings();
    std::string why;
    const auto spec = parse_eviction(settings.evict, why);
    if (!spec || spec->policy != EvictionPolicy::Quest)
        ask.given.refuse("wants a run whose policy is quest");
    const ModelConfig& config = run.model().config();
    BoundsFacts facts;
    facts.layer = below(ask, "layer", static_cast<u64>(config.n_layers));
    facts.head = below(ask, "head", static_cast<u64>(config.n_heads));
    facts.block_size = settings.block_size;
    std::vector<std::uint32_t> tokens = ask.counts(request + ".tokens");
    tokens.resize(static_cast<std::size_t>(ask.value(request + ".stored").plain<Number>()->value));
    const std::size_t blocks = ceil_div(tokens.size(), std::size_t{facts.block_size});
    if (blocks < 2 || blocks > kMostBlocks)
        ask.given.refuse("wants 2 to " + std::to_string(kMostBlocks) + " blocks");
    facts.n_tokens = static_cast<std::uint32_t>(tokens.size());
    const PolicySight sight = run.sight_of(tokens, settings);
    const HeadId kv_head = kv_head_of(facts.head, config.n_heads, config.n_kv_heads);
    const auto backend = plain_backend(ask, tokens.size());
    const QueryAndKeys seen = query_and_keys(
        *backend, tokens, facts.layer, facts.head,
        {{sight.seen, sight.lanes, sight.key_rotation}, kv_head, HeadId(facts.head)});
    const float root = std::sqrt(static_cast<float>(seen.query.size()));
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t first = b * facts.block_size,
                          end = std::min(first + facts.block_size, tokens.size());
        std::vector<float> least = seen.keys[first], most = least;
        BoundsFacts::Block block;
        for (std::size_t t = first; t < end; ++t) {
            widen_box(least, most, seen.keys[t]);
            float score = 0;
            for (std::size_t c = 0; c < seen.query.size(); ++c)
                score += seen.query[c] * seen.keys[t][c];
            block.best =
                t == first ? double{score / root} : std::max(block.best, double{score / root});
        }
        block.bound = double{bound_of_box(seen.query, {least, most}) / root};
        for (const KeyRange& range :
             sight.seen
                 .back()[sight.lanes.lane_of(LayerId(facts.layer), HeadId(facts.head)).index()])
            block.read = block.read || (range.begin < end && range.end > first);
        facts.blocks.push_back(block);
    }
    return facts;
}

// first, end: the tokens of the prompt that the step asks about.
FigureFacts ask_observed(const FigureAsk& ask) {
    const std::string request = ask.given.text_or("request", "A");
    const LessonRun& run = ask.run();
    std::string why;
    const auto spec = parse_eviction(run.engine().settings().evict, why);
    if (!spec || spec->policy != EvictionPolicy::SnapKv)
        ask.given.refuse("wants a run whose policy is snapkv");
    const ModelConfig& config = run.model().config();
    ObservedFacts facts;
    facts.layer = below(ask, "layer", static_cast<u64>(config.n_layers));
    facts.kv_head = below(ask, "kv_head", static_cast<u64>(config.n_kv_heads));
    std::vector<std::uint32_t> tokens = ask.counts(request + ".tokens");
    const auto prompt =
        static_cast<std::size_t>(ask.value(request + ".prompt").plain<Number>()->value);
    facts.window = spec->observed.window;
    if (prompt <= facts.window || prompt > kMostTokens || tokens.size() < prompt)
        ask.given.refuse("wants a prompt longer than the observation window, of at most " +
                         std::to_string(kMostTokens) + " tokens");
    tokens.resize(prompt);
    facts.words = ask.words(tokens);
    facts.end = static_cast<std::uint32_t>(ask.given.whole_or("end", 0));
    facts.first = static_cast<std::uint32_t>(ask.given.whole_or("first", facts.end));
    if (facts.first > facts.end || facts.end > prompt - facts.window)
        ask.given.refuse("asks about tokens that are not before the window");
    // What the window's queries gave to what stands before it, by query head of the KV head.
    const std::uint32_t group = group_size(config.n_heads, config.n_kv_heads);
    std::vector<std::vector<float>> heads;
    for (std::uint32_t g = 0; g < group; ++g) {
        const auto backend = plain_backend(ask, prompt);
        std::vector<float> sums(prompt - facts.window);
        for (const auto& row :
             last_weights(*backend, tokens, facts.layer, facts.kv_head * group + g, facts.window))
            for (std::size_t t = 0; t < sums.size(); ++t) sums[t] += row[t];
        heads.push_back(std::move(sums));
    }
    const std::vector<float> scores = window_scores(heads, spec->observed);
    facts.scores.assign(scores.begin(), scores.end());
    const Selection stays = keep_observed(
        scores, std::max(spec->observed.capacity, facts.window) - facts.window, facts.window);
    facts.kept.assign(prompt, false);
    for (const std::uint32_t place : stays.kept) facts.kept[place] = true;
    return facts;
}

}  // namespace kv
