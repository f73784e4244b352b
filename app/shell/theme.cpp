#include "app/shell/theme.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

// On a dark panel one colour is legible as text and light enough for an area.
constexpr Hue same(std::uint32_t hex) {
    return {.ink = rgb(hex), .fill = rgb(hex)};
}

constexpr std::array<Color, 6> kDarkRamp{rgb(0x161C26), rgb(0x2A3650), rgb(0x4F6286),
                                         rgb(0x8B9CB8), rgb(0xCBD0D2), rgb(0xFFF8E4)};

constexpr Palette kDark{.name = ThemeName::Dark,
                        .app = rgb(0x0E1217),
                        .panel = rgb(0x151A21),
                        .raised = rgb(0x1F262F),
                        .inset = rgb(0x0B0E12),
                        .line = rgb(0x2B333E),
                        .edge = rgb(0x667284),
                        .text = rgb(0xE9ECF1),
                        .text2 = rgb(0xB4BCC8),
                        .text3 = rgb(0x8B95A4),
                        .focus = rgb(0xFFFFFF),
                        .on_fill = rgb(0x0B0E12),
                        .shared = rgb(0xF4EFE2),
                        .cached = {.ink = rgb(0x8B95A4), .fill = rgb(0x6E7A8A)},
                        .k = same(0x56B4E9),
                        .v = same(0xF0A020),
                        .request = {same(0x12A87E), same(0xE7A6CF), same(0xEFE24A)},
                        .loss = same(0xF26B3A),
                        .attention_ramp = kDarkRamp,
                        .wash = 0.20f,
                        .extra_line = 0.0f};

constexpr Palette kLight{.name = ThemeName::Light,
                         .app = rgb(0xE9E6DF),
                         .panel = rgb(0xFBFAF7),
                         .raised = rgb(0xFFFFFF),
                         .inset = rgb(0xF1EEE7),
                         .line = rgb(0xD5D0C5),
                         .edge = rgb(0x857F73),
                         .text = rgb(0x14171C),
                         .text2 = rgb(0x434A54),
                         .text3 = rgb(0x636A75),
                         .focus = rgb(0x000000),
                         .on_fill = rgb(0x14171C),
                         .shared = rgb(0x2A2F37),
                         .cached = {.ink = rgb(0x76726A), .fill = rgb(0xA9A59C)},
                         .k = {.ink = rgb(0x00679F), .fill = rgb(0x56B4E9)},
                         .v = {.ink = rgb(0x8F5600), .fill = rgb(0xE69F00)},
                         .request = {Hue{.ink = rgb(0x00704F), .fill = rgb(0x1FA67C)},
                                     Hue{.ink = rgb(0x9A3C70), .fill = rgb(0xDF9CC4)},
                                     Hue{.ink = rgb(0x6B6000), .fill = rgb(0xEBDD3C)}},
                         .loss = {.ink = rgb(0xB02E0C), .fill = rgb(0xE4612B)},
                         .attention_ramp = {rgb(0xFBFAF7), rgb(0xDCE0E6), rgb(0xAEB9CA),
                                            rgb(0x73839F), rgb(0x3C4B6A), rgb(0x131C33)},
                         .wash = 0.24f,
                         .extra_line = 0.0f};

// The palette for projection and low vision: the dark hues on black, every outline white and a
// pixel wider.
constexpr Palette contrast_palette() {
    Palette p = kDark;
    p.name = ThemeName::Contrast;
    p.app = p.panel = p.inset = rgb(0x000000);
    p.raised = rgb(0x14181E);
    p.line = p.edge = rgb(0xFFFFFF);
    p.text = p.text2 = p.text3 = rgb(0xFFFFFF);
    p.extra_line = 1.0f;
    return p;
}
constexpr Palette kContrast = contrast_palette();

constexpr std::array<std::string_view, 3> kNames{"dark", "light", "contrast"};

double linear(std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : math::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t mix_channel(std::uint8_t a, std::uint8_t b, double t) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * std::clamp(t, 0.0, 1.0)));
}

}  // namespace

Color mix(Color a, Color b, double share_of_b) {
    return {mix_channel(a.r, b.r, share_of_b), mix_channel(a.g, b.g, share_of_b),
            mix_channel(a.b, b.b, share_of_b), mix_channel(a.a, b.a, share_of_b)};
}

double relative_luminance(Color c) {
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double contrast(Color a, Color b) {
    const double la = relative_luminance(a), lb = relative_luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

std::string_view name_of(ThemeName theme) {
    return kNames[static_cast<std::size_t>(theme)];
}

std::optional<ThemeName> theme_named(std::string_view name) {
    for (ThemeName theme : kThemeNames)
        if (name_of(theme) == name) return theme;
    return std::nullopt;
}

const Palette& palette(ThemeName theme) {
    switch (theme) {
        case ThemeName::Light:
            return kLight;
        case ThemeName::Contrast:
            return kContrast;
        case ThemeName::Dark:
            break;
    }
    return kDark;
}

Color value_color(const Hue& hue, double t) {
    const Color dark = kDark.inset, white = rgb(0xFFFFFF);
    const Color least = mix(dark, hue.fill, 0.12), zero = mix(dark, hue.fill, 0.62),
                most = mix(white, hue.fill, 0.28);
    const double x = std::clamp(t, -1.0, 1.0);
    return x < 0 ? mix(zero, least, -x) : mix(zero, most, x);
}

Color ramp_color(const Palette& p, double t) {
    const double x = std::clamp(t, 0.0, 1.0) * static_cast<double>(p.attention_ramp.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(x), p.attention_ramp.size() - 2);
    return mix(p.attention_ramp[i], p.attention_ramp[i + 1], x - static_cast<double>(i));
}

}  // namespace kv
