#pragma once
// A scene: everything that a run is made of, as a file that a person can write. The same scene
// gives the same run, token for token, on every machine (docs/reproducibility.md says what backends
// that round otherwise leave of that).

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/run/request/request.hpp"
#include "core/engine/settings/command.hpp"
#include "core/engine/settings/settings.hpp"

namespace kv {

// A request as written: with a text or with tokens.
struct SceneRequest {
    std::string id;
    std::uint32_t arrive = 0;
    std::optional<std::string> prompt;
    std::vector<std::uint32_t> tokens;
    std::uint32_t max_new = 32;
    double temperature = 0;
    std::optional<std::uint32_t> top_k;
    std::optional<double> top_p;
    std::vector<std::string> stop;
    std::string force;
    std::vector<std::uint32_t> force_tokens;
    std::optional<std::string> fork_of;
    std::string salt;
    std::int32_t priority = 0;
};

struct SceneCommand {
    std::uint32_t at = 0;  // before iteration at + 1
    EngineCommand command;
};

struct Scene {
    // Written out in read.cpp: left implicit, each file that uses one compiles them again.
    Scene();
    Scene(const Scene&);
    Scene(Scene&&) noexcept;
    Scene& operator=(const Scene&);
    Scene& operator=(Scene&&) noexcept;
    ~Scene();

    std::string name;
    std::uint64_t seed = 0;
    std::string model = "gqa";
    std::optional<std::string> sha256;  // of the weights that it was made with
    EngineSettings settings;
    std::vector<SceneRequest> requests;
    std::vector<SceneCommand> commands;  // in order of `at`
    std::optional<std::uint32_t> step;   // where to look: after that iteration; none: the end
    double speed = 1;
    std::optional<std::string> layout;
    std::string view = "{}";  // JSON, for the window
};

constexpr std::uint64_t kMostSceneBytes = 16u << 20;
constexpr std::array<std::string_view, 4> kLayoutWords{"learn", "explore", "present", "compare"};

// Why no run of this scene could carry the command out; empty when one may. Whether a request is
// there at that moment, the run says.
std::string command_refusal(const Scene& scene, const EngineCommand& command);

// Throws Error (World) that names `place`, the field and the rule.
Scene parse_scene(std::string_view text, const std::string& place);
Scene read_scene(const std::string& path);
// Throws Error (World) for bytes that are no UTF-8.
std::string scene_text(const Scene& scene);
// Every setting with its value, as a scene writes them.
nlohmann::ordered_json scene_settings(const EngineSettings& settings);

// The engine's requests: texts through the tokenizer. `place` begins the sentence of a refusal.
std::vector<RequestSpec> request_specs(const Scene& scene, const Tokenizer* tokenizer,
                                       std::uint64_t vocab_size, const std::string& place);

}  // namespace kv
