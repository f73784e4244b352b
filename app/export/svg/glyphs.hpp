#pragma once
// Leads from the place of a quad in the font atlas back to the letter that it shows: the font, its
// size and the pen that set it.

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/shell/geometry.hpp"

namespace kv {

// A font as a style sheet names it; the classes are written by svg.cpp.
enum class SvgFace : std::uint8_t { Regular, Medium, Semibold, Bold, Mono, MonoBold };

struct SetGlyph {
    SvgFace face = SvgFace::Regular;
    float size = 0;  // em, pixels
    char32_t letter = 0;
    Vec2 pen;           // where it begins, on the baseline
    float advance = 0;  // to where the next one begins
    float space = 0;    // of a blank in this font
};

class GlyphIndex {
public:
    explicit GlyphIndex(const ImFontAtlas& atlas);

    // `quad`: four vertices from the upper left, clockwise. Nothing when it shows no letter.
    std::optional<SetGlyph> glyph_of(const ImDrawVert* quad) const;

private:
    struct Entry {
        const ImFontGlyph* glyph;
        ImFontBaked* baked;
    };
    const Entry* find(ImVec2 upper_left, ImVec2 lower_right) const;

    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, std::size_t> by_corner_;
};

}  // namespace kv
