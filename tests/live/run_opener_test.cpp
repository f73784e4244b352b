#include "app/live/run_opener.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

std::string model_folder(const std::string& name) {
    return kv::test::source_dir() + "/assets/models/" + name;
}

Opening opening_of(const std::string& model) {
    Opening opening;
    opening.scene.model = model, opening.folder = model_folder(model);
    return opening;
}

}  // namespace

TEST_CASE("a scene waits until its model has been read, and comes once", "[live][opener]") {
    RunOpener opener({});
    CHECK_FALSE(opener.take(1e6));
    CHECK_FALSE(opener.preparing());
    opener.open(opening_of("gqa"));
    REQUIRE(opener.waiting() != nullptr);
    REQUIRE(opener.preparing());
    CHECK(opener.preparing()->what == Preparing::What::Model);
    CHECK(opener.preparing()->name == "gqa");
    const auto ready = opener.take(1e6);
    REQUIRE(ready);
    CHECK(ready->opening.scene.model == "gqa");
    CHECK(ready->model != nullptr);
    CHECK(opener.waiting() == nullptr);
    CHECK_FALSE(opener.take(1e6));

    // The next scene of that model reads nothing: it is there at once.
    opener.open(opening_of("gqa"), ready->model);
    const auto again = opener.take(0);
    REQUIRE(again);
    CHECK(again->model == ready->model);
}

TEST_CASE("of two scenes that are asked for the later one comes", "[live][opener]") {
    RunOpener opener({});
    opener.open(opening_of("gqa"));
    opener.open(opening_of("mqa"));
    CHECK(opener.take(1e6)->opening.scene.model == "mqa");
    CHECK_FALSE(opener.take(1e6));
}

TEST_CASE("a model that cannot be read is refused once, and nothing waits any more",
          "[live][opener]") {
    RunOpener opener({});
    opener.open(opening_of("no-such-model"));
    CHECK_THROWS_AS(opener.take(1e6), Error);
    CHECK(opener.waiting() == nullptr);
    CHECK_FALSE(opener.take(1e6));
    opener.open(opening_of("gqa"));
    opener.cancel();
    CHECK(opener.waiting() == nullptr);
    CHECK_FALSE(opener.take(1e6));
}
