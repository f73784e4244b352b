#pragma once
// A scene that is played: alone, or as one of two sides.

#include <cstdint>
#include <memory>
#include <string>

#include "app/session/run_session.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

struct PlayedSide {
    Scene scene;
    std::string place;                    // of it, in messages
    std::string folder;                   // of its model
    std::shared_ptr<RunSession> session;  // also of who keeps a picture of it
    std::uint64_t id = 0;                 // no other session of this program has it
};

// A model that is so small that its runs are computed before anybody asks for them.
inline bool runs_unasked(const RunSession& session) {
    constexpr std::uint64_t kSmallModel = 16'000'000;  // parameters
    return session.model().loaded.parameters <= kSmallModel;
}

}  // namespace kv
