// What the window writes: whole files with the picture's scene, never over another file, and films.

#include "app/cli/window/exports.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "app/cli/screen/picture_file.hpp"
#include "app/cli/screen/start_state.hpp"
#include "app/cli/shot/shot.hpp"
#include "app/cli/window/export_place.hpp"
#include "app/shell/files.hpp"
#include "tests/app/window_bench.hpp"
#include "tests/environment.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::EnvironmentVariable;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr PixelSize kSize{1280, 720};

AppState plain_state() {
    AppState state = start_state({}, "explore", "dark", {});
    state.settings.reduced_motion = true;
    return state;
}

// A window on a surface without a display, with a scene at its step.
struct ExportWindow : WindowBench {
    WindowExports exports;
    const ScratchFolder folder;

    explicit ExportWindow(std::unique_ptr<Surface> surface = open_null(kSize))
        : WindowBench(std::move(surface), plain_state()) {
        open("first", 6);
        settle();
    }
    std::string path(const char* name) const { return (folder.path() / name).string(); }
    void ask(const std::string& words) {
        state().notice.reset();
        carry_out(state(), {words});
        exports.carry_out(screen);
    }
    std::string read(const char* name) const { return read_file(folder.path() / name, 1 << 26); }
    void refused(const std::string& words, const char* why) {
        INFO(words);
        ask(words);
        REQUIRE(state().notice);
        CHECK(state().notice->refused);
        CHECK_THAT(state().notice->said.english(), ContainsSubstring(why));
        CHECK(state().notice->said.english().find('{') == std::string::npos);
    }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }
    // Frame by frame as the window's loop does it; false when it takes too long.
    bool run_film() {
        for (int i = 0; i < 3000 && exports.busy(); ++i) {
            screen.draw(false);
            exports.carry_out(screen);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return !exports.busy();
    }
};

// PATH with a program that stands in for ffmpeg in front.
class PlantedFfmpeg {
public:
    explicit PlantedFfmpeg(const std::string& line)
        : path_("PATH", folder_.path().string() + ":" + std::getenv("PATH")) {
        fs::permissions(folder_.write("ffmpeg", "#!/bin/sh\nfor OUT; do :; done\n" + line + "\n"),
                        fs::perms::owner_all);
    }

private:
    const ScratchFolder folder_;
    const EnvironmentVariable path_;
};

}  // namespace

TEST_CASE("panels and tables are written in the format that the path ends in", "[window][export]") {
    ExportWindow window;
    window.ask("export.panel stage " + window.path("a b.md"));
    REQUIRE(window.state().notice);
    CHECK_FALSE(window.state().notice->refused);
    CHECK_THAT(window.read("a b.md"), StartsWith("# Stage\n"));
    window.ask("export.panel charts " + window.path("c.json"));
    CHECK_THAT(window.read("c.json"), ContainsSubstring("\"panel\": \"charts\""));
    window.ask("export.table stage/pool " + window.path("p.csv"));
    CHECK_THAT(window.read("p.csv"), StartsWith("block,state,references"));
    window.ask("export.table requests " + window.path("r"));
    CHECK_THAT(window.read("r.csv"), StartsWith("request,state"));
}

TEST_CASE("what is there already is not written over", "[window][export]") {
    ExportWindow window;
    std::ofstream(window.path("a.md")) << "mine";
    window.refused("export.panel stage " + window.path("a.md"), "is there already");
    window.refused("export.drawing " + window.path("a.md"), "ends in .png or .svg");
    CHECK(window.read("a.md") == "mine");
    CHECK(window.files() == 1);
}

TEST_CASE("what cannot be written is refused with the place, and leaves nothing",
          "[window][export]") {
    ExportWindow window;
    window.refused("export.panel stage " + window.path("no/a.md"), "no such file or folder");
    window.refused("export.panel moon", "`moon` is not a panel");
    window.refused("export.table stage/moon " + window.path("a.csv"), "it has tokens");
    window.refused("export.panel stage " + window.path("a.jpg"), "of that ending");
    window.refused("export.panel bytes " + window.path("a.gif"), "export.film");
    window.refused("export.panel summary " + window.path("a.svg"), "is not in view");
    window.refused("export.film 4..2", "ends before it begins");
    window.refused("export.film 4", "is not FIRST..LAST");
    window.refused("export.film 1..2 " + window.path("a.png"), "a film ends in .gif or .mp4");
    CHECK(window.files() == 0);
}

