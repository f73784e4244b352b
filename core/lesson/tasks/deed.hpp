#pragma once
// What somebody does in the tank, in the words of the palette:
//
//   run.set pool 4blocks      the scene with that setting, from its first step on
//   run.model mqa             the scene with another model
//   run.goto 5                the cursor stands after iteration 5
//   run.do pause A            a command to the run, where the cursor stands
//   run.add TEXT              the same as run.do add, under the first letter that is free
//   run.fork A                the same as run.do fork, likewise
//
// Carried out on a scene they leave the scene that the window would hold after the same commands,
// so a task is solved alike by hand, by its file and by a test. Over a recording there is no scene:
// its commands are those of core/lesson/recording/ask.hpp, which a deed only keeps. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/scene/scene.hpp"

namespace kv {

struct TankDeed {
    enum class Kind : std::uint8_t { Set, Model, Go, Tell, Add, Fork, Weigh };
    Kind kind = Kind::Tell;
    std::string what = {};        // a setting with its value, a model, a prompt, a request
    std::uint32_t iteration = 0;  // where the cursor goes
    std::optional<EngineCommand> command = {};
    std::string words = {};  // as they are typed
};

// On a refusal `why` is the end of a sentence: "is no command of the tank; write ...".
std::optional<TankDeed> parse_deed(std::string_view words, std::string& why);

// A scene that is being changed, and where its cursor stands.
struct TankScene {
    Scene scene;
    std::uint32_t at = 0;  // iteration
};
// Why it cannot be done, as the end of a sentence; empty when it is.
std::string carry_out(const TankDeed& deed, TankScene& tank);

}  // namespace kv
