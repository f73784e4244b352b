#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <deque>
#include <map>

#include "app/panels/view/pair/full_rows.hpp"
#include "app/panels/view/pair/pair.hpp"
#include "core/trace/event/event.hpp"

using namespace kv;

namespace {

// A run told event by event: requests with a prompt, and tokens that they get step by step.
struct ToldSide {
    explicit ToldSide(std::uint64_t number) : id(number) {
        trace.append({0, std::nullopt, {}, PoolMade{.n_blocks = 8, .block_size = 16}});
    }
    void arrive(std::uint32_t request, const char* name, TokenIds prompt) {
        trace.append({0,
                      SeqId(request),
                      {},
                      RequestArrived{.name = name, .prompt = std::move(prompt), .max_new = 8}});
    }
    void say(std::uint32_t iteration, std::uint32_t request, std::uint32_t token) {
        trace.append({iteration, SeqId(request), {}, TokenAdded{token}});
    }
    RunView view(bool ended = false) const {
        return {.id = id,
                .trace = trace,
                .now = trace.end(),
                .moment = trace.size(),
                .scene = "told",
                .model = model,
                .model_name = "told",
                .backend = "cpu",
                .layout = layout,
                .k_codec = Codec::Bf16,
                .v_codec = Codec::Bf16,
                .settings = settings,
                .samples = {},
                .payloads = payloads,
                .attention = nullptr,
                .proof = {},
                .word = {},
                .judged = &judged,
                .recorded_all = ended,
                .change = nullptr};
    }

    std::uint64_t id;
    Trace trace;
    ModelConfig model{};
    KvLayout layout;
    std::map<std::string, std::string> settings;
    PayloadLog payloads{0};
    std::deque<JudgedRow> judged;
};

}  // namespace

TEST_CASE("two runs part at the first token that is not the same", "[pair]") {
    ToldSide left(1), right(2);
    for (ToldSide* side : {&left, &right}) {
        side->arrive(0, "A", {5, 6, 7});
        side->arrive(1, "B", {5});
        side->say(1, 0, 8);
        side->say(1, 1, 9);
    }
    PairDifference pair;
    pair.follow(left.view(), right.view(), SeqId(0));
    CHECK(pair.partings().empty());

    left.say(2, 0, 20), right.say(2, 0, 21);
    left.say(2, 1, 30), right.say(2, 1, 30);
    left.say(3, 0, 22), right.say(3, 0, 23);
    pair.follow(left.view(), right.view(), SeqId(0));
    REQUIRE(pair.partings().size() == 1);
    CHECK(pair.partings()[0] == TokenParting{"A", 4, 20, 21, 2, pair.partings()[0].event});
    CHECK(pair.parting_of("B") == nullptr);
}

TEST_CASE("a recording that is only shorter does not part from the other", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    left.say(1, 0, 8), right.say(1, 0, 8);
    left.say(4, 0, 9);
    PairDifference pair;
    pair.follow(left.view(true), right.view(false), SeqId(0));
    CHECK(pair.partings().empty());
    // Once it has ended, it has.
    pair.follow(left.view(true), right.view(true), SeqId(0));
    REQUIRE(pair.partings().size() == 1);
    CHECK(pair.partings()[0] == TokenParting{"A", 2, 9, std::nullopt, 4, pair.partings()[0].event});
}

TEST_CASE("only what both sides drew from the same text is judged", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    left.say(1, 0, 1), right.say(1, 0, 0);
    left.say(2, 0, 0), right.say(2, 0, 0);
    const float three = std::log(3.0f);
    left.judged = {{1, SeqId(0), {5}, {}, {0, three}}, {2, SeqId(0), {5, 1}, {}, {0, 0}}};
    right.judged = {{1, SeqId(0), {5}, {}, {0, 0}}, {2, SeqId(0), {5, 0}, {}, {0, 0}}};
    PairDifference pair;
    pair.follow(left.view(), right.view(), SeqId(0));
    const Judgement& all = pair.judgement();
    REQUIRE(all.tokens.size() == 1);
    CHECK(all.tokens[0].index == 1);
    CHECK(all.tokens[0].token == 1);
    CHECK(all.left == Catch::Approx(std::log(4.0 / 3.0)).epsilon(1e-5));
    CHECK(all.right == Catch::Approx(std::log(2.0)).epsilon(1e-5));
    // 1/4 log(1/2) + 3/4 log(3/2)
    CHECK(all.kl == Catch::Approx(0.1308120).epsilon(1e-5));
    // Right finds both as probable and the first of them stands for it.
    CHECK(all.agree == 0);
    CHECK(!all.full.has_value());
    CHECK(row_like(right.view(), "A", left.judged[1]) == nullptr);
    CHECK(row_like(right.view(), "A", left.judged[0]) == &right.judged[0]);
    CHECK(row_like(right.view(), "B", left.judged[0]) == nullptr);
}