TEST_CASE("a drawing of the window, and of one panel, holds its scene", "[window][export]") {
    ExportWindow window;
    window.ask("export.drawing " + window.path("w.svg"));
    const std::string whole = window.read("w.svg");
    CHECK_THAT(whole, ContainsSubstring("viewBox=\"0 0 1280 720\""));
    CHECK_THAT(whole, ContainsSubstring("<metadata id=\"kvarium-scene\">"));
    CHECK_THAT(whole, ContainsSubstring("<g id=\"explore-stage\">"));
    window.ask("export.panel stage " + window.path("s.svg"));
    const std::string part = window.read("s.svg");
    CHECK_THAT(part, ContainsSubstring("<g id=\"explore-stage\">"));
    CHECK_THAT(part, !ContainsSubstring("<g id=\"explore-settings\">"));
}

TEST_CASE("a panel on the clipboard is its Markdown", "[window][export]") {
    ExportWindow window;
    window.ask("export.copy equation");
    CHECK_THAT(ImGui::GetClipboardText(), StartsWith("# Equation\n"));
}

TEST_CASE("a picture of the window is drawn again from itself", "[window][export]") {
    auto surface = open_headless(kSize);
    ExportWindow window(std::move(surface));
    carry_out(window.state(), {"select.token 5", "select.layer 2", "select.values"});
    window.settle();
    window.ask("export.picture " + window.path("w.png"));
    const auto note = read_picture_note(window.path("w.png"));
    REQUIRE(note);
    ShotOptions again;
    again.scene = window.path("w.png");
    draw_again(again, *note);
    // Letters lie elsewhere in the atlas of another session, which may change the rim of a few.
    const auto difference = compare(shot_image(again), read_png(window.path("w.png")));
    INFO((difference ? difference->sentence : ""));
    CHECK((!difference || difference->pixels < 100));
}

TEST_CASE("a picture of any panel in the window can be opened again", "[export][window]") {
    ExportWindow window;
    for (const char* shown : {"panel.show figure", "layout.attach"}) {
        INFO(shown);
        carry_out(window.state(), {shown});
        window.settle();
        CHECK_NOTHROW(picture_note(
            png_file(Image::filled({2, 2}, rgb(0)), note_of_window(window.screen)), "w.png"));
    }
}

TEST_CASE("files without a path are numbered in the folder of exports", "[window][export]") {
    const ScratchFolder home;
    const EnvironmentVariable data("XDG_DATA_HOME", home.path().string());
    ExportWindow window;
    window.ask("export.panel requests");
    window.ask("export.panel requests");
    window.ask("export.table stage/pool");
    const fs::path folder = home.path() / "kvarium" / "exports";
    const std::string stem = file_words("One request") + "-step-6";
    std::size_t n = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        CHECK_THAT(entry.path().filename().string(), ContainsSubstring("-step-6-"));
        ++n;
    }
    CHECK(n == 3);
}

TEST_CASE("pictures go to the pictures folder, where there is one", "[window][export]") {
    const ScratchFolder home;
    const EnvironmentVariable variables[] = {{"HOME", home.path().string()},
                                             {"XDG_CONFIG_HOME", std::nullopt},
                                             {"XDG_DATA_HOME", std::nullopt}};
    const fs::path exports = home.path() / ".local/share/kvarium/exports";
    ExportWindow window;
    window.ask("export.drawing");
    REQUIRE(window.state().notice);
    CHECK(fs::path(window.state().notice->file).parent_path() == exports);
    fs::create_directory(home.path() / "Pictures");
    window.ask("export.drawing");
    CHECK(fs::path(window.state().notice->file).parent_path() == home.path() / "Pictures/kvarium");
    fs::create_directory(home.path() / "Bilder");
    fs::create_directory(home.path() / ".config");
    save_file(home.path() / ".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n");
    window.ask("export.drawing");
    CHECK(fs::path(window.state().notice->file).parent_path() == home.path() / "Bilder/kvarium");
    CHECK(fs::exists(window.state().notice->file));
    window.ask("export.table requests");
    CHECK(fs::path(window.state().notice->file).parent_path() == exports);
}

