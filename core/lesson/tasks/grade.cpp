#include "core/lesson/tasks/grade.hpp"

#include <algorithm>
#include <array>

namespace kv {
namespace {

bool compares(const Expression& e) {
    constexpr std::array<std::string_view, 6> kSigns{"==", "!=", "<", "<=", ">", ">="};
    return e.kind == Expression::Kind::Binary &&
           std::find(kSigns.begin(), kSigns.end(), e.name) != kSigns.end();
}

// Lists would fill the line that this stands in.
std::string compared_value(const Evaluator& scope, const Expression& e) {
    if (!compares(e)) return {};
    const LessonValue value = scope.value(*e.parts[0]);
    if (value.plain<Number>() == nullptr && value.plain<std::string>() == nullptr) return {};
    return value_shown(value).value_or("");
}

// What cannot be asked yet, such as the state of a request that has not arrived, does not hold.
ConditionNow asked(const Evaluator& scope, const Expression& e) {
    try {
        const LessonValue value = scope.value(e);
        const bool* holds = value.plain<bool>();
        return {holds != nullptr && *holds, compared_value(scope, e)};
    } catch (const ExpressionRefusal&) {
        return {};
    }
}

std::optional<Number> score_of(const TaskRules& rules, const Evaluator& scope) {
    if (rules.score == nullptr) return std::nullopt;
    try {
        const LessonValue value = scope.value(*rules.score);
        if (const auto* number = value.plain<Number>()) return *number;
    } catch (const ExpressionRefusal&) {
        // A run without what is counted has no score.
    }
    return std::nullopt;
}

}  // namespace

bool TaskMoment::all_hold() const {
    return std::all_of(conditions.begin(), conditions.end(),
                       [](const ConditionNow& c) { return c.holds; });
}

const TaskMoment* TaskGrade::at(std::uint32_t iteration) const {
    const TaskMoment* newest = moments.empty() ? nullptr : &moments.front();
    for (const TaskMoment& moment : moments)
        if (moment.iteration <= iteration) newest = &moment;
    return newest;
}

Evaluator task_scope(const LessonRun& run, const LessonRun& start, std::uint32_t iteration) {
    StepRuns runs;
    runs.main = {.run = &run, .ends = run.moment_after(iteration).value_or(run.trace().size())};
    runs.other = {.run = &start, .ends = start.trace().size()};
    return {runs, Evaluator::Moment::Ends};
}

TaskGrade grade_run(const TaskRules& rules, const LessonRun& run, const LessonRun& start) {
    TaskGrade out;
    const std::uint32_t last = run.last_iteration();
    // Who is paused may go on, so a run that only waits has no end.
    const auto& requests = run.engine().requests();
    const bool all_ended = std::all_of(requests.begin(), requests.end(),
                                       [](const Request& r) { return r.finish.has_value(); });
    out.ended = run.engine().done() && all_ended && last <= rules.within;
    for (std::uint32_t i = 0; i <= std::min(last, rules.within); ++i) {
        if (!run.moment_after(i)) continue;
        const Evaluator scope = task_scope(run, start, i);
        TaskMoment moment{.iteration = i, .conditions = {}};
        for (const ExpressionPtr& condition : rules.conditions)
            moment.conditions.push_back(asked(scope, *condition));
        const bool counts = !rules.at_end || (out.ended && i == last);
        if (counts && !out.done && moment.all_hold()) out.done = i;
        out.moments.push_back(std::move(moment));
    }
    if (out.done) out.score = score_of(rules, task_scope(run, start, *out.done));
    return out;
}

Evaluator task_scope(const LessonRecording& recording, const RecordingAsk& ask) {
    StepRuns runs;
    runs.main.ends = recording.end();
    runs.main.recording = &recording, runs.main.asked = &ask;
    return {runs, Evaluator::Moment::Ends};
}

TaskGrade grade_ask(const TaskRules& rules, const LessonRecording& recording,
                    const RecordingAsk& ask) {
    TaskGrade out;
    const Evaluator scope = task_scope(recording, ask);
    TaskMoment moment;
    for (const ExpressionPtr& condition : rules.conditions)
        moment.conditions.push_back(asked(scope, *condition));
    if (moment.all_hold()) out.done = 0, out.score = score_of(rules, scope);
    out.ended = true;
    out.moments.push_back(std::move(moment));
    return out;
}

bool is_better(const TaskRules& rules, const Number& score, const Number& than) {
    return rules.lower_is_better ? score.value < than.value : score.value > than.value;
}

}  // namespace kv
