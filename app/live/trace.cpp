// Files of events: a run that was recorded here or by another server, shown without an engine.

#include <filesystem>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "app/live/live_run.hpp"
#include "app/live/loading/seconds_now.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// "BlockLost 2, EXTERNAL 40", the names as the file has them.
std::string listed(const NamedCounts& counts, bool with_numbers) {
    std::string list;
    for (const auto& [name, n] : counts) {
        if (!list.empty()) list += ", ";
        list += name.empty() ? "?" : shown(name);
        if (with_numbers) list += " " + with_commas(n);
    }
    return list;
}
u64 sum_of(const NamedCounts& counts) {
    u64 sum = 0;
    for (const auto& [name, n] : counts) sum += n;
    return sum;
}

// What a server's file named that could not be placed; nothing when all of it is shown.
Said left_out(const RecordedBlocks& blocks) {
    Said all;
    const auto say = [&](TextId id, u64 n, std::initializer_list<Place> more = {}) {
        if (n == 0) return;
        const std::string number = with_commas(n);
        std::vector<Place> places(more);
        places.emplace_back("n", number);
        all.add(Said(id, places));
    };
    u64 elsewhere = 0;
    for (const OtherPool& other : blocks.others) elsewhere += other.stored;
    const std::string rank = std::to_string(blocks.rank), group = std::to_string(blocks.group),
                      media = listed(blocks.other_media, false),
                      kinds = listed(blocks.unknown, true);
    say("trace.others"_t, elsewhere, {{"rank", rank}, {"group", group}});
    say("trace.removed_unknown"_t, blocks.removed_unknown);
    say("trace.below_unseen"_t, blocks.below_unseen);
    say("trace.other_media"_t, sum_of(blocks.other_media), {{"media", media}});
    say("trace.partial"_t, blocks.partial);
    say("trace.without_tokens"_t, blocks.without_tokens);
    say("trace.unknown"_t, sum_of(blocks.unknown), {{"kinds", kinds}});
    say("trace.other_lines"_t, blocks.other_lines);
    say("trace.missed"_t, blocks.missed);
    say("trace.restarts"_t, blocks.restarts);
    return all;
}

// "rank 1", "group 2", "pool 4096", "hits announced": another way to read a server's file.
void change_rule(TraceImportRules& rules, const std::string& words) {
    const std::size_t space = words.find(' ');
    const std::string what = words.substr(0, space);
    const std::string value = space == std::string::npos ? "" : words.substr(space + 1);
    std::string why;
    const auto whole = [&](std::uint64_t most) {
        const auto number = parse_whole(value, 0, most, why);
        if (!number)
            throw Refused("refused.trace.number"_t, {{"words", shown(words)}, {"why", why}});
        return *number;
    };
    constexpr std::uint64_t kMostRanks = std::numeric_limits<std::uint32_t>::max();
    if (what == "rank")
        rules.rank = static_cast<std::int64_t>(whole(kMostRanks)), rules.group.reset();
    else if (what == "group")
        rules.group = static_cast<std::int64_t>(whole(kMostRanks));
    else if (what == "pool")
        rules.recorded_pool = static_cast<std::uint32_t>(whole(kMostRecordedBlocks));
    else if (what == "hits" && (value == "silent" || value == "announced"))
        rules.hits = value == "silent" ? ReportedHits::Silent : ReportedHits::Announced;
    else
        throw Refused("refused.trace.read_as"_t, {{"words", shown(words)}});
}

// At the end of most records everything has been given back; what is shown first is the last step
// that left something running.
void to_last_work(RecordedRun& run) {
    if (!run.now().running.empty()) return;
    const auto is_end = [](const Event& event) {
        return std::holds_alternative<RequestFinished>(event.what);
    };
    const auto last = run.trace().find_back(run.moment(), is_end);
    if (!last) return;
    const std::uint32_t iteration = run.trace().event(*last).iteration;
    if (iteration > 0) run.try_to_iteration(iteration - 1);
}

}  // namespace

void LiveRun::open_trace(const std::string& path, std::optional<std::uint32_t> step,
                         const TraceImportRules& rules) {
    loader_.stop();
    opening_.reset();
    trace_path_ = path, trace_step_ = step;
    loading_since_ = seconds_now();
    start_loading(trace_loader_, path, rules, ++n_sessions_);
}

// The file is read anew, and shown only when the other way leads to a pool.
void LiveRun::read_trace_as(const std::string& words) {
    if (!recorded_ || !recorded_->recorded()) throw Refused("refused.trace.no_server"_t);
    TraceImportRules rules = recorded_rules_;
    change_rule(rules, words);
    open_trace(recorded_path_, std::nullopt, rules);
}

void LiveRun::take_trace(AppState& state, double seconds) {
    if (!trace_loader_.busy()) return;
    const std::unique_ptr<OpenedRecord> opened = trace_loader_.take(seconds);
    if (!opened) return;
    if (opened->run->trace().size() == 0)
        throw Refused("refused.trace.empty"_t, {{"file", shown(trace_path_)}}, ErrorCode::World);
    comparison_.end();
    view_.reset(), other_view_.reset();
    main_.session.reset(), look_.forget();
    recorded_ = std::move(opened->run);
    recorded_path_ = opened->path, recorded_rules_ = opened->rules;
    main_.id = opened->id;
    state.run.history = std::move(opened->history);
    main_.scene = {}, place_.clear(), main_.folder.clear();
    undo_.clear(), redo_.clear();
    proof_.forget(), playhead_.stop(), awaited_.reset();
    if (trace_step_)
        recorded_->try_to_iteration(*trace_step_);
    else
        to_last_work(*recorded_);
    state.run.playback.playing = false;
    state.run.charts.run = main_.id;
    state.run.focus = {};
    if (const auto& running = recorded_->now().running; !running.empty())
        state.run.focus.request = running.front();
    const std::string path = std::filesystem::absolute(trace_path_).lexically_normal().string();
    remember(state.settings.recent_scenes, path);
    if (recorded_->recorded())
        if (Said words = left_out(*recorded_->recorded()); !words.empty())
            state.notice = Notice{.said = std::move(words)};
    if (trace_step_) refuse_beyond(recorded_->now(), *trace_step_);
}

void LiveRun::require_engine() const {
    if (main_.session) return;
    throw Refused("refused.trace.no_engine"_t, {{"file", shown(recorded_->name())}});
}

}  // namespace kv
