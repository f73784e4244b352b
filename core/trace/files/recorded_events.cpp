#include "core/trace/files/recorded_events.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/trace.hpp"

namespace kv {
namespace {

// A server has as many pools as ranks times groups; a file that names more is not one's.
constexpr std::size_t kMostRecordedPools = 4'096;

std::string named(std::int64_t rank, std::int64_t group) {
    return "rank " + std::to_string(rank) + ", group " + std::to_string(group);
}

// Clocks that were set back count for nothing.
double us_between(std::optional<double> before_s, double now_s) {
    const double passed = before_s ? (now_s - *before_s) * 1e6 : 0;
    return std::isfinite(passed) && passed > 0 ? passed : 0;
}

}  // namespace

bool RecordedEvents::recognises(const nlohmann::json& line) {
    if (line.is_object() && (line.contains("n") || line.contains("why"))) return false;
    return server_line(line).has_value();
}

std::optional<EventRefusal> RecordedEvents::line(const nlohmann::json& json) {
    const auto line = recognises(json) ? server_line(json) : std::nullopt;
    if (line) return take_line(*line);
    pass_line_over();
    return std::nullopt;
}

std::optional<EventRefusal> RecordedEvents::take_line(const ServerLine& line) {
    if (!line.batch) return std::nullopt;
    Rank& rank = ranks_[line.batch->rank.value_or(0)];
    if (!take_number(rank, line)) return std::nullopt;
    const double now_s = line.batch->time_s;
    rank.us_of_iteration.push_back(now_s == 0 ? 0 : us_between(rank.last_time_s, now_s));
    if (now_s != 0) rank.last_time_s = now_s;
    for (const ServerEvent& event : line.batch->events)
        if (auto wrong = take_event(rank, event)) return wrong;
    return std::nullopt;
}

// The numbers of a rank's batches rise by one. A lower one is a server that started anew, and its
// memory with it. False for one that came before.
bool RecordedEvents::take_number(Rank& rank, const ServerLine& line) {
    if (!line.sequence) return true;
    const auto last = std::exchange(rank.last_sequence, *line.sequence);
    if (!last || *line.sequence == *last + 1) return true;
    if (*line.sequence == *last) return false;
    if (*line.sequence > *last) {
        counts_.missed += *line.sequence - *last - 1;
        return true;
    }
    ++counts_.restarts;
    for (auto& [group, pool] : rank.groups) pool.restart(rank.iteration() + 1);
    return true;
}

std::optional<EventRefusal> RecordedEvents::take_event(Rank& rank, const ServerEvent& event) {
    const std::uint32_t now = rank.iteration();
    const auto pool_of = [&](std::int64_t group) -> RecordedPool* {
        const auto found = rank.groups.find(group);
        if (found != rank.groups.end()) return &found->second;
        if (n_pools_ == kMostRecordedPools) return nullptr;
        ++n_pools_;
        return &rank.groups.try_emplace(group, rules_.hits).first->second;
    };
    if (std::holds_alternative<ServerCleared>(event)) {
        for (auto& [group, pool] : rank.groups) pool.clear(now);
        return std::nullopt;
    }
    if (const auto* unknown = std::get_if<ServerUnknown>(&event)) {
        ++count_of(counts_.unknown, unknown->kind);
        return std::nullopt;
    }
    const auto* stored = std::get_if<ServerStored>(&event);
    const auto* removed = std::get_if<ServerRemoved>(&event);
    RecordedPool* pool = pool_of(stored ? stored->group : removed->group);
    if (pool == nullptr)
        ++count_of(counts_.unknown, "group_idx");
    else if (stored)
        pool->store(now, *stored);
    else
        pool->remove(now, *removed);
    if (pool && pool->overflows())
        return EventRefusal{"block_hashes", "are more than " + with_commas(kMostRecordedBlocks) +
                                                " blocks that are stored at the same time"};
    return std::nullopt;
}

// The one that is asked for, or the lowest that stores anything on the device; or else below it.
RecordedEvents::Chosen RecordedEvents::chosen() const {
    Chosen below;
    for (const auto& [rank, of] : ranks_) {
        if (rules_.rank.value_or(rank) != rank) continue;
        for (const auto& [group, pool] : of.groups) {
            if (rules_.group.value_or(group) != group) continue;
            if (pool.stored() > 0) return {rank, group, &of, &pool};
            if (pool.below() > 0 && !below.pool) below = {rank, group, &of, &pool};
        }
    }
    return below;
}

RecordedBlocks RecordedEvents::counts() const {
    const Chosen shown = chosen();
    RecordedBlocks counts = shown.pool ? shown.pool->counts() : RecordedBlocks{};
    counts.rank = shown.rank, counts.group = shown.group;
    counts.unknown = counts_.unknown;
    counts.other_lines = counts_.other_lines;
    counts.restarts = counts_.restarts, counts.missed = counts_.missed;
    for (const auto& [rank, of] : ranks_)
        for (const auto& [group, pool] : of.groups)
            if (&pool != shown.pool && pool.stored() > 0)
                counts.others.push_back({rank, group, pool.block_size(), pool.stored()});
    return counts;
}

std::optional<EventRefusal> RecordedEvents::write(Trace& trace) const {
    const Chosen shown = chosen();
    if (shown.pool)
        return shown.pool->write(trace, rules_.recorded_pool, shown.of->us_of_iteration);
    const auto others = counts().others;
    if (others.empty()) return EventRefusal{"", "stores no block, so there is no pool to show"};
    return EventRefusal{"", "stores no block of " +
                                named(rules_.rank.value_or(others[0].rank),
                                      rules_.group.value_or(others[0].group)) +
                                "; of " + named(others[0].rank, others[0].group) + " it does"};
}

}  // namespace kv
