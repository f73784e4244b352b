// What a server does over time, from the trace of a run: its signals, those of the run beside it,
// and who computes what in each step.

#include <cmath>
#include <map>

#include "core/base/numbers/units.hpp"
#include "core/lesson/figures/ask.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/metrics.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kMostParts = 24;

// The newest sample at or before an iteration: time in which nothing runs has none of its own.
class SampleAt {
public:
    explicit SampleAt(const std::vector<Sample>& samples) : samples_(samples) {}
    const Sample* operator()(std::uint32_t iteration) const {
        const auto next =
            std::upper_bound(samples_.begin(), samples_.end(), iteration,
                             [](std::uint32_t i, const Sample& s) { return i < s.iteration; });
        return next == samples_.begin() ? nullptr : &*std::prev(next);
    }

private:
    const std::vector<Sample>& samples_;
};

// What a counter gained over the window that ends there.
double gained(const SampleAt& at, std::uint32_t iteration, std::uint32_t window,
              std::uint64_t Counters::*counter) {
    const Sample *now = at(iteration), *then = at(iteration - std::min(iteration, window));
    const std::uint64_t before = then == nullptr ? 0 : then->totals.*counter;
    return now == nullptr ? 0 : static_cast<double>(now->totals.*counter - before);
}

// How many steps a first token took, by the step that sampled it, which counts too.
std::map<std::uint32_t, Mean> first_tokens(const Snapshot& last) {
    std::map<std::uint32_t, Mean> by_step;
    for (std::size_t i = 0; i < last.requests.size(); ++i) {
        const RequestView& request = last.requests[i];
        if (request.first_token)
            by_step[*request.first_token].add(*request.first_token - request.arrived + 1);
    }
    return by_step;
}

std::optional<double> mean_over(const std::map<std::uint32_t, Mean>& by_step,
                                std::uint32_t iteration, std::uint32_t window) {
    Mean all;
    auto it = by_step.upper_bound(iteration - std::min(iteration, window));
    for (; it != by_step.end() && it->first <= iteration; ++it)
        all.sum += it->second.sum, all.n += it->second.n;
    return all.value();
}

ServiceFacts::Server signals_of(const LessonRun& run, std::uint32_t steps, std::uint32_t window,
                                double step) {
    MetricSeries series;
    series.catch_up(run.trace());
    const SampleAt at(series.samples());
    const auto firsts = first_tokens(run.trace().at(run.trace().size()));
    ServiceFacts::Server server;
    const auto put = [&](ServiceFacts::Signal signal, std::optional<double> value) {
        server.curves[signal].push_back(value);
    };
    for (std::uint32_t i = 1; i <= steps; ++i) {
        const Sample* now = at(i);
        const bool works = now != nullptr;
        const auto pool = works ? static_cast<double>(now->pool_blocks) : 1;
        put(ServiceFacts::Usage, works ? static_cast<double>(now->used_blocks) / pool : 0);
        put(ServiceFacts::Running, works ? now->running : 0);
        put(ServiceFacts::Waiting, works ? now->waiting : 0);
        const double asked = gained(at, i, window, &Counters::prefix_queries);
        put(ServiceFacts::HitRate,
            asked > 0 ? std::optional(gained(at, i, window, &Counters::prefix_hits) / asked)
                      : std::nullopt);
        const auto mean = mean_over(firsts, i, window);
        put(ServiceFacts::FirstToken, mean ? std::optional(*mean * step) : std::nullopt);
        put(ServiceFacts::Preempted, works ? static_cast<double>(now->totals.preemptions) : 0);
    }
    return server;
}

}  // namespace

namespace {

constexpr double kFarApart = 0.25;

double most_of(const ServiceFacts::Server& server, std::size_t signal) {
    if (signal == ServiceFacts::Usage || signal == ServiceFacts::HitRate) return 1;
    double most = 1;
    for (const auto& value : server.curves[signal]) most = std::max(most, value.value_or(0));
    return most;
}

}  // namespace

double ServiceFacts::most(std::size_t signal) const {
    double most = 1;
    for (const Server& server : servers) most = std::max(most, most_of(server, signal));
    return most;
}

std::optional<std::uint32_t> ServiceFacts::apart(std::size_t signal) const {
    if (servers.size() < 2) return std::nullopt;
    const Curve &left = servers[0].curves[signal], &right = servers[1].curves[signal];
    const double far = kFarApart * most_of(servers[0], signal);
    const std::uint32_t lasts = std::max(1u, window / 3);
    std::uint32_t since = 0;  // steps
    for (std::uint32_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        since = std::abs(left[i].value_or(0) - right[i].value_or(0)) >= far ? since + 1 : 0;
        if (since == lasts) return i + 2 - lasts;
    }
    return std::nullopt;
}

