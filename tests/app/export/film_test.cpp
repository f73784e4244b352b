// Films: the lines that ffmpeg gets, a child that ends with its owner, and errors before the work.

#include "app/export/film.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <fstream>
#include <thread>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

// A program that stands in for ffmpeg: it runs this shell line with the last argument as $OUT.
void plant_ffmpeg(const fs::path& folder, const std::string& line) {
    const fs::path file = folder / "ffmpeg";
    std::ofstream(file) << "#!/bin/sh\nfor OUT; do :; done\n" << line << "\n";
    fs::permissions(file, fs::perms::owner_all);
}
void pack(FilmMaker& film) {
    for (int i = 0; i < 2000 && !film.pack(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a film is known by its ending", "[film]") {
    CHECK(film_kind("a.gif") == FilmKind::Gif);
    CHECK(film_kind("a.mp4") == FilmKind::Mp4);
    CHECK(film_kind("frames/") == FilmKind::Pictures);
    CHECK_FALSE(film_kind("a.png"));
}

TEST_CASE("ffmpeg is asked for bytes that do not change", "[film]") {
    for (const FilmKind kind : {FilmKind::Gif, FilmKind::Mp4}) {
        const auto line = film_line(kind, "/f", 2);
        const auto has = [&](const std::string& word) {
            return std::find(line.begin(), line.end(), word) != line.end();
        };
        CHECK(has("-nostdin"));
        CHECK(has("+bitexact"));
        CHECK(has("/f/frame-%05d.png"));
        CHECK(line.back() == (kind == FilmKind::Gif ? "/f/film.gif" : "/f/film.mp4"));
    }
    CHECK(palette_line("/f", 2.5)[9] == "2.5");
}

TEST_CASE("a program is looked for in the folders of PATH, never in the current one", "[film]") {
    const ScratchFolder folder;
    plant_ffmpeg(folder.path(), "exit 0");
    const std::string here = folder.path().string();
    CHECK(program_in("/nowhere:" + here, "ffmpeg") == folder.path() / "ffmpeg");
    CHECK_FALSE(program_in("", "ffmpeg"));
    CHECK_FALSE(program_in("/nowhere", "ffmpeg"));
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    CHECK_FALSE(program_in("/nowhere::", "ffmpeg"));
    fs::current_path(before);
}

TEST_CASE("without ffmpeg, or where nothing can be written, no picture is drawn", "[film]") {
    const ScratchFolder folder;
    FilmAsk ask{.kind = FilmKind::Gif, .target = folder.path() / "a.gif", .path_variable = "/no"};
    try {
        const FilmMaker film(ask);
        FAIL("a film without ffmpeg");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::Missing);
        CHECK_THAT(error.what(), ContainsSubstring("ffmpeg"));
    }
    plant_ffmpeg(folder.path(), "exit 0");
    ask.path_variable = folder.path().string();
    ask.target = folder.path() / "no" / "a.gif";
    CHECK_THROWS_MATCHES(FilmMaker(ask), Error,
                         MessageMatches(ContainsSubstring("no such file or folder")));
}

TEST_CASE("what ffmpeg wrote takes its name at the end, and nothing else is left", "[film]") {
    const ScratchFolder folder, programs;
    plant_ffmpeg(programs.path(), "printf film > \"$OUT\"");
    for (const FilmKind kind : {FilmKind::Gif, FilmKind::Mp4}) {
        const fs::path target = folder.path() / (kind == FilmKind::Gif ? "a.gif" : "a.mp4");
        FilmMaker film({.kind = kind, .target = target, .path_variable = programs.path().string()});
        film.add(Image::filled({4, 4}, rgb(0)), {});
        CHECK_FALSE(fs::exists(target));
        pack(film);
        CHECK(read_file(target, 100) == "film");
    }
    CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("a film that ffmpeg refuses is named with its words, and is not there", "[film]") {
    const ScratchFolder folder, programs;
    plant_ffmpeg(programs.path(), "echo 'no such encoder' >&2; exit 3");
    FilmMaker film({.kind = FilmKind::Mp4,
                    .target = folder.path() / "a.mp4",
                    .path_variable = programs.path().string()});
    film.add(Image::filled({4, 4}, rgb(0)), {});
    CHECK_THROWS_MATCHES(pack(film), Error, MessageMatches(ContainsSubstring("no such encoder")));
    CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a film that is given up ends ffmpeg at once", "[film]") {
    const ScratchFolder folder, programs;
    plant_ffmpeg(programs.path(), "exec sleep 60");
    const auto start = std::chrono::steady_clock::now();
    {
        FilmMaker film({.kind = FilmKind::Mp4,
                        .target = folder.path() / "a.mp4",
                        .path_variable = programs.path().string()});
        film.add(Image::filled({4, 4}, rgb(0)), {});
        CHECK_FALSE(film.pack());
        CHECK_FALSE(film.pack());
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("single pictures are numbered, and keep their texts", "[film]") {
    const ScratchFolder folder;
    FilmMaker film(
        {.kind = FilmKind::Pictures, .target = folder.path() / "frames", .path_variable = ""});
    for (int i = 0; i < 3; ++i) film.add(Image::filled({4, 4}, rgb(0)), {{"kvarium-scene", "s"}});
    CHECK(film.pack());
    CHECK(files_in(folder.path() / "frames") == 3);
    const std::string bytes = read_file(folder.path() / "frames" / "frame-00003.png", 10'000);
    CHECK(png_text(bytes, "kvarium-scene", "x") == "s");
}

TEST_CASE("pictures that were not finished leave no folder, and harm none that was there",
          "[film]") {
    const ScratchFolder folder;
    const auto begin_and_give_up = [](const fs::path& target) {
        FilmMaker film({.kind = FilmKind::Pictures, .target = target, .path_variable = ""});
        film.add(Image::filled({4, 4}, rgb(0)), {});
    };
    begin_and_give_up(folder.path() / "new" / "frames");
    CHECK(files_in(folder.path()) == 0);
    fs::create_directory(folder.path() / "old");
    save_file(folder.path() / "old" / "frame-00001.png", "mine");
    begin_and_give_up(folder.path() / "old");
    CHECK(files_in(folder.path() / "old") == 1);
    CHECK(read_file(folder.path() / "old" / "frame-00001.png", 10) == "mine");
}
