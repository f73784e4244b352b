// One side of a comparison as a strip: where cells and words stand, and which words these are.
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "app/panels/compare_runs/side/strip_plan.hpp"
#include "app/panels/compare_runs/side/unfolded.hpp"

using namespace kv;

namespace {

const std::vector<float> kEight{50, 40, 36, 38, 30, 36, 60, 24};

PairStripPlan needle_at_1280() {
    return plan_pair_strip(
        {602, 342}, {.n_tokens = 94, .block_size = 16, .unfolded = {28, 35}, .widths = kEight});
}

}  // namespace

TEST_CASE("a strip has a cell for each token and a gap for each block", "[pair]") {
    const PairStripPlan plan = needle_at_1280();
    // 94 tokens are six blocks with five gaps of 6 pixels: (602 - 30) / 94 = 6.085.
    CHECK(plan.block_gap == 6);
    CHECK(plan.cell_w == (602.0 - 30) / 94);
    CHECK(plan.has_gaps());
    CHECK(plan.cell(0).x == 0);
    CHECK(plan.cell(16).x == 103);  // 16 * 6.085 + 6 = 103.36
    CHECK(plan.cell(93).right() == 601);
    for (std::uint32_t i = 0; i + 1 < 94; ++i) {
        INFO(i);
        const float apart = plan.cell(i + 1).x - plan.cell(i).right();
        CHECK(apart == ((i + 1) % 16 == 0 ? apart : 1));
        CHECK(apart >= 1);
        CHECK(plan.token_at_x(plan.cell(i).center().x) == i);
    }
}

TEST_CASE("nothing of a strip folds in a window of 1280 x 720", "[pair]") {
    const PairStripPlan plan = needle_at_1280();
    CHECK(plan.height <= 342);
    CHECK(plan.n_bars == 3);
    REQUIRE(plan.words.size() == 8);
    CHECK(plan.shown == WordRange{28, 35});
    CHECK(plan.words.front().x == 0);
    CHECK(plan.words.back().right() <= 602);
    CHECK(plan.words.back().right() >= 600);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(plan.words[i].w >= kEight[i]);
        CHECK(plan.word_at(plan.words[i].center()) == 28 + i);
    }
    CHECK(plan.title.bottom() <= plan.key.y);
    CHECK(plan.strip.bottom() <= plan.ticks.y);
    CHECK(plan.lead.bottom() <= plan.words.front().y);
    CHECK(plan.indices.bottom() <= plan.answer.y);
    CHECK(plan.answer.bottom() <= plan.prediction_head.y);
    CHECK(plan.prediction.bottom() <= plan.rule.y);
    CHECK(plan.rule.y < plan.stored_head.y);
}

TEST_CASE("a strip of any text stays as wide as its room", "[pair]") {
    for (const float width : {120.0f, 602.0f, 1900.0f})
        for (const std::uint32_t n : {1u, 2u, 15u, 16u, 17u, 100u, 512u, 4096u, 100'000u})
            for (const std::uint32_t block : {1u, 4u, 16u, 1024u}) {
                const PairStripPlan plan = plan_pair_strip(
                    {width, 342},
                    {.n_tokens = n, .block_size = block, .unfolded = {0, 0}, .widths = {}});
                INFO(width << " pixels, " << n << " tokens in blocks of " << block);
                CHECK(plan.x_of(n - 1) + plan.cell_w <= static_cast<double>(width) + 0.01);
                CHECK(plan.token_at_x(width + 50) == n - 1);
                CHECK(plan.token_at_x(-5) == 0);
                if (plan.cell_w < 1) CHECK(plan.token_at_x(width / 2) < n);
            }
}

TEST_CASE("words that want more room than there is are shrunk, then left out", "[pair]") {
    const std::vector<float> wide(8, 120.0f);
    const PairStripPlan plan = plan_pair_strip(
        {602, 342}, {.n_tokens = 94, .block_size = 16, .unfolded = {28, 35}, .widths = wide});
    CHECK(plan.words.size() == 8);
    CHECK(plan.words.back().right() <= 602);
    const PairStripPlan narrow = plan_pair_strip(
        {120, 342}, {.n_tokens = 94, .block_size = 16, .unfolded = {28, 35}, .widths = wide});
    CHECK(narrow.words.size() == 4);  // 26 pixels each and 4 between: (120 + 4) / 30
    CHECK(narrow.shown == WordRange{28, 31});
}

TEST_CASE("what is unfolded: what was chosen, the needle, what was dropped, what differs",
          "[pair]") {
    using enum WhyUnfolded;
    UnfoldAsk ask{.n_tokens = 94, .known = 86};
    // Nothing of all that: the nine newest ones.
    CHECK(unfolded(ask) == Unfolded{{77, 85}, Newest});
    ask.parting = 85;
    CHECK(unfolded(ask) == Unfolded{{77, 85}, Parted});
    ask.dropped = 3;
    CHECK(unfolded(ask) == Unfolded{{3, 11}, Dropped});
    ask.marked = WordRange{28, 35};
    CHECK(unfolded(ask) == Unfolded{{28, 35}, Marked});
    ask.chosen = 50;
    CHECK(unfolded(ask) == Unfolded{{46, 54}, Chosen});
    ask.chosen = 0;
    CHECK(unfolded(ask) == Unfolded{{0, 8}, Chosen});
    ask.chosen = 1'000;
    CHECK(unfolded(ask) == Unfolded{{85, 93}, Chosen});
}

TEST_CASE("a text too short for what is asked is unfolded as far as it goes", "[pair]") {
    CHECK_FALSE(unfolded({}));
    CHECK(unfolded({.n_tokens = 1}) == Unfolded{{0, 0}, WhyUnfolded::Newest});
    CHECK(unfolded({.n_tokens = 4, .known = 4, .marked = WordRange{2, 9}})->range ==
          WordRange{2, 3});
    CHECK(unfolded({.n_tokens = 4, .known = 4, .marked = WordRange{7, 9}})->why ==
          WhyUnfolded::Newest);
}
