// What of a run is the work of a person, that it can be taken back, and that nothing drops it
// before somebody was asked.

#include "app/live/scene/own_work.hpp"

#include <filesystem>
#include <fstream>

#include "app/panels/view/facts.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;

namespace {

const char* kPrompt = "run.add Greta put the key in the barn. Where is the key?";

struct Asking : Desk {
    explicit Asking(const std::string& scene) : Desk(scene) { state.asks_first = true; }
    const OwnWork& work() const { return state.run.own_work; }
};

struct Scratch {
    ScratchFolder folder;
    std::filesystem::path file = folder.path() / "own-work.kvscene";
};

}  // namespace

TEST_CASE("looking is no work; a request, a setting and a model are", "[live][work]") {
    Asking desk("learn");
    CHECK(desk.work() == OwnWork{});
    for (const char* look : {"run.goto 12", "select.token 3", "run.forward", "run.prove"})
        desk.ask(look);
    CHECK_FALSE(desk.work().any());
    desk.ask(kPrompt);
    CAPTURE(desk.work().commands, desk.work().settings);
    CHECK(desk.work() == OwnWork{.commands = 1});
    desk.ask("run.set block_size 8");
    CHECK(desk.work() == OwnWork{.commands = 1, .settings = true});
    desk.ask("run.undo_set");
    desk.ask("run.undo_set");
    CHECK(desk.work() == OwnWork{});
    desk.ask("run.model mqa");
    CHECK(desk.work() == OwnWork{.settings = true});
}

TEST_CASE("a request that was added or forked is taken back, and comes again", "[live][work]") {
    Asking desk("learn");
    const auto has_at = [&](int step, const char* name) {
        desk.ask("run.goto " + std::to_string(step));
        return request_named(desk.now(), name).has_value();
    };
    const PoolCounts before = count_pool(desk.now());
    desk.ask(kPrompt);
    CHECK(has_at(41, "E"));
    desk.ask("run.fork E");
    CHECK(has_at(43, "F"));
    desk.ask("run.undo_set");
    CHECK(has_at(43, "E"));
    CHECK_FALSE(has_at(43, "F"));
    desk.ask("run.undo_set");
    CHECK_FALSE(has_at(43, "E"));
    desk.ask("run.goto 39");
    CHECK(count_pool(desk.now()).used == before.used);
    CHECK(count_pool(desk.now()).live_slots == before.live_slots);
    desk.ask("run.redo_set");
    CHECK(has_at(43, "E"));
}

TEST_CASE("a request that is added in the past has a name that nobody will bring", "[live][work]") {
    Asking desk("learn");
    const std::size_t all = desk.now().requests.size();
    desk.ask("run.goto 1");
    REQUIRE(desk.now().requests.size() < all);
    desk.ask(kPrompt);
    REQUIRE(desk.state.notice);
    CHECK_FALSE(desk.state.notice->refused);
    desk.ask("run.goto 39");
    CHECK(desk.now().requests.size() == all + 1);
}

TEST_CASE("a request that is taken back before it came is announced no longer", "[live][work]") {
    Asking desk("learn");
    desk.ask(kPrompt);
    REQUIRE(desk.state.notice);
    desk.ask("run.undo_set");
    CHECK_FALSE(desk.state.notice);
}

TEST_CASE("taking back where nothing is left says so", "[live][work]") {
    Asking desk("learn");
    desk.ask("run.undo_set");
    REQUIRE(desk.state.notice);
    CHECK(desk.state.notice->said.english() == "Nothing is left to take back.");
    CHECK_FALSE(desk.state.notice->refused);
}

TEST_CASE("another scene asks first, and the answer decides", "[live][work]") {
    Asking desk("learn");
    desk.ask(kPrompt);
    const std::uint64_t run = desk.view().id;
    desk.ask("file.open_scene needle");
    REQUIRE(desk.state.question);
    CHECK(desk.view().id == run);
    desk.ask("question.stay");
    CHECK_FALSE(desk.state.question);
    CHECK(desk.view().id == run);
    desk.ask("file.open_scene needle");
    desk.ask("question.drop");
    CHECK(desk.view().id != run);
    const std::string other = desk.view().scene;
    CHECK_FALSE(desk.work().any());
    desk.ask("file.open_scene learn");  // nothing was done here
    CHECK_FALSE(desk.state.question);
    CHECK(desk.view().scene != other);
}

TEST_CASE("whoever saves first goes on then, and the file has the work", "[live][work]") {
    const Scratch scratch;
    Asking desk("learn");
    desk.ask(kPrompt);
    desk.push("app.quit");
    REQUIRE(desk.state.question);
    CHECK_FALSE(desk.state.quit);
    desk.push("question.save");
    CHECK(desk.state.palette.pending == "file.save_scene");
    desk.ask("file.save_scene " + scratch.file.string());
    CHECK(desk.state.quit);
    CHECK_FALSE(desk.state.question);
    CHECK_FALSE(desk.work().any());
    const Scene saved = read_scene(scratch.file.string());
    REQUIRE_FALSE(saved.commands.empty());
    CHECK(std::holds_alternative<AddRequest>(saved.commands.back().command));
}

TEST_CASE("a sentence is work until it is saved; the next one needs no question", "[live][work]") {
    const Scratch scratch;
    Asking desk("learn");
    desk.ask("start.sentence Greta put the key in the barn.");
    CHECK(desk.work() == OwnWork{.sentence = true});
    desk.ask("start.sentence Hugo has the map.");
    CHECK_FALSE(desk.state.question);
    desk.ask("file.open_scene learn");
    CHECK(desk.state.question);
    desk.ask("question.stay");
    desk.ask("file.save_scene " + scratch.file.string());
    CHECK_FALSE(desk.work().any());
    desk.ask("run.set block_size 8");
    desk.ask("start.sentence Ida is here.");
    CHECK(desk.state.question);  // the setting would go with the sentence
}

// The command stays, since whoever wrote the scene wants to show it; so nobody wonders why their
// own value is not seen behind it.
TEST_CASE("a setting that the scene sets again is chosen until then, and that is said", "[live]") {
    Asking desk("learn");
    const Scratch saved;
    std::ofstream(saved.file) << R"({"version": 1, "name": "s", "seed": 7, "model": {"name": "gqa"},
        "requests": [{"id": "A", "prompt": "Mia hid the key", "max_new": 6}],
        "commands": [{"at": 3, "command": "set k_codec int8"}]})";
    desk.ask("file.open_scene " + saved.file.string());
    desk.ask("run.set k_codec bf16");
    REQUIRE(desk.state.notice);
    CHECK(desk.state.notice->said.in(Texts()) ==
          "The scene itself sets k_codec to int8 after step 3, so bf16 holds only until then.");
    desk.state.notice.reset();
    desk.ask("run.set share off");
    CHECK_FALSE(desk.state.notice);
}
