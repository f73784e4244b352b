#pragma once
// Lines of a panel: label left, value right. Each takes the width there is, advances the ImGui
// cursor and says whether the mouse is on it. Values are mono and end at one right edge, so digits
// line up.

#include <optional>

#include "app/widgets/paint/paint.hpp"

namespace kv {

struct RowLook {
    float height = 22;    // logical pixels
    bool strong = false;  // value bold and a size larger, label in full text colour
    bool small = false;   // 12 px both
    bool total = false;   // a rule above the value: it is a sum
    std::optional<Color> value_color = {};
    std::optional<Color> label_color = {};
    std::string_view secondary = {};  // quiet text right after the label
};
bool value_row(const Ui& ui, std::string_view label, std::string_view value,
               const RowLook& look = {});

// A title and under it a quieter line; value at the right. 40 px.
bool two_line_row(const Ui& ui, std::string_view title, std::string_view caption_text,
                  std::string_view value = {});

// "Memory KiB": 14 semibold with a quiet caption after it, and optionally a quiet mono text at the
// right.
void section_head(const Ui& ui, std::string_view title, std::string_view caption_text = {},
                  std::string_view right = {});
// A label over a control with what it costs at the right: "Attention        512 B per token".
void control_head(const Ui& ui, std::string_view label, std::string_view consequence = {});
// One wrapped paragraph at the cursor.
void paragraph(const Ui& ui, const TextStyle& style, float pitch, std::string_view text);

enum class RuleSpan : std::uint8_t { Content, Window };  // Window: from panel edge to panel edge
void rule(const Ui& ui, RuleSpan span = RuleSpan::Window, float space_above = 8,
          float space_below = 8);
// Empty room, logical pixels. Widgets stand flush, so all room between them comes from here.
void space(const Ui& ui, float logical);

}  // namespace kv
