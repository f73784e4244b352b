// Facts about who gets which slots: rules that race over one memory.

#include <algorithm>
#include <utility>

#include "core/base/shown.hpp"
#include "core/lesson/figures/ask.hpp"
#include "core/lesson/language/functions.hpp"
#include "core/sim/generator.hpp"
#include "core/sim/published.hpp"
#include "core/sim/race_trace.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostRules = 5, kMostRacers = 9, kMostSteps = 96;
constexpr u64 kMostSlots = 256, kMostOfRace = 10'000, kLeastPool = 4096;

std::vector<AllocatorKind> rules_of(const FigureAsk& ask) {
    std::vector<AllocatorKind> rules;
    for (const LessonValue& value : ask.given.list("rules")) {
        const auto* name = value.plain<std::string>();
        if (name == nullptr) ask.given.refuse("wants rules in quotes");
        rules.push_back(allocator_named(ask.given, *name));
    }
    if (rules.empty() || rules.size() > kMostRules)
        ask.given.refuse("wants 1 to " + std::to_string(kMostRules) + " rules");
    return rules;
}

std::uint32_t open_rules(const FigureAsk& ask, std::size_t all) {
    const u64 open = ask.given.whole_or("open", all);
    if (open > all) ask.given.refuse("opens with more rules than there are");
    return static_cast<std::uint32_t>(open);
}

// Where the race stands; from step 1, as readers count.
void read_steps(const FigureAsk& ask, ArenaFacts& facts) {
    const u64 longest = facts.longest();
    const u64 step = ask.given.whole_or("step", 1), until = ask.given.whole_or("until", longest);
    if (step == 0 || until < step || until > longest || longest > kMostSteps)
        ask.given.refuse("wants step from 1 on, and until from step to " + std::to_string(longest) +
                         ", the last one of the race, which may have " +
                         std::to_string(kMostSteps));
    facts.step = static_cast<std::uint32_t>(step), facts.until = static_cast<std::uint32_t>(until);
}

}  // namespace

// open: so many rules before the reveal; end_of: that rule's last step is what is asked.
FigureFacts ask_arena(const FigureAsk& ask) {
    ArenaFacts facts;
    const std::vector<AllocatorKind> rules = rules_of(ask);
    const Workload workload = requests_of(ask.given);
    RaceSettings settings;
    settings.pool.slots = facts.slots = ask.given.whole("pool", 1);
    settings.pool.block_size = facts.block_size = ask.given.whole_or("block_size", 4);
    settings.pool.max_length = facts.max_length = ask.given.whole_or("max_length", facts.slots);
    if (facts.slots > kMostSlots || facts.block_size == 0 || facts.block_size > facts.slots ||
        facts.max_length == 0 || facts.max_length > facts.slots)
        ask.given.refuse("wants a pool of at most " + std::to_string(kMostSlots) +
                         " slots, and block_size and max_length from 1 to those of the pool");
    if (workload.empty() || workload.size() > kMostRacers)
        ask.given.refuse("wants 1 to " + std::to_string(kMostRacers) + " requests");
    for (std::size_t i = 0; i < workload.size(); ++i)
        facts.requests.push_back({simulated_request(i), workload[i].prompt, workload[i].output});
    for (const AllocatorKind kind : rules) {
        WatchedRace watched = watch_race(kind, workload, settings);
        if (watched.result.counters.finished != workload.size())
            ask.given.refuse("has a request that " + std::string(name_of(kind)) +
                             " can never hold");
        facts.rules.push_back({kind, std::move(watched.moments)});
    }
    facts.open = open_rules(ask, facts.rules.size());
    read_steps(ask, facts);
    if (ask.given.has("end_of")) {
        const AllocatorKind kind = allocator_named(ask.given, ask.given.text("end_of"));
        const auto found = std::find(rules.begin(), rules.end(), kind);
        if (found == rules.end()) ask.given.refuse("asks for the end of a rule that does not race");
        facts.end_of = static_cast<std::uint32_t>(found - rules.begin());
    }
    return facts;
}

// source: who published the same; theirs stand beside ours where it is their set-up.
FigureFacts ask_shares(const FigureAsk& ask) {
    SharesFacts facts;
    const std::vector<AllocatorKind> rules = rules_of(ask);
    const std::string name = ask.given.text_or("workload", std::string(kPublishedWorkload));
    const WorkloadModel* model = find_workload_model(name);
    if (model == nullptr) ask.given.refuse("knows no workload \"" + shown(name) + "\"");
    RaceSettings settings;
    settings.seed = ask.given.whole_or("seed", 0);
    settings.pool.slots = facts.slots = ask.given.whole_or("pool", settings.pool.slots);
    facts.requests = ask.given.whole_or("requests", 1000);
    if (facts.requests == 0 || facts.requests > kMostOfRace || facts.slots < kLeastPool)
        ask.given.refuse("wants 1 to " + std::to_string(kMostOfRace) +
                         " requests, and a pool of at least " + std::to_string(kLeastPool) +
                         " slots");
    const Workload workload = generate(*model, facts.requests, settings.seed);
    for (const AllocatorKind kind : rules) {
        const RaceResult r = *race(kind, workload, settings);
        if (!r.mean_batch)
            ask.given.refuse("has requests of which nobody waits with " +
                             std::string(name_of(kind)) + "; ask for more of them");
        facts.rows.push_back({kind, *r.tokens_share, *r.reserved_share, *r.internal_share,
                              *r.external_share, *r.free_share, r.mean_batch});
    }
    facts.open = open_rules(ask, facts.rows.size());
    facts.source = ask.given.text_or("source", "");
    if (facts.source.empty()) return facts;
    if (!is_published_setup(name, settings))
        ask.given.refuse("has a source whose set-up was another one");
    for (const AllocatorKind kind : rules)
        if (const auto bar = published_bar(kind))
            facts.published.push_back({kind, bar->tokens_share, bar->reserved_share.value_or(0),
                                       bar->internal_share.value_or(0),
                                       bar->external_share.value_or(0), 0, bar->mean_batch});
    return facts;
}

