#pragma once
// What is being made ready and is not on the screen yet: a model or events that are read, a run
// that is computed up to where it is looked at. Stands in place of the picture.

#include <cstdint>
#include <optional>
#include <string>

#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct Preparing {
    enum class What : std::uint8_t { Model, Events, Run } what = What::Run;
    std::string name = {};
    double done = 0;                         // of a file that is read, 0 to 1
    std::uint32_t step = 0;                  // of a run: iterations that are computed
    std::optional<std::uint32_t> last = {};  // that it goes to; none: to its end
    friend bool operator==(const Preparing&, const Preparing&) = default;
};

struct PreparingWords {
    Text title, how_far;
    const char* why = "";
    std::optional<double> share;  // of the bar; none where nobody knows how much there is
};
PreparingWords words_of(const Preparing& what, const Texts& text);

// Draws it in the middle of the room that is left, with a button that stops it.
void draw_preparing(const Ui& ui, const Preparing& what);
// Draws it in one row of controls.
void draw_preparing_row(const Ui& ui, const Preparing& what);

// The whole window: of an audience.
void draw_preparing_page(const Ui& ui, const Preparing& what);

}  // namespace kv
