#include "app/export/svg/glyphs.hpp"

#include <imgui_internal.h>

#include <cstring>
#include <string_view>

namespace kv {
namespace {

std::uint32_t bits_of(float x) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

std::uint64_t corner_key(float u, float v) {
    return std::uint64_t{bits_of(u)} << 32 | bits_of(v);
}

// The names that app/shell/fonts.cpp gives to the files.
SvgFace face_of(const ImFontGlyph& glyph, const ImFontBaked& baked) {
    const std::string_view name = baked.OwnerFont->Sources[static_cast<int>(glyph.SourceIdx)]->Name;
    if (name == "inter-medium") return SvgFace::Medium;
    if (name == "inter-semibold") return SvgFace::Semibold;
    if (name == "inter-bold") return SvgFace::Bold;
    if (name == "mono-regular") return SvgFace::Mono;
    if (name == "mono-bold") return SvgFace::MonoBold;
    return SvgFace::Regular;
}

}  // namespace

GlyphIndex::GlyphIndex(const ImFontAtlas& atlas) {
    for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
        ImFontBaked& baked = atlas.Builder->BakedPool[i];
        if (baked.WantDestroy) continue;
        for (const ImFontGlyph& glyph : baked.Glyphs) {
            if (!glyph.Visible) continue;
            by_corner_.emplace(corner_key(glyph.U0, glyph.V0), entries_.size());
            entries_.push_back({&glyph, &baked});
        }
    }
}

// A glyph that was cut at the edge of a field shows a part of its place in the atlas.
const GlyphIndex::Entry* GlyphIndex::find(ImVec2 a, ImVec2 b) const {
    const auto exact = by_corner_.find(corner_key(a.x, a.y));
    if (exact != by_corner_.end()) return &entries_[exact->second];
    const float u = (a.x + b.x) / 2, v = (a.y + b.y) / 2;
    for (const Entry& e : entries_)
        if (u > e.glyph->U0 && u < e.glyph->U1 && v > e.glyph->V0 && v < e.glyph->V1) return &e;
    return nullptr;
}

std::optional<SetGlyph> GlyphIndex::glyph_of(const ImDrawVert* quad) const {
    const ImDrawVert &first = quad[0], &last = quad[2];
    if (first.uv.x >= last.uv.x || first.uv.y >= last.uv.y) return std::nullopt;
    const Entry* entry = find(first.uv, last.uv);
    if (entry == nullptr) return std::nullopt;
    const ImFontGlyph& g = *entry->glyph;
    // Drawn pixels per baked pixel, also when only a part is drawn.
    const float drawn = (last.pos.x - first.pos.x) / (last.uv.x - first.uv.x);
    const float scale = drawn * (g.U1 - g.U0) / (g.X1 - g.X0);
    const float left = first.pos.x - drawn * (first.uv.x - g.U0);
    const float drawn_v = (last.pos.y - first.pos.y) / (last.uv.y - first.uv.y);
    const float top = first.pos.y - drawn_v * (first.uv.y - g.V0);
    SetGlyph set;
    set.face = face_of(g, *entry->baked);
    set.size = entry->baked->Size * scale;
    set.letter = g.Codepoint;
    set.pen = {left - g.X0 * scale, top - g.Y0 * scale + entry->baked->Ascent * scale};
    set.advance = g.AdvanceX * scale;
    const ImFontGlyph* space = entry->baked->FindGlyphNoFallback(' ');
    set.space = space == nullptr ? 0 : space->AdvanceX * scale;
    return set;
}

}  // namespace kv
