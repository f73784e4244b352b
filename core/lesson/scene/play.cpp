#include "core/lesson/scene/play.hpp"

#include <algorithm>
#include <utility>

namespace kv {

ScenePlay::ScenePlay(Engine& engine, std::vector<RequestSpec> requests,
                     std::vector<SceneCommand> commands)
    : engine_(engine), commands_(std::move(commands)) {
    for (RequestSpec& spec : requests) engine_.submit(std::move(spec));
}

// The next iteration before which something happens: the engine's own next one, or the one behind
// the next command, whichever is earlier. An engine that is done has only the command.
std::uint32_t ScenePlay::next_iteration() const {
    if (next_ == commands_.size()) return engine_.next_iteration();
    const std::uint32_t after = std::max(engine_.iteration(), commands_[next_].at) + 1;
    return engine_.done() ? after : std::min(after, engine_.next_iteration());
}

void ScenePlay::advance() {
    // A command may stop or pause all that ran. Then the engine's next iteration lies behind `now`,
    // and a later call computes it.
    const std::uint32_t now = next_iteration();
    apply_due(now);
    if (!engine_.done() && engine_.next_iteration() <= now) engine_.advance();
}

void ScenePlay::apply_due(std::uint32_t iteration) {
    while (next_ < commands_.size() && commands_[next_].at < iteration) {
        const SceneCommand& command = commands_[next_++];
        engine_.skip_to(command.at);
        if (auto refusal = engine_.apply(command.command)) refusals_.push_back(std::move(*refusal));
    }
}

}  // namespace kv
