#include "app/export/svg/svg.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "app/export/svg/page.hpp"
#include "app/export/svg/picture.hpp"
#include "app/export/svg/text.hpp"

namespace kv {
namespace {

constexpr std::string_view kStyle = R"(<style>
text{white-space:pre;font-kerning:none;font-variant-ligatures:none}
.r,.n,.s,.b{font-family:Inter,"Helvetica Neue",Arial,sans-serif}
.n{font-weight:500}.s{font-weight:600}.b,.e{font-weight:700}
.m,.e{font-family:"JetBrains Mono","DejaVu Sans Mono",Consolas,monospace}
</style>
)";

Color color_of(ImU32 c) {
    return {static_cast<std::uint8_t>(c >> IM_COL32_R_SHIFT),
            static_cast<std::uint8_t>(c >> IM_COL32_G_SHIFT),
            static_cast<std::uint8_t>(c >> IM_COL32_B_SHIFT),
            static_cast<std::uint8_t>(c >> IM_COL32_A_SHIFT)};
}

// Triangles back into shapes, in the order of drawing: fan() has a polygon, picture_or_letter() a
// textured quad, triangle() a piece of a mesh. Letters, lines and meshes are gathered until
// something else comes; so each of the three first flushes what the others have gathered.
class DrawListWalk {
public:
    DrawListWalk(SvgPage& page, const Rect& area, const ImFontAtlas& atlas)
        : page_(page), area_(area), atlas_(atlas), glyphs_(atlas), text_(page), line_(page) {}

    void list(const ImDrawList& list) {
        for (const ImDrawCmd& cmd : list.CmdBuffer) {
            if (cmd.UserCallback != nullptr || cmd.ElemCount == 0) continue;
            const ImVec4& c = cmd.ClipRect;
            const Rect clip = intersection({c.x, c.y, c.z - c.x, c.w - c.y}, area_);
            if (!(clip == page_.clip())) flush();
            page_.set_clip(clip);
            draw(list, cmd);
        }
        flush();
    }
    std::size_t texts() const { return text_.texts(); }
    std::size_t approximated() const { return approximated_; }

private:
    void draw(const ImDrawList& list, const ImDrawCmd& cmd) {
        const ImDrawIdx* const begin = list.IdxBuffer.Data + cmd.IdxOffset;
        const ImDrawIdx* const end = begin + cmd.ElemCount;
        const ImDrawVert* const vertices = list.VtxBuffer.Data + cmd.VtxOffset;
        for (const ImDrawIdx* i = begin; i < end;) {
            const std::size_t n = fan_size(i, end);
            if (n >= 3) {
                fan(cmd, vertices + i[0], n);
                i += 3 * (n - 2);
            } else {
                triangle(vertices[i[0]], vertices[i[1]], vertices[i[2]]);
                i += 3;
            }
        }
    }
    // Triangles (a, a+1, a+2), (a, a+2, a+3), ...: a polygon of so many corners; 0: something else.
    static std::size_t fan_size(const ImDrawIdx* i, const ImDrawIdx* end) {
        const ImDrawIdx a = i[0];
        if (i[1] != a + 1 || i[2] != a + 2) return 0;
        std::size_t n = 3;
        for (i += 3; i < end && i[0] == a && i[1] == a + n - 1 && i[2] == a + n; i += 3) ++n;
        return n;
    }

