// Bytes as commands for a cache: eight say what it is like, then four make a command. The cache
// must agree with the naive model and with its own rules after each of them, and be empty at the
// end.

#include <algorithm>

#include "tests/cache/commands.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kv::test;
    constexpr std::size_t kMostCommands = 120;
    if (size < 8) return 0;
    const std::span<const std::uint8_t> bytes(data, size);
    const kv::CacheSpec spec = spec_from(bytes.first<8>());
    std::vector<Command> commands(std::min((size - 8) / 4, kMostCommands));
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const auto four = bytes.subspan(8 + 4 * i, 4);
        commands[i] = {four[0], four[1], four[2], four[3]};
    }
    // A trace and a full check after every command is slow under sanitizers; the model never rests.
    const bool careful = data[7] % 4 == 3;
    const Played played =
        play(spec, commands, careful ? Player::Care::EveryCommand : Player::Care::NowAndThen);
    if (played.wrong) std::fprintf(stderr, "%s\n", played.wrong->c_str());
    kv::fuzz::expect(!played.wrong, "the cache is what the naive model says");
    return 0;
}
