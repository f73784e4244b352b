// The palettes against the numbers of the design: contrasts, the order of the grey values, and what
// a person with a colour-vision deficiency can still tell apart. The numbers below are the design;
// it stands nowhere else.

#include "app/shell/theme.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

struct Row {
    const char* role;
    Color color;
    double wanted;  // contrast against the panel, one decimal
};

void check_rows(const Palette& p, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        INFO(name_of(p.name) << ' ' << row.role);
        CHECK_THAT(contrast(row.color, p.panel), WithinAbs(row.wanted, 0.0501));
    }
}

using Linear = std::array<double, 3>;
using ColorMatrix = std::array<Linear, 3>;

double linear(std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
constexpr ColorMatrix kProtanopia{{{0.152286, 1.052583, -0.204868},
                                   {0.114503, 0.786281, 0.099216},
                                   {-0.003882, -0.048116, 1.051998}}};
constexpr ColorMatrix kDeuteranopia{{{0.367322, 0.860646, -0.227968},
                                     {0.280085, 0.672501, 0.047413},
                                     {-0.011820, 0.042940, 0.968881}}};
constexpr ColorMatrix kTritanopia{{{1.255528, -0.076749, -0.178779},
                                   {-0.078411, 0.930809, 0.147602},
                                   {0.004733, 0.691367, 0.303900}}};
constexpr std::array kDeficiencies{kProtanopia, kDeuteranopia, kTritanopia};

Linear seen(Color c, const ColorMatrix& m) {
    const Linear rgb{linear(c.r), linear(c.g), linear(c.b)};
    Linear out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = std::clamp(m[i][0] * rgb[0] + m[i][1] * rgb[1] + m[i][2] * rgb[2], 0.0, 1.0);
    return out;
}

// CIE L*a*b* under D65.
Linear lab(const Linear& rgb) {
    const auto f = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    const double x = f((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047);
    const double y = f(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]);
    const double z = f((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(const Linear& a, const Linear& b) {
    const Linear p = lab(a), q = lab(b);
    return std::sqrt(std::pow(p[0] - q[0], 2) + std::pow(p[1] - q[1], 2) +
                     std::pow(p[2] - q[2], 2));
}

// The smallest difference of the two colours under any of the three deficiencies. About 2 is just
// visible side by side; 10 is seen at a glance.
double worst_difference(Color a, Color b) {
    double worst = 1000;
    for (const ColorMatrix& m : kDeficiencies)
        worst = std::min(worst, difference(seen(a, m), seen(b, m)));
    return worst;
}

constexpr std::array<std::array<std::size_t, 2>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};

}  // namespace

TEST_CASE("contrast agrees with the numbers of the WCAG itself", "[theme]") {
    CHECK_THAT(contrast(rgb(0x000000), rgb(0xFFFFFF)), WithinAbs(21.0, 1e-9));
    CHECK_THAT(contrast(rgb(0x767676), rgb(0xFFFFFF)),
               WithinAbs(4.54, 0.005));  // the lightest grey that passes
    CHECK_THAT(contrast(rgb(0x777777), rgb(0xFFFFFF)),
               WithinAbs(4.48, 0.005));  // the first that does not
    CHECK_THAT(contrast(rgb(0xFFFFFF), rgb(0xFF0000)), WithinAbs(4.00, 0.005));
    CHECK(contrast(rgb(0x123456), rgb(0x123456)) == 1.0);
}

TEST_CASE("every contrast of the dark palette is the one in the design", "[theme]") {
    const Palette& p = palette(ThemeName::Dark);
    check_rows(p, {{"line", p.line, 1.4},
                   {"edge", p.edge, 3.6},
                   {"text", p.text, 14.8},
                   {"text 2", p.text2, 9.1},
                   {"text 3", p.text3, 5.8},
                   {"focus", p.focus, 17.5},
                   {"shared", p.shared, 15.2},
                   {"cached ink", p.cached.ink, 5.8},
                   {"cached fill", p.cached.fill, 4.0},
                   {"K", p.k.ink, 7.6},
                   {"V", p.v.ink, 8.1},
                   {"A", p.request[0].ink, 5.8},
                   {"B", p.request[1].ink, 8.9},
                   {"C", p.request[2].ink, 13.0},
                   {"loss", p.loss.ink, 5.8}});
    for (const Hue& hue : {p.k, p.v, p.request[0], p.request[1], p.request[2], p.loss})
        CHECK(hue.ink == hue.fill);
}

TEST_CASE("every contrast of the light palette is the one in the design", "[theme]") {
    const Palette& p = palette(ThemeName::Light);
    check_rows(p, {{"line", p.line, 1.5},
                   {"edge", p.edge, 3.8},
                   {"text", p.text, 17.2},
                   {"text 2", p.text2, 8.6},
                   {"text 3", p.text3, 5.2},
                   {"focus", p.focus, 20.1},
                   {"shared", p.shared, 12.9},
                   {"cached ink", p.cached.ink, 4.6},
                   {"cached fill", p.cached.fill, 2.4},
                   {"K ink", p.k.ink, 5.8},
                   {"K fill", p.k.fill, 2.2},
                   {"V ink", p.v.ink, 5.7},
                   {"V fill", p.v.fill, 2.2},
                   {"A ink", p.request[0].ink, 5.9},
                   {"A fill", p.request[0].fill, 3.0},
                   {"B ink", p.request[1].ink, 6.2},
                   {"B fill", p.request[1].fill, 2.1},
                   {"C ink", p.request[2].ink, 6.1},
                   {"C fill", p.request[2].fill, 1.3},
                   {"loss ink", p.loss.ink, 6.2},
                   {"loss fill", p.loss.fill, 3.3}});
}

TEST_CASE("the contrast theme is the dark one on black with white outlines", "[theme]") {
    const Palette& p = palette(ThemeName::Contrast);
    const Palette& dark = palette(ThemeName::Dark);
    for (const Color ground : {p.app, p.panel, p.inset}) CHECK(ground == rgb(0x000000));
    CHECK(p.raised == rgb(0x14181E));
    for (const Color white : {p.line, p.edge, p.text, p.text2, p.text3, p.focus})
        CHECK(white == rgb(0xFFFFFF));
    CHECK(p.k.fill == dark.k.fill);
    CHECK(p.extra_line == 1.0f);
    CHECK(dark.extra_line == 0.0f);
}

TEST_CASE("text can be read on every ground it stands on", "[theme]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        INFO(name_of(theme));
        for (const Color ground :
             {p.app, p.panel, p.raised, p.inset, p.hover_wash(), p.pressed_wash()}) {
            CHECK(contrast(p.text, ground) >= 4.5);
            CHECK(contrast(p.text2, ground) >= 4.5);
        }
        // Text 3 is for panels: on the light theme's app colour it has 4.4, on a pressed wash 3.7.
        for (const Color ground : {p.panel, p.raised, p.inset, p.hover_wash()})
            CHECK(contrast(p.text3, ground) >= 4.5);
        CHECK(contrast(p.panel, p.text) >= 4.5);  // labels of selected tabs and primary buttons
        for (const Hue& hue :
             {p.k, p.v, p.request[0], p.request[1], p.request[2], p.loss, p.cached}) {
            CHECK(contrast(hue.ink, p.panel) >= 4.5);
            if (hue.fill != p.cached.fill) CHECK(contrast(p.on_fill, hue.fill) >= 4.5);
        }
    }
}

TEST_CASE("outlines and fills can be seen, and a fill that cannot has an ink that can", "[theme]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        INFO(name_of(theme));
        // A hairline only separates; it never is the outline of a control.
        for (const Color ground : {p.app, p.panel, p.raised, p.inset})
            CHECK(contrast(p.edge, ground) >= 3.0);
        CHECK(contrast(p.focus, p.panel) >= 3.0);
        CHECK(contrast(p.shared, p.panel) >= 3.0);
        for (const Hue& hue :
             {p.k, p.v, p.request[0], p.request[1], p.request[2], p.loss, p.cached}) {
            CHECK(contrast(hue.ink, p.panel) >= 3.0);
            if (!p.is_light()) CHECK(contrast(hue.fill, p.panel) >= 3.0);
        }
    }
}