    void fan(const ImDrawCmd& cmd, const ImDrawVert* corners, std::size_t n) {
        const Color color = mean_color(corners, n);
        if (color.a == 0) return;
        // A fill takes one white texel for all of its corners.
        const bool textured = n == 4 && corners[0].uv.x != corners[2].uv.x;
        if (textured) return picture_or_letter(cmd, corners, color);
        text_.flush();
        flush_mesh();
        points_.clear();
        for (std::size_t k = 0; k < n; ++k) points_.push_back({corners[k].pos.x, corners[k].pos.y});
        if (n == 4 && line_.add(points_, color)) return;
        line_.flush();
        page_.add(svg_filled(points_, color, page_.clip()), bounds_of(points_));
    }
    void picture_or_letter(const ImDrawCmd& cmd, const ImDrawVert* corners, Color color) {
        flush_mesh();
        line_.flush();
        const Rect box{corners[0].pos.x, corners[0].pos.y, corners[2].pos.x - corners[0].pos.x,
                       corners[2].pos.y - corners[0].pos.y};
        const ImTextureData* texture = cmd.TexRef._TexData;
        if (texture == atlas_.TexData) {
            if (const auto glyph = glyphs_.glyph_of(corners)) return text_.add(*glyph, color, box);
        }
        text_.flush();
        if (texture == nullptr || texture == atlas_.TexData) {
            ++approximated_;  // pixels that only the graphics card has
            return;
        }
        page_.add(svg_picture(*texture, corners[0].uv, corners[2].uv, box), box);
    }
    void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
        const std::array corners{a, b, c};
        const Color color = mean_color(corners.data(), 3);
        if (color.a == 0) return;
        text_.flush();
        line_.flush();
        if (!(color == mesh_color_)) flush_mesh();
        mesh_color_ = color;
        for (const ImDrawVert& v : corners) mesh_.push_back({v.pos.x, v.pos.y});
    }
    void flush_mesh() {
        if (mesh_.empty()) return;
        page_.add(svg_mesh(mesh_, mesh_color_), bounds_of(mesh_));
        mesh_.clear();
    }
    void flush() {
        flush_mesh();
        text_.flush();
        line_.flush();
    }
    Color mean_color(const ImDrawVert* corners, std::size_t n) {
        const bool plain = std::all_of(
            corners, corners + n, [&](const ImDrawVert& v) { return v.col == corners[0].col; });
        if (plain) return color_of(corners[0].col);
        ++approximated_;
        std::array<unsigned, 4> sum{};
        for (std::size_t i = 0; i < n; ++i) {
            const Color c = color_of(corners[i].col);
            sum[0] += c.r, sum[1] += c.g, sum[2] += c.b, sum[3] += c.a;
        }
        const auto mean = [&](std::size_t i) { return static_cast<std::uint8_t>(sum[i] / n); };
        return {mean(0), mean(1), mean(2), mean(3)};
    }

    SvgPage& page_;
    Rect area_;
    const ImFontAtlas& atlas_;
    GlyphIndex glyphs_;
    SvgTextLine text_;
    SvgStrokedLine line_;
    Points points_, mesh_;
    Color mesh_color_{0, 0, 0};
    std::size_t approximated_ = 0;
};

// The id after "###" in the name of a window.
std::string_view id_of(const ImDrawList& list) {
    const std::string_view name = list._OwnerName == nullptr ? "" : list._OwnerName;
    const std::size_t mark = name.find("###");
    return mark == std::string_view::npos ? name : name.substr(mark + 3);
}

std::string head_of(const SvgAsk& ask) {
    const Rect& a = ask.area;
    const std::string w = svg_number(a.w), h = svg_number(a.h);
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "width=\"" +
        w + "\" height=\"" + h + "\" viewBox=\"" + svg_number(a.x) + " " + svg_number(a.y) + " " +
        w + " " + h + "\">\n";
    text += "<title>" + xml_escaped(ask.title) + "</title>\n<desc>" + xml_escaped(ask.description) +
            "</desc>\n";
    if (!ask.scene.empty())
        text += "<metadata id=\"kvarium-scene\">" + xml_escaped(ask.scene) + "</metadata>\n";
    return text + std::string(kStyle);
}

}  // namespace

Svg svg_of(const ImDrawData& data, const SvgAsk& ask) {
    SvgPage page;
    DrawListWalk walk(page, ask.area, *ImGui::GetIO().Fonts);
    std::map<std::string, int, std::less<>> seen;
    std::string groups;
    for (const ImDrawList* list : data.CmdLists) {
        const std::string id(id_of(*list));
        const std::size_t before = page.size();
        const int again = ++seen[id];
        page.open(again == 1 ? id : id + "-" + std::to_string(again));
        walk.list(*list);
        const std::string group = page.close();
        if (page.size() > before) groups += group;
    }
    const Rect& a = ask.area;
    std::string text = head_of(ask);
    if (!page.clips().empty()) text += "<defs>\n" + page.clips() + "</defs>\n";
    text += "<rect x=\"" + svg_number(a.x) + "\" y=\"" + svg_number(a.y) + "\" width=\"" +
            svg_number(a.w) + "\" height=\"" + svg_number(a.h) + "\"" +
            svg_paint("fill", ask.background) + "/>\n";
    return {text + groups + "</svg>\n", page.size(), walk.texts(), walk.approximated()};
}

void unsmoothed(bool on) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = style.AntiAliasedFill = style.AntiAliasedLinesUseTex = !on;
}

}  // namespace kv
