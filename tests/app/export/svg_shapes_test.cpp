// The shapes that an SVG is made of, found again in polygons; numbers by hand.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "app/export/svg/picture.hpp"
#include "app/export/svg/shapes.hpp"
#include "app/export/svg/text.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr Rect kEverything{0, 0, 1000, 1000};
constexpr Color kRed = rgb(0xFF0000);

Points box(float x, float y, float w, float h) {
    return {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
}

// Quarter circles of `n` pieces at the four corners, clockwise from the upper left.
Points rounded(const Rect& r, float radius, int n) {
    Points points;
    const float pi = std::acos(-1.0f);
    const Vec2 centers[4] = {{r.x + radius, r.y + radius},
                             {r.right() - radius, r.y + radius},
                             {r.right() - radius, r.bottom() - radius},
                             {r.x + radius, r.bottom() - radius}};
    for (int corner = 0; corner < 4; ++corner)
        for (int i = 0; i <= n; ++i) {
            const float angle = pi + pi / 2 *
                                         (static_cast<float>(corner) +
                                          static_cast<float>(i) / static_cast<float>(n));
            points.push_back({centers[corner].x + radius * std::cos(angle),
                              centers[corner].y + radius * std::sin(angle)});
        }
    return points;
}

// The quad around a piece of a line, as Dear ImGui draws it.
Points piece(Vec2 a, Vec2 b, float width) {
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    const float dx = (b.x - a.x) / length * width / 2, dy = (b.y - a.y) / length * width / 2;
    return {{a.x + dy, a.y - dx}, {b.x + dy, b.y - dx}, {b.x - dy, b.y + dx}, {a.x - dy, a.y + dx}};
}

std::string stroked(std::initializer_list<Points> quads) {
    std::vector<SvgSegment> segments;
    for (const Points& quad : quads) {
        segments.push_back(segment_of(quad));
        CHECK(segments.back().is_line);
    }
    return svg_stroked(segments, kRed);
}

}  // namespace

TEST_CASE("numbers are short and the same everywhere", "[svg]") {
    CHECK(svg_number(12) == "12");
    CHECK(svg_number(0.5) == "0.5");
    CHECK(svg_number(-3.25) == "-3.25");
    CHECK(svg_number(1.999) == "2");
    CHECK(svg_number(-0.001) == "0");
    CHECK(svg_number(7.05) == "7.05");
    CHECK(svg_number(NAN) == "0");
}

TEST_CASE("colours are hexadecimal, with an opacity when they are not solid", "[svg]") {
    CHECK(svg_paint("fill", rgb(0x12A87E)) == " fill=\"#12a87e\"");
    CHECK(svg_paint("stroke", with_alpha(rgb(0xFFFFFF), 51)) ==
          " stroke=\"#ffffff\" stroke-opacity=\"0.2\"");
}