// One texel per block: free, holes (40 %), partly filled (62 %), used, shared, being written.
// Cached is a grey that can equal "partly filled" in luminance; it has no hue, and larger blocks
// have its own shape.
TEST_CASE("without colour the states of a block keep their order", "[theme]") {
    constexpr double kStep =
        1.04;  // the closest pair: holes and partly filled, yellow, light theme
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        for (const Hue& hue : p.request) {
            const std::array states{p.inset,
                                    mix(p.inset, hue.fill, 0.40),
                                    mix(p.inset, hue.fill, 0.62),
                                    hue.fill,
                                    p.shared,
                                    p.focus};
            for (std::size_t i = 1; i < states.size(); ++i) {
                INFO(name_of(theme) << " state " << i);
                const double before = relative_luminance(states[i - 1]);
                const double after = relative_luminance(states[i]);
                CHECK((p.is_light() ? after < before : after > before));
                CHECK(contrast(states[i - 1], states[i]) >= kStep);
            }
        }
        CHECK(contrast(p.cached.fill, p.inset) >= 1.9);
        CHECK(contrast(p.cached.fill, p.shared) >= 3.0);
    }
}

TEST_CASE("the three request hues differ for every kind of colour vision", "[theme]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        for (const auto& [a, b] : kPairs) {
            INFO(name_of(theme) << " hues " << a << " and " << b);
            CHECK(worst_difference(p.request[a].fill, p.request[b].fill) >= 20);
            CHECK(worst_difference(p.request[a].ink, p.request[b].ink) >= 13.9);
        }
    }
}

