#pragma once
// What a scene that somebody handed in for a task is worth.

#include <string>

namespace kv {

struct TaskVerdict {
    std::string id;
    bool ok = false;
    std::string note;                  // why it is right, or what is missing
    std::string score, best, nothing;  // of a challenge; nothing: of its untouched scene
};

}  // namespace kv