// The full cache gives odds of 1 to 3 like the left side; the right one finds both as probable.
TEST_CASE("both sides are held against a full cache on the text that they share", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    left.say(1, 0, 1), right.say(1, 0, 1);
    const float three = std::log(3.0f);
    left.judged = {{1, SeqId(0), {5}, {}, {0, three}}};
    right.judged = {{1, SeqId(0), {5}, {}, {0, 0}}};
    FullText full{SeqId(0), {5}, {0}, {{2, 2 + three}}, {0.25}, {0.5}};
    RunView view = left.view();
    view.in_full = &full;
    PairDifference pair;
    pair.follow(view, right.view(), SeqId(0));
    REQUIRE(pair.judgement().full.has_value());
    const BesideFull& all = *pair.judgement().full;
    CHECK(all.nll == Catch::Approx(std::log(4.0 / 3.0)).epsilon(1e-5));
    CHECK(all.kl[0] == Catch::Approx(0).margin(1e-6));
    CHECK(all.kl[1] == Catch::Approx(0.1308120).epsilon(1e-5));
    CHECK(all.agree == std::array<std::uint32_t, 2>{1, 0});
    CHECK(all.lost == std::array<double, 2>{0.25, 0.5});
    CHECK(all.knows_lost_right);
    // Another text, or a side with another model.
    FullText other = full;
    other.tokens = {6};
    view.in_full = &other;
    pair.follow(view, right.view(), SeqId(0));
    CHECK(!pair.judgement().full.has_value());
    full.lost_right.clear();
    view.in_full = &full;
    pair.follow(view, right.view(), SeqId(0));
    CHECK(!pair.judgement().full->knows_lost_right);
}

// The full cache says 1 and then 0.
TEST_CASE("where two sides part it is known what the full cache says", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    const std::vector<float> even{0, 0};
    FullText full{SeqId(0), {5, 1, 0}, {0, 1}, {even, even}, {0, 0}, {0, 0}, {}};
    full.sides = {{{even, even}, {even, even}}};
    const auto parting = [&] {
        RunView view = left.view();
        view.in_full = &full;
        PairDifference pair;
        pair.follow(view, right.view(), SeqId(0));
        return pair.partings().at(0);
    };
    left.say(1, 0, 1), right.say(1, 0, 1);
    left.say(2, 0, 7), right.say(2, 0, 0);
    CHECK(parting().index == 2);
    CHECK(parting().full == std::optional(0u));
    CHECK(full_after(left.view(), SeqId(0), {5, 1}) == nullptr);
    RunView asked = left.view();
    asked.in_full = &full;
    CHECK(full_after(asked, SeqId(0), {5, 1}) == &full.logits[1]);
    CHECK(full_after(asked, SeqId(0), {5, 0}) == nullptr);
    CHECK(full_after(asked, SeqId(1), {5, 1}) == nullptr);
    // What the scene forces is not what it says; nor is the answer to another text.
    full.n_forced = 2;
    CHECK_FALSE(parting().full);
    full.n_forced = 1;
    CHECK(parting().full);
    full.tokens[1] = 0;
    CHECK_FALSE(parting().full);
    full.tokens[1] = 1;
    // Two models have two full caches.
    full.lost_right.clear();
    CHECK_FALSE(parting().full);
}

