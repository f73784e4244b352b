// Numbers, byte sizes, rates and codec names as people type them. What was read must print as
// something that reads back to the same; what was refused must have a reason.

#include <limits>
#include <optional>
#include <string>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

void whole(std::string_view text) {
    std::string why;
    const auto n = kv::parse_whole(text, 0, std::numeric_limits<std::uint64_t>::max(), why);
    expect(n || !why.empty(), "a refused whole number has a reason");
    if (n)
        expect(kv::parse_whole(std::to_string(*n), *n, *n, why) == n, "a whole number reads back");
}

void decimal(std::string_view text) {
    std::string why;
    const auto x = kv::parse_decimal(text, why);
    expect(x || !why.empty(), "a refused decimal has a reason");
    if (x) expect(*x >= 0 && *x <= std::numeric_limits<double>::max(), "a decimal is finite");
}

void size(std::string_view text) {
    std::string why;
    const auto read = kv::parse_bytes(text, why);
    expect(read || !why.empty(), "a refused size has a reason");
    if (!read) return;
    const auto again = kv::parse_bytes(std::to_string(read->bytes) + "B", why);
    expect(again && again->bytes == read->bytes, "a size reads back in bytes");
    expect(!kv::bytes_binary(read->bytes).empty() && !kv::bytes_decimal(read->bytes).empty(),
           "a size prints");
}

void rates(std::string_view text) {
    std::string why;
    if (const auto rate = kv::parse_bandwidth(text, why))
        expect(*rate >= 0, "a rate is not negative");
    if (const auto rate = kv::parse_flops(text, why)) expect(*rate >= 0, "a rate is not negative");
}

void codec(std::string_view text) {
    std::string why;
    const std::optional<kv::Codec> read = kv::parse_codec(text, why);
    expect(read || !why.empty(), "a refused codec has a reason");
    if (read) expect(kv::parse_codec(kv::codec_name(*read), why) == read, "a codec reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length) {
    const std::string_view text = kv::fuzz::text_of(data, length);
    whole(text);
    decimal(text);
    size(text);
    rates(text);
    codec(text);
    return 0;
}
