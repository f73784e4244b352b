#pragma once
// What every fuzz target shares. A target gives bytes to a parser and checks what must hold
// whatever they are; a refusal is fine, a broken expectation stops the program.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// Called by libFuzzer, or by replay.cpp, with one input after the other.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace kv::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

inline void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken expectation: %s\n", what);
    std::abort();
}

}  // namespace kv::fuzz
