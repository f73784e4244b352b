#pragma once
// A trace from a file: our own events (docs/trace-format.md), or the block events that another
// server published. It is read line by line, and nothing in it is trusted: the first rule that is
// broken ends the import with one sentence that names file, line, field and rule. What has been
// read by then is dropped, so a refused file changes nothing.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/numbers/checked.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// A prompt of a million tokens is one line.
inline constexpr std::size_t kLongestTraceLine = std::size_t{16} << 20;

struct TraceImportRules {
    std::optional<std::string> model = std::nullopt;  // a trace of another checkpoint is refused
    std::optional<std::uint32_t> recorded_pool =
        std::nullopt;  // blocks of a recorded server, if they are known
};

// What another server's recording held, and what of it cannot be shown.
struct RecordedBlocks {
    u64 stored = 0, removed = 0;  // blocks on the device
    u64 below = 0;                // stored in a tier below it
    u64 below_unseen = 0;         // of these, when the device did not hold them: they have no place
    u64 removed_unknown = 0;      // from any tier: stored before the recording began
    std::uint32_t most_stored = 0;  // on the device at one moment
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
