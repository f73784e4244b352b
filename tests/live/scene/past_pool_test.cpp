// A command that makes the pool anew leaves the steps before it as they were.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/export/table_text.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/panels/view/history.hpp"
#include "core/trace/files/json.hpp"
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

TEST_CASE("a step before a change of codec is read with the scales that it was stored with",
          "[live][past_pool]") {
    const ScratchFolder folder;
    const auto keys_at = [&](const std::string& command, std::uint32_t step) {
        const Desk desk(
            folder.write("s.kvscene", scene_with(R"(, "k_codec": "int8:tensor")", command)), step);
        const auto place = place_of_token(desk.view().lane(), {SeqId(0), 0});
        REQUIRE(place);
        const BlockValues values = block_values(desk.view(), place->block, LayerId(1));
        return std::pair(std::vector(values.k.begin(), values.k.end()),
                         desk.view().attention->weights);
    };
    const auto plain = keys_at("set max_running 7", 6);
    for (const char* codec : {"bf16", "int4:tensor", "int8:tensor"})
        CHECK(keys_at("set k_codec " + std::string(codec), 6) == plain);
}

TEST_CASE("a step before its keys went over to another codec is read as it was stored",
          "[live][past_pool]") {
    const ScratchFolder folder;
    const auto scene = [](const std::string& commands) {
        return R"({"version": 1, "name": "s", "seed": 7, "model": {"name": "gqa"},
            "settings": {"block_size": 4, "pool": "64blocks", "k_codec": "int8:tensor"},
            "requests": [{"id": "A", "max_new": 8, "prompt": "Greta put the key in the"}],
            "commands": [)" +
               commands + "]}";
    };
    const std::string twice = R"({"at": 6, "command": "set k_codec int4:tensor"},
                                 {"at": 6, "command": "set k_codec bf16"})";
    const auto keys_of = [&](const std::string& commands, std::uint32_t step) {
        const Desk desk(folder.write("s.kvscene", scene(commands)), step);
        const auto place = place_of_token(desk.view().lane(), {SeqId(0), 0});
        REQUIRE(place);
        const BlockValues values = block_values(desk.view(), place->block, LayerId(1));
        return std::vector(values.k.begin(), values.k.end());
    };
    CHECK(keys_of(twice, 4) == keys_of("", 4));
    CHECK(keys_of(twice, 6) == keys_of("", 6));
}

TEST_CASE("the settings of a past step are those that it was computed with", "[live][past_pool]") {
    const ScratchFolder folder;
    for (const auto& [before, after] :
         {std::pair("streaming:4+12", "h2o:8+8"), std::pair("h2o:8+8", "window:7"),
          std::pair("tova:12", "none")}) {
        CAPTURE(before, after);
        const std::string evict = R"(, "evict": ")" + std::string(before) + '"';
        Desk desk(folder.write("s.kvscene", scene_with(evict, "set evict " + std::string(after))),
                  6);
        CHECK(desk.view().settings.at("evict") == before);
        CHECK(std::string(before).starts_with(name_of(policy_of(desk.view()).policy)));
        RunHistory history;
        history.catch_up(desk.view());
        for (const char* step : {"6", "41", "43"}) {
            desk.ask("run.goto " + std::string(step));
            const auto& samples = desk.view().samples;
            const auto here = std::find_if(samples.begin(), samples.end(), [&](const Sample& s) {
                return s.iteration == desk.now().iteration;
            });
            REQUIRE(here != samples.end());
            CHECK(history.keys_by_query(here->iteration) * slot_bytes(desk.view()) ==
                  here->kv_bytes_read);
        }
        CHECK(desk.view().settings.at("evict") == after);
        desk.ask("run.first");
        CHECK(desk.view().settings.at("evict") == before);
    }
}

TEST_CASE("a step is measured in the bytes that its own pool took for a token",
          "[live][past_pool]") {
    const ScratchFolder folder;
    for (const char* command : {"set k_codec int8", "set block_size 8", "set evict h2o:8+8"}) {
        CAPTURE(command);
        std::string scene = scene_with(R"(, "evict": "none")", command);
        scene.replace(scene.find(R"("at": 30)"), 8, R"("at": 4)");  // while A runs
        Desk desk(folder.write("s.kvscene", scene), 3);
        const auto tables = [&] {
            RunHistory history;
            history.catch_up(desk.view());
            return charts_tables(desk.view(), history);
        };
        // Step, and what it held and read; whether it lies behind the cursor is another matter.
        const auto samples = [&] {
            DataTable table = tables().at(1);
            for (auto& row : table.rows) row[1] = {};
            return table_csv(table);
        };
        const auto value = [](const DataTable& now, std::string_view name) {
            const auto row = std::find_if(now.rows.begin(), now.rows.end(),
                                          [&](const std::vector<TableCell>& r) {
                                              return std::get<std::string>(r[0]) == name;
                                          });
            return row->at(1);
        };
        const std::string before = samples();
        for (const char* step : {"4", "5", "41"}) {
            desk.ask("run.goto " + std::string(step));
            CHECK(samples() == before);
            const DataTable now = tables().at(0);
            CHECK(value(now, "KV read") == value(now, "KV read by the formula"));
        }
        const DataTable all = tables().at(1);
        for (const auto& row : all.rows) CHECK(row[9] == row[10]);
        desk.ask("run.goto 4");
        desk.ask("run.step operation");
        for (int i = 0; i < 6; ++i) {
            desk.ask("run.forward");
            const DataTable now = tables().at(0);
            CHECK(value(now, "KV read") == value(now, "KV read by the formula"));
        }
    }
}

// There the cursor stands behind the command, and the pool is another one already.
TEST_CASE("the last step before a change of pool is proved as it was computed",
          "[live][past_pool]") {
    const ScratchFolder folder;
    const std::string coded = R"(, "evict": "h2o:8+8", "k_codec": "int8:tensor")";
    for (const char* command : {"set k_codec int4:tensor", "set evict none", "set block_size 8"}) {
        CAPTURE(command);
        Desk desk(folder.write("s.kvscene", scene_with(coded, command)), 8);
        const Desk alone(folder.write("alone.kvscene", scene_with(coded, "set max_running 7")), 8);
        desk.ask("run.goto 8");
        REQUIRE(desk.view().moment > alone.view().moment);
        REQUIRE(desk.view().attention != nullptr);
        CHECK(desk.view().attention->weights == alone.view().attention->weights);
        desk.ask("run.prove");
        CHECK(desk.view().proof.state == ProofView::State::Lossy);
        CHECK(desk.view().proof.masked_difference == 0);
    }
}

TEST_CASE("a recorded run has at each step the pool of that step", "[live][trace][past_pool]") {
    const ScratchFolder folder;
    for (const char* command : {"set evict h2o:8+8", "set block_size 8"}) {
        CAPTURE(command);
        Desk played(folder.write("s.kvscene", scene_with("", command)));
        Desk read;
        read.open(folder.write("s.jsonl", trace_json(played.view().trace)));
        for (const char* step : {"6", "41", "7"}) {
            played.ask(std::string("run.goto ") + step);
            read.ask(std::string("run.goto ") + step);
            CHECK(knows_its_lanes(read));
            CHECK(read.view().layout.block_size == played.view().layout.block_size);
            CHECK(read.view().layout.n_blocks == played.view().layout.n_blocks);
            CHECK(read.view().layout.n_layers == played.view().layout.n_layers);
        }
    }
}
