#pragma once
// Plays a scene on an engine: its requests are submitted, and its commands are applied between the
// iterations that it names.

#include <cstddef>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

class ScenePlay {
public:
    // `commands` in order of `at`.
    ScenePlay(Engine& engine, std::vector<RequestSpec> requests,
              std::vector<SceneCommand> commands);

    bool done() const { return engine_.done() && next_ == commands_.size(); }
    // The number of the iteration that advance() would do, when there is one left.
    std::uint32_t next_iteration() const;
    void advance();  // the commands that are due, and one iteration if there is one to do

    const std::vector<std::string>& refusals() const { return refusals_; }  // of commands, in order

private:
    void apply_due(std::uint32_t iteration);

    Engine& engine_;
    std::vector<SceneCommand> commands_;
    std::size_t next_ = 0;
    std::vector<std::string> refusals_;
};

}  // namespace kv
