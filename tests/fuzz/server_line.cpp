// A line of a server's recording. Whatever is read is written as a line that is read to the same
// batch again, and a line without tokens to the same without them.

#include <string>
#include <variant>

#include "core/trace/server/batch_json.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

void check_batch(kv::ServerBatch batch, std::optional<std::uint64_t> sequence) {
    const auto again =
        kv::parsed_server_line(kv::server_line_text(batch, sequence, kv::LineTokens::Written));
    expect(again && again->batch == batch, "what was written is read to the same batch");
    expect(again->sequence == sequence, "the number of the batch is kept");
    for (kv::ServerEvent& event : batch.events)
        if (auto* stored = std::get_if<kv::ServerStored>(&event)) stored->tokens.clear();
    const auto bare =
        kv::parsed_server_line(kv::server_line_text(batch, sequence, kv::LineTokens::LeftOut));
    expect(bare && bare->batch == batch, "only the tokens are left out");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto line = kv::parsed_server_line(kv::fuzz::text_of(data, size));
    if (line && line->batch) check_batch(*line->batch, line->sequence);
    return 0;
}
