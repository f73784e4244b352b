#include "core/lesson/language/run_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

void RunFunctions::refuse(const std::string& rule) const {
    throw ExpressionRefusal{e_.at, e_.name + "() " + rule};
}

const LessonRun& RunFunctions::run() const {
    if (!scope_.has_run()) refuse("looks at a run where no scene runs");
    return scope_.run();
}

const Expression& RunFunctions::part(std::size_t i) const {
    std::size_t unnamed = 0;
    for (std::size_t p = 0; p < e_.parts.size(); ++p)
        if (e_.labels[p].empty() && unnamed++ == i) return *e_.parts[p];
    refuse("lacks an argument");
}

std::optional<LessonValue> RunFunctions::labelled(std::string_view label) const {
    for (std::size_t p = 0; p < e_.parts.size(); ++p)
        if (e_.labels[p] == label) return scope_.value(*e_.parts[p]);
    return std::nullopt;
}

std::uint32_t RunFunctions::whole(std::size_t i, std::uint32_t below) const {
    const LessonValue value = argument(i);
    const auto* number = value.plain<Number>();
    const bool fits = number != nullptr && number->unit == kCount && number->value >= 0 &&
                      number->value < below && number->value == std::floor(number->value);
    if (!fits) refuse("wants a whole number below " + std::to_string(below));
    return static_cast<std::uint32_t>(number->value);
}

std::string RunFunctions::text(std::size_t i) const {
    const LessonValue value = argument(i);
    if (value.plain<std::string>() == nullptr) refuse("wants a text");
    return *value.plain<std::string>();
}

SeqId RunFunctions::request_named(const std::string& name) const {
    const auto& all = scope_.now().requests;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (all[i].name == name) return SeqId(i);
    refuse("knows no request \"" + shown(name) + "\" by then");
}

std::optional<LessonValue> RunFunctions::call() const {
    const std::string& f = e_.name;
    if (f == "before") return scope_.at_moment(scope_.side().opens).value(part(0));
    if (f == "after") return scope_.at_moment(scope_.side().ends).value(part(0));
    if (f == "other") {
        if (scope_.step_.other.run == nullptr) refuse("asks for a second run that the step lacks");
        const StepOfRun &main = scope_.step_.main, &other = scope_.step_.other;
        const bool opens = scope_.moment_ == main.opens && main.opens != main.ends;
        return Evaluator(scope_.step_, true, opens ? other.opens : other.ends).value(part(0));
    }
    if (f == "at" && scope_.recording() != nullptr) return at_time();
    if (f == "at") return at_iteration(whole(0, 1u << 30), part(1));
    if (f == "series") return series();
    if (f == "always") return always();
    if (f == "first") return first();
    if (f == "block") return block();
    if (f == "events") return events();
    if (f == "reason") return reason();
    if (f == "proof") return proof();
    if (f == "quality") return quality();
    if (f == "edited") return edited();
    if (f == "masked") return masked();
    if (f == "attention") return attention();
    if (f == "key") return key();
    if (f == "address") return address();
    if (f == "without") return without();
    if (f == "coarse") return coarse();
    return std::nullopt;
}

LessonValue RunFunctions::at_iteration(std::uint32_t iteration, const Expression& e) const {
    const auto moment = run().moment_after(iteration);
    if (!moment)
        refuse("asks for iteration " + std::to_string(iteration) + ", which the run lacks");
    return scope_.at_moment(*moment).value(e);
}

// A value of a recording at a time: "at(600s, server.cached)".
LessonValue RunFunctions::at_time() const {
    const LessonValue value = argument(0);
    const auto* time = value.plain<Number>();
    if (time == nullptr || !(time->unit == kSeconds) || time->value < 0)
        refuse("wants a time of the recording, such as 600s");
    return scope_.at_moment(scope_.recording()->moment_at(time->value)).value(part(1));
}

LessonValue RunFunctions::series() const {
    const std::uint32_t first = whole(1, 1u << 20), last = whole(2, 1u << 20);
    if (last < first || last - first > 4096) refuse("wants at most 4,096 iterations, rising");
    LessonList list;
    for (std::uint32_t i = first; i <= last; ++i) list.push_back(at_iteration(i, part(0)));
    return list;
}

LessonValue RunFunctions::always() const {
    for (std::uint32_t i = 1; i <= scope_.iteration(); ++i) {
        const LessonValue holds = at_iteration(i, part(0));
        if (holds.plain<bool>() == nullptr) refuse("wants something that is yes or no");
        if (!*holds.plain<bool>()) return false;
    }
    return true;
}

LessonValue RunFunctions::first() const {
    for (std::uint32_t i = 1; i <= run().last_iteration(); ++i) {
        const LessonValue holds = at_iteration(i, part(0));
        if (holds.plain<bool>() == nullptr) refuse("wants something that is yes or no");
        if (*holds.plain<bool>()) return whole_value(i);
    }
    refuse("waits for something that never happens");
}

LessonValue RunFunctions::block() const {
    run();
    const auto& blocks = scope_.now().lanes.at(0).blocks;
    const std::uint32_t id = whole(0, static_cast<std::uint32_t>(blocks.size()));
    const BlockView& view = blocks[id];
    constexpr std::array<const char*, 3> kStates{"free", "cached", "used"};
    return LessonRecord{{"ref_count", whole_value(view.ref_count)},
                        {"filled", whole_value(view.filled)},
                        {"dead", whole_value(view.dead)},
                        {"hashed", view.hash.has_value()},
                        {"state", kStates[static_cast<std::size_t>(view.state())]}};
}

LessonValue RunFunctions::events() const {
    const std::string name = text(0);
    std::optional<SeqId> of;
    if (const auto request = labelled("request")) {
        if (request->plain<std::string>() == nullptr) refuse("wants a request's name");
        of = request_named(*request->plain<std::string>());
    }
    std::uint64_t n = 0;
    run().trace().each(0, scope_.moment_, [&](std::uint64_t, const Event& event) {
        if (name_of(event.what) == name && (!of || event.request == of)) ++n;
    });
    return whole_value(n);
}

// The reason of the newest event of that name.
LessonValue RunFunctions::reason() const {
    const std::string name = text(0);
    const auto found = run().trace().find_back(
        scope_.moment_, [&](const Event& event) { return name_of(event.what) == name; });
    if (!found) refuse("finds no event " + shown(name) + " by then");
    return text_of(run().trace().event(*found).reason,
                   [&](SeqId id) { return scope_.now().requests[id.index()].name; });
}

}  // namespace kv
