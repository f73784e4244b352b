#pragma once
// Code: the listing of a step's idea, beside it the values of this moment, and below it the lines
// of this program that do it. What runs now is lit in both.

#include <cstdint>
#include <optional>

#include "app/export/data_table.hpp"
#include "app/panels/code/beats.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// What the panel remembers between frames: the beats of what is shown, and which of them runs.
struct CodeUi {
    // What the beats were made of; they are made anew only when it changes.
    struct Stamp {
        std::uint32_t lesson = 0;
        std::size_t step = 0;
        bool revealed = false;
        std::uint32_t figure_key = 0;
        std::uint64_t run = 0, run_length = 0;  // events
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    std::optional<Stamp> stamp;
    CodeBeats beats;
    std::optional<std::size_t> at;
    std::uint64_t moment = 0;  // of the run, as it was followed last
    int steps = 0;             // asked for by commands, to be taken when it is drawn
    // How the next key is entered: its lines run by themselves, or a step led to one of its ends.
    enum class Enters : std::uint8_t { Running, First, Last } enters = Enters::Running;
    std::optional<double> since;  // the lines run one after the other, from then on
    std::optional<std::size_t> shown_at;
    bool is_moving = false;  // so the next picture is another one
    bool is_drawn = false;   // in this frame
    bool presented = false;  // beside the picture, in front of an audience
};

bool has_code(const LessonView& lesson);

// Draws the code in the current window.
void draw_code(const Ui& ui, const LessonView& lesson, const RunView* run, CodeUi& own);
// Draws it in front of an audience, in that room, in pixels.
void draw_code_in(const Ui& ui, const LessonView& lesson, const RunView* run, CodeUi& own,
                  const Rect& room);
std::vector<DataTable> code_tables(const LessonView& lesson, const RunView* run);

}  // namespace kv
