// The palette as a file dialog: what it offers for a path that is being typed.
#include "app/frame/overlay/path_rows.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>

#include "tests/environment.hpp"
#include "tests/places.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::EnvironmentVariable;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

void touch(const fs::path& file) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "x";
}

std::vector<PaletteRow> rows(const std::string& command, const std::string& query,
                             const Settings& settings = {}) {
    return palette_rows(Texts(), {.query = query, .pending = command}, settings);
}

std::vector<std::string> labels(const std::vector<PaletteRow>& rows) {
    std::vector<std::string> all;
    for (const PaletteRow& row : rows) all.push_back(row.label);
    return all;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("a folder offers its folders and the files of the kind", "[palette][paths]") {
    const ScratchFolder scratch;
    const std::string at = scratch.path().string() + "/";
    touch(scratch.path() / "b.kvscene");
    touch(scratch.path() / "a.kvscene");
    touch(scratch.path() / "notes.txt");
    touch(scratch.path() / ".hidden.kvscene");
    touch(scratch.path() / "more" / "c.kvscene");
    touch(scratch.path() / "model" / "config.json");

    CHECK(labels(rows("file.open_scene", at)) ==
          Labels{"model/", "more/", "a.kvscene", "b.kvscene", "../"});
    const auto found = rows("file.open_scene", at + "b.k");
    REQUIRE(found.size() >= 1);
    CHECK(std::any_of(found.begin(), found.end(), [&](const PaletteRow& row) {
        return row.command == "file.open_scene " + at + "b.kvscene";
    }));
    // A folder is a way in, not a value.
    const auto in = rows("file.open_scene", at + "mor");
    const auto folder = std::find_if(in.begin(), in.end(),
                                     [](const PaletteRow& row) { return row.label == "more/"; });
    REQUIRE(folder != in.end());
    CHECK(folder->command.empty());
    CHECK(folder->query == at + "more/");
    CHECK(labels(rows("file.open_scene", folder->query)) == Labels{"c.kvscene", "../"});
    CHECK(labels(rows("file.open_scene", at + ".h")).front() == ".hidden.kvscene");
}

TEST_CASE("a record of a run can be opened, and no scene is saved over it", "[palette][paths]") {
    const ScratchFolder scratch;
    const std::string at = scratch.path().string() + "/";
    touch(scratch.path() / "run.jsonl");
    CHECK(labels(rows("file.open_scene", at)) == Labels{"run.jsonl", "../"});
    CHECK(labels(rows("file.save_scene", at)) == Labels{"../"});
    Settings settings;
    settings.recent_scenes = {at + "run.jsonl", at + "my.kvscene"};
    CHECK(rows("file.open_scene", "", settings).front().command ==
          "file.open_scene " + at + "run.jsonl");
    CHECK(rows("file.save_scene", "", settings).front().command ==
          "file.save_scene " + at + "my.kvscene");
}

TEST_CASE("a checkpoint is offered as a whole, and can be looked into", "[palette][paths]") {
    const ScratchFolder scratch;
    const std::string at = scratch.path().string() + "/";
    touch(scratch.path() / "model" / "config.json");
    const auto all = rows("file.open_model", at);
    CHECK(labels(all) == Labels{"model/", "model", "../"});
    CHECK(all[1].command == "file.open_model " + at + "model");
    const auto inside = rows("file.open_model", at + "model/");
    CHECK(inside.front().command == "file.open_model " + at + "model/");
    CHECK(labels(rows("file.open_config", at + "model/")) == Labels{"config.json", "../"});
}

TEST_CASE("with nothing typed come recent files and what the program brings along",
          "[palette][paths]") {
    Settings settings;
    settings.recent_scenes = {"/data/one.kvscene"};
    settings.recent_models = {"/data/model"};
    const auto scenes = rows("file.open_scene", "", settings);
    CHECK(scenes.front().command == "file.open_scene /data/one.kvscene");
    std::size_t shipped = 0;
    for (const auto& file : fs::directory_iterator(kv::test::source_dir() + "/assets/scenes")) {
        const std::string name = file.path().stem().string();
        if (file.path().extension() != ".kvscene") continue;
        ++shipped;
        CHECK(std::any_of(scenes.begin(), scenes.end(), [&](const PaletteRow& row) {
            return row.command == "file.open_scene " + name;
        }));
    }
    CHECK(shipped >= 9);
    const auto models = rows("file.open_model", "", settings);
    CHECK(models.front().command == "file.open_model /data/model");
    for (const char* name : {"mha", "gqa", "mqa"})
        CHECK(fs::exists(kv::test::source_dir() + "/assets/models/" + name));
}

TEST_CASE("every scene that comes along says what it shows, and is found by its letters",
          "[palette][paths]") {
    std::set<std::string> said;
    for (const PaletteRow& row : rows("file.open_scene", "")) {
        if (!fs::exists(kv::test::source_dir() + "/assets/scenes/" + row.label + ".kvscene"))
            continue;
        INFO(row.label);
        CHECK(row.detail.size() > 20);
        CHECK(said.insert(row.detail).second);  // its own sentence
    }
    CHECK(said.size() >= 18);
    CHECK(rows("file.open_scene", "need").front().command == "file.open_scene needle");
    const auto found = labels(rows("file.open_scene", "paper"));
    CHECK(std::count_if(found.begin(), found.end(), [](const std::string& label) {
              return label.starts_with("paper-figure-");
          }) == 4);
}

TEST_CASE("a new file may have any name, an old one may be named without the list",
          "[palette][paths]") {
    const ScratchFolder scratch;
    const std::string at = scratch.path().string() + "/";
    CHECK(rows("file.save_scene", at + "mine.kvscene").front().command ==
          "file.save_scene " + at + "mine.kvscene");
    const auto missing = rows("file.open_scene", "/no/such/folder/x.kvscene");
    CHECK(missing.back().command == "file.open_scene /no/such/folder/x.kvscene");
    CHECK(rows("file.save_scene", at).front().command.empty());  // a folder is no file
}

TEST_CASE("the home folder is written as a tilde", "[palette][paths]") {
    const ScratchFolder scratch;
    const EnvironmentVariable home("HOME", scratch.path().string());
    touch(scratch.path() / "my.kvscene");
    const auto all = rows("file.open_scene", "~/");
    CHECK(labels(all) == Labels{"my.kvscene", "../"});
    CHECK(all[0].command == "file.open_scene " + scratch.path().string() + "/my.kvscene");
}

TEST_CASE("recent files: the newest first, once each, at most eight", "[palette][settings]") {
    std::vector<std::string> recent;
    for (int i = 0; i < 10; ++i) remember(recent, "/" + std::to_string(i));
    CHECK(recent.size() == 8);
    CHECK(recent.front() == "/9");
    CHECK(recent.back() == "/2");
    remember(recent, "/5");
    CHECK(recent.front() == "/5");
    CHECK(recent.size() == 8);
    CHECK(std::count(recent.begin(), recent.end(), "/5") == 1);
}
