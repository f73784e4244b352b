// What the Stage says of a moment: the state of a token, who holds a block, and the sentences.
#include <catch2/catch_test_macros.hpp>

#include "app/panels/stage/plan/chips.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/panels/timeline/panels.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("a token is what the snapshot says of it", "[stage]") {
    ToldRun told(8, 4);
    const SeqId a = told.add(9, 6, {2, 5, 0});
    told.tell(TokensScheduled{6, 3}, a);
    StageFacts facts;
    facts.follow(told.view());
    const Snapshot& now = told.trace.end();
    const auto state = [&](std::uint32_t position) {
        return chip_of({now}, facts, {a, position}).state;
    };
    CHECK(state(0) == ChipState::Stored);
    CHECK(state(5) == ChipState::Stored);
    CHECK(state(6) == ChipState::Computing);
    CHECK(state(8) == ChipState::Query);
    CHECK(state(9) == ChipState::Next);
    CHECK(state(10) == ChipState::Empty);
    CHECK(chip_of({now}, facts, {a, 5}).has_bar);
    CHECK_FALSE(chip_of({now}, facts, {a, 6}).has_bar);
    CHECK(rows_of({now}, a) == 3);

    const SeqId b = told.add(5, 0, {});
    facts.follow(told.view());
    CHECK(chip_of({told.trace.end()}, facts, {b, 3}).state == ChipState::Queued);
    CHECK(rows_of({told.trace.end()}, b) == 2);
}

TEST_CASE("a given up block leaves tokens that are missing, one in the host tier does not",
          "[stage]") {
    ToldRun told(8, 4, 2);
    const SeqId a = told.add(12, 12, {1, 2, 3});
    told.tell(BlockFreed{LaneId(0), BlockId(1), 0, false}, a);
    told.tell(TransferStarted{.from = Medium::Device,
                              .to = Medium::Host,
                              .from_id = 2,
                              .to_id = 1,
                              .entry = 1,
                              .slots = 4,
                              .bytes = 2048},
              a);
    told.tell(
        TransferFinished{.from = Medium::Device, .to = Medium::Host, .from_id = 2, .to_id = 1}, a);
    told.tell(BlockFreed{LaneId(0), BlockId(2), 1, false}, a);
    StageFacts facts;
    facts.follow(told.view());
    const Snapshot& now = told.trace.end();
    CHECK(chip_of({now}, facts, {a, 0}).state == ChipState::Missing);
    CHECK(chip_of({now}, facts, {a, 4}).state == ChipState::InHost);
    CHECK(chip_of({now}, facts, {a, 8}).state == ChipState::Stored);
    CHECK(facts.host_place(a, 1) == 1u);
    CHECK(facts.last_owner(BlockId(1)) == a);
    CHECK(facts.counts().host_held == 1);
}

TEST_CASE("all who hold a shared block are known, and the tokens in it are marked", "[stage]") {
    ToldRun told(8, 4);
    const SeqId a = told.add(8, 8, {6, 3});
    const SeqId b = told.add(8, 8, {6, 1});
    StageFacts facts;
    facts.follow(told.view());
    const auto holders = facts.holders(BlockId(6));
    REQUIRE(holders.size() == 2);
    CHECK(holders[0].request == a);
    CHECK(holders[1].request == b);
    REQUIRE(facts.holders(BlockId(1)).size() == 1);
    CHECK(facts.holders(BlockId(1))[0].entry == 1);
    CHECK(facts.holders(BlockId(0)).empty());
    CHECK(chip_of({told.trace.end()}, facts, {b, 2}).shared);
    CHECK_FALSE(chip_of({told.trace.end()}, facts, {b, 6}).shared);
    const std::uint64_t before = facts.generation();
    facts.follow(told.view());  // the same moment
    CHECK(facts.generation() == before);
}

TEST_CASE("the sentence names what the operation does, for whom and where", "[stage]") {
    const Texts text;
    const auto said = [&](const ToldRun& told) {
        std::string all;
        for (const SentencePiece& piece : now_sentence(told.view(), {}, text).pieces)
            all += piece.text;
        return all;
    };
    ToldRun told(48, 16);
    CHECK(said(told) == "Nothing has been computed yet");
    told.iteration = 39;
    const SeqId a = told.add(40, 39, {11, 22, 44});
    told.tell(IterationStarted{});
    told.tell(TokensScheduled{39, 1}, a);
    CHECK(said(told) == "Step 39 begins, A has one token to compute");
    told.tell(Operation{.op = Op::Append, .layer = LayerId(2)});
    CHECK(said(told) == "A writes K and V of token 39, 39, into block 44 slot 7, layer 2");
    told.tell(Operation{.op = Op::Attend, .layer = LayerId(2)});
    CHECK(said(told) == "A looks back from token 39, 39, at 40 tokens, layer 2");
    told.tell(TokensStored{39, 1}, a);
    told.tell(TokenAdded{7}, a);
    told.tell(IterationFinished{.tokens = 1});
    CHECK(said(told) == "Step 39 is done, A holds 40 tokens and 7 comes next");
}

TEST_CASE("a strip says how much there is of a request", "[stage]") {
    const Texts text;
    ToldRun told(48, 16);
    const SeqId a = told.add(42, 42, {0, 1, 2});
    const SeqId b = told.add(72, 0, {});
    const Snapshot& now = told.trace.end();
    CHECK(strip_words({now}, a, true, text).amount == "42 tokens");
    CHECK(strip_words({now}, a, true, text).state == "decode");
    CHECK(strip_words({now}, a, false, text).amount == "42 in 3");
    CHECK(strip_words({now}, b, false, text).amount == "72 queued");
}

TEST_CASE("steps to the first token count from the arrival on, that of the token included",
          "[stage][C067]") {
    RequestView request;
    request.arrived = 1;
    CHECK_FALSE(steps_to_first_token(request));
    request.first_token = 3;  // a prompt in three chunks
    CHECK(steps_to_first_token(request) == 3);
    request.arrived = 3;  // a prompt in one, or one that was found
    CHECK(steps_to_first_token(request) == 1);
}

TEST_CASE("a request that has just arrived waits without a reason", "[stage]") {
    ToldRun told(8, 4);
    const SeqId a = told.add(5, 0, {});
    const Snapshot& now = told.trace.end();
    REQUIRE(now.requests[a.index()].state == RequestState::Waiting);
    REQUIRE_FALSE(now.requests[a.index()].waits);
    CHECK(request_state_words(Texts(), now, a) == "waits");
}
