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
    std::string folder;                   // of its model
    std::shared_ptr<RunSession> session;  // also of who keeps a picture of it
    std::uint64_t id = 0;                 // no other session of this program has it
};

}  // namespace kv
