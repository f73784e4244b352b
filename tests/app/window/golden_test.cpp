// Golden pictures: what the program draws, compared pixel for pixel with pictures that a person has
// looked at. They are drawn in integers, so they hold on every machine. KVARIUM_BLESS=1 writes them
// anew; look at the result and commit it by itself.

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/cli/shot/shot.hpp"
#include "core/whatif/record/service.hpp"
#include "tests/places.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

const fs::path kGoldens = fs::path(kv::test::source_dir()) / "tests/golden/pictures";

bool blessing() {
    const char* bless = std::getenv("KVARIUM_BLESS");
    return bless != nullptr && std::string(bless) == "1";
}

// Empty when the pictures are equal, else what to look at.
std::string compare_with_golden(const std::string& name, const Image& actual) {
    const fs::path golden = kGoldens / (name + ".png");
    if (blessing()) {
        fs::create_directories(kGoldens);
        write_png(golden, actual);
        return "";
    }
    const auto difference = compare(actual, read_png(golden));
    if (!difference) return "";
    const fs::path folder = fs::path(kv::test::binary_dir()) / "golden-failures";
    fs::create_directories(folder);
    write_png(folder / (name + "-actual.png"), actual);
    write_png(folder / (name + "-difference.png"), difference->picture);
    return difference->sentence + " See " + (folder / (name + "-difference.png")).string() +
           "; if the new picture is right, renew it with KVARIUM_BLESS=1.";
}

struct Golden {
    const char* name;
    ShotOptions options;
};

ShotOptions layout(const char* name, const char* theme, PixelSize size) {
    ShotOptions options;
    options.layout = name;
    options.theme = theme;
    options.size = size;
    return options;
}
ShotOptions panel(const char* name, const char* theme, PixelSize size, double scale,
                  std::vector<std::string> commands = {}) {
    ShotOptions options;
    options.panel = name;
    options.theme = theme;
    options.size = size;
    options.scale = scale;
    options.commands = std::move(commands);
    return options;
}
ShotOptions with(ShotOptions options, std::vector<std::string> commands,
                 std::string language = "") {
    options.commands = std::move(commands);
    options.language = std::move(language);
    return options;
}

// The scene names the backend that plays it.
ShotOptions with_scene(const char* name, ShotOptions options) {
    options.scene = name;
    return options;
}

// The same numbers on every processor: the fast backend rounds as its instructions do.
ShotOptions played(ShotOptions options) {
    options.commands.insert(options.commands.begin(), "run.set backend reference");
    return options;
}
// A small recording: two ranks with two groups each, a gap, a restart.
ShotOptions recorded(ShotOptions options, std::vector<std::string> commands = {}) {
    options.commands = {"attach.file " + kv::test::source_dir() +
                        "/tests/golden/recordings/two_ranks.jsonl"};
    options.commands.insert(options.commands.end(), commands.begin(), commands.end());
    return options;
}
// Its scene is played by the reference backend as it is.
ShotOptions at_stop(ShotOptions options, int stop) {
    options.scene = "";
    options.commands = {"minute.start"};
    for (int i = 1; i < stop; ++i) options.commands.push_back("minute.next");
    return options;
}
ShotOptions without_run(ShotOptions options) {
    options.scene = "";
    return options;
}

// An hour of a service that is made up, in a pool that is too small for it. One file for all of
// this process, and not of another one that runs the same tests.
fs::path recorded_hour() {
    static const ScratchFolder folder;
    const fs::path file = folder.path() / "hour.jsonl";
    if (fs::exists(file)) return file;
    std::ofstream out(file);
    record_service({.pool_blocks = 6000}, [&](const std::string& line) { out << line << "\n"; });
    return file;
}
ShotOptions weighed(const char* theme, PixelSize size, const char* view) {
    const fs::path file = recorded_hour();
    return without_run(with(layout("explore", theme, size),
                            {"whatif.file " + file.string(), std::string("whatif.view ") + view}));
}

