// Pages: block tables of a real cache, blocks and idle slots of real allocators.

#include <algorithm>
#include <numeric>

#include "core/cache/cache.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/occupancy.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"
#include "core/sim/allocator.hpp"

namespace kv {
namespace {

struct Walk {
    std::vector<std::uint32_t> table;
    std::uint32_t block_size, token;
};

// A request in a pool that hands out the blocks in that order.
std::uint32_t physical_block(const Walk& given, std::size_t logical) {
    CacheSpec spec;
    spec.n_blocks = *std::max_element(given.table.begin(), given.table.end()) + 1;
    spec.block_size = given.block_size;
    spec.free_list = given.table;
    Cache cache(spec);
    const auto n = static_cast<std::uint32_t>(given.table.size()) * given.block_size;
    cache.open(SeqId(0), std::vector<std::uint32_t>(n, 1));
    cache.grow(SeqId(0), n);
    return cache.table(SeqId(0))[logical]->value;
}

Exercise walk(const Walk& given) {
    const TablePlace place = table_place_of(Pos(given.token), given.block_size);
    const TablePlace before = table_place_of(Pos(given.token - 1), given.block_size);
    const std::uint32_t physical = physical_block(given, place.logical_block);
    return ExerciseWriter("A request's block table is [" + say_list(given.table) +
                          "], a block has " + say(u64{given.block_size}) +
                          " slots. Everything is counted from 0. Where is token " +
                          say(u64{given.token}) + "?")
        .count("the logical block", "", place.logical_block)
        .any_value()
        .slip_if_wrong("off by one: tokens count from 0", before.logical_block)
        .slip_if_wrong("off by one: blocks count from 0", place.logical_block + 1)
        .count("the offset", "", place.offset.value)
        .slip("off by one: tokens count from 0", before.offset.value)
        .count("the physical block", "", physical)
        .any_value()
        .slip("the logical block for the physical one", place.logical_block)
        .count("the slot", "", u64{physical} * given.block_size + place.offset.value)
        .slip("the position for the slot: the table was not read", given.token)
        .slip("the first slot of the block", static_cast<double>(physical) * given.block_size)
        .hint(
            "token / block size and the rest; the table turns the first into a physical block; "
            "slot = physical x block size + offset.")
        .done();
}

std::optional<Walk> draw_walk(Dice& dice) {
    std::vector<std::uint32_t> ids(40);
    std::iota(ids.begin(), ids.end(), 0u);
    dice.shuffle(ids);
    ids.resize(static_cast<std::size_t>(dice.whole(3, 8)));
    const auto block_size = dice.pick<std::uint32_t>({4, 8, 16, 32});
    const u64 last = ids.size() * block_size - 1;
    return Walk{.table = ids,
                .block_size = block_size,
                .token = static_cast<std::uint32_t>(dice.whole(block_size, last))};
}

struct Tails {
    std::vector<u64> lengths;  // four
    u64 block_size, other_size;
};

Exercise tails(const Tails& given) {
    const u64 tokens = std::accumulate(given.lengths.begin(), given.lengths.end(), u64{0});
    ExerciseWriter draft(
        "Four sequences hold " + say_list(given.lengths) +
        " tokens and share nothing. How many blocks do they take, how many slots of "
        "these are idle, and which share of the slots is that, with blocks of " +
        say(given.block_size) + " and then with blocks of " + say(given.other_size) + "?");
    const auto add = [&](u64 size, const char* blocks_name, const char* idle_name,
                         const char* share_name) {
        const auto paged = make_allocator(AllocatorKind::Paged,
                                          {.slots = 4 * (tokens + size), .block_size = size});
        u64 floors = 0;
        for (const u64 length : given.lengths) {
            KV_ASSERT(paged->admit({length, 0}, true));
            floors += length / size;
        }
        const u64 held = paged->held(), idle = held - tokens;
        draft.count(blocks_name, "blocks", held / size)
            .slip("the partly filled blocks left out", floors)
            .slip_if_wrong("all tokens together: each sequence ends in a block of its own",
                           blocks_for(tokens, size))
            .count(idle_name, "slots", idle)
            .slip("the used slots for the idle ones", tokens)
            .percent(share_name, 100 * static_cast<double>(idle) / static_cast<double>(held))
            .slip("idle over used, not over all",
                  100 * static_cast<double>(idle) / static_cast<double>(tokens));
    };
    add(given.block_size, "the blocks", "the idle slots", "their share");
    add(given.other_size, "the blocks of the other size", "their idle slots", "the share of these");
    return draft.hint("Each length over the block size, rounded up.").done();
}

std::optional<Tails> draw_tails(Dice& dice) {
    Tails given{.lengths = {}, .block_size = dice.pick<u64>({4, 8, 16}), .other_size = 0};
    given.other_size = given.block_size * dice.pick<u64>({2, 4});
    for (int i = 0; i < 4; ++i) given.lengths.push_back(dice.whole(1, 150));
    return given;
}

struct BlockBytes {
    CachedModel model;
    u64 block_size, pool_bytes;
};

Exercise block_bytes(const BlockBytes& given) {
    const CachedModel& m = given.model;
    const u64 bytes = bytes_per_block(m.cache(), m.codecs(), given.block_size);
    const u64 blocks = blocks_in(PoolBytes{given.pool_bytes}, bytes);
    const u64 decimal = given.pool_bytes / (u64{1} << 30) * 1'000'000'000 / bytes;
    const auto size = static_cast<double>(bytes);
    return ExerciseWriter(
               "A model has " + say(m) + ". A block holds " + say(given.block_size) +
               " tokens of all layers. What does it take, and how many whole blocks and tokens "
               "are there in a pool of " +
               bytes_binary(given.pool_bytes) + "?")
        .bytes("the bytes of a block", bytes)
        .slip(kKeysOnly, size / 2)
        .slip(kOneLayer, size / static_cast<double>(m.n_layers))
        .slip(kQueryHeads,
              bytes_per_block(m.with_all_heads().cache(), m.codecs(), given.block_size))
        .slip("one token for the block", m.token_bytes())
        .count("the blocks", "blocks", blocks)
        .slip(kDecimal, decimal)
        .count("the tokens", "tokens", blocks * given.block_size)
        .slip(kDecimal, decimal * given.block_size)
        .hint("Bytes of a token x block size; only whole blocks count.")
        .done();
}

std::optional<BlockBytes> draw_block_bytes(Dice& dice) {
    return BlockBytes{.model = draw_grouped_model(dice),
                      .block_size = dice.pick<u64>({8, 16, 32, 64}),
                      .pool_bytes = dice.whole(4, 64) << 30};
}

struct Reserved {
    u64 reserve, use, block_size;
};

double utilisation(AllocatorKind kind, const Reserved& given) {
    const auto allocator = make_allocator(kind, {.slots = 4 * given.reserve,
                                                 .block_size = given.block_size,
                                                 .max_length = given.reserve,
                                                 .first_fit_reserves_max = true});
    KV_ASSERT(allocator->admit({given.use, 0}, true));
    return 100 * used_share(given.use, allocator->held());
}

Exercise reserved(const Reserved& given) {
    return ExerciseWriter("A contiguous allocator reserves " + say(given.reserve) +
                          " slots for a request that ends after " + say(given.use) +
                          " tokens; a paged one hands out blocks of " + say(given.block_size) +
                          ". Which share of what is held is used, with each of them, and how many "
                          "blocks is the latter?")
        .percent("the share of the contiguous one", utilisation(AllocatorKind::FirstFit, given))
        .percent("the share of the paged one", utilisation(AllocatorKind::Paged, given))
        .count("the blocks", "blocks", blocks_for(given.use, given.block_size))
        .slip("rounded down", given.use / given.block_size)
        .hint("Used over held.")
        .done();
}

std::optional<Reserved> draw_reserved(Dice& dice) {
    const Reserved given{.reserve = dice.in_steps(1024, 16'384, 512),
                         .use = dice.whole(50, 900),
                         .block_size = dice.pick<u64>({8, 16, 32, 64})};
    return given.use % given.block_size == 0 ? std::nullopt : std::optional(given);
}

// C115: what one sequence holds, and what of it is idle.
struct HeldGiven {
    CachedModel model;
    u64 tokens, block_size;
};

Exercise held(const HeldGiven& given) {
    const CachedModel& m = given.model;
    const auto held = occupy(m.cache(), m.codecs(), given.tokens, 1, given.block_size);
    KV_ASSERT(held.has_value());
    const auto allocated = static_cast<double>(held->allocated);
    const auto idle = static_cast<double>(held->empty);
    return ExerciseWriter("A model has " + say(m) + ". A sequence of " + say(given.tokens) +
                          " tokens lies in blocks of " + say(given.block_size) +
                          " tokens of all layers. How many blocks does it hold and how many bytes "
                          "are they; how many slots of these are idle, and how many bytes is that?")
        .count("the blocks", "blocks", held->blocks)
        .slip("rounded down", given.tokens / given.block_size)
        .bytes("the bytes held", held->allocated)
        .slip(kKeysOnly, allocated / 2)
        .slip(kOneLayer, allocated / static_cast<double>(m.n_layers))
        .slip("the idle slots left out", allocated - idle)
        .count("the idle slots", "slots", held->empty_slots_per_sequence)
        .slip_if_wrong("the filled slots of the last block", given.tokens % given.block_size)
        .bytes("the idle bytes", held->empty)
        .slip(kKeysOnly, idle / 2)
        .slip(kOneLayer, idle / static_cast<double>(m.n_layers))
        .hint("Blocks are held whole; slots of the last one that no token has are idle.")
        .done();
}

std::optional<HeldGiven> draw_held(Dice& dice) {
    const HeldGiven given{.model = draw_grouped_model(dice),
                          .tokens = dice.whole(50, 3000),
                          .block_size = dice.pick<u64>({8, 16, 32, 64})};
    return given.tokens % given.block_size == 0 ? std::nullopt : std::optional(given);
}

}  // namespace

ExerciseKinds lesson_8_exercises() {
    return {
        exercise_kind<Walk>("", {.table = {7, 2, 19, 4}, .block_size = 16, .token = 53}, draw_walk,
                            walk),
        exercise_kind<Tails>("", {.lengths = {100, 33, 64, 1}, .block_size = 16, .other_size = 32},
                             draw_tails, tails),
        exercise_kind<BlockBytes>(
            "", {.model = {32, 32, 8, 128, "BF16"}, .block_size = 16, .pool_bytes = u64{24} << 30},
            draw_block_bytes, block_bytes),
        exercise_kind<Reserved>("the tokens fill whole blocks",
                                {.reserve = 4096, .use = 350, .block_size = 16}, draw_reserved,
                                reserved),
        exercise_kind<HeldGiven>(
            "the tokens fill whole blocks",
            {.model = {80, 64, 8, 128, "BF16"}, .tokens = 900, .block_size = 16}, draw_held, held)};
}

}  // namespace kv
