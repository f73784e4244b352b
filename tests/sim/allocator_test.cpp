// What each allocator reserves, and the worked numbers of fragmentation.
#include "core/sim/allocator.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/model/presets.hpp"
#include "core/sim/gap_map.hpp"
#include "core/sim/race.hpp"

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

PoolRules pool_of(u64 slots, u64 block_size = 16) {
    PoolRules rules;
    rules.slots = slots;
    rules.block_size = block_size;
    return rules;
}

// What a request of so many tokens in the pool makes of it at its last iteration.
PoolUse use_of_last_iteration(AllocatorKind kind, const PoolRules& rules, const SimRequest& one) {
    PoolUse last;
    RaceSettings settings;
    settings.pool = rules;
    race(kind, {one}, settings, [&](const RaceSpan& span) { last = span.use_at(span.count - 1); });
    return last;
}

}  // namespace

TEST_CASE("reservations of the four contiguous allocators", "[allocator]") {
    const PoolRules rules = pool_of(15'728);
    const Demand demand{100, 25};
    CHECK(reservation(AllocatorKind::Max, demand, rules, 8192) == 2048);
    CHECK(reservation(AllocatorKind::Pow2, demand, rules, 8192) == 132);  // 100 + 32
    CHECK(reservation(AllocatorKind::Oracle, demand, rules, 8192) == 125);
    CHECK(reservation(AllocatorKind::FirstFit, demand, rules, 15'728) == 125);
    PoolRules whole = rules;
    whole.first_fit_reserves_max = true;
    CHECK(reservation(AllocatorKind::FirstFit, demand, whole, 15'728) == 2048);
    // The cap of pow2, a pool below the maximum, and a request above it.
    CHECK(reservation(AllocatorKind::Pow2, {1000, 600}, rules, 8192) == 2024);
    CHECK(reservation(AllocatorKind::Pow2, {1000, 1030}, rules, 8192) == 2048);
    CHECK(reservation(AllocatorKind::Max, demand, pool_of(200), 128) == 128);
    CHECK(reservation(AllocatorKind::Max, {2000, 1000}, rules, 8192) == 3000);
}

TEST_CASE("a slab of the maximum at admission, held until the end", "[allocator][C104]") {
    const auto pool = make_allocator(AllocatorKind::Max, pool_of(15'728));
    std::vector<Holding> held;
    while (const auto holding = pool->admit({8, 8}, false)) held.push_back(*holding);
    CHECK(held.size() == 7);
    for (const Holding& holding : held) CHECK(holding.slots == 2048);
    Holding first = held.front();
    CHECK_FALSE(pool->grow(first));
    CHECK(pool->give_back(first) == 1);
    CHECK(pool->admit({8, 8}, false)->address == first.address);
}

TEST_CASE("internal fragmentation is what is reserved less what is used", "[allocator][C106]") {
    PoolRules rules = pool_of(128);
    rules.max_length = 128;
    const PoolUse use = use_of_last_iteration(AllocatorKind::Max, rules, {0, 30, 1});
    CHECK(use.tokens == 30);
    CHECK(use.reserved == 1);
    CHECK(use.internal == 97);  // 128 - 31
    CHECK(use.external == 0);
}

TEST_CASE("8,192 slots reserved, 200 used", "[allocator][C107]") {
    PoolRules rules = pool_of(8192);
    rules.max_length = 8192;
    // The 200th token is still to come in the last iteration; it is reserved, not wasted.
    const PoolUse use = use_of_last_iteration(AllocatorKind::Max, rules, {0, 199, 1});
    CHECK(use.tokens + use.reserved == 200);
    CHECK(use.internal == 7992);
    const u64 per_token = bytes_per_token(preset("llama-2-70b")->cache, {});
    CHECK(per_token == 320 * 1024);
    CHECK(use.internal * per_token == 2'618'818'560);
}

TEST_CASE("32k slots reserved, 900 used: 97.3 % idle", "[allocator][C108]") {
    PoolRules rules = pool_of(32'768);
    rules.max_length = 32'768;
    const PoolUse use = use_of_last_iteration(AllocatorKind::Max, rules, {0, 899, 1});
    CHECK(use.internal == 31'868);
    CHECK_THAT(static_cast<double>(use.internal) / 32'768, WithinAbs(0.973, 0.0005));
}

TEST_CASE("16 slots are free in two gaps of 8, and a request of 12 gets none of them",
          "[allocator][C109]") {
    const auto contiguous = make_allocator(AllocatorKind::FirstFit, pool_of(64, 4));
    const auto paged = make_allocator(AllocatorKind::Paged, pool_of(64, 4));
    for (Allocator* pool : {contiguous.get(), paged.get()}) {
        std::vector<Holding> live;
        for (const u64 length : {16, 8, 16, 8, 16})
            live.push_back(*pool->admit({length - 1, 1}, true));
        pool->give_back(live[1]);
        pool->give_back(live[3]);
        CHECK(64 - pool->held() == 16);
        CHECK(pool->admit({11, 1}, true).has_value() == (pool == paged.get()));
    }
}

// The same in bytes: 4 GB, of which two separate gigabytes are free; one slot is a megabyte.
TEST_CASE("a request of more than 1 GB fails while 2 GB are free in gaps", "[allocator][C109]") {
    GapMap contiguous(4000);
    for (u64 i = 0; i < 4; ++i) CHECK(contiguous.take(1000).has_value());
    contiguous.give(0, 1000);
    contiguous.give(2000, 1000);
    CHECK(contiguous.free_slots() == 2000);
    CHECK_FALSE(contiguous.take(1001).has_value());
    CHECK(contiguous.take(1000).has_value());
}

TEST_CASE("lengths 100, 33, 64 and 1 in whole blocks", "[allocator]") {
    struct Expected {
        u64 block_size, blocks, idle;
        double share;
    };
    for (const Expected& e : {Expected{16, 15, 42, 0.175}, Expected{32, 9, 90, 0.3125}}) {
        const auto pool = make_allocator(AllocatorKind::Paged, pool_of(1024, e.block_size));
        u64 tokens = 0;
        for (const u64 length : {100, 33, 64, 1}) {
            pool->admit({length, 1}, true);
            tokens += length;
        }
        CHECK(pool->held() == e.blocks * e.block_size);
        CHECK(pool->held() - tokens == e.idle);
        CHECK_THAT(static_cast<double>(e.idle) / static_cast<double>(pool->held()),
                   WithinAbs(e.share, 1e-12));
    }
    const auto pool = make_allocator(AllocatorKind::Paged, pool_of(1024));
    CHECK(pool->admit({900, 1}, true)->slots == 57 * 16);  // 12 idle, 98.7 % used
}

TEST_CASE("a sequence wastes less than one block", "[allocator][C120]") {
    for (const u64 block : {1, 2, 3, 7, 16, 17}) {
        RaceSettings settings;
        settings.pool = pool_of(60 * block, block);
        const Workload workload{{0, 5, 40}, {0, 17, 9}, {0, 1, 31}, {0, 33, 8}, {0, 16, 16}};
        race(AllocatorKind::Paged, workload, settings, [&](const RaceSpan& span) {
            for (u64 i = 0; i < span.count; ++i) {
                const PoolUse use = span.use_at(i);
                CHECK(use.internal < span.running * block + (block == 1));
                CHECK(use.external == 0);
            }
        });
    }
}

TEST_CASE("paging moves tokens and does not make them smaller", "[allocator][C122]") {
    const SimRequest one{0, 100, 60};
    const u64 bytes = bytes_per_token(preset("opt-13b")->cache, {});
    CHECK(bytes == 819'200);
    for (const AllocatorKind kind : all_allocators()) {
        const PoolUse use = use_of_last_iteration(kind, pool_of(4096), one);
        CHECK(use.tokens * bytes == 159 * u64{819'200});  // 100 + 59 before its last token
    }
}

TEST_CASE("blocks come back one by one, a region at once", "[allocator][C123]") {
    const Demand demand{100, 28};
    for (const AllocatorKind kind : all_allocators()) {
        const auto pool = make_allocator(kind, pool_of(4096));
        const Holding holding = *pool->admit(demand, true);
        CHECK(pool->give_back(holding) == (kind == AllocatorKind::Paged ? 7 : 1));
        CHECK(pool->held() == 0);
    }
}

TEST_CASE("growing doubles: allocate, copy, free; both are live meanwhile", "[allocator][C105]") {
    const auto pool = make_allocator(AllocatorKind::Grow, pool_of(256));
    Holding holding = *pool->admit({20, 100}, true);
    CHECK(holding.slots == 32);  // the prompt in whole blocks
    CHECK(pool->grow(holding));
    CHECK(holding.slots == 64);
    CHECK(holding.address == 32);
    CHECK(pool->slots_copied() == 32);
    CHECK(pool->peak() == 96);
    CHECK(pool->grow(holding));  // to 128 at 96
    CHECK(pool->slots_copied() == 96);
    CHECK(pool->peak() == 192);
    CHECK_FALSE(pool->grow(holding));
    CHECK(holding.slots == 128);
    CHECK(pool->held() == 128);
    CHECK(pool->copies() == 2);
    // 32 + 64 + 128 side by side fit 256 slots, 32 + 64 + 128 + 256 do not.
    CHECK(pool->can_ever_hold({20, 108}));
    CHECK_FALSE(pool->can_ever_hold({20, 109}));
}

TEST_CASE("the watermark", "[allocator]") {
    CHECK(watermark_blocks(4915) == 50);
    CHECK(watermark_blocks(983) == 10);
    CHECK(admits(ceil_div(77'000, 16), 4915, 50));        // 4,813 of 4,865
    CHECK_FALSE(admits(ceil_div(78'000, 16), 4915, 50));  // 4,875
    CHECK_FALSE(admits(0, 49, 50));
    const auto pool = make_allocator(AllocatorKind::Paged, pool_of(1600));
    CHECK_FALSE(pool->admit({1600, 1}, false).has_value());
    CHECK(pool->admit({1600, 1}, true).has_value());  // nothing runs, so nothing is held back
}

TEST_CASE("names", "[allocator]") {
    CHECK(all_allocators().size() == 6);
    for (const AllocatorKind kind : all_allocators()) CHECK(parse_allocator(name_of(kind)) == kind);
    CHECK(name_of(AllocatorKind::FirstFit) == "first_fit");
    CHECK_FALSE(parse_allocator("Max").has_value());
}
