#include <catch2/catch_test_macros.hpp>

#include "app/live/scene/change.hpp"
#include "core/base/error.hpp"

using namespace kv;

TEST_CASE("a change of a scene is a model, a setting or a command", "[live]") {
    Scene scene = parse_scene(
        R"({"version": 1, "model": {"name": "gqa", "sha256": ")" + std::string(64, '0') +
            R"("}, "requests": [{"id": "A", "prompt": "Tom likes plums.", "max_new": 1}]})",
        "a test");
    const Scene model = with_change(scene, {"model mqa", {}});
    CHECK(model.model == "mqa");
    CHECK_FALSE(model.sha256);
    const Scene pages = with_change(scene, {"block_size 4", {}});
    CHECK(pages.settings.block_size == 4);
    CHECK(pages.sha256 == scene.sha256);
    const Scene later = with_change(scene, {"set share off", 12});
    REQUIRE(later.commands.size() == 1);
    CHECK(later.commands[0].at == 12);
    CHECK(later.settings.share == scene.settings.share);
}

TEST_CASE("a change that changes nothing or means nothing is refused", "[live]") {
    const Scene scene;
    CHECK_THROWS_AS(with_change(scene, {"model gqa", {}}), Error);
    CHECK_THROWS_AS(with_change(scene, {"block_size 16", {}}), Error);
    CHECK_THROWS_AS(with_change(scene, {"block_size 0", {}}), Error);
    CHECK_THROWS_AS(with_change(scene, {"colour red", {}}), Error);
    CHECK_THROWS_AS(with_change(scene, {"block_size", {}}), Error);
    CHECK_THROWS_AS(with_change(scene, {"share off", 3}), Error);  // no command
}

TEST_CASE("the way back leads to the scene before", "[live]") {
    const Scene scene;
    for (const SceneChange& change : {SceneChange{"model mqa", {}}, SceneChange{"block_size 4", {}},
                                      SceneChange{"share off", {}}}) {
        const Scene there = with_change(scene, change);
        const auto back = way_back(scene, change);
        REQUIRE(back);
        CHECK(scene_text(with_change(there, *back)) == scene_text(scene));
    }
    CHECK_FALSE(way_back(scene, {"set share off", 3}));
}

TEST_CASE("each side says its own value of what differs", "[live]") {
    const Scene scene;
    const SceneChange change{"block_size 4", {}};
    const Scene other = with_change(scene, change);
    CHECK(change_shown(scene, change, false).value == "16");
    CHECK(change_shown(other, change, true).value == "4");
    CHECK(change_shown(other, change, true).name == "block_size");
    const SceneChange later{"set share off", 12};
    CHECK(change_shown(scene, later, false).value == "full_blocks_only");
    CHECK(change_shown(scene, later, true).value == "off");
    CHECK(change_shown(scene, later, true).from == 12);
    CHECK(change_shown(scene, {"stop A", 3}, true).value == "stop A");
    CHECK(change_shown(scene, {"stop A", 3}, false).value.empty());
}
