// What a picture carries: there and back, and every field that does not fit is refused by name.

#include "app/live/scene/picture_note.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;

namespace {

const std::string kNoteScene = R"({"version": 1, "name": "n", "seed": 7, "model": {"name": "gqa"},
 "settings": {"block_size": 8}, "step": 3, "view": {"focus": "A"},
 "requests": [{"id": "A", "prompt": "Mia \"hid\" the ▁key", "max_new": 6}], "commands": []})";

std::string picture(const std::vector<PngText>& texts) {
    return encode_png(Image::filled({2, 2}, rgb(0)), texts);
}
std::string drawn_with(const std::string& json) {
    return picture({{"kvarium-shot", json}});
}
void refused(const std::string& png, const char* why) {
    INFO(why);
    CHECK_THROWS_MATCHES(picture_note(png, "x.png"), Error,
                         MessageMatches(ContainsSubstring("x.png: ")));
    CHECK_THROWS_MATCHES(picture_note(png, "x.png"), Error, MessageMatches(ContainsSubstring(why)));
}

}  // namespace

TEST_CASE("scene and drawing come back from the picture as they were", "[live][picture]") {
    PictureNote note{.scene = parse_scene(kNoteScene, "s"), .drawn = {}};
    note.drawn = {.layout = "learn",
                  .theme = "light",
                  .panel = "stage",
                  .pixels = {1281, 721},
                  .scale = 1.5,
                  .text_scale = 0.8f,
                  .language = "pseudo",
                  .commands = {"bill.tokens 4096", "select.block 3"}};
    const PictureNote back = picture_note(picture(texts_of(note)), "x.png");
    REQUIRE(back.scene);
    CHECK(scene_text(*back.scene) == scene_text(*note.scene));
    CHECK(texts_of(back) == texts_of(note));
    CHECK(back.drawn.panel == "stage");
    CHECK(back.drawn.pixels == PixelSize{1281, 721});
    CHECK(back.drawn.commands.size() == 2);
}

TEST_CASE("what writes files is not carried by a picture", "[live][picture]") {
    PictureNote note;
    note.drawn.commands = {"file.save_scene /tmp/x", "select.block 3", "export.picture"};
    CHECK(picture_note(picture(texts_of(note)), "x").drawn.commands ==
          std::vector<std::string>{"select.block 3"});
}

TEST_CASE("a picture of which nothing ran has no scene", "[live][picture]") {
    const PictureNote back = picture_note(picture(texts_of({.scene = {}, .drawn = {}})), "x.png");
    CHECK_FALSE(back.scene);
}

TEST_CASE("a picture that is none of ours, or whose note is damaged, is refused",
          "[live][picture]") {
    refused(picture({}), "this picture holds no scene");
    refused(drawn_with("[1]"), "is no JSON object");
    refused(drawn_with("{"), "is no JSON object");
    refused(drawn_with("{}"), "has no version");
    refused(drawn_with(R"({"version":2})"), "is of a newer version");
    refused(drawn_with(R"({"version":1,"layout":"moon"})"), "names no layout");
    refused(drawn_with(R"({"version":1,"layout":7})"), "has a layout that is no text");
    refused(drawn_with(R"({"version":1,"theme":"pink"})"), "names no theme");
    refused(drawn_with(R"({"version":1,"pixels":[1920]})"), "has pixels that are no pair");
    refused(drawn_with(R"({"version":1,"pixels":[1920,0]})"), "has pixels out of range");
    refused(drawn_with(R"({"version":1,"pixels":[99999,100]})"), "has pixels out of range");
    refused(drawn_with(R"({"version":1,"pixels":["a","b"]})"), "has pixels out of range");
    refused(drawn_with(R"({"version":1,"scale":9})"), "has a scale out of range");
    refused(drawn_with(R"({"version":1,"text_scale":"big"})"), "has a text_scale out of range");
    refused(drawn_with(R"({"version":1,"commands":"x"})"), "has commands that are no list");
    refused(drawn_with(R"({"version":1,"commands":[1]})"), "has a command that is no text");
    for (const char* command : {"file.save_scene /tmp/x", "export.picture /tmp/x", "app.quit", ""})
        refused(drawn_with(R"({"version":1,"commands":[")" + std::string(command) + R"("]})"),
                "has a command that no picture may give");
    refused(picture({{"kvarium-shot", R"({"version":1})"}, {"kvarium-scene", "{}"}}), "x.png");
}

TEST_CASE("a scene is read from a picture as from its own file", "[live][picture]") {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("a.kvscene", kNoteScene);
    const std::string png = scratch.write(
        "a.png", picture(texts_of({.scene = parse_scene(kNoteScene, "s"), .drawn = {}})));
    const std::string empty = scratch.write("b.png", picture(texts_of({.scene = {}, .drawn = {}})));
    CHECK(scene_text(read_scene_or_picture(png)) == scene_text(read_scene_or_picture(scene)));
    CHECK_FALSE(read_picture_note(scene));
    CHECK_FALSE(read_picture_note(scratch.path()));
    CHECK_THROWS_MATCHES(read_scene_or_picture(empty), Error,
                         MessageMatches(ContainsSubstring("no scene ran when this picture")));
}