// names: what is said of the servers, from the left. The run beside the step's stands left of it.
FigureFacts ask_service(const FigureAsk& ask) {
    const LessonRun& run = ask.run();
    const StepRuns& step = ask.at.step();
    ServiceFacts facts;
    facts.open = run.trace().at(step.main.opens).iteration;
    facts.end = std::max(facts.open, ask.at.now().iteration);
    facts.part =
        static_cast<std::uint32_t>(ask.given.whole_or("part", std::max(1u, facts.open / 12)));
    facts.window = static_cast<std::uint32_t>(ask.given.whole_or("window", 30));
    facts.step = run.scene().settings.step_us * 1e-6;
    if (facts.open == 0) ask.given.refuse("wants a step that opens after the first iteration");
    if (facts.part == 0 || facts.end > std::uint64_t{kMostParts} * facts.part)
        ask.given.refuse("wants parts of the time, at most " + std::to_string(kMostParts));
    if (facts.window == 0) ask.given.refuse("wants a window of at least one step");
    std::vector<const LessonRun*> runs{&run};
    if (step.other.run != nullptr) runs.insert(runs.begin(), step.other.run);
    std::vector<std::string> names(runs.size());
    if (ask.given.has("names")) {
        names.clear();
        for (const LessonValue& name : ask.given.list("names")) {
            const auto* text = name.plain<std::string>();
            if (text == nullptr) ask.given.refuse("wants names in quotes");
            names.push_back(*text);
        }
        if (names.size() != runs.size())
            ask.given.refuse("wants a name for each of " + std::to_string(runs.size()) +
                             " servers");
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i]->scene().settings.step_us != run.scene().settings.step_us)
            ask.given.refuse("wants servers whose steps take equally long");
        facts.servers.push_back(signals_of(*runs[i], facts.end, facts.window, facts.step));
        facts.servers.back().name = names[i];
    }
    return facts;
}

std::uint32_t BatchFacts::tokens(std::uint32_t column) const {
    std::uint32_t sum = 0;
    for (const Row& row : rows) sum += row.cells[column].tokens;
    return sum;
}

namespace {

BatchFacts::State idle_state(const RequestView& request) {
    if (request.state == RequestState::Finished || request.state == RequestState::Refused)
        return BatchFacts::State::Absent;
    const bool waits =
        request.state == RequestState::Waiting || request.state == RequestState::Preempted;
    return waits ? BatchFacts::State::Waits : BatchFacts::State::Idle;
}

// The cells of one step, by request.
std::vector<BatchFacts::Cell> cells_of(const LessonRun& run, std::uint32_t step) {
    const std::uint64_t begin = run.moment_after(step - 1).value_or(0),
                        end = run.moment_after(step).value_or(run.trace().size());
    const Snapshot then = run.trace().at(end);
    std::vector<BatchFacts::Cell> cells(then.requests.size());
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].state = idle_state(then.requests[i]);
    run.trace().each(begin, end, [&](std::uint64_t, const Event& event) {
        const auto* scheduled = std::get_if<TokensScheduled>(&event.what);
        if (scheduled == nullptr) return;
        const RequestView& request = then.requests[event.request->index()];
        cells[event.request->index()] = {scheduled->first < request.n_prompt
                                             ? BatchFacts::State::Reads
                                             : BatchFacts::State::Writes,
                                         scheduled->count};
    });
    return cells;
}

}  // namespace

// first, last: the columns; those behind the step at which the lesson's step opens are revealed.
FigureFacts ask_batch(const FigureAsk& ask) {
    constexpr u64 kMostColumns = 32, kMostRows = 12;
    const LessonRun& run = ask.run();
    const u64 first = ask.given.whole_or("first", 1),
              last = ask.given.whole_or("last", ask.at.now().iteration);
    const std::uint32_t now = ask.at.opened().iteration;
    if (first == 0 || last < first || last - first >= kMostColumns || last > run.last_iteration() ||
        now < first)
        ask.given.refuse("wants up to " + std::to_string(kMostColumns) +
                         " steps of the run, from one before the step opens");
    BatchFacts facts;
    facts.first = static_cast<std::uint32_t>(first);
    facts.end = static_cast<std::uint32_t>(last - first + 1);
    facts.open = std::min(facts.end, now - facts.first + 1);
    for (u64 step = first; step <= last; ++step) {
        const auto cells = cells_of(run, static_cast<std::uint32_t>(step));
        const std::size_t column = step - first;
        for (std::size_t i = 0; i < std::min<std::size_t>(cells.size(), kMostRows); ++i) {
            if (i == facts.rows.size())
                facts.rows.push_back({run.engine().requests()[i].spec.name,
                                      std::vector<BatchFacts::Cell>(facts.end)});
            facts.rows[i].cells[column] = cells[i];
        }
    }
    return facts;
}

}  // namespace kv
