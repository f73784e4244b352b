// Facts about who gets which slots: rules that race over one memory.

#include <algorithm>
#include <utility>

#include "core/lesson/figures/ask.hpp"
#include "core/lesson/language/functions.hpp"
#include "core/sim/race_trace.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostRules = 5, kMostRacers = 9, kMostSteps = 96;
constexpr u64 kMostSlots = 256;

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

}  // namespace kv
