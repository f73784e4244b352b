#pragma once
// What the page of the first start remembers: what is typed into its field, and where its picture
// stands. The owner of the run (app/live) moves the picture on.

#include <cstdint>
#include <string>

#include "app/shell/texts/said.hpp"

namespace kv {

struct StartUi {
    bool open = false;
    bool just_opened = false;     // its first door takes the keyboard
    bool takes_keyboard = false;  // its field does
    bool to_end = false;          // the field's cursor goes behind what stands in it
    bool in_field = false;        // letters are for the field, and so are digits
    bool has_keyboard = false;    // the field had it in the last frame
    std::string sentence = {};
    Said problem = {};  // why the sentence was not run; until it is changed

    // The picture: which step of its run, since when, and how much of its way the newest key and
    // value have gone. Nobody chose a step: it plays, or stands at the last one where nothing
    // moves.
    bool playing = true;
    bool chosen = false;
    std::uint32_t step = 1, rounds = 0;  // how often it has begun again
    double since = 0;                    // seconds of the clock that never goes back
    float way = 1;                       // 0 to 1
    bool is_moving = false;
};

}  // namespace kv
