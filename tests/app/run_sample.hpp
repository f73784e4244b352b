#pragma once
// A stock scene as the panels see it, at a step of one's choice. Slow to make: share one in a file.

#include <memory>
#include <string>

#include "app/panels/run_history.hpp"
#include "app/panels/run_view.hpp"
#include "app/session/run_session.hpp"

namespace kv::test {

inline std::shared_ptr<const LoadedModel> stock_model(const std::string& name) {
    const std::string folder = std::string(KVARIUM_SOURCE_DIR) + "/assets/models/" + name;
    Checkpoint checkpoint = Checkpoint::open(folder);
    auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    return std::make_shared<const LoadedModel>(
        LoadedModel{std::move(checkpoint), tokenizer_of(folder), std::move(*loaded)});
}

class SampleRun {
public:
    explicit SampleRun(const std::string& scene)
        : path_(std::string(KVARIUM_SOURCE_DIR) + "/assets/scenes/" + scene + ".kvscene"),
          session_(stock_model("gqa"), read_scene(path_), path_) {}

    RunSession& session() { return session_; }
    RunView view(std::uint32_t iteration) {
        session_.to_iteration(iteration);
        return view();
    }
    RunView view() {
        return {.id = 1,
                .trace = session_.trace(),
                .now = session_.now(),
                .moment = session_.moment(),
                .at_end = session_.at_end(),
                .busy = false,
                .scene = session_.scene().name,
                .model = session_.model().config(),
                .model_name = "gqa",
                .backend = "cpu",
                .layout = session_.layout(),
                .k_codec = session_.settings().k_codec,
                .v_codec = session_.settings().v_codec,
                .samples = session_.series().samples(),
                .payloads = session_.payloads(),
                .attention = nullptr,
                .proof = {},
                .roofs = {},
                .word = [this](std::uint32_t token) -> const std::string& {
                    return session_.word(token);
                }};
    }
    const RunHistory& history() {
        history_.catch_up(1, session_.trace());
        return history_;
    }

private:
    std::string path_;
    RunSession session_;
    RunHistory history_;
};

}  // namespace kv::test
