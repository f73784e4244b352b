#include "core/lesson/scene_play.hpp"

#include <algorithm>
#include <utility>

namespace kv {

ScenePlay::ScenePlay(Engine& engine, std::vector<RequestSpec> requests,
                     std::vector<SceneCommand> commands)
    : engine_(engine), commands_(std::move(commands)) {
    for (RequestSpec& spec : requests) engine_.submit(std::move(spec));
}

std::uint32_t ScenePlay::next_iteration() const {
    const bool waits = engine_.done() && next_ < commands_.size();
    return waits ? std::max(engine_.iteration(), commands_[next_].at) + 1
                 : engine_.next_iteration();
}

void ScenePlay::advance() {
    apply_due();
    if (!engine_.done()) engine_.advance();
}

// A command can bring a request, and with it an earlier next iteration.
void ScenePlay::apply_due() {
    while (next_ < commands_.size() && commands_[next_].at < next_iteration()) {
        const SceneCommand& command = commands_[next_++];
        engine_.skip_to(command.at);
        if (auto refusal = engine_.apply(command.command)) refusals_.push_back(std::move(*refusal));
    }
}

}  // namespace kv