// The full cache says 1 and then 0; the left side finds 1 three times as probable as 0 and then
// both the same, the right one the other way round.
TEST_CASE("an answer that was told is judged, whatever the sides drew", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    left.say(1, 0, 0), right.say(1, 0, 1);
    const float three = std::log(3.0f);
    const std::vector<float> even{0, 0}, odd{0, three};
    FullText full{SeqId(0), {5, 1, 0}, {0, 1}, {odd, even}, {0.25, 0.75}, {0, 0.5}, {}};
    full.sides = {{{odd, even}, {even, odd}}};
    RunView view = left.view();
    view.in_full = &full;
    PairDifference pair;
    pair.follow(view, right.view(), SeqId(0));
    const Judgement& all = pair.judgement();
    CHECK(all.told);
    REQUIRE(all.tokens.size() == 2);
    CHECK(all.tokens[0].index == 1);
    CHECK(all.tokens[0].token == 1);
    CHECK(all.tokens[1].index == 2);
    CHECK(all.tokens[1].token == 0);
    // -log 3/4 and -log 1/2; -log 1/2 and -log 1/4.
    CHECK(all.left == Catch::Approx(std::log(8.0 / 3.0) / 2).epsilon(1e-5));
    CHECK(all.right == Catch::Approx(std::log(8.0) / 2).epsilon(1e-5));
    REQUIRE(all.full);
    CHECK(all.full->nll == Catch::Approx(std::log(8.0 / 3.0) / 2).epsilon(1e-5));
    CHECK(all.full->kl[0] == Catch::Approx(0).margin(1e-6));
    // 1/4 log(1/2) + 3/4 log(3/2), and 1/2 log(2) + 1/2 log(2/3)
    CHECK(all.full->kl[1] == Catch::Approx((0.1308120 + 0.1438410) / 2).epsilon(1e-5));
    CHECK(all.full->agree == std::array<std::uint32_t, 2>{2, 0});
    CHECK(all.full->lost == std::array<double, 2>{0.5, 0.25});
    // Of another request nothing was told.
    full.request = SeqId(1);
    pair.follow(left.view(), right.view(), SeqId(0));
    CHECK_FALSE(pair.judgement().told);
}

TEST_CASE("a fork that brings another past along parts when it comes", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    left.say(1, 0, 20), right.say(1, 0, 21);
    left.trace.append(
        {6,
         SeqId(1),
         {},
         RequestArrived{.name = "C", .prompt = {5, 20}, .max_new = 8, .parent = SeqId(0)}});
    right.trace.append(
        {6,
         SeqId(1),
         {},
         RequestArrived{.name = "C", .prompt = {5, 21}, .max_new = 8, .parent = SeqId(0)}});
    PairDifference pair;
    pair.follow(left.view(), right.view(), SeqId(0));
    REQUIRE(pair.partings().size() == 2);
    CHECK(pair.partings()[0].request == "A");
    CHECK(pair.partings()[0].iteration == 1);
    CHECK(pair.partings()[1].request == "C");
    CHECK(pair.partings()[1].index == 1);
    CHECK(pair.partings()[1].iteration == 6);
}

TEST_CASE("nothing is judged of a request that has not come", "[pair]") {
    ToldSide left(1), right(2);
    left.arrive(0, "A", {5}), right.arrive(0, "A", {5});
    left.say(1, 0, 1), right.say(1, 0, 1);
    left.judged = right.judged = {{1, SeqId(0), {5}, {}, {0, 1}}};
    PairDifference pair;
    pair.follow(left.view(), right.view(), SeqId(0));
    CHECK(pair.judgement().tokens.size() == 1);
    const Snapshot before = left.trace.at(1);
    const RunView end = left.view();
    const RunView early{.id = end.id,
                        .trace = end.trace,
                        .now = before,
                        .moment = 1,
                        .scene = end.scene,
                        .model = end.model,
                        .model_name = end.model_name,
                        .backend = end.backend,
                        .layout = end.layout,
                        .k_codec = end.k_codec,
                        .v_codec = end.v_codec,
                        .settings = end.settings,
                        .samples = {},
                        .payloads = end.payloads,
                        .attention = nullptr,
                        .proof = {},
                        .word = {},
                        .judged = &left.judged,
                        .change = nullptr};
    pair.follow(early, right.view(), SeqId(0));
    CHECK(pair.judgement().tokens.empty());
}
