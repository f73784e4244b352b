#pragma once
// What the panels of the bill draw alike: columns, a row that unfolds, the tip over a number, and
// the ring around whatever counts the factor that somebody points at.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/bill/calculator/unfold.hpp"
#include "app/panels/bill/ui.hpp"
#include "app/panels/bill/view.hpp"
#include "app/widgets/rows.hpp"

namespace kv {

constexpr float kBetweenControls = 8;  // logical, from a control to the next label

float room_width();  // whole pixels from the cursor to the right edge

// The panels set their distances themselves.
class TightSpacing {
public:
    TightSpacing() { ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0}); }
    ~TightSpacing() { ImGui::PopStyleVar(); }
    TightSpacing(const TightSpacing&) = delete;
    TightSpacing& operator=(const TightSpacing&) = delete;
};

// Two columns side by side: the left one so wide (pixels), then a gap, then the rest.
class TwoColumns {
public:
    TwoColumns(const char* id, float left, float gap);
    ~TwoColumns();
    void next() const;
    TwoColumns(const TwoColumns&) = delete;
    TwoColumns& operator=(const TwoColumns&) = delete;

private:
    bool open_;
};

// A control that sets a factor: pointing at it lights the factor everywhere, and the other way
// round.
class FactorZone {
public:
    FactorZone(const Ui& ui, BillFocus& focus, BillFactor factor);
    ~FactorZone();
    FactorZone(const FactorZone&) = delete;
    FactorZone& operator=(const FactorZone&) = delete;

private:
    const Ui& ui_;
    BillFocus& focus_;
    BillFactor factor_;
};

// A row of choices, or a list of them where the row would not fit. Nothing is chosen when `chosen`
// is past the end. `pointed` becomes the option under the mouse or the keyboard.
std::optional<std::size_t> choice(const Ui& ui, const char* id,
                                  std::span<const std::string_view> options, std::size_t chosen,
                                  std::optional<std::size_t>* pointed = nullptr);

// The lines of an open result. Pressing an operand goes deeper.
void draw_unfolded(const Ui& ui, const BillView& view, std::optional<std::string>& path,
                   BillFocus& focus);
// Draws the same as a tip beside the mouse.
void draw_unfold_tip(const Ui& ui, const BillView& view, std::string_view result,
                     std::string_view title);

void draw_too_large(const Ui& ui, const std::string& why);

}  // namespace kv
