// A recording of a server's events. Whatever it says, the requests that are made out of it are
// chains that exist, and one pass and the books agree on what pools find.

#include "core/whatif/record/read.hpp"
#include "core/whatif/regroup.hpp"
#include "core/whatif/replay/replay.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

constexpr kv::u64 kMostWeighed = 5000;  // references

void weigh(const kv::Recording& recording) {
    if (recording.n_asks() == 0 || recording.n_blocks() > kMostWeighed) return;
    const auto depths = kv::stack_depths(recording);
    for (const kv::u64 pool : {1u, 3u, 10u}) {
        const kv::PoolOutcome passed = kv::outcome_of(recording, *depths, pool);
        expect(passed.hit_tokens <= passed.asked_tokens, "no more is found than asked for");
        expect(passed == *kv::replay(recording, {.pool_blocks = pool}), "the books agree");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = kv::fuzz::text_of(data, size);
    kv::RecordingLines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.take(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const kv::Recording recording = lines.finish();
    for (const kv::AskStream& stream : recording.streams)
        for (const kv::BlockAsk& ask : stream.asks) {
            expect(ask.n_blocks == recording.chains.depth(ask.last), "a chain is as long as it is");
            expect(ask.n_asked <= ask.n_blocks, "a prompt is no longer than its chain");
        }
    weigh(recording);
    if (recording.block_size <= 64 && recording.n_blocks() <= kMostWeighed &&
        kv::can_regroup(recording, 2 * recording.block_size))
        weigh(*kv::regrouped(recording, 2 * recording.block_size));
    return 0;
}
