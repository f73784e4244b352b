#pragma once
// All that can change a tank: a batch of a rank, what became of a connection, and a poll of the
// metrics. The same entries in the same order make the same tank.

#include <cstdint>
#include <string>
#include <tuple>
#include <variant>

#include "core/attach/metrics/sample.hpp"
#include "core/trace/server/batch.hpp"

namespace kv {

struct BatchEntry {
    std::int64_t rank = 0;
    std::uint64_t sequence = 0;
    ServerBatch batch = {};
    bool negative_hashes = false;  // this server writes its numbers with a sign

    bool operator==(const BatchEntry&) const = default;
};

// What the stream lane shows.
enum class MarkKind : std::uint8_t {
    Connected,
    Disconnected,
    TryFailed,         // first: how many tries failed one after the other
    Began,             // first: the number of the first batch, 0
    BeganInTheMiddle,  // first: the number of the first batch, of which what came before is lost
    GapAsked,          // first to last: the batches that were missing and are asked for again
    GapMended,         // first to last came after all
    GapLost,           // first to last will not come
    Restarted,         // last: the last number before the server began again
};

struct StreamMark {
    MarkKind kind = MarkKind::Connected;
    std::int64_t rank = 0;
    std::uint64_t first = 0, last = 0;
    double time_s = 0;

    bool operator==(const StreamMark&) const = default;
};

struct SampleEntry {
    double time_s = 0;
    MetricSamples samples = {};

    bool operator==(const SampleEntry&) const = default;
};

using TankEntry = std::variant<BatchEntry, StreamMark, SampleEntry>;

// Where a block lies: the same hash in another group, rank or medium is another block.
struct ShelfName {
    std::int64_t rank = 0, group = 0;
    std::string medium = "GPU";

    bool operator==(const ShelfName&) const = default;
    bool operator<(const ShelfName& other) const {
        return std::tie(rank, group, medium) < std::tie(other.rank, other.group, other.medium);
    }
};

}  // namespace kv