FigureFacts ask_walk(const FigureAsk& ask) {
    constexpr std::size_t kMostEntries = 6;
    constexpr u64 kMostOfBlock = 32;
    WalkFacts facts;
    const u64 position = ask.given.whole("position"), size = ask.given.whole("block_size", 1);
    for (const double entry : ask.given.numbers("table"))
        facts.table.push_back(static_cast<std::uint32_t>(entry));
    if (facts.table.empty() || facts.table.size() > kMostEntries || size > kMostOfBlock ||
        position >= size * facts.table.size())
        ask.given.refuse("wants a table of 1 to " + std::to_string(kMostEntries) +
                         " blocks of at most " + std::to_string(kMostOfBlock) +
                         " slots, and a position in one of them");
    facts.position = static_cast<std::uint32_t>(position);
    facts.block_size = static_cast<std::uint32_t>(size);
    facts.way = ask.when("way", "now");
    return facts;
}

// tokens: of one request, in blocks of one size; without it, all lengths of the last block.
FigureFacts ask_last_block(const FigureAsk& ask) {
    constexpr std::size_t kMostSizes = 3;
    constexpr u64 kMostBlocks = 64;
    LastBlockFacts facts;
    facts.tokens = ask.given.whole_or("tokens", 0);
    for (const double size : ask.given.numbers("block_sizes"))
        facts.block_sizes.push_back(static_cast<std::uint32_t>(size));
    const auto is_drawn = [](std::uint32_t size) { return size >= 1 && size <= 32; };
    if (facts.block_sizes.empty() || facts.block_sizes.size() > kMostSizes ||
        !std::all_of(facts.block_sizes.begin(), facts.block_sizes.end(), is_drawn))
        ask.given.refuse("wants 1 to " + std::to_string(kMostSizes) +
                         " block_sizes from 1 to 32 slots");
    if (facts.tokens > 0 && (facts.block_sizes.size() > 1 || facts.blocks() > kMostBlocks))
        ask.given.refuse("wants the tokens of at most " + std::to_string(kMostBlocks) +
                         " blocks of one size");
    facts.open = open_rules(ask, facts.block_sizes.size());
    return facts;
}

// names, lengths: the stretches; texts: their names; requests: of each its stretches by number.
FigureFacts ask_stretches(const FigureAsk& ask) {
    constexpr std::size_t kMostStretches = 12, kMostTexts = 8;
    StretchesFacts facts;
    facts.title = ask.given.text("title"), facts.how = ask.given.text("how");
    const auto name_in = [&](const LessonValue& value) {
        const auto* name = value.plain<std::string>();
        if (name == nullptr) ask.given.refuse("wants names in quotes");
        return *name;
    };
    const std::vector<double> lengths = ask.given.numbers("lengths");
    for (const LessonValue& value : ask.given.list("names")) {
        const std::size_t i = facts.stretches.size();
        if (i >= lengths.size() || !(lengths[i] >= 1) || lengths[i] > 1e9)
            ask.given.refuse("wants a length of at least 1 for each name");
        facts.stretches.push_back({name_in(value), static_cast<u64>(lengths[i])});
    }
    if (facts.stretches.size() != lengths.size() || facts.stretches.size() > kMostStretches)
        ask.given.refuse("wants a name for each length, and at most " +
                         std::to_string(kMostStretches));
    for (const LessonValue& value : ask.given.list("texts"))
        facts.texts.push_back({name_in(value), {}});
    const LessonList& made_of = ask.given.list("requests");
    if (facts.texts.empty() || facts.texts.size() > kMostTexts ||
        made_of.size() != facts.texts.size())
        ask.given.refuse("wants 1 to " + std::to_string(kMostTexts) +
                         " texts, and for each of them its stretches");
    for (std::size_t t = 0; t < made_of.size(); ++t) {
        const auto* parts = made_of[t].shared<LessonList>();
        if (parts == nullptr || parts->empty())
            ask.given.refuse("wants the stretches of a text as [0, 1]");
        for (const LessonValue& part : *parts) {
            const auto* number = part.plain<Number>();
            if (number == nullptr || !(number->value >= 0) ||
                number->value >= static_cast<double>(facts.stretches.size()))
                ask.given.refuse("names a stretch that is not there");
            facts.texts[t].parts.push_back(static_cast<std::size_t>(number->value));
        }
    }
    return facts;
}

}  // namespace kv
