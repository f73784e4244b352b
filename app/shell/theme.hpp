#pragma once
// The colours, and nothing but the colours. Chrome has no hue; hue always means data: K, V, a
// request or loss. tests/app/shell/theme_test.cpp checks every pair that carries text or meaning by
// WCAG; where a pair falls short, the test says what carries the meaning instead.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kv {

struct Color {
    std::uint8_t r, g, b, a = 255;
    friend bool operator==(const Color&, const Color&) = default;
};
constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex), 255};
}
Color mix(Color a, Color b, double share_of_b);  // straight sRGB mix, as the washes are defined
constexpr Color with_alpha(Color c, std::uint8_t a) {
    return {c.r, c.g, c.b, a};
}
double relative_luminance(Color c);  // WCAG 2
double contrast(Color a, Color b);   // WCAG 2, 1 to 21

enum class ThemeName : std::uint8_t { Dark, Light, Contrast };
inline constexpr std::array kThemeNames{ThemeName::Dark, ThemeName::Light, ThemeName::Contrast};
std::string_view name_of(ThemeName theme);  // "dark", "light", "contrast"
std::optional<ThemeName> theme_named(std::string_view name);

// A data hue. Ink is legible as text on the panel; fill is for areas and carries an ink outline in
// the light theme, where its own contrast may be below 3 (needed_outline).
struct Hue {
    Color ink, fill;
};

struct Palette {
    ThemeName name;
    Color app, panel;     // behind panels; a panel
    Color raised, inset;  // chips, buttons; fields, empty slots
    Color line, edge;     // hairlines; outlines of controls
    Color text, text2, text3;
    Color focus;    // selection, "now", the playhead
    Color on_fill;  // text on a fill
    Color shared;   // a block that several requests hold
    Hue cached;     // a block that nobody holds and that can be found
    Hue k, v;
    // Of the tags A D G, B E H, C F I (request_hue). A request's tag goes by its name, else by its
    // order of arrival: tag_index in app/panels/view/facts.cpp.
    std::array<Hue, 3> request;
    Hue loss;
    std::array<Color, 6> attention_ramp;
    float wash;        // share of the fill in a wash
    float extra_line;  // added to every outline and connector

    // The light theme's text 3 is legible on a panel but not on the darker app colour.
    Color quiet_on_app() const { return is_light() ? text2 : text3; }
    bool is_light() const { return name == ThemeName::Light; }
    Color wash_of(Hue hue) const { return mix(panel, hue.fill, wash); }
    Color hover_wash() const { return mix(panel, text, 0.07); }
    Color pressed_wash() const { return mix(panel, text, 0.16); }
};
const Palette& palette(ThemeName theme);

// Position 0..1 on the attention ramp; the caller applies the square root.
Color ramp_color(const Palette& palette, double t);

// A value of a byte map, -1..1 of the largest magnitude: from nearly dark through the hue to nearly
// white, in every theme, so that more is lighter everywhere.
Color value_color(const Hue& hue, double t);

}  // namespace kv
