// Reasons as words and as sentences.
#include "core/trace/event/reason.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "tests/trace/random_event.hpp"

using namespace kv;

TEST_CASE("every reason has a word of its own and a sentence", "[trace]") {
    const NameOfRequest name = [](SeqId id) { return "<" + std::to_string(id.value) + ">"; };
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Why::Recorded); ++i) {
        const Why why{i};
        CHECK(why_named(name_of(why)) == why);
        const std::string sentence = text_of({why, SeqId(4), 1234567, 89}, name);
        CHECK(sentence.size() > 8);
        CHECK(sentence.find_first_of("{}") == std::string::npos);
        CHECK_FALSE(text_of({why, std::nullopt, 0, 0}, name).empty());
    }
    CHECK(text_of({Why::SamePrefix, SeqId(4), 1234, 0}, name) ==
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

TEST_CASE("the small enumerations read back from their words", "[trace]") {
    for (std::uint8_t i = 0; i < 5; ++i) CHECK(finish_named(name_of(Finish{i})) == Finish{i});
    for (std::uint8_t i = 0; i < 3; ++i) CHECK(medium_named(name_of(Medium{i})) == Medium{i});
    for (std::uint8_t i = 0; i < 9; ++i) CHECK(op_named(name_of(Op{i})) == Op{i});
    CHECK_FALSE(op_named("Embed"));
    CHECK_FALSE(medium_named("gpu"));
}

TEST_CASE("every kind of event has a name of its own", "[trace]") {
    std::vector<std::string_view> names;
    for (std::size_t kind = 0; kind < std::variant_size_v<EventBody>; ++kind)
        names.push_back(name_of(test::empty_of_kind(kind)));
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    CHECK(name_of(EventBody(BlockStored{})) == "BlockStored");
    CHECK(name_of(EventBody(TierPlaceFreed{})) == "TierPlaceFreed");
    CHECK(name_of(EventBody(CommandRefused{})) == "CommandRefused");
}
