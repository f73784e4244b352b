// Every widget drawn in every theme and size: nothing asserts, nothing is left unbalanced, and a
// picture comes out. How it looks is judged by the golden pictures.
#include "tests/app/widgets/sheet.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "app/shell/picture/image.hpp"
#include "core/base/error.hpp"
#include "tests/app/picture.hpp"

using namespace kv;

namespace {

PixelSize pixels(Vec2 logical, float unit) {
    return {static_cast<int>(logical.x * unit), static_cast<int>(logical.y * unit)};
}

void draw_first(const Ui& ui) {
    FieldUi good, bad{"40,96"};
    sheet::draw_widget_sheet(ui, good, bad);
}

std::size_t colors_in(const Image& image) {
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4)
        seen.insert(static_cast<std::uint32_t>(image.rgba[i]) << 16 |
                    static_cast<std::uint32_t>(image.rgba[i + 1]) << 8 | image.rgba[i + 2]);
    return seen.size();
}

}  // namespace

TEST_CASE("every widget draws in every theme at every scale", "[widgets]") {
    const auto surface = open_null({1160, 900});
    Gui gui(*surface);
    for (ThemeName theme : kThemeNames)
        for (float unit : {0.8f, 1.0f, 2.0f, 3.0f}) {
            surface->resize(pixels(sheet::kSheetSize, unit));
            draw_frames(*surface, gui, theme, unit, draw_first);
            draw_frames(*surface, gui, theme, unit,
                        [](const Ui& ui) { sheet::draw_second_sheet(ui); });
            CHECK(ImGui::GetDrawData()->TotalVtxCount > 2000);
        }
}

TEST_CASE("widgets survive a window that is far too small", "[widgets]") {
    const auto surface = open_null({60, 40});
    Gui gui(*surface);
    for (PixelSize size : {PixelSize{60, 40}, {8, 8}, {1, 1}}) {
        surface->resize(size);
        const auto squeezed = [](const Ui& ui) {
            sheet::Answers out;
            FieldUi good, bad{"x"};
            sheet::settings(ui, out);
            sheet::fields(ui, out, good, bad);
            sheet::equation(ui, out);
            sheet::stacks(ui);
            sheet::memory_chart(ui);
            sheet::messages(ui, out);
            message_centered(ui, "middle", {"A title that is far too long", {}, "tag"});
        };
        CHECK_NOTHROW(draw_frames(*surface, gui, ThemeName::Dark, 3.0f, squeezed));
    }
}

TEST_CASE("charts take numbers that are none", "[widgets]") {
    const auto surface = open_null({400, 700});
    Gui gui(*surface);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    constexpr std::array<double, 7> xs{kNan, 0, 1, kInf, 3, 4, -kInf},
        ys{1, kInf, 2, 3, kNan, -1, 0};
    const auto draw = [&](const Ui& ui) {
        constexpr std::array<ChartTick, 3> ticks{{{kNan, "nan"}, {0, "0"}, {1, "1"}}};
        for (const bool log : {false, true})
            for (const auto& [low, high] : {std::pair{0.0, 1.0}, {kNan, kInf}, {5.0, 5.0}}) {
                const ChartAxis axis{.min = low, .max = high, .log = log, .ticks = ticks};
                const ChartSpec spec{.x = axis, .y = axis, .height = 90, .playhead = kNan};
                const Chart chart = begin_chart(ui, "odd", spec);
                REQUIRE(chart);
                for (const bool steps : {false, true}) {
                    chart_line(chart, xs, ys, {.color = ui.colors.text, .steps = steps});
                    chart_area(chart, xs, ys, ys, ui.colors.text2, steps);
                }
                chart_line(chart, xs, ys, {.color = ui.colors.text, .dash = LineDash::Dashed});
                chart_markers(chart, xs, ys, Marker::Ring, ui.colors.text);
                const std::array ends{EndLabel{kNan, "?", "unknown"}, EndLabel{kInf, "!"}};
                chart_end_labels(chart, ends);
                chart_note(chart, kNan, 0, {}, type::body(ui), "nowhere");
                const Vec2 at = chart.pixel(kNan, kInf);
                CHECK((std::isfinite(at.x) && std::isfinite(at.y)));
                end_chart(chart);
            }
    };
    CHECK_NOTHROW(draw_frames(*surface, gui, ThemeName::Light, 1.0f, draw));
}

TEST_CASE("the contact sheets come out as pictures, the same twice", "[widgets][pixels]") {
    try {
        for (ThemeName theme : kThemeNames) {
            const PixelSize size = pixels(sheet::kSheetSize, 1);
            const Image first = picture(size, theme, 1.0f, draw_first);
            REQUIRE(first.size == size);
            CHECK(colors_in(first) > 100);
            CHECK(first == picture(size, theme, 1.0f, draw_first));
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Missing) throw;
        SKIP(error.what());
    }
}
