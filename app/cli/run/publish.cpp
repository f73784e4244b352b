#include "app/cli/run/publish.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <utility>

#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/server/from_event.hpp"

namespace kv {
namespace {

constexpr double kMostSeconds = 86'400;
constexpr double kLookEvery_s = 0.1;  // between two looks at Ctrl+C

Address address_option(const GivenOptions& given, std::string_view name) {
    const std::string text = *given.text(name);
    auto read = parse_tcp(text);
    if (const auto* wrong = std::get_if<AddressRefusal>(&read))
        refuse_value(name, text, wrong->why,
                     "write tcp://*:5557, or the one interface to listen at");
    return std::get<Address>(std::move(read));
}

double seconds_option(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    if (!text) return 0;
    std::string why;
    const auto seconds = parse_decimal(*text, why);
    if (!seconds || *seconds > kMostSeconds)
        refuse_value(name, *text, seconds ? "is longer than a day" : why,
                     "give seconds, such as 0.5");
    return *seconds;
}

}  // namespace

std::optional<PublishInput> read_publish(const GivenOptions& given) {
    if (!given.has("--publish")) {
        for (const char* option : {"--publish-replay", "--publish-pause", "--publish-stay"})
            if (given.has(option))
                throw usage_error(std::string(option) +
                                  " is for events that are published; add --publish "
                                  "tcp://HOST:PORT.");
        return std::nullopt;
    }
    PublishInput input;
    input.plan.events = address_option(given, "--publish");
    if (given.has("--publish-replay"))
        input.plan.replay = address_option(given, "--publish-replay");
    input.pause_s = seconds_option(given, "--publish-pause");
    input.stay_s = seconds_option(given, "--publish-stay");
    return input;
}

RunPublisher::RunPublisher(const PublishInput& input) : input_(input), publisher_(input.plan) {}

void RunPublisher::follow(const Trace& trace) {
    ServerBatch batch{.time_s = unix_now_s(), .rank = 0};
    trace.each(seen_, trace.size(), [&](std::uint64_t, const Event& event) {
        // The first pool is made; nobody has known another one.
        if (std::holds_alternative<PoolMade>(event.what) && !std::exchange(pool_is_known_, true))
            return;
        if (auto published = server_event_of(event.what))
            batch.events.push_back(std::move(*published));
    });
    seen_ = trace.size();
    publisher_.step(0);
    if (!batch.events.empty()) publisher_.publish(batch);
    answer_for(input_.pause_s);
}

// A terminal counts the seconds down; who reads a pipe is told once.
void RunPublisher::stay(const SayProgress& progress, bool quiet) {
    if (input_.stay_s > 0 && !quiet && ::isatty(STDERR_FILENO) == 0)
        std::cerr << "kvarium: the run is over; its events stay for " << std::llround(input_.stay_s)
                  << " s, or until Ctrl+C.\n"
                  << std::flush;
    for (double left = input_.stay_s; left > 0 && !was_interrupted(); left -= kLookEvery_s) {
        progress("the run is over; its events stay for " + std::to_string(std::llround(left)) +
                 " s, or until Ctrl+C");
        answer_for(std::min(left, kLookEvery_s));
    }
}

void RunPublisher::answer_for(double seconds) {
    const double end = steady_now_s() + seconds;
    do publisher_.step(std::clamp(end - steady_now_s(), 0.0, kLookEvery_s));
    while (steady_now_s() < end && !was_interrupted());
}

}  // namespace kv