std::vector<Golden> goldens() {
    return {
        {"explore-dark-1920", played(layout("explore", "dark", {1920, 1080}))},
        {"explore-light-1280", played(layout("explore", "light", {1280, 720}))},
        {"learn-light-1920", played(layout("learn", "light", {1920, 1080}))},
        {"learn-dark-1280", played(layout("learn", "dark", {1280, 720}))},
        {"present-light-1280", played(layout("present", "light", {1280, 720}))},
        {"present-question-light-1280",
         without_run(with(layout("present", "light", {1280, 720}), {"lesson.open 8:walk"}))},
        {"present-event-dark-1920", without_run(with(layout("present", "dark", {1920, 1080}),
                                                     {"lesson.open 9:figures", "lesson.reveal"}))},
        {"compare-dark-1920", played(layout("compare", "dark", {1920, 1080}))},
        {"attach-light-1280", layout("attach", "light", {1280, 720})},
        {"attach-recorded-dark-1920", recorded(layout("attach", "dark", {1920, 1080}))},
        {"attach-recorded-light-1280",
         recorded(layout("attach", "light", {1280, 720}),
                  {"attach.rank 1", "attach.group 1", "attach.goto 60"})},
        {"attach-compare-dark-1920",
         recorded(layout("attach", "dark", {1920, 1080}), {"attach.against rank:1"})},
        {"attach-compare-light-1280",
         recorded(layout("attach", "light", {1280, 720}), {"attach.against rank:1"})},
        {"compare-contrast-1280", played(layout("compare", "contrast", {1280, 720}))},
        {"stage-small-pool-2x",
         played(with(panel("stage", "light", {640, 420}, 2.0), {"run.set pool 24blocks"}))},
        {"bytes-light-2x", played(panel("bytes", "light", {384, 512}, 2.0))},
        {"attention-dark", played(panel("attention", "dark", {384, 420}, 1.0))},
        {"lesson-light",
         without_run(panel("lesson", "light", {436, 772}, 1.0, {"lesson.open 8:2"}))},
        {"lesson-revealed-dark",
         without_run(panel("lesson", "dark", {436, 772}, 1.0,
                           {"lesson.open 8:2", "lesson.say 2", "lesson.reveal"}))},
        {"figure-steps-dark-1920",
         without_run(with(layout("learn", "dark", {1920, 1080}), {"lesson.open 1:off"}))},
        {"figure-heads-light-1280",
         without_run(with(layout("learn", "light", {1280, 720}),
                          {"lesson.open 7:map", "lesson.say 1 3", "lesson.reveal"}))},
        {"drafts-dark-1920", with_scene("drafts", layout("explore", "dark", {1920, 1080}))},
        {"drafts-panel-light", with_scene("drafts", panel("drafts", "light", {440, 560}, 1.0))},
        {"explore-pseudo-1280",
         without_run(with(layout("explore", "dark", {1280, 720}), {}, "pseudo"))},
        {"palette-dark-1280",
         without_run(with(layout("explore", "dark", {1280, 720}), {"palette.open"}))},
        {"keys-light-1280",
         without_run(with(layout("learn", "light", {1280, 720}), {"help.keys"}))},
        {"first-start-dark-1920", played(with(layout("explore", "dark", {1920, 1080}),
                                              {"window.first_start", "start.step 2"}))},
        {"first-start-light-1280", played(with(layout("explore", "light", {1280, 720}),
                                               {"window.first_start", "start.step 2"}))},
        {"minute-table-dark-1920", at_stop(layout("explore", "dark", {1920, 1080}), 3)},
        {"minute-attention-light-1280", at_stop(layout("explore", "light", {1280, 720}), 5)},
        {"present-dark-70b-1280",
         without_run(with(layout("present", "dark", {1280, 720}), {"bill.model llama-2-70b"}))},
        {"calculator-70b-overflow",
         without_run(panel("calculator", "dark", {832, 560}, 1.0, {"bill.model llama-2-70b"}))},
        {"race-dark-1920",
         without_run(with(layout("explore", "dark", {1920, 1080}), {"panel.show race"}))},
        {"race-light-1280",
         without_run(with(layout("explore", "light", {1280, 720}), {"race.open", "race.last"}))},
        {"race-faults-contrast",
         without_run(panel("race", "contrast", {832, 560}, 1.0,
                           {"race.fault leak", "race.fault oversized_blocks"}))},
        {"whatif-pool-dark-1280", weighed("dark", {1280, 720}, "pool")},
        {"whatif-block-size-light-1280", weighed("light", {1280, 720}, "block_size")},
        {"whatif-order-dark-1920", weighed("dark", {1920, 1080}, "order")},
        {"equation-mla-2x",
         without_run(panel("equation", "light", {388, 316}, 2.0, {"bill.model deepseek-v3"}))},
    };
}

}  // namespace

TEST_CASE("the program draws what was looked at", "[pixels][golden][heavy]") {
    for (const Golden& golden : goldens()) DYNAMIC_SECTION(golden.name) {
            const std::string difference =
                compare_with_golden(golden.name, shot_image(golden.options));
            INFO(difference);
            CHECK(difference.empty());
        }
}

TEST_CASE("the golden comparison notices one changed pixel", "[pixels][golden]") {
    if (blessing()) SKIP("goldens are being written");
    Image changed = read_png(kGoldens / "equation-mla-2x.png");
    const Color old = changed.at(100, 100);
    changed.set(100, 100, {static_cast<std::uint8_t>(old.r ^ 1), old.g, old.b, old.a});
    CHECK(compare_with_golden("equation-mla-2x", changed).find("1 pixel") != std::string::npos);
}

TEST_CASE("the same line draws the same picture twice", "[pixels][heavy]") {
    const ShotOptions options = layout("explore", "dark", {1280, 720});
    CHECK(shot_image(options) == shot_image(options));
}
