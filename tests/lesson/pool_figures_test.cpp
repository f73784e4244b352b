// What figures about the pool show: a race against counts made by hand, and a tree against what the
// run's requests are made of.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/lesson/figures/figures.hpp"
#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string pool_step(const std::string& line, const std::string& scene = "run.kvscene") {
    return "\n## first: The first step\n\nscene: " + scene +
           "\nat: 1\nto: 3\nshows: C040\nfigure: " + line + "\n\nWords.\n";
}

template <class Facts>
Facts pool_facts_of(const std::string& line, const std::string& scene = "run.kvscene") {
    Stand stand;
    std::ofstream(stand.folder + "/tree.kvscene") << R"({"version":1,"name":"tree","seed":3,
    "settings":{"backend":"reference","block_size":1,"pool":"24blocks","prefix_index":"radix"},
    "requests":[{"id":"A","tokens":[3,4,5,6,7],"max_new":1},
                {"id":"B","tokens":[3,4,5,8,9],"max_new":3,"arrive":1}]})";
    const Lesson lesson = stand.lesson(pool_step(line, scene));
    return std::get<Facts>(*stand.player.shown_step(lesson, lesson.steps[0]).figure);
}

std::string pool_refusal(const std::string& line) {
    Stand stand;
    return stand.refusal(pool_step(line));
}

const std::string kEightRequests =
    "requests=[[10, 4], [13, 11], [8, 7], [6, 16], [5, 5], [4, 10], [8, 9], [13, 16]], pool=128, "
    "block_size=4, max_length=32";

}  // namespace

TEST_CASE("an arena holds a race for each rule, from its first step to its last",
          "[lesson][figure]") {
    const auto arena = pool_facts_of<ArenaFacts>(
        "arena rules=[\"max\", \"paged\"], step=4, until=16, end_of=\"max\", " + kEightRequests);
    REQUIRE(arena.rules.size() == 2);
    // A ends with step 4, C with 7 and B with 11; what waits comes one by one, H last, for 16
    // steps.
    CHECK(arena.rules[0].steps.size() == 11 + 16);
    CHECK(arena.rules[1].steps.size() == 16);  // D and H write sixteen tokens
    CHECK(arena.longest() == 27);
    CHECK(arena.rules[0].steps[3].running == 4);
    CHECK(arena.rules[1].steps[3].running == 8);
    CHECK(arena.requests[7].name == "H");
    CHECK(arena.open == 2);
    CHECK(arena.end_of == 0u);
    CHECK((arena.step == 4 && arena.until == 16));
}

TEST_CASE("shares are those of the race, and the paper's stand beside their own set-up",
          "[lesson][figure]") {
    const auto shares = pool_facts_of<SharesFacts>(
        "shares rules=[\"oracle\", \"grow\", \"paged\"], requests=300, open=1, source=\"paper\"");
    REQUIRE(shares.rows.size() == 3);
    for (const SharesFacts::Row& row : shares.rows) {
        const double sum = row.tokens + row.reserved + row.never + row.gaps + row.free;
        CHECK(std::abs(sum - 1) < 1e-9);
    }
    CHECK(shares.rows[0].never == 0);
    REQUIRE(shares.published.size() == 2);  // nobody published grow
    CHECK(shares.published[0].tokens == 0.382);
    CHECK(shares.published[1].kind == AllocatorKind::Paged);
    CHECK_THAT(pool_refusal("shares rules=[\"max\"], pool=30000, source=\"paper\""),
               ContainsSubstring("set-up was another one"));
    CHECK_THAT(pool_refusal("shares rules=[\"max\"], requests=1"),
               ContainsSubstring("nobody waits"));
}

TEST_CASE("a tree is the run's own, before a request comes and after it", "[lesson][figure]") {
    const auto tree =
        pool_facts_of<RadixFacts>("radix before=1, after=2, request=\"B\"", "tree.kvscene");
    REQUIRE(tree.before.nodes.size() == 1);
    CHECK(tree.before.nodes[0].words == std::vector<std::string>{"3", "4", "5", "6", "7"});
    CHECK(tree.before.nodes[0].last_used == 1);
    CHECK(tree.before.held == 5);
    CHECK((tree.matched == 3 && tree.alike == 3 && tree.fresh == 2));
    REQUIRE(tree.cut() != nullptr);
    REQUIRE(tree.after.nodes.size() == 3);
    const RadixFacts::Node& front = tree.after.nodes[0];
    CHECK(front.words == std::vector<std::string>{"3", "4", "5"});
    CHECK((front.locks == 1 && front.last_used == 2 && !front.is_leaf));
    // The rest keeps its id and its last use, and it is the only leaf that may go.
    const RadixFacts::Node& rest = tree.after.nodes[1];
    CHECK(rest.words == std::vector<std::string>{"6", "7"});
    CHECK((rest.id == tree.before.nodes[0].id && rest.last_used == 1 && rest.goes_first));
    REQUIRE(rest.holders.size() == 1);
    CHECK((rest.holders[0].request == 0 && rest.holders[0].has_ended));
    const RadixFacts::Node& leaf = tree.after.nodes[2];
    CHECK(leaf.words == std::vector<std::string>{"8", "9"});
    CHECK((leaf.locks == 1 && leaf.holders[0].request == 1 && !leaf.goes_first));
    CHECK(tree.after.held == 7);

    const auto one = pool_facts_of<RadixFacts>("radix before=2, after=2", "tree.kvscene");
    CHECK(one.is_one);
    CHECK(one.after.nodes.size() == 3);
}