TEST_CASE("texts are escaped, and what XML cannot hold is replaced", "[svg]") {
    CHECK(xml_escaped("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d");
    CHECK(xml_escaped("<s> ▁Zoë") == "&lt;s&gt; ▁Zoë");
    CHECK(xml_escaped(std::string_view("\x01\0x", 3)) == "\xEF\xBF\xBD\xEF\xBF\xBDx");
    CHECK(xml_escaped("\xC0\xAF").find('\xC0') == std::string::npos);  // too long for its letter
    CHECK(xml_escaped("\xED\xA0\x80").find('\xED') == std::string::npos);  // half of a pair
    CHECK(xml_escaped("\xEF\xBF\xBE") == "\xEF\xBF\xBD");                  // XML has no such letter
    CHECK(xml_escaped("\xC3") == "\xEF\xBF\xBD");                          // cut short
    CHECK(xml_escaped("\xFF\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD");          // begins nothing
}

TEST_CASE("a filled box is a rect, cut at the clip", "[svg]") {
    CHECK(svg_filled(box(10, 20, 30, 40), kRed, kEverything) ==
          "<rect x=\"10\" y=\"20\" width=\"30\" height=\"40\" fill=\"#ff0000\"/>\n");
    CHECK(svg_filled(box(10, 20, 30, 40), kRed, {0, 0, 25, 1000}) ==
          "<rect x=\"10\" y=\"20\" width=\"15\" height=\"40\" fill=\"#ff0000\"/>\n");
    CHECK(svg_filled(box(10, 20, 30, 40), kRed, {500, 0, 25, 1000}).empty());
}

TEST_CASE("round corners and circles are found again", "[svg]") {
    CHECK(svg_filled(rounded({10, 20, 60, 40}, 4, 3), kRed, kEverything) ==
          "<rect x=\"10\" y=\"20\" width=\"60\" height=\"40\" rx=\"4\" fill=\"#ff0000\"/>\n");
    CHECK(svg_filled(rounded({10, 20, 60, 40}, 20, 6), kRed, kEverything) ==
          "<rect x=\"10\" y=\"20\" width=\"60\" height=\"40\" rx=\"20\" fill=\"#ff0000\"/>\n");
    CHECK(svg_filled(rounded({10, 20, 16, 16}, 8, 6), kRed, kEverything) ==
          "<circle cx=\"18\" cy=\"28\" r=\"8\" fill=\"#ff0000\"/>\n");
}

TEST_CASE("a polygon that is none of these stays what it is", "[svg]") {
    CHECK(svg_filled(Points{{0, 0}, {10, 0}, {5, 8}}, kRed, kEverything) ==
          "<polygon points=\"0,0 10,0 5,8\" fill=\"#ff0000\"/>\n");
    Points cut = rounded({10, 20, 60, 40}, 8, 4);
    cut[7].x -= 3;  // one corner is no quarter of a circle
    CHECK_THAT(svg_filled(cut, kRed, kEverything), ContainsSubstring("<polygon"));
}

TEST_CASE("a piece of a line is a line, a slanted quad is not", "[svg]") {
    CHECK(stroked({piece({0, 0}, {30, 40}, 2)}) ==
          "<line x1=\"0\" y1=\"0\" x2=\"30\" y2=\"40\" stroke=\"#ff0000\" stroke-width=\"2\"/>\n");
    CHECK_FALSE(segment_of(Points{{0, 0}, {10, 0}, {14, 5}, {4, 5}}).is_line);
    CHECK_FALSE(segment_of(Points{{0, 0}, {10, 0}, {10, 8}, {0, 5}}).is_line);
}

TEST_CASE("pieces that follow each other are one line, closed where it comes back", "[svg]") {
    CHECK(stroked({piece({0, 0}, {10, 0}, 2), piece({10, 0}, {10, 10}, 2)}) ==
          "<polyline points=\"0,0 10,0 10,10\" fill=\"none\" stroke=\"#ff0000\" "
          "stroke-width=\"2\"/>\n");
    CHECK(stroked(
              {piece({0, 0}, {10, 0}, 2), piece({10, 0}, {5, 10}, 2), piece({5, 10}, {0, 0}, 2)}) ==
          "<polygon points=\"0,0 10,0 5,10\" fill=\"none\" stroke=\"#ff0000\" "
          "stroke-width=\"2\"/>\n");
}

// Outlines end a hundredth of a pixel early when they are drawn without smoothing.
TEST_CASE("an outline of a box is a rect, and one without width is filled", "[svg]") {
    const auto around = [](float x0, float y0, float x1, float y1) {
        return stroked({piece({x0, y0}, {x1, y0}, 1), piece({x1, y0}, {x1, y1}, 1),
                        piece({x1, y1}, {x0, y1}, 1), piece({x0, y1}, {x0, y0}, 1)});
    };
    CHECK(around(0.5f, 0.5f, 19.51f, 9.51f) ==
          "<rect x=\"0.5\" y=\"0.5\" width=\"19\" height=\"9\" fill=\"none\" stroke=\"#ff0000\" "
          "stroke-width=\"1\"/>\n");
    CHECK(around(0.5f, 0.5f, 0.51f, 9.51f) ==
          "<rect x=\"0\" y=\"0\" width=\"1\" height=\"10\" fill=\"#ff0000\"/>\n");
}

TEST_CASE("triangles of one area are its outline, without the edges inside", "[svg]") {
    // Two triangles of a square, walked around in different directions.
    CHECK(svg_mesh(Points{{0, 0}, {10, 0}, {10, 10}, {0, 0}, {0, 10}, {10, 10}}, kRed) ==
          "<path d=\"M0 0L10 0L10 10L0 10Z\" fill=\"#ff0000\"/>\n");
    CHECK(svg_mesh(Points{{0, 0}, {0, 0}, {0, 0}}, kRed).empty());
}

// RFC 4648, section 10.
TEST_CASE("pictures inside are base64", "[svg]") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xFF\xFE") == "//4=");
}
