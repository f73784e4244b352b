#pragma once
// The window's state and its run, without a window. Scenes and models are those that ship, or
// paths.

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "app/live/live_run.hpp"
#include "tests/places.hpp"

namespace kv {

inline std::string shipped(const char* folder, const std::string& word, const char* ending) {
    if (word.find('/') != std::string::npos) return word;
    return kv::test::source_dir() + "/assets/" + folder + "/" + word + ending;
}

struct Desk {
    AppState state;
    LiveRun run{{[](const std::string& scene) { return shipped("scenes", scene, ".kvscene"); },
                 [](const std::string& model) { return shipped("models", model, ""); },
                 [] { return kv::test::source_dir() + "/lessons"; }},
                {}};

    Desk() = default;
    explicit Desk(const std::string& scene, std::optional<std::uint32_t> step = {}) {
        open(scene, step);
    }
    void open(const std::string& scene, std::optional<std::uint32_t> step = {}) {
        run.open_as_shown(scene, step);
        run.finish(state);
    }
    void ask(const std::string& words) {
        push(words);
        run.finish(state);
    }
    void push(const std::string& words) {
        std::string why;
        const auto command = parse_command(words, why);
        INFO(words << " " << why);
        REQUIRE(command);
        apply(state, *command);
    }
    const RunView& view() const { return *run.view(); }
    const Snapshot& now() const { return view().now; }
};

}  // namespace kv
