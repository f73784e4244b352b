#pragma once
// A trace from a file: our own events (docs/trace-format.md), or the block events that another
// server published. It is read line by line, and nothing in it is trusted: the first rule that is
// broken ends the import with one sentence that names file, line, field and rule. What has been
// read by then is dropped, so a refused file changes nothing.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// A prompt of a million tokens is one line.
inline constexpr std::size_t kLongestTraceLine = std::size_t{16} << 20;

// Whether a recorded server says of a block only that it is new (vLLM's `kv_cache_report_mode`
// "incremental"), or announces those that a request finds, too ("full").
enum class ReportedHits : std::uint8_t { Silent, Announced };

struct TraceImportRules {
    std::optional<std::string> model = std::nullopt;  // a trace of another checkpoint is refused
    // How a recorded server is read: the blocks of its pool, if they are known, and which of its
    // pools is shown, the one of the lowest rank and group otherwise.
    std::optional<std::uint32_t> recorded_pool = std::nullopt;
    std::optional<std::int64_t> rank = std::nullopt, group = std::nullopt;
    ReportedHits hits = ReportedHits::Silent;
};

// A pool of the recording that is not the one shown.
struct OtherPool {
    std::int64_t rank = 0, group = 0;
    std::uint32_t block_size = 0;
    u64 stored = 0;  // blocks

    bool operator==(const OtherPool&) const = default;
};

// Counts under names that a file chose. A file that invents names without end gets no more of them.
using NamedCounts = std::map<std::string, u64>;
u64& count_of(NamedCounts& counts, const std::string& name);

// What another server's recording held, and what of it cannot be shown.
struct RecordedBlocks {
    std::int64_t rank = 0,
                 group = 0;  // of the pool that is shown, as are the counts down to other_media
    u64 stored = 0, removed = 0;  // blocks on the device
    u64 below = 0;                // stored in a tier below it
    u64 below_unseen = 0;         // of these, when the device did not hold them: they have no place
    u64 removed_unknown = 0;      // from any tier: stored before the recording began
    u64 announced_again = 0;      // hits, which are no blocks of their own
    u64 partial = 0;              // blocks that were published before they were full
    u64 without_tokens = 0;       // blocks whose tokens cannot be told from their neighbours'
    NamedCounts other_media = {};  // blocks of the pool stored where a trace has no place
    NamedCounts unknown = {};      // events of any pool, by their kind
    std::vector<OtherPool> others = {};
    u64 restarts = 0, missed = 0;  // of a server; batches by their numbers
    u64 other_lines = 0;           // neither batches nor metrics
};

struct ImportedTrace {
    Trace trace;
    std::optional<std::string> model;        // as the file names it
    std::optional<RecordedBlocks> recorded;  // when another server wrote the file
};

// Takes one line after the other, for a caller that has the file in pieces.
class TraceImport {
public:
    explicit TraceImport(std::string file, TraceImportRules rules = {});
    TraceImport(TraceImport&&) noexcept;
    ~TraceImport();

    void line(std::string_view line);  // without its line feed
    ImportedTrace finish();            // after the last one

private:
    class State;
    std::unique_ptr<State> state_;
};

ImportedTrace import_trace_text(std::string_view text, const std::string& file,
                                const TraceImportRules& rules = {});
// `progress`, if given, is told now and then how many of the file's bytes have been read.
using ImportProgress = std::function<void(u64 done, u64 size)>;
ImportedTrace import_trace_file(const std::string& path, const TraceImportRules& rules = {},
                                const ImportProgress& progress = {});

}  // namespace kv
