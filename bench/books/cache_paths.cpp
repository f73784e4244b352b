// The ways of the cache's books that a server walks all day, a thousand times each, so that a
// counting tool can say how many instructions one costs: `bench/count_instructions` runs this under
// callgrind. A count does not depend on how busy the machine is.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include "core/cache/cache.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kTimes = 1000;  // `rounds` in bench/count_instructions
constexpr std::uint32_t kBlock = 16;    // tokens
constexpr std::uint32_t kKnownBlocks = 32;

std::vector<std::uint32_t> tokens_of(std::uint32_t request, std::size_t n) {
    std::vector<std::uint32_t> tokens(n, 7);
    if (!tokens.empty()) tokens[0] = request;
    return tokens;
}

CacheSpec spec_of(Sharing sharing) {
    CacheSpec spec;
    spec.n_blocks = 4096;
    spec.block_size = kBlock;
    spec.sharing = sharing;
    return spec;
}

}  // namespace

// Not inlined and with plain names: the tool counts what happens inside these.
extern "C" {

// A request of one block comes and goes.
__attribute__((noinline)) void kv_path_come_and_go(Cache* cache) {
    for (std::uint32_t i = 0; i < kTimes; ++i) {
        cache->open(SeqId(i), {1, 2, 3});
        cache->grow(SeqId(i), 3);
        cache->set_stored(SeqId(i), 3);
        cache->close(SeqId(i), {Why::RequestEnds});
    }
}

// A running request gets its next token; every sixteenth time that is a new block, published later.
__attribute__((noinline)) void kv_path_next_token(Cache* cache) {
    for (std::uint32_t i = 0; i < kTimes; ++i) {
        cache->append(SeqId(0), i);
        const std::uint32_t stored = cache->stored(SeqId(0)) + 1;
        cache->grow(SeqId(0), stored);
        cache->set_stored(SeqId(0), stored);
    }
}

// A prompt of kKnownBlocks blocks is looked up, and all of them are known.
__attribute__((noinline)) void kv_path_look_up(Cache* cache) {
    for (std::uint32_t i = 0; i < kTimes; ++i)
        if (cache->find_prefix(SeqId(1)).hits.size() != kKnownBlocks) std::abort();
}

// A request of two blocks finds one of them, which those before it have left in the cache.
__attribute__((noinline)) void kv_path_share(Cache* cache) {
    for (std::uint32_t i = 0; i < kTimes; ++i) {
        const SeqId id(10 + i);
        cache->open(id, tokens_of(5, std::size_t{2} * kBlock));
        cache->grow(id, 2 * kBlock, cache->find_prefix(id));
        cache->set_stored(id, 2 * kBlock);
        cache->close(id, {Why::RequestEnds});
    }
}
}

int run(std::string_view path) {
    Cache cache(spec_of(path == "come_and_go" ? Sharing::Off : Sharing::FullBlocksOnly));
    if (path == "come_and_go") {
        kv_path_come_and_go(&cache);
    } else if (path == "next_token") {
        cache.open(SeqId(0), {1});
        kv_path_next_token(&cache);
    } else if (path == "look_up") {
        const auto prompt = tokens_of(3, std::size_t{kKnownBlocks} * kBlock + 1);
        for (const std::uint32_t id : {0u, 1u}) cache.open(SeqId(id), prompt);
        cache.grow(SeqId(0), static_cast<std::uint32_t>(prompt.size()));
        cache.set_stored(SeqId(0), static_cast<std::uint32_t>(prompt.size()));
        kv_path_look_up(&cache);
    } else if (path == "share") {
        kv_path_share(&cache);
    } else {
        std::cerr << "cache_paths: name come_and_go, next_token, look_up or share\n";
        return 2;
    }
    return 0;
}

}  // namespace kv

int main(int argc, char** argv) {
    return kv::run(argc > 1 ? argv[1] : "");
}
