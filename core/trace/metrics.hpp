#pragma once
// What a server's dashboard shows, as a time series: one sample at the end of each iteration,
// computed from the events alone. The table (metric_table.cpp) names each series, its unit and how
// it is computed, beside the name under which vLLM publishes the same. A series scans on from where
// it stopped, so a growing trace is read once.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.hpp"

namespace kv {

struct BlockRemoved;
struct IterationFinished;

struct Mean {
    double sum = 0;
    std::uint64_t n = 0;

    void add(double value) { sum += value, ++n; }
    std::optional<double> value() const {
        if (n == 0) return std::nullopt;
        return sum / static_cast<double>(n);
    }
    friend bool operator==(const Mean&, const Mean&) = default;
};

struct Sample {
    std::uint32_t iteration = 0;
    std::uint64_t moment = 0;     // just after the iteration
    double us = 0, clock_us = 0;  // measured: of this iteration, and of all up to its end
    double model_us = 0;          // of this iteration, by the time model
    std::uint32_t running = 0, waiting = 0;
    std::uint64_t used_blocks = 0, cached_blocks = 0, pool_blocks = 0;  // all lanes together
    std::uint64_t live_tokens = 0;  // slots with keys and values in used blocks, shared ones once
    std::uint64_t allocated_slots = 0;  // of used blocks
    std::uint64_t pool_slots = 0;
    std::uint64_t host_blocks = 0;   // places of the host tier that hold a block or await one
    Counters totals;                 // since the start
    std::optional<double> hit_rate;  // over the window

    // What follows was counted in this iteration, and between it and the one before.
    Counters step;
    std::uint64_t tokens = 0;
    std::uint64_t reclaimed = 0;
    Mean lifetime, lifetime_us;    // of reclaimed blocks: from being filled; iterations, and time
    Mean idle, idle_us;            // of reclaimed blocks: since nobody holds them
    Mean reuse_gap, reuse_gap_us;  // of cached blocks that are held again
    std::uint64_t offload_bytes = 0, load_bytes = 0, file_bytes = 0;
    double transfer_us = 0;
    std::uint64_t kv_bytes_read = 0, kv_bytes_written = 0, bytes_read = 0, bytes_written = 0;
    Mean first_token_us, next_token_us;

    friend bool operator==(const Sample&, const Sample&) = default;
};

struct Metric {
    std::string_view label;
    std::string_view unit;
    std::string_view formula;
    std::optional<double> (*get)(const Sample&);
    bool measured = false;  // by a clock, so it differs from run to run
};
std::span<const Metric> metrics();

class MetricSeries {
public:
    // `window`: iterations over which the hit rate is taken.
    explicit MetricSeries(std::uint32_t window = 100) : window_(window) {}

    void feed(const Event& event);
    void catch_up(const Trace& trace);  // the same one each time

    const std::vector<Sample>& samples() const { return samples_; }
    std::uint64_t moment() const { return moment_; }  // up to which it has read

    // Times by the clock of the iterations: from arrival to the end of the iteration that sampled
    // the first token, and the mean of the tokens after it.
    std::optional<double> first_token_us(SeqId request) const;
    std::optional<double> next_token_us(SeqId request) const;

private:
    struct Age {
        std::uint32_t born = 0, used = 0;  // iterations
        double born_us = 0, used_us = 0;
    };
    struct Clock {
        double arrived = 0, first = 0, last = 0;
        std::uint64_t n_tokens = 0;
    };
    void before(const Event& event);
    void count_host(const Event& event);
    void after(const Event& event);
    void finish_iteration(const IterationFinished& done);
    void token_times(Sample& sample);
    Age& age(LaneId lane, BlockId block);
    void begin_age(LaneId lane, BlockId block);
    void used_now(LaneId lane, BlockId block);
    void held_again(LaneId lane, BlockId block);
    void removed(const BlockRemoved& e);

    std::uint32_t window_;
    std::uint64_t moment_ = 0;
    Snapshot state_;
    double clock_us_ = 0;
    std::uint64_t host_blocks_ = 0;
    Sample open_;
    Counters counted_;            // at the last sample
    std::vector<Age> ages_;       // lane by lane
    std::vector<Clock> clocks_;   // by request
    std::vector<SeqId> sampled_;  // in the iteration at hand
    std::vector<Sample> samples_;
};

// One line per sample under a line of labels; what a sample has not is left empty.
std::string metrics_csv(std::span<const Sample> samples, bool with_times = true);

}  // namespace kv
