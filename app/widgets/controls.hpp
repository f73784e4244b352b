#pragma once
// Buttons and switches. Each stands at the ImGui cursor and takes its value as an argument; what
// comes back is what the person asked for, never a stored state. Widths are pixels, 0 is "as wide
// as needed" (button, segmented, link) or "the room there is" (dropdown, slider, toggle).

#include <optional>

#include "app/widgets/hit.hpp"

namespace kv {

float control_height(const Ui& ui, bool dense);  // 32 or 26

struct ButtonLook {
    bool primary = false;  // light on dark: the one thing to do next
    bool enabled = true;
    bool dense = false;
    bool on = false;            // a switch that is on, as "Lock scrubbers"
    std::string_view key = {};  // key cap inside, as Back [Left]
    float width = 0;
};
bool button(const Ui& ui, const char* id, std::string_view label, const ButtonLook& look = {});
float button_width(const Ui& ui, std::string_view label, const ButtonLook& look = {});

struct SegmentedLook {
    bool dense = true;
    bool enabled = true;
    bool mono = false;  // options are numbers
    float width = 0;
    std::span<const Hue> hues = {};  // one per option: the K and V switch; empty: no hue
    // Becomes the option under the mouse or the keyboard, so that it can be shown before it is
    // chosen; null: nobody asks.
    std::optional<std::size_t>* pointed = nullptr;
};
// One Tab stop; arrows move inside it, Enter or Space chooses. The new choice, or nothing.
std::optional<std::size_t> segmented(const Ui& ui, const char* id,
                                     std::span<const std::string_view> options,
                                     std::size_t selected, const SegmentedLook& look = {});
float segmented_width(const Ui& ui, std::span<const std::string_view> options,
                      const SegmentedLook& look = {});

struct DropdownLook {
    bool enabled = true;
    bool dense = true;
    float width = 0;
    std::optional<std::size_t>* pointed = nullptr;
};
std::optional<std::size_t> dropdown(const Ui& ui, const char* id,
                                    std::span<const std::string_view> options, std::size_t selected,
                                    const DropdownLook& look = {});
// The list alone, under a control that opens it: ImGui::OpenPopup("list") inside PushID(id).
std::optional<std::size_t> list_under(const Ui& ui, const char* id, const Rect& control,
                                      std::span<const std::string_view> options,
                                      std::size_t selected, std::optional<std::size_t>& pointed);

// A switch with its label and a quiet consequence at the right end of the row. True: the person
// flipped it.
struct ToggleLook {
    bool enabled = true;
    std::string_view caption = {};
    float width = 0;
};
bool toggle(const Ui& ui, const char* id, std::string_view label, bool value,
            const ToggleLook& look = {});
bool checkbox(const Ui& ui, const char* id, std::string_view label, bool value,
              const ToggleLook& look = {});

// Text with a dotted underline, as "Leaves out". True when pressed.
bool link(const Ui& ui, const char* id, std::string_view text);
bool link(const Ui& ui, const char* id, std::string_view text, const TextStyle& style);

// A key as it is written on the keyboard, in a small box; `left` is the middle of its left side.
float key_cap_width(const Ui& ui, std::string_view key);
void draw_key_cap(const Painter& p, Vec2 left, std::string_view key);

}  // namespace kv
