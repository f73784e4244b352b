#include "app/live/scene/history.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

namespace {

// Scenes that a name tells apart.
Scene named(const std::string& name) {
    Scene scene;
    scene.name = name;
    return scene;
}

std::string name_or_none(const std::optional<Scene>& scene) {
    return scene ? scene->name : "none";
}

}  // namespace

TEST_CASE("undo leads back through the scenes, and redo the same way forward", "[live][history]") {
    SceneHistory history;
    CHECK(history.before() == nullptr);
    CHECK(name_or_none(history.back(named("a"))) == "none");
    history.remember(named("a"));  // b plays
    history.remember(named("b"));  // c plays
    REQUIRE(history.before() != nullptr);
    CHECK(history.before()->name == "b");
    CHECK(name_or_none(history.back(named("c"))) == "b");
    CHECK(name_or_none(history.back(named("b"))) == "a");
    CHECK_FALSE(history.can_undo());
    CHECK(name_or_none(history.back(named("a"))) == "none");
    CHECK(name_or_none(history.forward(named("a"))) == "b");
    CHECK(name_or_none(history.forward(named("b"))) == "c");
    CHECK_FALSE(history.can_redo());
    CHECK(name_or_none(history.forward(named("c"))) == "none");
    CHECK(name_or_none(history.back(named("c"))) == "b");
}

TEST_CASE("a change after an undo leaves nothing to do again", "[live][history]") {
    SceneHistory history;
    history.remember(named("a"));
    history.back(named("b"));
    CHECK(history.can_redo());
    history.remember(named("a"));  // d plays
    CHECK_FALSE(history.can_redo());
    CHECK(name_or_none(history.back(named("d"))) == "a");
    history.clear();
    CHECK_FALSE(history.can_undo());
    CHECK_FALSE(history.can_redo());
}

TEST_CASE("of more changes than are kept the oldest are forgotten", "[live][history]") {
    SceneHistory history;
    const std::size_t changes = SceneHistory::kDepth + 3;
    for (std::size_t i = 0; i < changes; ++i) history.remember(named(std::to_string(i)));
    std::string last;
    std::size_t steps = 0;
    for (auto scene = history.back(named("now")); scene; scene = history.back(*scene))
        last = scene->name, ++steps;
    CHECK(steps == SceneHistory::kDepth);
    CHECK(last == "3");
}
