// Block sizes and orders of eviction in the same memory, against models that share no code with the
// books of the cache.

#include "core/whatif/study/choices.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "core/whatif/regroup.hpp"
#include "tests/whatif/naive_tree.hpp"
#include "tests/whatif/streams.hpp"

using namespace kv;

namespace {

using Tokens = std::vector<std::uint32_t>;

// What each name stands for, said once more.
const std::map<std::string_view, RadixOrder> kTreeOrders{
    {"fifo", RadixOrder::Fifo},
    {"lfu", RadixOrder::Lfu},
    {"mru", RadixOrder::Mru},
    {"filo", RadixOrder::Filo},
    {"lru-sglang", RadixOrder::LruSglang},
    {"lru-strict", RadixOrder::LruStrict},
    {"slru", RadixOrder::Slru},
};

// Prompts of whole blocks, drawn from few tokens so that they begin alike.
std::vector<Tokens> random_prompts(u64 seed, std::uint32_t block_size) {
    const Random random(seed, 27);
    u64 draw = 0;
    std::vector<Tokens> prompts;
    for (int i = 0; i < 150; ++i) {
        // Half of them go on with one that came before.
        Tokens prompt;
        if (!prompts.empty() && random.below(draw++, 2) == 0) {
            prompt = prompts[random.below(draw++, static_cast<std::uint32_t>(prompts.size()))];
            prompt.resize(random.below(draw++, static_cast<std::uint32_t>(prompt.size() + 1)));
        }
        const std::uint32_t blocks = 1 + random.below(draw++, 5);
        const std::size_t whole = prompt.size() / block_size + blocks;
        while (prompt.size() < whole * block_size) prompt.push_back(random.below(draw++, 3));
        prompts.push_back(prompt);
    }
    return prompts;
}

Recording recording_of(const std::vector<Tokens>& prompts, std::uint32_t block_size) {
    Recording recording;
    recording.block_size = block_size;
    recording.streams.emplace_back();
    std::map<Tokens, ChainId> known;
    for (const Tokens& prompt : prompts) {
        std::optional<ChainId> at;
        for (std::size_t end = block_size; end <= prompt.size(); end += block_size) {
            const Tokens front(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(end));
            const auto found = known.find(front);
            if (found != known.end()) {
                at = found->second;
                continue;
            }
            at = recording.chains.add(at);
            known.emplace(front, *at);
            recording.tokens.insert(recording.tokens.end(), front.end() - block_size, front.end());
        }
        const auto n = static_cast<std::uint32_t>(prompt.size() / block_size);
        recording.streams[0].asks.push_back({*at, n, n, 0, prompt.size(), prompt.size(), 0});
    }
    return recording;
}

// A pool of prefixes in words: a block is all of the prompt up to its end, the latest stands last.
PoolOutcome searched_prefixes(const std::vector<Tokens>& prompts, std::uint32_t size, u64 pool) {
    PoolOutcome outcome;
    std::vector<Tokens> held, ever;
    for (const Tokens& prompt : prompts) {
        std::vector<Tokens> blocks;
        for (std::size_t end = size; end <= prompt.size(); end += size)
            blocks.emplace_back(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(end));
        const auto reach = [&](const std::vector<Tokens>& in) {
            u64 n = 0;
            while (n < blocks.size() && std::find(in.begin(), in.end(), blocks[n]) != in.end()) ++n;
            return n;
        };
        const u64 hit = reach(held) * size;
        outcome.asked_tokens += prompt.size();
        outcome.hit_tokens += hit;
        outcome.again_tokens += reach(ever) * size - hit;
        ever.insert(ever.end(), blocks.begin(), blocks.end());
        blocks.resize(std::min<std::size_t>(blocks.size(), pool));
        for (const Tokens& block : blocks)
            held.erase(std::remove(held.begin(), held.end(), block), held.end());
        held.insert(held.end(), blocks.rbegin(), blocks.rend());
        while (held.size() > pool) {
            held.erase(held.begin());
            ++outcome.blocks_reclaimed;
        }
    }
    return outcome;
}

bool same_numbers(const PoolOutcome& a, const PoolOutcome& b) {
    return a.asked_tokens == b.asked_tokens && a.hit_tokens == b.hit_tokens &&
           a.again_tokens == b.again_tokens && a.blocks_reclaimed == b.blocks_reclaimed;
}

std::vector<std::uint32_t> sizes_of(const std::vector<WhatIfSetting>& settings) {
    std::vector<std::uint32_t> sizes;
    sizes.reserve(settings.size());
    for (const WhatIfSetting& setting : settings) sizes.push_back(setting.block_size);
    return sizes;
}

}  // namespace

