#pragma once
// Words and places of the panel Price. Pure: no imgui.h, tested without a window.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/view/price.hpp"
#include "app/shell/geometry.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

enum class PriceScale : std::uint8_t { Kl, Nll };
double price_of(const PriceNumbers& numbers, PriceScale scale);

// "int4", "int8 + int4", "window:48", "int8 + int4, window:48".
std::string price_name(const PriceRow& row);
// The label of a row in the picture: the same without the numbers of the policy.
std::string price_label(const PriceRow& row);

// A circle is a codec, a square a policy that lets a prompt, or each chunk of it, be read whole and
// drops afterwards, a diamond one that hides far tokens from the prompt's own queries as well.
enum class PriceShape : std::uint8_t { Circle, Square, Diamond };
PriceShape shape_of(const PriceRow& row);
// Under table and picture, if any row drops tokens.
bool has_price_legend(const PriceSheet& sheet);

// The columns in the order in which they give way to a narrow panel, the last first.
enum class PriceColumn : std::uint8_t { Held, Kl, Nll, Needles, Flips, Mass, KError, VError };
inline constexpr std::size_t kPriceColumns = 8;
std::string_view unit_of_column(PriceColumn column);
// The text of a cell; empty where the column does not apply.
std::string price_cell(const PriceNumbers& numbers, PriceColumn column);
TextId title_of(PriceColumn column);

// Says of each row whether it is on the frontier: no other one holds less and costs no more, or
// holds as much and costs less. Rows that are not measured never are; of two alike both are.
std::vector<bool> price_frontier(const PriceSheet& sheet, PriceScale scale);

// The chart: where it begins and ends, and its ticks. Bytes grow by powers of two, KL by powers of
// ten above a lowest line that stands for 0; NLL is linear.
struct PriceAxes {
    double min_x = 0.5, max_x = 1;  // KiB
    double min_y = 0, max_y = 1;
    bool log_y = false;
    struct Tick {
        double at;
        std::string label;
    };
    std::vector<Tick> x_ticks, y_ticks;
    double y(double value) const { return log_y && value < min_y ? min_y : value; }
};
PriceAxes price_axes(const PriceSheet& sheet, PriceScale scale, float height);

// Where the labels of marks stand: beside their mark if there is room, else further off with a line
// to it. Never over a mark, another label or its line, and not over `lines` if there is room beside
// them; nothing where no room is left.
struct PriceMark {
    Vec2 at;
    float radius;
    Vec2 size;  // of the label
};
struct PricePlace {
    Rect rect;
    bool led = false;  // a line leads to the mark
};
struct PriceLine {
    Vec2 from, to;
};
PriceLine leader_of(const PriceMark& mark, const Rect& label);
std::vector<std::optional<PricePlace>> place_labels(std::span<const PriceMark> marks,
                                                    const Rect& room, float gap,
                                                    std::span<const PriceLine> lines = {});

// What stands where in a room of that size, in logical pixels.
// Controls beside each other from the left, as many as fit, then in another row; one that is wider
// than the room gets all of it.
struct StripPart {
    float x = 0, width = 0;
    std::size_t row = 0;
};
List<StripPart> price_strip(std::span<const float> widths, float room, float gap);

struct PriceLayout {
    bool table = true, chart = true;  // which of the two is shown
    Rect table_room, chart_room;
};
// `chart_wanted`: where only one of the two fits.
PriceLayout price_layout(Vec2 room, bool chart_wanted);
inline constexpr float kPriceRow = 24, kPriceHead = 36, kPriceName = 156, kPriceColumn = 64,
                       kPriceLegendRow = 20;
inline constexpr float kPriceTableWidth = kPriceName + kPriceColumn * kPriceColumns;

// The legend's two parts in a width: side by side, or one below the other.
struct PriceLegend {
    std::array<Vec2, 2> at;
    float height = 0;
};
PriceLegend price_legend(float width, std::array<float, 2> parts);

// How many columns fit beside the names in a table of that width, and how wide each is.
struct PriceTableWidths {
    std::size_t columns = kPriceColumns;
    float name = kPriceName, column = kPriceColumn;
};
PriceTableWidths price_table_widths(float width);

}  // namespace kv
