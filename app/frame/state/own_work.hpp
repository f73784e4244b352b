#pragma once
// What a person has put into the run since it was opened or saved, and the question that stands
// before whatever would drop it.

#include <cstdint>

#include "app/shell/commands.hpp"

namespace kv {

struct OwnWork {
    bool sentence = false;       // the run is of a sentence that was typed
    std::uint32_t commands = 0;  // requests added, forked or stopped
    bool settings = false;       // other settings, or another model
    bool changes() const { return commands > 0 || settings; }
    bool any() const { return sentence || changes(); }
    friend bool operator==(const OwnWork&, const OwnWork&) = default;
};

struct DropQuestion {
    Command held_back;    // what was asked for, and is carried out once the work may go
    bool saving = false;  // a file is being chosen for it
};

}  // namespace kv
