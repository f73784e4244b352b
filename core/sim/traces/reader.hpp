#pragma once
// Public traces of requests, from a path that the user gives: Azure, BurstGPT and Vidur CSV,
// Mooncake and Qwen-Bailian JSON lines. The first line says which format it is. Reading is strict
// and streams: never more than one line is held, whatever the file's size. Lines may end in CRLF, a
// byte order mark is passed over, and the last line may lack its end.

#include <functional>
#include <string>

#include "core/base/progress.hpp"
#include "core/sim/traces/csv.hpp"
#include "core/sim/traces/json.hpp"
#include "core/sim/traces/row.hpp"

namespace kv {

struct TraceRefusal {
    u64 line;  // from 1
    FieldRefusal why;

    std::string text() const;  // "line 17, ContextTokens: ... is not a whole number; ..."
};

// Bytes go in as they come, rows come out. Rows of requests without a prompt or without an answer
// (a failed request in BurstGPT) are counted and passed over.
class TraceParser {
public:
    using Sink = std::function<bool(const TraceRow&)>;  // false: enough

    explicit TraceParser(Sink sink) : sink_(std::move(sink)) {}

    std::optional<TraceRefusal> feed(std::string_view bytes);
    std::optional<TraceRefusal> finish();

    bool has_enough() const { return has_enough_; }
    std::optional<TraceFormat> format() const;
    u64 passed_over() const { return passed_over_; }

private:
    std::optional<TraceRefusal> take_line(std::string_view line);
    std::optional<FieldRefusal> recognise(std::string_view line);
    std::optional<FieldRefusal> read(std::string_view line);

    Sink sink_;
    std::string partial_;  // the start of a line whose end has not come yet
    u64 lines_ = 0, rows_ = 0, passed_over_ = 0;
    std::optional<u64> blank_line_;
    std::variant<std::monostate, CsvTrace, JsonTrace> reader_;
    TraceRow row_;
    bool has_enough_ = false;
};

struct TraceFile {
    TraceFormat format = TraceFormat::Azure;
    Workload requests;  // by time of arrival; in the order of the file where the times are equal
    u64 passed_over = 0;
};

// Sees every row that becomes a request, in the order of the file, with its hashes.
using RowObserver = std::function<void(TraceFormat format, const TraceRow& row)>;

// The first `limit` requests, or all. Throws kv::Error (World); nothing when `progress` stopped it.
std::optional<TraceFile> read_trace(const std::string& path, std::optional<u64> limit,
                                    const Progress& progress = {}, const RowObserver& observe = {});

}  // namespace kv
