#pragma once
// Runs for panels to show: one that the engine really plays from the text of a scene, and one made
// of events written by hand, for states and pool sizes that would take long to reach.

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/live/scene/view_of.hpp"
#include "app/panels/view/run.hpp"
#include "app/session/run_session.hpp"
#include "core/trace/event/event.hpp"
#include "tests/places.hpp"

namespace kv::test {

inline std::shared_ptr<const LoadedModel> loaded_gqa() {
    const std::string folder = kv::test::source_dir() + "/assets/models/gqa";
    Checkpoint checkpoint = Checkpoint::open(folder);
    auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    REQUIRE(loaded.has_value());
    return std::make_shared<const LoadedModel>(
        LoadedModel{std::move(checkpoint), tokenizer_of(folder), std::move(*loaded)});
}

class PlayedRun {
public:
    explicit PlayedRun(Scene scene) : session(loaded_gqa(), std::move(scene), "a test") {}

    RunView view() { return view_of(session, 1, focus); }
    RunSession session;
    RunFocus focus;  // its layer and head choose the lane
};

inline Scene scene_named(const std::string& name) {
    const std::string path = kv::test::source_dir() + "/assets/scenes/" + name + ".kvscene";
    return read_scene(path);
}

// Every token is written as its number.
class ToldRun {
public:
    ToldRun(std::uint32_t n_blocks, std::uint32_t block_size, std::uint32_t n_host = 0) {
        layout = {.n_layers = 4,
                  .n_kv_heads = 2,
                  .block_size = block_size,
                  .n_blocks = n_blocks,
                  .order = KvOrder::TokenMajor,
                  .k = {16, 16, 32},
                  .v = {16, 16, 32}};
        tell(PoolMade{.n_blocks = n_blocks, .block_size = block_size, .n_host = n_host});
    }

    void tell(EventBody what, std::optional<SeqId> request = std::nullopt) {
        trace.append(Event{iteration, request, {}, std::move(what)});
    }
    // A request that runs, with `tokens` known ones and `stored` of them in these blocks.
    SeqId add(std::uint32_t tokens, std::uint32_t stored,
              const std::vector<std::uint32_t>& blocks) {
        const SeqId id(static_cast<std::uint32_t>(trace.end().requests.size()));
        TokenIds prompt(tokens);
        for (std::uint32_t i = 0; i < tokens; ++i) prompt[i] = i;
        tell(
            RequestArrived{
                std::string(1, static_cast<char>('A' + id.value % 26)), prompt, {}, 8, 0, {}, {}},
            id);
        if (blocks.empty()) return id;
        tell(RequestAdmitted{0, 0}, id);
        for (std::uint32_t entry = 0; entry < blocks.size(); ++entry) {
            const bool used = trace.end().lanes[0].blocks[blocks[entry]].ref_count > 0;
            if (used)
                tell(BlockShared{LaneId(0), BlockId(blocks[entry]), entry}, id);
            else
                tell(BlockAllocated{LaneId(0), BlockId(blocks[entry]), entry}, id);
        }
        if (stored > 0) tell(TokensStored{0, stored}, id);
        return id;
    }

    RunView view() const {
        return {.id = layout.n_blocks,
                .trace = trace,
                .now = trace.end(),
                .moment = trace.size(),
                .at_end = true,
                .scene = "told",
                .model = config,
                .model_name = "told",
                .backend = "cpu",
                .layout = layout,
                .k_codec = Codec::Bf16,
                .v_codec = Codec::Bf16,
                .settings = settings,
                .samples = {},
                .payloads = payloads,
                .attention = nullptr,
                .proof = {},
                .word = [this](std::uint32_t token) -> const std::string& {
                    while (words.size() <= token) words.push_back(std::to_string(words.size()));
                    return words[token];
                }};
    }

    std::uint32_t iteration = 1;
    Trace trace;
    KvLayout layout;
    ModelConfig config{};
    PayloadLog payloads{0};
    std::map<std::string, std::string> settings;

private:
    mutable std::vector<std::string> words;
};

}  // namespace kv::test
