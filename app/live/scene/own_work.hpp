#pragma once
// What of a scene is the work of a person: how it differs from the one that was opened or saved.

#include "app/frame/state/own_work.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

// Undone again it is none. `is_sentence`: the scene was made of a sentence that was typed.
OwnWork own_work(const Scene& kept, const Scene& now, bool is_sentence);

// The own work of the run in the window, looked at anew only where it may have changed.
class WorkWatch {
public:
    void keep(const Scene& scene, bool is_sentence);  // it was opened or saved
    const OwnWork& at(const Scene& now, std::uint64_t run);

private:
    Scene kept_;
    bool is_sentence_ = false;
    std::uint64_t run_ = 0;
    std::size_t n_commands_ = 0;
    OwnWork work_;
};

}  // namespace kv
