#include <catch2/catch_test_macros.hpp>

#include "app/live/scene/change.hpp"
#include "app/live/scene/full_cache.hpp"
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

TEST_CASE("the past of a scene is what it was told until then", "[live]") {
    Scene scene = with_change({}, {"set share off", 12});
    scene = with_change(scene, {"set share full_blocks_only", 20});
    CHECK(past_of(scene, 11).commands.empty());
    REQUIRE(past_of(scene, 12).commands.size() == 1);
    CHECK(past_of(scene, 19).commands[0].at == 12);
    CHECK(scene_text(past_of(scene, 20)) == scene_text(scene));
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

TEST_CASE("the full cache beside a run drops nothing and rounds nothing", "[live]") {
    Scene scene;
    CHECK_THROWS_AS(with_change(scene, {"full", {}}), Error);  // it keeps everything already
    scene.settings.evict = "window:8";
    scene.settings.k_codec = Codec::Int4;
    scene.settings.v_codec = Codec::F32;
    scene.settings.block_size = 4;
    scene.commands.push_back({3, SetSetting{"evict", "window:4"}});
    scene.commands.push_back({4, SetSetting{"share", "off"}});
    const Scene full = with_change(scene, {"full", {}});
    CHECK(keeps_everything(full.settings));
    CHECK(full.settings.k_codec == Codec::Bf16);
    CHECK(full.settings.v_codec == Codec::F32);  // nothing is lost in it
    CHECK(full.settings.block_size == 4);
    REQUIRE(full.commands.size() == 1);
    CHECK(full.commands[0].at == 4);
    const SceneChange change{"full", {}};
    CHECK(change_shown(scene, change, false).value == "window:8");
    CHECK_FALSE(change_shown(scene, change, false).is_full);
    CHECK(change_shown(full, change, true).is_full);
    scene.settings.evict = "none";
    CHECK(change_shown(scene, change, false).name == "codecs");
    CHECK(change_shown(scene, change, false).value == "int4 + f32");
    // What was right has a way back, and it is the run itself.
    CHECK(with_change(full, *way_back(scene, change)).settings.k_codec == Codec::Int4);
}

TEST_CASE("the way back from the full cache is said in words where one setting is all of it",
          "[live]") {
    Scene scene;
    scene.settings.evict = "window:8";
    const Scene full = with_change(scene, {"full", {}});
    const auto back = way_back(scene, {"full", {}});
    REQUIRE(back);
    CHECK(back->words == "evict window:8");
    CHECK_FALSE(back->whole);
    CHECK(scene_text(with_change(full, *back)) == scene_text(scene));
    // A command that was taken away comes back with the whole scene only.
    scene.commands.push_back({3, SetSetting{"evict", "window:4"}});
    CHECK(way_back(scene, {"full", {}})->whole);
}

TEST_CASE("a run is held against what its last change took away, else against the full cache",
          "[live]") {
    Scene before, now;
    CHECK_FALSE(usual_change(now, nullptr));  // nothing was taken away
    CHECK_FALSE(usual_change(now, &before));
    now.settings.evict = "window:8";
    CHECK(usual_change(now, nullptr)->words == "full");
    CHECK(usual_change(now, &before)->words == "evict none");
    before.settings.evict = "window:8";
    now.settings.block_size = 4;
    CHECK(usual_change(now, &before)->words == "block_size 16");
    now.settings.share = Sharing::Off;  // two at once: no words for both
    CHECK(usual_change(now, &before)->words == "full");
    now.model = "mqa";
    CHECK(usual_change(now, &before)->words == "model gqa");
}
