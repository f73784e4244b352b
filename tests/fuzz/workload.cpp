// Public traces, CSV and JSON lines. The pieces in which a file arrives change nothing, and what is
// accepted can be raced.

#include "core/sim/race.hpp"
#include "core/sim/traces/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

struct Outcome {
    kv::Workload requests;
    std::string refusal;
    kv::u64 hashes = 0;
};

Outcome parse(std::string_view bytes, std::size_t piece) {
    Outcome outcome;
    kv::TraceParser parser([&](const kv::TraceRow& row) {
        expect(row.prompt > 0 && row.output > 0, "a request has a prompt and an answer");
        expect(row.prompt <= kv::kLongestRequest && row.output <= kv::kLongestRequest,
               "lengths are bounded");
        outcome.requests.push_back({row.arrival_ns, static_cast<std::uint32_t>(row.prompt),
                                    static_cast<std::uint32_t>(row.output)});
        outcome.hashes += row.hash_ids.size();
        return true;
    });
    std::optional<kv::TraceRefusal> refusal;
    for (std::size_t at = 0; at < bytes.size() && !refusal; at += piece)
        refusal = parser.feed(bytes.substr(at, piece));
    if (!refusal) refusal = parser.finish();
    if (refusal) {
        expect(refusal->line > 0 && !refusal->why.rule.empty() && !refusal->why.advice.empty(),
               "a refusal has a line, a rule and an advice");
        outcome.refusal = refusal->text();
        expect(outcome.refusal.find('\n') == std::string::npos, "a refusal is one line");
    } else {
        expect(parser.format().has_value(), "an accepted trace has a format");
    }
    return outcome;
}

// A small pool, and only what is short enough to be done at once.
void race_some(const kv::Workload& requests) {
    kv::Workload some;
    for (const kv::SimRequest& request : requests)
        if (request.total() <= 2000 && some.size() < 20) some.push_back(request);
    kv::RaceSettings settings;
    settings.pool.slots = 500;
    settings.pool.block_size = 7;
    for (const kv::AllocatorKind kind : kv::all_allocators()) {
        const auto result = kv::race(kind, some, settings);
        expect(result->counters.finished + result->counters.refused == some.size(),
               "every request is finished or refused");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = kv::fuzz::text_of(data, size);
    const Outcome whole = parse(bytes, size + 1);
    const Outcome pieces = parse(bytes, 3);
    expect(whole.refusal == pieces.refusal, "the same refusal in pieces");
    expect(whole.requests.size() == pieces.requests.size() && whole.hashes == pieces.hashes,
           "the same requests in pieces");
    race_some(whole.requests);
    return 0;
}
