#include "core/sim/prefix_lru.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/random.hpp"

using namespace kv;

TEST_CASE("a prompt hits as far as its hashes are known, and its last token never", "[prefix]") {
    PrefixLru index({.tokens_per_hash = 512, .capacity = {}, .forget_every = {}});
    index.ask({1, 2, 3}, 1500);
    CHECK(index.hit_tokens() == 0);
    index.ask({1, 2, 9}, 1400);  // two of three
    CHECK(index.hit_tokens() == 1024);
    CHECK(index.hit_hashes() == 2);
    index.ask({8, 2, 3}, 1500);  // the first is unknown, so nothing hits
    CHECK(index.hit_hashes() == 2);
    index.ask({1, 2, 3}, 1536);  // all of it but the last token
    CHECK(index.hit_tokens() == 1024 + 1535);
    CHECK(index.query_tokens() == 1500 + 1400 + 1500 + 1536);
    CHECK(index.asked_hashes() == 12);
    CHECK(index.size() == 5);
}

TEST_CASE("the least recently used hash makes room, the end of a prompt before its start",
          "[prefix]") {
    PrefixLru index({.tokens_per_hash = 1, .capacity = 3, .forget_every = {}});
    index.ask({1, 2, 3}, 4);
    index.ask({4}, 2);  // 3 goes
    CHECK(index.reclaimed() == 1);
    index.ask({1, 2, 3}, 4);
    CHECK(index.hit_hashes() == 2);
    index.ask({4}, 2);  // made room for 3
    CHECK(index.hit_hashes() == 2);
    PrefixLru none({.tokens_per_hash = 1, .capacity = 0, .forget_every = {}});
    none.ask({1}, 2);
    none.ask({1}, 2);
    CHECK(none.hit_hashes() == 0);
    CHECK(none.size() == 0);
}

TEST_CASE("a cold cache forgets", "[prefix][faults]") {
    PrefixLru warm({.tokens_per_hash = 16, .capacity = {}, .forget_every = {}});
    PrefixLru cold({.tokens_per_hash = 16, .capacity = {}, .forget_every = 10});
    for (int i = 0; i < 100; ++i) {
        warm.ask({7, 8}, 33);
        cold.ask({7, 8}, 33);
    }
    CHECK(warm.hit_hashes() == 198);
    CHECK(cold.hit_hashes() == 180);  // nine of ten prompts, two hashes each
    CHECK(*cold.hit_rate() < *warm.hit_rate());
    CHECK_FALSE(PrefixLru({}).hit_rate().has_value());
}

TEST_CASE("it hits what a list that is searched from end to end hits", "[prefix]") {
    for (u64 seed = 0; seed < 10; ++seed) {
        const Random random(seed, 0);
        const u64 capacity = 1 + random.below(0, 30);
        PrefixLru index({.tokens_per_hash = 4, .capacity = capacity, .forget_every = {}});
        std::vector<u64> used;  // the latest last
        u64 draw = 1, hits = 0;
        for (int ask = 0; ask < 300; ++ask) {
            std::vector<u64> hashes;
            const u64 family = random.below(draw++, 5);
            const u64 length = random.below(draw++, 12);
            for (u64 i = 0; i < length; ++i)
                hashes.push_back(i < 6 ? family * 100 + i : 1000 + random.below(draw++, 40));
            bool known = true;
            for (const u64 hash : hashes) {
                known = known && std::find(used.begin(), used.end(), hash) != used.end();
                hits += known ? 1 : 0;
            }
            for (std::size_t i = hashes.size(); i-- > 0;) {
                used.erase(std::remove(used.begin(), used.end(), hashes[i]), used.end());
                used.push_back(hashes[i]);
                if (used.size() > capacity) used.erase(used.begin());
            }
            index.ask(hashes, 4 * hashes.size() + 1);
        }
        CHECK(index.hit_hashes() == hits);
        CHECK(index.hit_tokens() == 4 * hits);
        CHECK(index.size() == used.size());
    }
}
