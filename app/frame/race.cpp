#include "app/frame/race.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/sim/generator.hpp"

namespace kv {
namespace {

constexpr double kZoomStep = 1.5;
constexpr double kFarAway = 1e15;      // the end of a race that is still to be held
constexpr u64 kMostRequests = 10'000;  // every span of six races is kept
constexpr u64 kMostSpeed = 100'000;    // iterations a second

std::string names_of_workloads() {
    std::string names;
    for (const WorkloadModel& model : workload_models())
        names += (names.empty() ? "" : ", ") + std::string(model.name);
    return names;
}

std::string names_of_faults() {
    std::string names;
    for (const SimFault fault : all_faults())
        names += (names.empty() ? "" : ", ") + std::string(name_of(fault));
    return names;
}

void set_workload(RaceUi& race, const Command& c) {
    const std::string& word = word_argument(c);
    const bool made_up = find_workload_model(word) != nullptr;
    if (!made_up && word.find_first_of("./") == std::string::npos)
        throw Refused("refused.race.workload"_t, {{"word", word}, {"known", names_of_workloads()}});
    race.ask.workload = word;
    race.place.reset(), race.time.reset();
    race.playing = false;
    // Made-up lengths say nothing of what prompts share.
    if (made_up) std::erase(race.ask.faults, SimFault::ColdCache);
}

void turn_fault(RaceUi& race, const Command& c) {
    const auto fault = fault_named(word_argument(c));
    if (!fault)
        throw Refused("refused.race.fault"_t,
                      {{"word", word_argument(c)}, {"known", names_of_faults()}});
    if (*fault == SimFault::ColdCache && find_workload_model(race.ask.workload))
        throw Refused("refused.race.cold_cache"_t);
    std::vector<SimFault> faults;
    for (const SimFault other : all_faults())
        if (race.ask.has(other) != (other == *fault)) faults.push_back(other);
    race.ask.faults = std::move(faults);
}

void play(RaceUi& race, const Command&) {
    race.playing = !race.playing;
    if (race.playing && race.iteration() >= race.longest()) race.go(0);
}

void race_again(RaceUi& race, const Command&) {
    ++race.again;
    race.go(0);
    race.time.reset();
    race.playing = true;
}

template <int direction, bool fine>
void step(RaceUi& race, const Command&) {
    const auto far = static_cast<double>(fine ? 1 : race_step(race.speed));
    race.playing = false;
    race.go(static_cast<double>(race.iteration()) + direction * far);
}

template <int direction>
void zoom(RaceUi& race, const Command&) {
    if (!race.race) return;
    const double factor = direction > 0 ? kZoomStep : 1 / kZoomStep;
    race.time = zoomed(race.shown(), factor, race.at(), race.longest());
}

void tell_rule(RaceUi& race, const Command& c) {
    const auto allocator = parse_allocator(word_argument(c));
    if (!allocator) throw Refused("refused.race.allocator"_t, {{"word", word_argument(c)}});
    race.chosen = *allocator;
    race.tell_rule = true;
}

struct RaceHandler {
    CommandId id;
    void (*run)(RaceUi&, const Command&);
};

constexpr std::array kRaceHandlers = std::to_array<RaceHandler>({
    {"race.workload", set_workload},
    {"race.fault", turn_fault},
    {"race.faults", [](RaceUi& r, const Command&) { r.tell_faults = true; }},
    {"race.requests",
     [](RaceUi& r, const Command& c) { r.ask.requests = whole_argument(c, 1, kMostRequests); }},
    {"race.seed", [](RaceUi& r, const Command& c) { r.ask.seed = whole_argument(c); }},
    {"race.again", race_again},
    {"race.stop", [](RaceUi& r, const Command&) { r.stop = true; }},
    {"race.play", play},
    {"race.forward", step<1, false>},
    {"race.back", step<-1, false>},
    {"race.finer_forward", step<1, true>},
    {"race.finer_back", step<-1, true>},
    {"race.first", [](RaceUi& r, const Command&) { r.go(0); }},
    {"race.last", [](RaceUi& r, const Command&) { r.go(r.race ? static_cast<double>(r.longest()) : kFarAway); }},
    {"race.goto",
     [](RaceUi& r, const Command& c) { r.go(static_cast<double>(whole_argument(c))); }},
    {"race.speed",
     [](RaceUi& r, const Command& c) { r.speed = whole_argument(c, 1, kMostSpeed); }},
    {"race.closer", zoom<1>},
    {"race.farther", zoom<-1>},
    {"race.whole",
     [](RaceUi& r, const Command&) {
         if (r.race) r.time = RaceTime{0, std::max<u64>(1, r.longest())};
     }},
    {"race.rule", tell_rule},
});

}  // namespace

void ask_race(RaceUi& race, const Command& command) {
    const auto handler = std::find_if(kRaceHandlers.begin(), kRaceHandlers.end(),
                                      [&](const RaceHandler& h) { return h.id == command.id; });
    KV_ASSERT(handler != kRaceHandlers.end());
    handler->run(race, command);
    race.wanted = true;
}

}  // namespace kv
