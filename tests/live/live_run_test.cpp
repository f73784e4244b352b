#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/panels/view/facts.hpp"
#include "app/shell/settings.hpp"
#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;

// The counts of the picture that the Learn layout was designed with.
TEST_CASE("the Learn scene stands at its step with its blocks", "[live][scenes]") {
    Desk desk("learn");
    const PoolCounts counts = count_pool(desk.now());
    CHECK(desk.now().iteration == 39);
    CHECK(counts.used == 13);
    CHECK(counts.cached == 8);
    CHECK(counts.free == 27);
    CHECK(counts.live_slots == 189);
    CHECK(counts.empty_slots == 19);
    CHECK(desk.now().counters.prefix_hits == 32);
    CHECK(desk.now().counters.prefix_queries == 294);
    const SeqId a = *request_named(desk.now(), "A");
    CHECK(desk.state.run.focus.request == a);
    CHECK(place_of_token({desk.now()}, {a, 37})->block == BlockId(44));
    CHECK(place_of_token({desk.now()}, {a, 37})->slot == Slot(5));
    CHECK(place_of_token({desk.now()}, {a, 3})->block == BlockId(11));
    CHECK(desk.view().samples.back().iteration == 48);  // the future is recorded
    CHECK(desk.view().samples[38].kv_bytes_read == 113'152);
}

TEST_CASE("the Explore scene has every state of a block at its step", "[live][scenes]") {
    Desk desk("explore");
    const PoolCounts counts = count_pool(desk.now());
    CHECK(desk.now().iteration == 112);
    CHECK(counts.used == 28);
    CHECK(counts.cached == 19);
    CHECK(counts.free == 1);
    CHECK(counts.host_held == 12);
    CHECK(desk.now().running.size() == 7);
    CHECK(desk.now().waiting.size() == 1);
    CHECK(desk.now().counters.block_copies >= 2);
}

TEST_CASE("an address finds its owner, and the owner its address", "[live]") {
    Desk desk("learn");
    desk.ask("focus.request C");
    desk.ask("select.address 0x3B160");
    const RunFocus& focus = desk.state.run.focus;
    CHECK(name_of_request(desk.now(), focus.request) == "A");
    CHECK(focus.token == 37u);
    CHECK(focus.layer == 2);
    CHECK(focus.kv_head == 1);
    CHECK(focus.side == Side::K);
    CHECK(focus.dim == 0);
    CHECK(desk.view().layout.vector_offset(LayerId(2), Side::K, HeadId(1), BlockId(44), Slot(5)) ==
          0x3B160);
    desk.ask("select.address 0x3B166");
    CHECK(desk.state.run.focus.dim == 3);
    CHECK_THROWS_AS(desk.ask("select.address 0xFFFFFFFF"), Error);
    CHECK_THROWS_AS(desk.ask("select.address barn"), Error);
}

TEST_CASE("F goes from a token to its block and back", "[live]") {
    Desk desk("learn");
    const RunFocus& focus = desk.state.run.focus;
    desk.ask("focus.request A");
    desk.ask("select.token 37");
    desk.ask("select.follow");
    CHECK(focus.block == BlockId(44));
    CHECK_FALSE(focus.token);
    desk.ask("select.follow");
    CHECK(focus.token == 32u);  // the first of the block
    CHECK_FALSE(focus.block);
    // A block of another request takes that one into focus; one that nobody holds leads nowhere.
    desk.ask("select.block 19");
    desk.ask("select.follow");
    CHECK(name_of_request(desk.now(), focus.request) == "B");
    CHECK(focus.token == 32u);
    desk.ask("select.block 0");
    CHECK_THROWS_AS(desk.ask("select.follow"), Error);
    CHECK(focus.block == BlockId(0));
}

TEST_CASE("notes travel with the scene", "[live]") {
    Desk desk("learn");
    CHECK(desk.state.run.notes.text.empty());
    desk.state.run.notes.text = "Ask first: how many blocks?\nThen \"step\".";
    const ScratchFolder folder;
    const std::string file = (folder.path() / "notes.kvscene").string();
    desk.ask("file.save_scene " + file);
    const Desk again(file);
    std::filesystem::remove(file);
    CHECK(again.state.run.notes.text == desk.state.run.notes.text);
    Desk other("explore");
    other.state.run.notes.text = "of the old scene";
    other.run.open_scene("learn", {});
    other.run.finish(other.state);
    CHECK(other.state.run.notes.text.empty());
}

TEST_CASE("stepping, rewinding and going to a step all show the same states", "[live]") {
    Desk desk("learn", 20);
    const Snapshot at20 = desk.now();
    desk.ask("run.step iteration");
    desk.ask("run.forward");
    CHECK(desk.now().iteration == 21);
    desk.ask("run.back");
    CHECK(desk.now() == at20);
    desk.ask("run.last");
    CHECK(desk.view().at_end);
    desk.ask("run.first");
    CHECK(desk.view().moment == 0);
    desk.ask("run.goto 20");
    CHECK(desk.now() == at20);
    desk.ask("run.finer_forward");
    CHECK(desk.now().iteration == 21);
    CHECK(desk.now().in_iteration);
}

TEST_CASE("a break point stops after the event it names", "[live]") {
    Desk desk("explore", 0);
    desk.ask("run.until copy");
    CHECK(desk.now().counters.block_copies == 1);
    desk.ask("run.first");
    desk.ask("run.until request G");
    const Event event = desk.view().trace.event(desk.view().moment - 1);
    CHECK(name_of_request(desk.now(), *event.request) == "G");
    desk.ask("run.first");
    desk.ask("run.until block 39");
    CHECK(std::holds_alternative<BlockAllocated>(
        desk.view().trace.event(desk.view().moment - 1).what));
    CHECK_THROWS_AS(desk.ask("run.until nonsense"), Error);
    // Nothing is copied any more after the last step, and that is said.
    desk.ask("run.last");
    CHECK_THROWS_AS(desk.ask("run.until copy"), Error);
}

TEST_CASE("a model with fewer heads plays the same scene in fewer bytes", "[live]") {
    Desk desk("learn");
    const std::uint64_t gqa = bytes_per_token(desk.view().layout);
    desk.ask("run.model mqa");
    CHECK(desk.now().iteration == 39);
    CHECK(bytes_per_token(desk.view().layout) * 2 == gqa);
    desk.ask("run.model mha");
    CHECK(bytes_per_token(desk.view().layout) == gqa * 4);
    desk.ask("run.undo_set");
    CHECK(bytes_per_token(desk.view().layout) * 2 == gqa);
    desk.ask("run.redo_set");
    CHECK(bytes_per_token(desk.view().layout) == gqa * 4);
}

TEST_CASE("a setting is changed, taken back and done again; a wrong one changes nothing",
          "[live]") {
    Desk desk("learn");
    desk.ask("run.set block_size 8");
    CHECK(desk.now().block_size == 8);
    CHECK(desk.now().iteration == 39);
    CHECK_THROWS_AS(desk.ask("run.set block_size zero"), Error);
    CHECK_THROWS_AS(desk.ask("run.set nothing 3"), Error);
    CHECK(desk.now().block_size == 8);
    desk.ask("run.undo_set");
    CHECK(desk.now().block_size == 16);
    desk.ask("run.redo_set");
    CHECK(desk.now().block_size == 8);
    desk.ask("run.undo_set");
    desk.ask("run.undo_set");  // nothing left to take back
    CHECK(desk.now().block_size == 16);
}

TEST_CASE("a request is added, forked and stopped in the middle of a recorded run", "[live]") {
    Desk desk("learn");
    desk.ask("run.add Greta put the key in the barn. Where is the key?");
    CHECK(desk.now().iteration == 39);
    desk.ask("run.step iteration");
    desk.ask("run.forward");
    REQUIRE(request_named(desk.now(), "E"));
    CHECK(name_of_request(desk.now(), desk.state.run.focus.request) == "E");
    CHECK(is_running(desk.now(), *request_named(desk.now(), "E")));
    desk.ask("run.fork E");
    desk.ask("run.forward");
    REQUIRE(request_named(desk.now(), "F"));
    desk.ask("run.do stop A");
    CHECK(desk.now().requests[request_named(desk.now(), "A")->index()].finish == Finish::Stopped);
    CHECK_THROWS_AS(desk.ask("run.do dance"), Error);
}

TEST_CASE("a scene that was saved proved is proved when it is opened, at its step alone",
          "[live]") {
    Desk desk("learn");
    CHECK(desk.view().proof.state == ProofView::State::Proved);
    CHECK(desk.view().proof.max_abs_difference == 0);
    const std::string view = desk.run.scene_as_shown(desk.state)->view;
    CHECK(view.find("\"proved\":true") != std::string::npos);
    desk.ask("run.goto 20");
    CHECK(desk.run.scene_as_shown(desk.state)->view.find("proved") == std::string::npos);
    CHECK(Desk("learn", 38).view().proof.state == ProofView::State::NotChecked);
}

TEST_CASE("a step is proved, and another one is not proved by that", "[live]") {
    Desk desk("learn", 39);
    CHECK(desk.view().proof.state == ProofView::State::NotChecked);
    desk.ask("run.prove");
    CHECK(desk.view().proof.state == ProofView::State::Proved);
    CHECK(desk.view().proof.n_compared == 3);
    desk.ask("run.step iteration");
    desk.ask("run.back");
    CHECK(desk.view().proof.state == ProofView::State::NotChecked);
    CHECK_THROWS_AS((desk.ask("run.first"), desk.ask("run.prove")), Error);
}

TEST_CASE("attention sums to one and looks no further than the token itself", "[live]") {
    Desk desk("learn");
    REQUIRE(desk.view().attention);
    const AttentionPicture& picture = *desk.view().attention;
    CHECK(picture.position == 39);
    for (std::uint32_t layer = 0; layer < picture.n_layers; ++layer)
        for (std::uint32_t head = 0; head < picture.n_heads; ++head) {
            double sum = 0;
            for (const float weight : picture.of(layer, head)) sum += weight;
            CHECK(std::abs(sum - 1) < 1e-5);
        }
    desk.ask("focus.request C");
    CHECK(desk.view().attention->position == 138);
    desk.ask("run.first");
    CHECK(desk.view().attention == nullptr);
}

TEST_CASE("what was saved opens again at the same place", "[live]") {
    Desk desk("learn");
    desk.ask("run.set block_size 8");
    desk.ask("run.goto 30");
    desk.ask("focus.request C");
    desk.ask("select.token 5");
    const ScratchFolder folder;
    const std::string path = (folder.path() / "saved.kvscene").string();
    desk.ask("file.save_scene " + path);
    const Snapshot before = desk.now();
    Desk again(path);
    CHECK(again.now() == before);
    CHECK(name_of_request(again.now(), again.state.run.focus.request) == "C");
    CHECK(again.state.run.focus.token == 5u);
    std::filesystem::remove(path);
}

TEST_CASE("a scene that cannot be opened leaves what runs", "[live]") {
    Desk desk("learn");
    CHECK_THROWS_AS(desk.ask("file.open_scene /no/such.kvscene"), Error);
    CHECK(desk.now().iteration == 39);
    CHECK_THROWS_AS(desk.ask("run.model /no/such/model"), Error);
    CHECK(desk.now().iteration == 39);
    desk.ask("run.goto 12");
    CHECK(desk.now().iteration == 12);
}

TEST_CASE("what a run refuses can be said in the language of the window", "[live]") {
    Desk desk("learn");
    Texts pseudo;
    pseudo.pseudo();
    double now = 0;
    const auto refusal = [&](const std::string& words) {
        INFO(words);
        desk.state.notice.reset();
        desk.push(words);
        desk.run.tick(desk.state, now += 0.25);
        REQUIRE(desk.state.notice);
        CHECK(desk.state.notice->refused);
        const Said& said = desk.state.notice->said;
        CHECK(said.english().find('{') == std::string::npos);  // every place is filled
        CHECK(said.in(pseudo).starts_with("["));
        return said.english();
    };
    CHECK(refusal("run.until midnight") ==
          "`midnight` is no kind of event, no request and no block; write one of arrive, admit, "
          "wait, allocate, share, copy, free, store, remove, preempt, evict, offload, load, token, "
          "finish, refuse, a request's name, or block 7.");
    CHECK(refusal("run.next_difference") ==
          "There is only one run; compare it first, with run.compare model mqa or run.branch set "
          "share off.");
    CHECK(refusal("run.compare model " + desk.run.scene()->model) ==
          "`model " + desk.run.scene()->model +
              "` is what the run has already, so there is nothing to compare; name another value.");
    CHECK(refusal("select.address 0xFFFFFFFFFFFF").starts_with("`0xFFFFFFFFFFFF` is no address"));
    CHECK(refusal("run.set block_size 0").find("block_size") != std::string::npos);
    CHECK(refusal("run.do dance").starts_with("`dance` "));
    CHECK(refusal("price.add int9").starts_with("`int9` is neither a codec nor a policy"));
    LiveRun alone({[](const std::string& scene) { return shipped("scenes", scene, ".kvscene"); },
                   [](const std::string& model) { return shipped("models", model, ""); }},
                  {});
    AppState state;
    apply(state, {"lesson.open", std::string("3")});
    alone.tick(state, 0.25);
    CHECK(alone.lesson().problem.english() == "This program has no lessons beside it.");
}

TEST_CASE("frame by frame the run comes to the same place as all at once", "[live]") {
    Desk whole("learn"), slow;
    AppState& state = slow.state;
    LiveRun& run = slow.run;
    run.open_scene("learn");
    for (int frame = 0; frame < 100'000 && (run.under_way() || run.view() == nullptr); ++frame)
        run.tick(state, frame / 60.0);
    REQUIRE(run.view() != nullptr);
    CHECK(run.view()->now == whole.now());
    CHECK_FALSE(state.notice);

    state.run.playback.playing = true;
    state.run.playback.step = Granularity::Iteration;
    double now = 2'000;
    while (state.run.playback.playing && now < 3'000) run.tick(state, now += 0.25);
    CHECK(run.view()->at_end);
    CHECK(run.view()->now.iteration == 48);
}

TEST_CASE("a smaller pool forgets the ids that it does not have", "[live]") {
    Desk desk("learn");
    desk.ask("run.set pool 24blocks");
    CHECK(desk.view().layout.n_blocks == 24);
    CHECK(desk.now().iteration == 39);
    desk.ask("run.undo_set");
    CHECK(place_of_token({desk.now()}, {*request_named(desk.now(), "A"), 37})->block ==
          BlockId(44));
}

TEST_CASE("a break point stops where a policy drops a token", "[live]") {
    Desk desk("needle", 0);
    desk.ask("run.until evict");
    const Snapshot before = desk.view().trace.at(desk.view().moment - 1);
    CHECK(before.counters.tokens_dropped == 0);
    CHECK(desk.now().counters.tokens_dropped > 0);
}

// As in the window: frame by frame, while the engine computes beside it.
TEST_CASE("an edit of the scene keeps what is looked at", "[live]") {
    Desk desk("explore");
    RunFocus& focus = desk.state.run.focus;
    const std::string name = desk.now().requests[focus.request.index()].name;
    REQUIRE(focus.request.index() > 0);
    focus.token = 21, focus.layer = 2;
    double now = 0;
    const auto settle = [&] {
        for (int i = 0; i < 20'000; ++i) {
            desk.run.tick(desk.state, now += 0.25);
            if (!desk.run.under_way() && desk.now().iteration == 112) return;
        }
        INFO(desk.view().model_name
             << " at step " << desk.now().iteration << ", "
             << (desk.state.notice ? desk.state.notice->said.english() : ""));
        FAIL("the scene was not played to its step again");
    };
    desk.push("run.model mha");
    settle();
    // The next edit may come before the last one has been played.
    desk.push("run.model gqa");
    desk.run.tick(desk.state, now += 0.25);
    desk.push("run.model mqa");
    settle();
    CHECK(desk.now().requests[focus.request.index()].name == name);
    CHECK(focus.token == 21);
    CHECK(focus.layer == 2);
    CHECK(desk.view().model_name == "mqa");
}

TEST_CASE("whoever plays the run carries out its own commands, and no other", "[live][commands]") {
    for (const CommandRow& row : command_table()) {
        INFO(row.name);
        const bool is_ours = row.owner == CommandOwner::Run || row.owner == CommandOwner::Opener;
        CHECK(LiveRun::carries_out(row.id) == is_ours);
    }
}

TEST_CASE("a scene opens in its layout, unless another one is asked for", "[live]") {
    Desk desk;
    desk.state.layout = LayoutName::Explore;
    desk.open("compare");
    CHECK(desk.state.layout == LayoutName::Compare);
    desk.run.open_as_shown("needle", {}, {}, LayoutName::Learn);
    desk.run.finish(desk.state);
    CHECK(desk.state.layout == LayoutName::Learn);
}

TEST_CASE("whatever is shown, the settings and the scene that keep it can be read again",
          "[live][layout]") {
    Desk desk("first");
    const auto check_kept = [&] {
        INFO(desk.state.settings.layout << ", shown as " << name_of(desk.state.layout));
        CHECK_NOTHROW(load_settings(print_settings(desk.state.settings), "settings.json"));
        CHECK_NOTHROW(parse_scene(scene_text(*desk.run.scene_as_shown(desk.state)), "saved"));
    };
    for (std::size_t i = 0; i < kAllLayouts; ++i) {
        desk.state.layout = static_cast<LayoutName>(i);
        check_kept();
    }
    for (const PanelRow& panel : panel_table()) {
        desk.state.layout = LayoutName::Explore;
        desk.push("panel.show " + std::string(panel.name));
        check_kept();
        desk.push("layout.present");
        desk.push("present.leave");
        check_kept();
    }
}

TEST_CASE("a scene that was saved beside a server opens where its run is seen", "[live][layout]") {
    Desk desk("first");
    desk.push("layout.attach");
    const ScratchFolder folder;
    const std::string path = (folder.path() / "saved.kvscene").string();
    desk.ask("file.save_scene " + path);
    const Desk again(path);
    CHECK(again.state.layout == LayoutName::Explore);
}

TEST_CASE("a change that does not come about leaves undo and redo as they were",
          "[live][history]") {
    Desk desk("learn");
    const auto fails = [&](const char* wish) {
        CHECK_THROWS_AS(desk.ask(wish), Error);
        desk.run.finish(desk.state);
    };
    desk.ask("run.set block_size 8");
    desk.ask("run.undo_set");
    fails("run.model /no/such/model");
    CHECK_FALSE(desk.view().can_undo);
    desk.ask("run.redo_set");
    CHECK(desk.now().block_size == 8);

    // What undo leads to may be gone as well.
    const ScratchFolder folder;
    const std::filesystem::path model = folder.path() / "model";
    std::filesystem::copy(shipped("models", "gqa", ""), model,
                          std::filesystem::copy_options::recursive);
    desk.ask("run.model " + model.string());
    desk.ask("run.model gqa");
    std::filesystem::remove_all(model);
    fails("run.undo_set");
    CHECK(desk.view().can_undo);
    CHECK_FALSE(desk.view().can_redo);
}

TEST_CASE("a command that is refused in the past leaves the future as it was", "[live][history]") {
    Desk desk("learn", 20);
    desk.ask("run.do stop D");
    desk.ask("run.set block_size 8");
    desk.ask("run.undo_set");
    desk.ask("run.goto 10");
    desk.ask("run.step operation");
    desk.ask("run.back");
    desk.ask("focus.request D");
    const std::string before = scene_text(*desk.run.scene_as_shown(desk.state));
    const std::uint64_t moment = desk.view().moment;
    desk.ask("run.do pause NOSUCH");
    REQUIRE(desk.state.notice);
    CHECK(desk.state.notice->refused);
    CHECK(desk.state.notice->said.english().find("NOSUCH") != std::string::npos);
    CHECK(scene_text(*desk.run.scene_as_shown(desk.state)) == before);
    CHECK(desk.view().moment == moment);
    CHECK(desk.view().can_redo);
    desk.ask("run.goto 30");
    CHECK(desk.now().requests[request_named(desk.now(), "D")->index()].finish == Finish::Stopped);
    desk.ask("run.undo_set");
    CHECK(desk.run.scene_as_opened()->commands.empty());
}
