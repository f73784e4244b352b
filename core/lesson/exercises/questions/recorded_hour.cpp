// What a recorded hour of a server asks: how long blocks rest in a pool, and how large it must be.

#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"
#include "core/sim/prefix_lru.hpp"

namespace kv {
namespace {

struct Queue {
    u64 uses, block_size, pool, gap_s;  // uses of blocks in a second
};

// One block is used, then others, each another one, until something has to go: it goes.
u64 uses_until_it_goes(u64 pool) {
    PrefixLru kept({.tokens_per_hash = 1, .capacity = pool, .forget_every = {}});
    u64 used = 0;
    for (kept.ask({0}, 1); kept.reclaimed() == 0; ++used) kept.ask({used + 1}, 1);
    return used;
}

Exercise queue_of_blocks(const Queue& given) {
    const auto uses = static_cast<double>(given.uses), size = static_cast<double>(given.block_size);
    const double rest = static_cast<double>(uses_until_it_goes(given.pool)) / uses;
    const double needed = uses * static_cast<double>(given.gap_s);
    return ExerciseWriter("Each second a server uses " + say(given.uses) + " blocks of " +
                          say(given.block_size) +
                          " tokens, found or stored anew, hardly any of them twice. Its pool has " +
                          say(given.pool) +
                          " blocks and gives up what was used longest ago. After how many seconds "
                          "of rest is a block given up? And how many blocks must a pool have, so "
                          "that a block is still there after " +
                          say(given.gap_s) + " seconds of rest?")
        .seconds("the rest", "s", rest)
        .slip("tokens for blocks", rest * size)
        .real("the pool", "blocks", needed)
        .slip("tokens for blocks", needed * size)
        .hint("Each use puts a block at the end of a queue that is as long as the pool.")
        .done();
}

std::optional<Queue> draw_queue(Dice& dice) {
    const Queue given{.uses = dice.whole(5, 60),
                      .block_size = dice.pick<u64>({8, 16, 32}),
                      .pool = 50 * dice.whole(12, 120),
                      .gap_s = 30 * dice.whole(2, 40)};
    const u64 rest = given.pool / given.uses;
    const bool near = rest * 10 > given.gap_s * 8 && rest * 8 < given.gap_s * 10;
    return near ? std::nullopt : std::optional(given);
}

}  // namespace

ExerciseKinds recorded_questions() {
    return {exercise_kind<Queue>("the pool is about as large as it must be",
                                 {.uses = 18, .block_size = 16, .pool = 1400, .gap_s = 240},
                                 draw_queue, queue_of_blocks)};
}

}  // namespace kv