TEST_CASE("a way and a last block are those of the sums", "[lesson][figure]") {
    const auto walk = pool_facts_of<WalkFacts>(
        "walk position=37, block_size=16, table=[91, 17, 44, 203], way=\"revealed\"");
    CHECK((walk.logical() == 2 && walk.offset() == 5 && walk.physical() == 44));
    CHECK(walk.slot() == 709);  // 44 x 16 + 5
    const auto last = pool_facts_of<LastBlockFacts>("last_block tokens=690, block_sizes=[16]");
    CHECK((last.blocks() == 44 && last.idle() == 14 && last.open == 1));
    CHECK(pool_facts_of<LastBlockFacts>("last_block block_sizes=[4, 16], open=1").open == 1);
    CHECK_THAT(pool_refusal("walk position=64, block_size=16, table=[1, 2, 3, 4]"),
               ContainsSubstring("a position in one of them"));
    CHECK_THAT(pool_refusal("last_block tokens=690, block_sizes=[4, 16]"),
               ContainsSubstring("blocks of one size"));
    CHECK_THAT(pool_refusal("last_block block_sizes=[64]"), ContainsSubstring("from 1 to 32"));
}

TEST_CASE("equal tokens behind another beginning have another hash", "[lesson][figure]") {
    // Blocks of one token: three alike, then two that differ.
    const auto chain = pool_facts_of<HashesFacts>("hashes requests=[\"B\"]", "tree.kvscene");
    REQUIRE(chain.rows.size() == 1);
    CHECK(chain.rows[0].blocks.size() >= 5);
    CHECK(chain.rows[0].blocks[0].words == std::vector<std::string>{"3"});
    CHECK(chain.rows[0].blocks[0].digits().size() == 16);
    CHECK(chain.rows[0].blocks[0].hash != chain.rows[0].blocks[1].hash);
    CHECK_THAT(pool_refusal("hashes requests=[\"Z\"]"), ContainsSubstring("names of requests"));

    const auto texts = pool_facts_of<StretchesFacts>(
        "stretches title=\"t\", how=\"h\", names=[\"s\", \"a\", \"b\"], lengths=[10, 5, 7], "
        "texts=[\"1\", \"2\"], requests=[[0, 1], [0, 2]]");
    CHECK(texts.total(false) == 32);
    CHECK(texts.total(true) == 22);
    CHECK_THAT(pool_refusal("stretches title=\"t\", how=\"h\", names=[\"s\"], lengths=[1], "
                            "texts=[\"1\"], requests=[[1]]"),
               ContainsSubstring("a stretch that is not there"));
}

TEST_CASE("what is wrong with a figure of the pool is said in a sentence", "[lesson][figure]") {
    CHECK_THAT(pool_refusal("arena rules=[\"best\"], requests=[[1, 1]], pool=8"),
               ContainsSubstring("knows no allocator \"best\""));
    CHECK_THAT(pool_refusal("arena rules=[], requests=[[1, 1]], pool=8"),
               ContainsSubstring("wants 1 to 5 rules"));
    CHECK_THAT(pool_refusal("arena rules=[\"max\"], requests=[[1]], pool=8"),
               ContainsSubstring("wants requests as [prompt, output]"));
    CHECK_THAT(pool_refusal("arena rules=[\"max\"], requests=[[1, 0.5]], pool=8"),
               ContainsSubstring("in whole tokens"));
    CHECK_THAT(pool_refusal("arena rules=[\"max\"], requests=[[1, 1]], pool=8000"),
               ContainsSubstring("at most 256 slots"));
    CHECK_THAT(pool_refusal("arena rules=[\"max\"], requests=[[9, 9]], pool=8"),
               ContainsSubstring("max can never hold"));
    CHECK_THAT(pool_refusal("arena rules=[\"max\"], requests=[[1, 2]], pool=8, step=3"),
               ContainsSubstring("wants step from 1 on"));
    CHECK_THAT(pool_refusal("arena rules=[\"max\"], requests=[[1, 2]], pool=8, end_of=\"paged\""),
               ContainsSubstring("a rule that does not race"));
    CHECK_THAT(pool_refusal("radix before=1, after=1"), ContainsSubstring("prefix_index is radix"));
    CHECK_THAT(pool_refusal("radix before=0, after=1"), ContainsSubstring("wants before from 1"));
}
