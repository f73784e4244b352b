#include "app/live/loading/recorded_source.hpp"

#include <filesystem>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

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

void RecordedSource::open(const std::string& path, std::optional<std::uint32_t> step,
                          const TraceImportRules& rules) {
    asked_ = {path, step};
    start_loading(loader_, path, rules, next_id_());
}

void RecordedSource::read_as(const std::string& words) {
    if (!shown_.run || !shown_.run->recorded()) throw Refused("refused.trace.no_server"_t);
    TraceImportRules rules = shown_.rules;
    change_rule(rules, words);
    open(shown_.path, std::nullopt, rules);
}

std::optional<Preparing> RecordedSource::preparing() const {
    if (!busy()) return std::nullopt;
    return Preparing{.what = Preparing::What::Events,
                     .name = std::filesystem::path(asked_.path).filename().string(),
                     .done = loader_.progress()};
}

std::optional<RecordedSource::Came> RecordedSource::take(double seconds) {
    if (!busy()) return std::nullopt;
    const std::unique_ptr<OpenedRecord> opened = loader_.take(seconds);
    if (!opened) return std::nullopt;
    if (opened->run->trace().size() == 0)
        throw Refused("refused.trace.empty"_t, {{"file", shown(asked_.path)}}, ErrorCode::World);
    shown_ = {std::move(opened->run), opened->path, opened->rules};
    RecordedRun& run = *shown_.run;
    if (asked_.step)
        run.try_to_iteration(*asked_.step);
    else
        to_last_work(run);
    return Came{.id = opened->id,
                .path = std::filesystem::absolute(opened->path).lexically_normal().string(),
                .history = std::move(opened->history),
                .step = asked_.step,
                .left_out = run.recorded() ? left_out(*run.recorded()) : Said()};
}

}  // namespace kv
