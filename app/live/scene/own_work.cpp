#include "app/live/scene/own_work.hpp"

#include <algorithm>

namespace kv {
namespace {

bool is_among(const std::vector<SceneCommand>& commands, const SceneCommand& wanted) {
    return std::any_of(commands.begin(), commands.end(), [&](const SceneCommand& command) {
        return command.at == wanted.at && command.command == wanted.command;
    });
}

std::uint32_t count_missing(const std::vector<SceneCommand>& from,
                            const std::vector<SceneCommand>& in) {
    return static_cast<std::uint32_t>(
        std::count_if(in.begin(), in.end(),
                      [&](const SceneCommand& command) { return !is_among(from, command); }));
}

// What of a scene decides about its run from its first step on. Where one looks is no work.
std::string ground_of(Scene scene) {
    scene.commands.clear(), scene.step.reset(), scene.layout.reset(), scene.sha256.reset();
    scene.view = "{}";
    return scene_text(scene);
}

}  // namespace

OwnWork own_work(const Scene& kept, const Scene& now, bool is_sentence) {
    // Those after a change in the past go with it.
    const std::uint32_t added = count_missing(kept.commands, now.commands);
    return {.sentence = is_sentence,
            .commands = added > 0 ? added : count_missing(now.commands, kept.commands),
            .settings = ground_of(kept) != ground_of(now)};
}

void WorkWatch::keep(const Scene& scene, bool is_sentence) {
    kept_ = scene, is_sentence_ = is_sentence;
    run_ = 0;
}

const OwnWork& WorkWatch::at(const Scene& now, std::uint64_t run) {
    if (run != run_ || now.commands.size() != n_commands_) {
        work_ = own_work(kept_, now, is_sentence_);
        run_ = run, n_commands_ = now.commands.size();
    }
    return work_;
}

}  // namespace kv