TEST_CASE("an export says its whole path, and its folder can be shown", "[window][export]") {
    const ScratchFolder programs;
    const fs::path said = programs.path() / "said";
    fs::permissions(
        programs.write("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > \"" + said.string() + "\"\n"),
        fs::perms::owner_all);
    const EnvironmentVariable path("PATH", programs.path().string());
    ExportWindow window;
    window.refused("export.show", "Nothing was exported");
    window.ask("export.table requests " + window.path("r.csv"));
    CHECK(window.state().notice->file == window.path("r.csv"));
    window.ask("export.show");
    CHECK_FALSE(window.state().notice->refused);
    for (int i = 0; i < 500 && !fs::exists(said); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(read_file(said, 1000) == window.folder.path().string());
    fs::remove(programs.file("xdg-open"));
    window.refused("export.show " + window.path("r.csv"), "the file is ");
}

TEST_CASE("names of files are plain words", "[window][export]") {
    CHECK(file_words("Eight requests, one pool") == "eight-requests-one-pool");
    CHECK(file_words("../../etc/passwd") == "etc-passwd");
    CHECK(file_words("") == "scene");
    CHECK(file_words("▁") == "scene");
    CHECK(file_words(std::string(100, 'a')).size() == 48);
}

TEST_CASE("a film shows its steps, is packed, and the cursor comes back",
          "[window][export][film]") {
    const PlantedFfmpeg ffmpeg("printf film > \"$OUT\"");
    auto surface = open_headless({640, 360});
    ExportWindow window(std::move(surface));
    const std::uint64_t moment = window.run().moment;
    window.ask("export.film 2..4 " + window.path("f.gif"));
    CHECK(window.exports.busy());
    CHECK_THAT(window.state().film.english(), ContainsSubstring("step 2 of 4"));
    CHECK(window.run_film());
    CHECK(window.read("f.gif") == "film");
    CHECK(window.files() == 1);
    CHECK(window.state().film.empty());
    window.settle();
    CHECK(window.run().moment == moment);
}

TEST_CASE("the pictures of a film are those of its steps", "[window][export][film]") {
    auto surface = open_headless({640, 360});
    ExportWindow window(std::move(surface));
    window.ask("export.film 2..4 " + window.path("frames/"));
    CHECK(window.run_film());
    for (std::uint32_t step = 2; step <= 4; ++step) {
        const auto file =
            window.path(("frames/frame-0000" + std::to_string(step - 1) + ".png").c_str());
        const auto note = read_picture_note(file);
        REQUIRE(note);
        REQUIRE(note->scene);
        CHECK(note->scene->step == step);
    }
}

TEST_CASE("a film that is stopped leaves nothing", "[window][export][film]") {
    const PlantedFfmpeg ffmpeg("exec sleep 60");
    auto surface = open_headless({640, 360});
    ExportWindow window(std::move(surface));
    window.ask("export.film 2..4 " + window.path("f.mp4"));
    for (int i = 0; i < 5; ++i) {
        window.screen.draw(false);
        window.exports.carry_out(window.screen);
    }
    window.ask("export.stop");
    CHECK_FALSE(window.exports.busy());
    CHECK(window.state().film.empty());
    CHECK(window.files() == 0);
}

TEST_CASE("without ffmpeg a film is refused with what to do instead", "[window][export][film]") {
    const EnvironmentVariable path("PATH", "/nowhere");
    ExportWindow window;
    window.refused("export.film 2..3 " + window.path("f.gif"), "ffmpeg");
    CHECK_FALSE(window.exports.busy());
}