TEST_CASE("every order gives up what a plain tree gives up, at every size of pool",
          "[choices][heavy]") {
    for (u64 seed = 0; seed < 8; ++seed) {
        const Recording recording = test::random_recording(seed, seed % 3 == 0);
        const u64 most = blocks_without_end(*stack_depths(recording));
        for (const ReplayOrder& order : replay_orders()) {
            if (order.is_plain_lru()) continue;  // the stack's test has it
            for (u64 pool = 1; pool <= most + 2; ++pool) {
                CAPTURE(seed, order.name, pool);
                REQUIRE(*replay(recording, {.pool_blocks = pool, .order = order}) ==
                        test::naive_tree_pool(recording, pool, kTreeOrders.at(order.name)));
            }
        }
    }
}

TEST_CASE("every size of blocks finds what a search through the prompts finds",
          "[choices][heavy]") {
    constexpr std::uint32_t kRecorded = 4;
    constexpr u64 kPool = 40;
    for (u64 seed = 0; seed < 6; ++seed) {
        const std::vector<Tokens> prompts = random_prompts(seed, kRecorded);
        WhatIfStudy study(recording_of(prompts, kRecorded), {});
        const auto settings = block_size_choices(study.recording());
        CHECK(sizes_of(settings) == std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32});
        const auto choices = *weigh_choices(study, settings, kPool, {});
        for (const WhatIfChoice& choice : choices)
            for (std::size_t i = 0; i < kChoiceMemories.size(); ++i) {
                const std::uint32_t size = choice.setting.block_size;
                const auto tokens = static_cast<u64>(kChoiceMemories[i] * kPool * kRecorded);
                CAPTURE(seed, size, kChoiceMemories[i]);
                REQUIRE(choice.points[i]);
                CHECK(choice.points[i]->pool == tokens / size);
                CHECK(choice.points[i]->how == HowKnown::Both);
                CHECK(same_numbers(choice.points[i]->outcome,
                                   searched_prefixes(prompts, size, tokens / size)));
            }
    }
}

TEST_CASE("orders are weighed in half of the memory, in all of it and in twice of it",
          "[choices]") {
    WhatIfStudy study(test::random_recording(4, false), {});
    const auto choices = *weigh_choices(study, order_choices(study.recording()), 11, {});
    REQUIRE(choices.size() == replay_orders().size());
    for (const WhatIfChoice& choice : choices) {
        CAPTURE(choice.setting.order.name);
        CHECK(choice.points[0]->pool == 6);  // 5.5 blocks are 6
        CHECK(choice.here()->pool == 11);
        CHECK(choice.points[2]->pool == 22);
        for (const auto& point : choice.points) {
            CHECK(point->outcome.hit_rate() <= choice.most);
            CHECK(point->how ==
                  (choice.setting.order.is_plain_lru() ? HowKnown::Both : HowKnown::Replayed));
        }
        CHECK(best_choice(choices)->here()->outcome.hit_tokens >=
              choice.here()->outcome.hit_tokens);
    }
}

TEST_CASE("a block that no memory holds has no point, and a short prompt still waits",
          "[choices]") {
    test::ChainMaker maker(16);
    maker.ask({1});
    maker.ask({1});
    WhatIfStudy study(std::move(maker.recording), {});
    // Hashes alone: no smaller ones.
    const auto settings = block_size_choices(study.recording());
    CHECK(sizes_of(settings) == std::vector<std::uint32_t>{16, 32, 64, 128});
    const auto choices = *weigh_choices(study, settings, 2, {});
    CHECK(choices[0].here()->outcome.hit_tokens == 16);
    CHECK_FALSE(choices[2].here().has_value());  // 32 tokens are half a block of 64
    CHECK_FALSE(choices[3].points[2].has_value());
    // In blocks of 32 neither prompt has one: both are computed, and both are waited for.
    REQUIRE(choices[1].here());
    CHECK(choices[1].here()->outcome.asked_tokens == 32);
    CHECK(choices[1].here()->outcome.hit_tokens == 0);
    REQUIRE(choices[1].here()->first_token);
    FirstTokens times(first_token_model({}, {}));
    CHECK(choices[1].here()->first_token->median == times.seconds(16, {0, 0}));
    CHECK(best_choice(choices) == &choices[0]);
}

TEST_CASE("choices stop when they are told to", "[choices]") {
    WhatIfStudy study(test::random_recording(2, false), {});
    double before = 0;
    const auto choices = order_choices(study.recording());
    CHECK_FALSE(weigh_choices(study, choices, 9, [](double) { return false; }).has_value());
    CHECK(weigh_choices(study, choices, 9, [&](double done) {
              CHECK((done >= before && done <= 1));
              before = done;
              return true;
          }).has_value());
}
