// A command that makes the pool anew leaves the steps before it as they were.
#include <catch2/catch_test_macros.hpp>

#include "app/panels/token/looked_at.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;

namespace {

// A is done before the command, B comes behind it.
std::string scene_with(const std::string& settings, const std::string& command) {
    return R"({"version": 1, "name": "s", "seed": 7, "model": {"name": "gqa"},
        "settings": {"backend": "reference", "block_size": 4, "pool": "64blocks")" +
           settings + R"(},
        "requests": [
            {"id": "A", "max_new": 8, "prompt": "Greta put the key in the box by the door. Then she went to the barn and"},
            {"id": "B", "arrive": 40, "max_new": 4, "prompt": "Greta put the key in the"}],
        "commands": [{"at": 30, "command": ")" +
           command + R"("}]})";
}

bool knows_its_lanes(const Desk& desk) {
    return desk.view().lanes.n_lanes() == desk.now().lanes.size();
}

}  // namespace

TEST_CASE("a step before a change of policy is seen as its own policy let it be",
          "[live][past_pool]") {
    const ScratchFolder folder;
    for (const auto& [before, after] :
         {std::pair("streaming:4+12", "h2o:8+8"), std::pair("h2o:8+8", "streaming:4+12"),
          std::pair("h2o:8+8", "none"), std::pair("none", "h2o:8+8")}) {
        CAPTURE(before, after);
        const std::string path =
            folder.write("s.kvscene", scene_with(R"(, "evict": ")" + std::string(before) + '"',
                                                 "set evict " + std::string(after)));
        Desk desk(path, 6);
        REQUIRE(desk.view().recorded_all);
        REQUIRE(knows_its_lanes(desk));
        desk.ask("run.prove");
        CHECK(desk.view().proof.state ==
              (std::string(before) == "none" ? ProofView::State::Proved : ProofView::State::Lossy));
        const Desk alone(
            folder.write("alone.kvscene", scene_with(R"(, "evict": ")" + std::string(before) + '"',
                                                     "set max_running 7")),
            6);
        REQUIRE(desk.view().attention != nullptr);
        CHECK(desk.view().attention->weights == alone.view().attention->weights);
        for (const std::uint32_t last : {0, 41}) {
            desk.ask("run.goto " + std::to_string(last));
            CHECK(knows_its_lanes(desk));
        }
        desk.ask("run.prove");
        CHECK(desk.view().proof.state != ProofView::State::Differs);
        desk.ask("run.first");
        CHECK(desk.view().lanes.n_lanes() == alone.view().lanes.n_lanes());
    }
}

TEST_CASE("every layer of a step before a change of policy has its keys", "[live][past_pool]") {
    const ScratchFolder folder;
    const std::string path =
        folder.write("s.kvscene", scene_with(R"(, "evict": "none")", "set evict h2o:8+8"));
    Desk desk(path, 6);
    for (std::uint32_t layer = 0; layer < desk.view().layout.n_layers; ++layer) {
        const auto place = place_of_token(desk.view().lane(), {SeqId(0), 0});
        REQUIRE(place);
        CHECK(stored_vector(desk.view(), place->block, place->slot, {LayerId(layer)}).held ==
              SlotBytes::Written);
    }
}
