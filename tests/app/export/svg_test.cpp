// SVG of what Dear ImGui draws: shapes come back as what they were, texts as texts.

#include "app/export/svg/svg.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/shell/surface/gui.hpp"
#include "app/widgets/paint/paint.hpp"
#include "tests/app/picture.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

Svg svg_of_drawing(const std::function<void(const Ui&)>& draw, Rect area = {0, 0, 400, 300}) {
    const auto surface = open_null({400, 300});
    Gui gui(*surface);
    draw_frames(*surface, gui, ThemeName::Dark, 1, draw);  // letters are there after a frame
    unsmoothed(true);
    draw_frames(*surface, gui, ThemeName::Dark, 1, draw);
    unsmoothed(true);  // the style was set anew
    gui.begin_frame();
    const Texts texts;
    CommandSink sink;
    draw_full_window(draw, {palette(ThemeName::Dark), gui.fonts(), texts, sink, 1, true});
    ImGui::Render();
    return svg_of(*ImGui::GetDrawData(),
                  {.title = "A & B", .description = "d", .scene = {}, .area = area});
}

TextStyle words(const Ui& ui) {
    return {ui.fonts.regular, 13, ui.colors.text};
}
std::size_t count(const std::string& text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

}  // namespace

TEST_CASE("boxes, outlines and lines come back as what they were", "[svg]") {
    const Svg svg = svg_of_drawing([](const Ui& ui) {
        const Painter p(ui);
        fill(p, {10, 20, 30, 40}, rgb(0x123456));
        fill(p, {60, 20, 50, 40}, rgb(0x223344), 4);
        outline(p, {10, 80, 30, 40}, rgb(0x345678));
        stroke(p, {10, 150}, {40, 190}, rgb(0x456789), 2);
    });
    CHECK_THAT(svg.text, ContainsSubstring("<rect x=\"10\" y=\"20\" width=\"30\" height=\"40\" "
                                           "fill=\"#123456\"/>"));
    CHECK_THAT(svg.text, ContainsSubstring("<rect x=\"60\" y=\"20\" width=\"50\" height=\"40\" "
                                           "rx=\"4\" fill=\"#223344\"/>"));
    CHECK_THAT(svg.text, ContainsSubstring("<rect x=\"10.5\" y=\"80.5\" width=\"29\" "
                                           "height=\"39\" fill=\"none\" stroke=\"#345678\" "
                                           "stroke-width=\"1\"/>"));
    CHECK_THAT(svg.text, ContainsSubstring("<line x1=\"10\" y1=\"150\" x2=\"40\" y2=\"190\" "
                                           "stroke=\"#456789\" stroke-width=\"2\"/>"));
    CHECK(svg.approximated == 0);
}

TEST_CASE("a text is one text, with its blanks, font, size and colour", "[svg]") {
    const Svg svg = svg_of_drawing([](const Ui& ui) {
        const Painter p(ui);
        text_at(p, words(ui), {20, 50}, "Where is the <key>?");
        text_at(p, {ui.fonts.mono_bold, 11, ui.colors.text}, {20, 80}, "0x3B160");
    });
    CHECK_THAT(svg.text, ContainsSubstring(">Where is the &lt;key&gt;?</text>"));
    CHECK_THAT(svg.text, ContainsSubstring("<text class=\"r\" x=\"20\" y=\"50\" font-size=\"13\" "
                                           "fill=\"#e9ecf1\" textLength="));
    CHECK_THAT(svg.text, ContainsSubstring("<text class=\"e\" x=\"20\" y=\"80\" font-size=\"11\""));
    CHECK(svg.texts == 2);
}

TEST_CASE("texts far from each other, or of two colours, stay apart", "[svg]") {
    const Svg svg = svg_of_drawing([](const Ui& ui) {
        const Painter p(ui);
        text_at(p, words(ui), {20, 50}, "left");
        text_at(p, words(ui), {200, 50}, "right");
        const float w = text_width(ui, words(ui), "right");
        text_at(p, colored(words(ui), ui.colors.text2), {200 + w, 50}, "s");
    });
    CHECK_THAT(svg.text, ContainsSubstring(">left</text>"));
    CHECK_THAT(svg.text, ContainsSubstring(">right</text>"));
    CHECK_THAT(svg.text, ContainsSubstring(">s</text>"));
}

TEST_CASE("what is cut by its window is cut in the drawing", "[svg]") {
    const Svg svg = svg_of_drawing([](const Ui& ui) {
        ImGui::PushClipRect({0, 0}, {100, 100}, true);
        const Painter p(ui);
        fill(p, {80, 10, 60, 10}, rgb(0x111213));
        stroke(p, {80, 50}, {140, 60}, rgb(0x141516), 2);
        fill(p, {200, 10, 60, 10}, rgb(0x171819));
        ImGui::PopClipRect();
    });
    CHECK_THAT(svg.text, ContainsSubstring("<rect x=\"80\" y=\"10\" width=\"20\" height=\"10\" "
                                           "fill=\"#111213\"/>"));
    CHECK_THAT(svg.text, ContainsSubstring("<clipPath id=\"c1\"><rect x=\"0\" y=\"0\" "
                                           "width=\"100\" height=\"100\"/></clipPath>"));
    CHECK_THAT(svg.text, ContainsSubstring("<g clip-path=\"url(#c1)\">\n<line"));
    CHECK_THAT(svg.text, !ContainsSubstring("#171819"));
}

TEST_CASE("a part of the picture holds only what is in it", "[svg]") {
    const Svg svg = svg_of_drawing(
        [](const Ui& ui) {
            const Painter p(ui);
            fill(p, {10, 10, 20, 20}, rgb(0x111213));
            fill(p, {210, 110, 20, 20}, rgb(0x141516));
        },
        {200, 100, 100, 50});
    CHECK_THAT(svg.text, ContainsSubstring("viewBox=\"200 100 100 50\""));
    CHECK_THAT(svg.text, ContainsSubstring("#141516"));
    CHECK_THAT(svg.text, !ContainsSubstring("#111213"));
}

TEST_CASE("a drawing says what it is, and every group is closed", "[svg]") {
    const Svg svg = svg_of_drawing([](const Ui& ui) {
        dashed_pill(Painter(ui), {10, 10, 60, 20}, ui.colors.k.ink);
    });
    CHECK_THAT(svg.text, ContainsSubstring("<title>A &amp; B</title>"));
    CHECK_THAT(svg.text, ContainsSubstring("<g id=\"picture\">"));
    CHECK(count(svg.text, "<g ") == count(svg.text, "</g>"));
    CHECK(svg.text.ends_with("</svg>\n"));
}

TEST_CASE("colours that change inside a shape are counted", "[svg]") {
    const Svg svg = svg_of_drawing([](const Ui&) {
        ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
            {10, 10}, {50, 50}, IM_COL32(0, 0, 0, 255), IM_COL32(0, 0, 0, 255),
            IM_COL32(200, 100, 0, 255), IM_COL32(200, 100, 0, 255));
    });
    CHECK(svg.approximated == 1);
    CHECK_THAT(svg.text, ContainsSubstring("fill=\"#643200\""));  // 100, 50, 0
}
