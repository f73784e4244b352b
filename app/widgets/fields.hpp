#pragma once
// Controls that hold a number or a text. Typing is strict: what is not understood is refused with
// the caller's sentence and the value stays as it was. Enter, Tab and leaving the field commit, Esc
// reverts.

#include <cstdint>
#include <optional>
#include <string>

#include "app/widgets/controls.hpp"

namespace kv {

// Lives in the panel's own struct: the last refused text, shown until the next commit.
struct FieldUi {
    std::optional<std::string> refused;
    friend bool operator==(const FieldUi&, const FieldUi&) = default;
};

struct FieldLook {
    bool enabled = true;
    bool dense = true;
    bool wrong = false;          // vermillion outline
    float width = 0;             // pixels; 0: the room there is
    std::string_view hint = {};  // shown while empty
};
// The stock input keeps the caret, the selection and the clipboard; the frame around it is ours.
struct InputLook {
    ImFont* font = nullptr;
    float size = 13, padding = 10;  // logical pixels
    Color hint = {};
};
class InputStyle {
public:
    InputStyle(const Ui& ui, const InputLook& look, float height);
    ~InputStyle();
    InputStyle(const InputStyle&) = delete;
    InputStyle& operator=(const InputStyle&) = delete;
};

// What was committed in this frame; `shown` is the text while nobody types.
std::optional<std::string> text_field(const Ui& ui, const char* id, std::string_view shown,
                                      const FieldLook& look = {});

struct NumberLook {
    std::uint64_t min = 0, max = ~std::uint64_t{0};
    std::uint64_t step = 0;  // 0: no step buttons
    bool enabled = true;
    bool dense = true;
    float width = 0;
    std::string_view refusal = {};  // the rule as a sentence: "A whole number from 1 to 1,024."
};
// Whole numbers, with or without thousands commas. The new value, or nothing; shows `refusal`
// beneath while the last typed text was refused.
std::optional<std::uint64_t> number_field(const Ui& ui, const char* id, FieldUi& state,
                                          std::uint64_t value, const NumberLook& look);

// The pure half of it: "4096" and "4,096" but not "40,96", "+1", "1e3" or a value out of range.
std::optional<std::uint64_t> read_number(std::string_view text, std::uint64_t min,
                                         std::uint64_t max);

struct SliderLook {
    double min = 0, max = 1;
    double step = 0;           // 0: continuous
    bool logarithmic = false;  // min must be above 0
    bool enabled = true;
    float width = 0;
};
// Arrow keys move by one step once it is activated with Enter, as ImGui's own sliders do.
std::optional<double> slider(const Ui& ui, const char* id, double value, const SliderLook& look);
// The pure half: position 0..1 of a value and back; the value is clamped and on a step.
double slider_position(double value, const SliderLook& look);
double slider_value(double position, const SliderLook& look);

}  // namespace kv