// The inks of V and loss in the light theme are one colour under deuteranopia (difference 0.7):
// there the cross, the word and the place carry it, never the hue alone. Everything else holds.
TEST_CASE("K, V and loss differ for every kind of colour vision", "[theme]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        INFO(name_of(theme));
        CHECK(worst_difference(p.k.fill, p.v.fill) >= 80);
        CHECK(worst_difference(p.k.fill, p.loss.fill) >= 70);
        CHECK(worst_difference(p.v.fill, p.loss.fill) >= 17);
        CHECK(worst_difference(p.k.ink, p.v.ink) >= 60);
        CHECK(worst_difference(p.k.ink, p.loss.ink) >= 70);
    }
}

// Every two fills that can touch in the pool, in a strip, in a chart or in a byte map. 10 is seen
// at a glance. The one pair below it, a cached block beside green in the light theme, differs in
// its dashed outline, too.
TEST_CASE("fills that stand beside each other differ for every kind of colour vision", "[theme]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        const std::array hues{p.k.fill,          p.v.fill,          p.request[0].fill,
                              p.request[1].fill, p.request[2].fill, p.loss.fill};
        for (std::size_t a = 0; a < hues.size(); ++a) {
            INFO(name_of(theme) << " hue " << a);
            for (std::size_t b = a + 1; b < hues.size(); ++b)
                CHECK(worst_difference(hues[a], hues[b]) >= 13);
            CHECK(worst_difference(hues[a], p.cached.fill) >= 9.5);
            CHECK(worst_difference(hues[a], p.shared) >= 16);
            CHECK(worst_difference(hues[a], p.inset) >= 19);
        }
    }
}

TEST_CASE("colour vision matrices leave grey alone", "[theme]") {
    for (const ColorMatrix& m : kDeficiencies)
        CHECK(difference(seen(rgb(0x808080), m), {linear(128), linear(128), linear(128)}) < 0.01);
}

TEST_CASE("the attention ramp gets steadily lighter, in the light theme darker", "[theme]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        CHECK(ramp_color(p, 0.0) == p.attention_ramp.front());
        CHECK(ramp_color(p, 1.0) == p.attention_ramp.back());
        CHECK(ramp_color(p, 0.4) == p.attention_ramp[2]);
        for (int i = 1; i <= 64; ++i) {
            INFO(name_of(theme) << " at " << i << "/64");
            const double before = relative_luminance(ramp_color(p, (i - 1) / 64.0));
            const double after = relative_luminance(ramp_color(p, i / 64.0));
            CHECK((p.is_light() ? after < before : after > before));
        }
        CHECK(contrast(ramp_color(p, 0.0), ramp_color(p, 1.0)) >= 12);
    }
}

TEST_CASE("the ramp takes what is no number between 0 and 1", "[theme]") {
    const Palette& p = palette(ThemeName::Dark);
    CHECK(ramp_color(p, -3.0) == p.attention_ramp.front());
    CHECK(ramp_color(p, 1e30) == p.attention_ramp.back());
}

TEST_CASE("a mix goes from one colour to the other", "[theme]") {
    CHECK(mix(rgb(0x000000), rgb(0xFFFFFF), 0.0) == rgb(0x000000));
    CHECK(mix(rgb(0x000000), rgb(0xFFFFFF), 1.0) == rgb(0xFFFFFF));
    CHECK(mix(rgb(0x000000), rgb(0xC86432), 0.5) == rgb(0x643219));
    CHECK(mix(rgb(0x151A21), rgb(0x56B4E9), 0.20) == rgb(0x223949));  // the wash of K, by hand
    CHECK(palette(ThemeName::Dark).wash_of(palette(ThemeName::Dark).k) == rgb(0x223949));
}

TEST_CASE("theme names read back", "[theme]") {
    for (const ThemeName theme : kThemeNames) CHECK(theme_named(name_of(theme)) == theme);
    CHECK_FALSE(theme_named("Dark"));
    CHECK_FALSE(theme_named(""));
}

TEST_CASE("quiet text on the app colour is legible in every theme", "[theme]") {
    for (kv::ThemeName theme : kv::kThemeNames) {
        const kv::Palette& p = kv::palette(theme);
        CHECK(kv::contrast(p.quiet_on_app(), p.app) >= 4.5);
    }
}
