// A parser with its length check removed: the fuzzer must find it, or it would find nothing.

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!kv::fuzz::text_of(data, size).starts_with("kv")) return 0;
    return data[2] == 'x' ? -1 : 0;  // the third byte of two
}
