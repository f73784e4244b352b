#include "core/whatif/record/server_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kv {
namespace {

constexpr std::int64_t kMostBlockSize = 65'536;
constexpr u64 kAll = std::numeric_limits<u64>::max();

std::string key_of(const ServerHash& hash) {
    return (hash.number ? "n" : "d") + hash.bytes;
}

bool is_on_device(const std::string& medium) {
    return medium == "GPU" || medium == "device";
}

std::optional<u64> whole(double value) {
    if (!(value >= 0 && value < 9e15)) return std::nullopt;
    return static_cast<u64>(std::llround(value));
}

}  // namespace

void ServerRecord::take(const ServerBatch& batch, std::optional<u64> sequence) {
    Rank& rank = ranks_[batch.rank.value_or(0)];
    if (sequence && rank.last_sequence == sequence) return;  // it came twice
    if (!first_s_) {
        first_s_ = batch.time_s;
        from_the_start_ = !sequence || *sequence == 0;
    }
    // A clock that goes back says nothing about how long things take.
    last_s_ = std::max(last_s_, batch.time_s - *first_s_);
    ++recording_.batches;
    if (sequence && rank.last_sequence && *sequence < *rank.last_sequence) {
        ++recording_.restarts;
        forget_all(rank);
    }
    if (sequence) rank.last_sequence = sequence;
    for (const ServerEvent& event : batch.events) take(rank, event);
}

void ServerRecord::take(Rank& rank, const ServerEvent& event) {
    if (const auto* stored = std::get_if<ServerStored>(&event)) {
        if (is_ours(*stored)) take(rank, *stored, last_s_);
    } else if (const auto* removed = std::get_if<ServerRemoved>(&event)) {
        if (is_on_device(removed->medium) && removed->group == group_.value_or(removed->group))
            take(rank, *removed);
    } else if (std::holds_alternative<ServerCleared>(event)) {
        ++recording_.cleared;
        forget_all(rank);
    } else {
        pass_over("event " + std::get<ServerUnknown>(event).kind);
    }
}

// One group of layers, one size of blocks, on the device: the first that was stored.
bool ServerRecord::is_ours(const ServerStored& event) {
    const char* why = nullptr;
    if (event.hashes.empty() || event.block_size <= 0 || event.block_size > kMostBlockSize)
        why = "no_tokens";
    else if (!is_on_device(event.medium))
        why = "other_media";
    else if (group_ && event.group != *group_)
        why = "other_groups";
    else if (recording_.block_size != 0 &&
             event.block_size != static_cast<std::int64_t>(recording_.block_size))
        why = "other_sizes";
    if (why) {
        recording_.passed_over[why] += std::max<u64>(1, event.hashes.size());
        return false;
    }
    group_ = event.group;
    recording_.block_size = static_cast<std::uint32_t>(event.block_size);
    return true;
}

// Contents keep their place for good: what is stored again after it was removed is the same block.
ChainId ServerRecord::block_of(Rank& rank, const ServerHash& hash, std::optional<ChainId> parent,
                               const ServerStored* event, std::size_t place) {
    const auto [at, is_new] =
        rank.known.try_emplace(key_of(hash), static_cast<std::uint32_t>(recording_.chains.size()));
    if (!is_new) return ChainId(at->second);
    const ChainId id = recording_.chains.add(parent);
    const std::size_t size = recording_.block_size;
    const bool has_tokens = event && event->tokens.size() == event->hashes.size() * size;
    all_tokens_ = all_tokens_ && has_tokens;
    if (all_tokens_)
        for (std::size_t i = 0; i < size; ++i)
            recording_.tokens.push_back(
                static_cast<std::uint32_t>(event->tokens[place * size + i]));
    else
        recording_.tokens = {};
    return id;
}

ServerRecord::Running* ServerRecord::goes_on(Rank& rank, const ServerStored& event, double time_s,
                                             bool is_new) {
    if (!event.parent) return nullptr;
    const auto parent = rank.known.find(key_of(*event.parent));
    if (parent == rank.known.end()) return nullptr;
    const auto found = rank.running.find(parent->second);
    if (found == rank.running.end()) return nullptr;
    Running& running = found->second;
    if (running.batch == recording_.batches) return &running;
    const double patience = recording_.block_size / kSlowestTokensPerSecond;
    const bool is_chunk = event.hashes.size() > 1;
    if (!is_new || time_s - running.time_s > patience || (is_chunk && running.answers))
        return nullptr;
    return &running;
}

