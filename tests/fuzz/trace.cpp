// A trace file, ours or another server's. What is accepted can be visited, measured and exported,
// and what was exported reads back to the same text. A broken assertion of apply() would end the
// program.

#include <string>

#include "core/base/error.hpp"
#include "core/trace/files/json.hpp"
#include "core/trace/files/read.hpp"
#include "core/trace/metrics.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

void check_lane(const kv::LaneView& lane) {
    std::uint64_t used = 0, cached = 0, live = 0;
    for (std::size_t b = 0; b < lane.blocks.size(); ++b) {
        const kv::BlockView& block = lane.blocks[b];
        used += block.state() == kv::BlockState::Used ? 1 : 0;
        cached += block.state() == kv::BlockState::Cached ? 1 : 0;
        live += block.state() == kv::BlockState::Used ? block.filled : 0;
    }
    expect(lane.used == used && lane.cached == cached, "the counts of blocks are true");
    expect(lane.live == live, "the count of live slots is true");
}

void check_trace(const kv::Trace& trace) {
    kv::MetricSeries series;
    series.catch_up(trace);
    kv::metrics_csv(series.samples());
    for (const kv::LaneView& lane : trace.end().lanes) check_lane(lane);
    expect(trace.at(trace.size()) == trace.end(), "the end is the moment after the last event");
    const std::string text = kv::trace_json(trace);
    expect(kv::trace_json(kv::import_trace_text(text, "again").trace) == text,
           "what was exported reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        check_trace(kv::import_trace_text(kv::fuzz::text_of(data, size), "fuzzed.jsonl").trace);
    } catch (const kv::Error& refused) {
        const std::string said = refused.what();
        expect(said.rfind("fuzzed.jsonl", 0) == 0, "a refusal names the file");
        expect(said.find('\n') == std::string::npos && said.size() < 2000,
               "a refusal is one short line");
    }
    return 0;
}
