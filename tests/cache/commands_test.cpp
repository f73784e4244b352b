// Random commands: the cache against a model that is too simple to be wrong in the same way.
#include "tests/cache/commands.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "core/base/random.hpp"
#include "core/trace/event/event.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::uint64_t kCommandsAStream = 250;

// KVARIUM_CACHE_COMMANDS=10000000 for the long run.
std::uint64_t wanted_commands() {
    const char* asked = std::getenv("KVARIUM_CACHE_COMMANDS");
    return asked == nullptr ? 1'000'000 : std::strtoull(asked, nullptr, 10);
}

CacheSpec spec_of(std::uint64_t seed) {
    const Random random(seed, 1);
    std::array<std::uint8_t, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(random.bits(i));
    return spec_from(bytes);
}

std::vector<Command> commands_of(std::uint64_t seed) {
    const Random random(seed, 2);
    std::vector<Command> commands(kCommandsAStream);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::uint32_t bits = random.bits(i);
        commands[i] = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                       static_cast<std::uint8_t>(bits >> 16),
                       static_cast<std::uint8_t>(bits >> 24)};
    }
    return commands;
}

}  // namespace

TEST_CASE("random commands leave the cache as the naive model says, to the block id",
          "[model][C111][C126][heavy]") {
    const std::uint64_t wanted = wanted_commands();
    std::uint64_t n_done = 0;
    std::map<std::string, std::uint64_t> told;
    for (std::uint64_t seed = 0; n_done < wanted; ++seed) {
        const CacheSpec spec = spec_of(seed);
        const std::vector<Command> commands = commands_of(seed);
        const auto care = seed % 10 == 0 ? Player::Care::EveryCommand : Player::Care::NowAndThen;
        const Played played = play(spec, commands, care);
        n_done += played.n_done;
        for (const auto& [what, n] : played.told) told[what] += n;
        if (played.wrong) {
            INFO("seed " << seed << ": " << *played.wrong << "\n" << report(spec, commands));
            FAIL();
        }
    }
    CHECK(n_done >= wanted);
    // A stream that never gets there proves nothing.
    for (const char* what :
         {"BlockAllocated stores_tokens", "BlockShared same_prefix", "BlockShared fork",
          "BlockCopied writes_shared", "BlockStored block_is_full", "BlockRemoved reclaimed_for",
          "BlockRemoved never_computed", "AllBlocksCleared by_command", "TransferStarted cold",
          "TransferStarted tier_full", "BlockRemoved tier_full", "TransferStarted hit_in_host",
          "TransferStarted room_for", "TransferStarted comes_back", "TierPlaceFreed by_command",
          "TierPlaceFreed request_ends"}) {
        CAPTURE(what);
        CHECK(told[what] > 0);
    }
}

TEST_CASE("a failing stream of commands is shortened to what is needed", "[model]") {
    // A model that plays by another rule: the first difference needs two requests, one closed.
    CacheSpec spec;
    spec.n_blocks = 6;
    spec.block_size = 2;
    NaiveCache other(spec);
    Books books(spec);
    const auto open_and_close = [&](std::uint32_t token) {
        const NaiveCache::Ids tokens{token, token, token};
        other.open(books.n_opened(), tokens, "");
        const SeqId id = books.open(tokens);
        books.run(id);
        books.close(id);
        other.grow(id.value, 3, {});
        other.set_stored(id.value, 3);
        other.close(id.value);
    };
    open_and_close(1);
    other.spec.free_order = FreeOrder::TailReverse;
    open_and_close(2);
    CHECK(Tamper::pool(books.cache()).free_list().front().value != other.free.front());
}