// What an event says about the cache: its blocks are there from now on.
ServerRecord::Stored ServerRecord::store(Rank& rank, const ServerStored& event) {
    const bool is_report = !event.parent && is_cached(rank, event.hashes.back());
    // A prompt of whole blocks that are all there computes its last token, and so its last block.
    const bool is_copy = event.parent && is_cached(rank, event.hashes.front());
    std::optional<ChainId> at;
    if (event.parent) {
        if (rank.known.find(key_of(*event.parent)) == rank.known.end())
            recording_.passed_over["stored_before"] += 1;
        at = block_of(rank, *event.parent, std::nullopt, nullptr, 0);
    }
    const u64 found_at_most =
        is_copy ? u64{recording_.chains.depth(*at)} * recording_.block_size : kAll;
    std::uint32_t n_new = 0;
    for (std::size_t i = 0; i < event.hashes.size(); ++i) {
        at = block_of(rank, event.hashes[i], at, &event, i);
        if (!is_report) n_new += rank.cached[at->value]++ == 0 ? 1 : 0;
    }
    recording_.stored += n_new;
    recording_.most_cached = std::max<u64>(recording_.most_cached, rank.cached.size());
    return {*at, n_new, found_at_most};
}

// And what it says about requests: one that is known goes on, or a new one has come.
void ServerRecord::take(Rank& rank, const ServerStored& event, double time_s) {
    const bool is_new = rank.known.find(key_of(event.hashes.front())) == rank.known.end();
    const Running* before = goes_on(rank, event, time_s, is_new);
    const Stored stored = store(rank, event);

    Running now{rank.stream.asks.size(), recording_.batches, time_s, false};
    if (before) {
        now.ask = before->ask;
        now.answers =
            before->answers || (event.hashes.size() == 1 && before->batch != recording_.batches);
        rank.running.erase(rank.stream.asks[now.ask].last.value);
    } else {
        rank.stream.asks.push_back(
            {stored.last, 0, 0, 0, 0, kAll, time_s, std::exchange(rank.cleared, false)});
    }
    BlockAsk& ask = rank.stream.asks[now.ask];
    ask.last = stored.last;
    ask.n_blocks = recording_.chains.depth(stored.last);
    if (now.answers) {
        ask.n_asked = std::min(ask.n_asked, ask.n_blocks);
    } else {
        ask.n_asked = ask.n_blocks;
        ask.n_stored += stored.n_new;
        ask.most_hit_tokens = std::min(ask.most_hit_tokens, stored.found_at_most);
    }
    rank.running.insert_or_assign(stored.last.value, now);
}

void ServerRecord::take(Rank& rank, const ServerRemoved& event) {
    for (const ServerHash& hash : event.hashes) {
        const auto known = rank.known.find(key_of(hash));
        const auto found =
            known == rank.known.end() ? rank.cached.end() : rank.cached.find(known->second);
        if (found == rank.cached.end()) {
            ++recording_.passed_over["unknown_removals"];
        } else if (--found->second == 0) {
            rank.cached.erase(found);
            ++recording_.removed;
        }
    }
}

bool ServerRecord::is_cached(const Rank& rank, const ServerHash& hash) {
    const auto known = rank.known.find(key_of(hash));
    return known != rank.known.end() && rank.cached.count(known->second) > 0;
}

void ServerRecord::forget_all(Rank& rank) {
    rank.cached.clear();
    rank.running.clear();
    rank.cleared = true;
}

void ServerRecord::take_counter(std::string_view name, double value) {
    const std::string_view bare = name.substr(0, name.find('{'));
    const auto is = [&](std::string_view wanted) {
        return bare == wanted ||
               (bare.substr(0, wanted.size()) == wanted && bare.substr(wanted.size()) == "_total");
    };
    Counters* counters = is("vllm:prefix_cache_queries") ? &queries_
                         : is("vllm:prefix_cache_hits")  ? &hits_
                                                         : nullptr;
    if (counters) {
        Counter& counter =
            counters->try_emplace(std::string(name), Counter{value, value}).first->second;
        if (value < counter.last) counter.before += counter.last;
        counter.last = value;
    } else if (bare == "num_gpu_blocks") {
        // One block of vLLM's pool is never handed out.
        if (const auto blocks = whole(value); blocks && *blocks > 1)
            recording_.server.pool_blocks = *blocks - 1;
    }
}

Recording ServerRecord::finish() {
    for (auto& [number, rank] : ranks_) {
        rank.stream.rank = number;
        for (BlockAsk& ask : rank.stream.asks) {
            ask.asked_tokens = u64{ask.n_asked} * recording_.block_size;
            ask.most_hit_tokens = std::min(ask.most_hit_tokens, ask.asked_tokens);
        }
        if (!rank.stream.asks.empty()) recording_.streams.push_back(std::move(rank.stream));
    }
    recording_.seconds = last_s_;
    // Counters run from the server's start; a recording may begin later.
    const auto counted = [&](const Counters& counters) -> std::optional<u64> {
        if (counters.empty()) return std::nullopt;
        double sum = 0;
        for (const auto& [name, counter] : counters)
            sum += counter.before + counter.last - (from_the_start_ ? 0 : counter.first);
        return whole(sum);
    };
    recording_.server.queries = counted(queries_);
    recording_.server.hits = counted(hits_);
    return std::move(recording_);
}

}  // namespace kv
