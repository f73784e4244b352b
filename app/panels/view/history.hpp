#pragma once
// What a run's events say over time: which request computed what in which iteration, and when
// blocks changed hands. Read on from where it stopped, so a growing trace is read once. Pure.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/view/run.hpp"
#include "app/widgets/tags.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// Iterations first to last in which a request did the same thing.
struct RunSpan {
    std::uint32_t first = 0, last = 0;
    bool prefill = false;
    friend bool operator==(const RunSpan&, const RunSpan&) = default;
};

// What an iteration computes: that many tokens of a request.
struct RunPlanned {
    std::uint64_t event = 0;  // that says so
    SeqId request{0};
    std::uint32_t count = 0;
};

// All attention of an iteration, as its operations say.
struct RunAttention {
    double flops = 0, bytes_read = 0, us = 0;
};
// What the backend's clock says of an iteration: all its parts, and attention alone. 0: nobody
// measured.
struct StepTimes {
    double us = 0, attention_us = 0;
};

// A draft that a pass checked.
struct RunDraft {
    std::uint64_t event = 0;  // that says what became of it
    std::uint32_t iteration = 0;
    SeqId request{0};
    std::uint32_t k = 0, accepted = 0, struck = 0, behind = 0;  // the last three make k
    std::uint32_t tokens = 0;                                   // that the pass added
    std::uint64_t drafter_bytes = 0;                            // that the draft model read for it
    // Keys that the pass read, each once, and those of its first query alone; in each lane.
    std::uint64_t keys_read = 0, first_keys = 0;
    friend bool operator==(const RunDraft&, const RunDraft&) = default;
};

// An event that the log lists, and the timeline marks.
struct RunMark {
    std::uint64_t event = 0;  // its number in the trace
    std::uint32_t iteration = 0;
    EventMark mark = EventMark::Admit;
    friend bool operator==(const RunMark&, const RunMark&) = default;
};

// The mark of an event; none for one that changes no block and no request's state.
std::optional<EventMark> mark_of(const Event& event);

class RunHistory {
public:
    void catch_up(const RunView& run);
    // `run`: which one it is; another one starts afresh.
    void catch_up(std::uint64_t run, const Trace& trace);

    std::uint64_t run() const { return run_; }
    const std::vector<std::vector<RunSpan>>& lanes() const { return lanes_; }  // by SeqId
    const std::vector<RunMark>& marks() const { return marks_; }
    std::uint32_t last_iteration() const { return last_iteration_; }
    // Keys that the queries of an iteration look at, each query for itself and in each lane: one at
    // position p sees p + 1, but for those that were dropped before or are hidden inside the step.
    // And what those are without counting a key twice for the queries of one request.
    std::uint64_t keys_by_query(std::uint32_t iteration) const {
        return iteration < reads_.size() ? reads_[iteration].by_query : 0;
    }
    std::uint64_t keys_by_request(std::uint32_t iteration) const {
        return iteration < reads_.size() ? reads_[iteration].by_request : 0;
    }
    RunAttention attention(std::uint32_t iteration) const {
        return iteration < reads_.size() ? reads_[iteration].attention : RunAttention{};
    }
    StepTimes times(std::uint32_t iteration) const {
        if (iteration >= reads_.size()) return {};
        return {reads_[iteration].us, reads_[iteration].attention.us};
    }
    std::span<const RunDraft> drafts() const { return drafts_; }  // in order of their events
    // What an iteration planned, in the order in which it was planned.
    std::span<const RunPlanned> planned(std::uint32_t iteration) const;
    // Some request computes several tokens at once, so that its queries share what they read. A
    // prompt that is taken token by token is none here; the lanes of the timeline call it one.
    bool has_prefill(std::uint32_t iteration) const {
        return iteration < reads_.size() && reads_[iteration].prefill;
    }

private:
    struct Reads {
        std::uint64_t by_query = 0, by_request = 0;
        bool prefill = false;
        RunAttention attention;
        double us = 0;
    };
    Reads& reads_of(std::uint32_t iteration);
    static void count_part(Reads& of, const Operation& part);
    void take(std::uint64_t n, const Event& event);
    void plan(std::uint32_t iteration, const RunPlanned& planned);
    void count_reads(std::uint32_t iteration, SeqId request, std::uint64_t first,
                     std::uint64_t count);
    bool has_read(std::uint64_t run, const Trace& trace) const {
        return run == run_ && trace.size() == read_;
    }
    void follow_pool(const Event& event);
    void count_dropped(const Event& event);
    void count_draft(std::uint64_t n, const Event& event);
    std::uint64_t keys_of(SeqId request, std::uint64_t position) const;

    std::uint64_t run_ = 0, read_ = 0;
    // Of the event at hand: a command may make another pool, with another policy.
    std::uint32_t n_lanes_ = 1;
    std::map<std::string, std::string> settings_;
    EvictionSpec policy_;
    std::vector<std::uint64_t> dropped_;  // tokens in all lanes, by SeqId
    std::vector<std::uint32_t> prompt_;   // tokens to read before the first new one, by SeqId
    std::vector<std::vector<RunSpan>> lanes_;
    std::vector<RunMark> marks_;
    std::vector<Reads> reads_;  // by iteration
    std::vector<RunDraft> drafts_;
    std::vector<RunDraft> in_flight_;  // by SeqId: proposed last
    std::vector<RunPlanned> planned_;
    std::vector<std::size_t> plan_begin_;  // by iteration, up to the last one that planned
    std::uint32_t last_iteration_ = 0;
};

}  // namespace kv
