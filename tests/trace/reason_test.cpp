// Reasons as words and as sentences.
#include "core/trace/event/reason.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "tests/trace/random_event.hpp"

using namespace kv;

TEST_CASE("every reason has a word of its own and a sentence", "[trace]") {
    const NameOfRequest name = [](SeqId id) { return "<" + std::to_string(id.value) + ">"; };
    for (std::size_t i = 0; i < kReasons; ++i) {
        const Why why{static_cast<std::uint8_t>(i)};
        CHECK(why_named(name_of(why)) == why);
        const std::string sentence = text_of({why, SeqId(4), 1234567, 89}, name);
        CHECK(sentence.size() > 8);
        CHECK(sentence.find_first_of("{}") == std::string::npos);
        CHECK_FALSE(text_of({why, std::nullopt, 0, 0}, name).empty());
    }
    CHECK(text_of(Reason::same_prefix(SeqId(4), 1234), name) ==
          "request <4> begins with the same 1,234 tokens");
    // Of one thing the noun is in the singular.
    CHECK(text_of({Why::NeverFits, {}, 1, 12}, name) ==
          "it needs 1 block at its longest and the pool has 12");
    CHECK(text_of({Why::NoHostRoom, {}, 1, 0}, name) ==
          "1 host block needed, 0 free: computed again instead");
    CHECK(text_of({Why::MaxNew, {}, 1, 0}, name) == "it has its 1 new token");
    CHECK(text_of({Why::LeavesResidual, SeqId(4), 1, 1}, name) ==
          "request <4> has 1 key and 1 value coded, and newer ones in full");
    CHECK(text_of({Why::OverBudget, {}, 1, 2}, name) ==
          "a table of this policy keeps 1 token and had 2");
    CHECK(text_of({Why::Computed, {}, 11, 0}, name) == "all layers computed 11 tokens");
    CHECK_FALSE(why_named("because"));
    CHECK_FALSE(why_named(""));
}

TEST_CASE("the sentence of a reason uses its numbers as its maker names them", "[trace]") {
    const NameOfRequest name = [](SeqId id) { return "<" + std::to_string(id.value) + ">"; };
    const SeqId request(4);
    const std::pair<Reason, std::string_view> sentences[] = {
        {Reason::arrival(3), "it was submitted in iteration 3"},
        {Reason::never_fits(9, 8), "it needs 9 blocks at its longest and the pool has 8"},
        {Reason::first_in_line(2, 5), "it is first in line: 2 blocks needed, 5 free"},
        {Reason::prompt_chunk(7), "the next 7 of the tokens that it has still to read"},
        {Reason::computed(7), "all layers computed 7 tokens"},
        {Reason::part_of_iteration(3), "a part of iteration 3"},
        {Reason::no_room(5, 2), "5 blocks needed, 2 free"},
        {Reason::no_budget(64, 8), "the iteration's 64 tokens or 8 places are taken"},
        {Reason::stores_tokens(request, 33), "request <4> stores tokens up to number 33"},
        {Reason::same_prefix(request, 32), "request <4> begins with the same 32 tokens"},
        {Reason::fork(request, 20), "request <4> was forked and shares 20 tokens"},
        {Reason::writes_shared(request, 2), "request <4> writes into a block that 2 requests hold"},
        {Reason::block_is_full(16), "all its 16 slots belong to known tokens"},
        {Reason::drawn(12), "drawn by chance, number 12 of its stream"},
        {Reason::forced(6), "token 6 of the text it was told to say"},
        {Reason::max_new(10), "it has its 10 new tokens"},
        {Reason::stop_token(2), "token 2 ends a text"},
        {Reason::no_host_room(request, 4, 1),
         "4 host blocks needed, 1 free: computed again instead"},
        {Reason::codec_changed(48), "the pool goes over to another codec: 48 filled slots"},
        {Reason::leaves_residual(request, 16, 12),
         "request <4> has 16 keys and 12 values coded, and newer ones in full"},
        {Reason::over_budget(32, 33), "a table of this policy keeps 32 tokens and had 33"},
        {Reason::out_of_sight(40), "no query from token 40 on sees it"},
        {Reason::prompt_read(24, 8), "the prompt of 24 tokens is read and 8 of it are kept"},
        {Reason::holes_fill(16, 20), "16 slots of its blocks were dead, and it keeps 20 tokens"},
        {Reason::keys_shifted(5, 11), "5 tokens before were dropped: 11 keys go back in place"},
        {Reason::highest_bounds(2, 7),
         "each query head looks at the 2 of 7 blocks whose keys may score highest"},
    };
    for (const auto& [reason, sentence] : sentences) CHECK(text_of(reason, name) == sentence);
}

TEST_CASE("the small enumerations read back from their words", "[trace]") {
    for (std::uint8_t i = 0; i < 5; ++i) CHECK(finish_named(name_of(Finish{i})) == Finish{i});
    for (std::uint8_t i = 0; i < 3; ++i) CHECK(medium_named(name_of(Medium{i})) == Medium{i});
    for (std::uint8_t i = 0; i < 9; ++i) CHECK(op_named(name_of(Op{i})) == Op{i});
    CHECK_FALSE(op_named("Embed"));
    CHECK_FALSE(medium_named("gpu"));
}

TEST_CASE("every kind of event has a name of its own", "[trace]") {
    std::vector<std::string_view> names;
    for (std::size_t kind = 0; kind < std::variant_size_v<AnyEvent>; ++kind)
        names.push_back(name_of(test::empty_of_kind(kind)));
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    CHECK(name_of(EventBody(BlockStored{})) == "BlockStored");
    CHECK(name_of(EventBody(TierPlaceFreed{})) == "TierPlaceFreed");
    CHECK(name_of(EventBody(CommandRefused{})) == "CommandRefused");
}
