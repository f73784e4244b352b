#include "app/panels/preparing/preparing.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

TEST_CASE("what is prepared says what it is and how far", "[preparing]") {
    const Texts texts;
    const PreparingWords model =
        words_of({.what = Preparing::What::Model, .name = "gqa", .done = 0.425}, texts);
    CHECK(model.title == std::string_view("The model gqa is being read"));
    CHECK(model.how_far == std::string_view("42 % is read."));
    CHECK(model.share == 0.425);

    const PreparingWords run = words_of({.name = "Needle", .step = 1'057, .last = 2'114}, texts);
    CHECK(run.title == std::string_view("Needle is being computed"));
    CHECK(run.how_far == std::string_view("Step 1,057 of 2,114 is done."));
    CHECK(run.share == 0.5);

    // Nobody knows where a scene ends before it has.
    const PreparingWords to_end = words_of({.name = "Needle", .step = 9}, texts);
    CHECK(to_end.how_far.find("Step 9 is done") == 0);
    CHECK_FALSE(to_end.share);
    CHECK_FALSE(words_of({.name = "x", .step = 0, .last = 0}, texts).share);
}
