#include "app/shell/fonts.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.hpp"

namespace kv {

namespace shell_files {
std::string_view embedded(std::string_view name);  // written by the build
}

namespace {

// ImGui takes a size for the height from ascender to descender; this is that height in ems.
constexpr float kInterHeight = (2728.0f + 680.0f) / 2816.0f;
constexpr float kMonoHeight = (1020.0f + 300.0f) / 1000.0f;
constexpr float kCapitalHeight = 0.728f;  // in ems; 2048/2816 in Inter, 730/1000 in JetBrains Mono

// Puts the baseline where capitals stand in the middle of the line box, which is one em high: half
// of what they leave lies above them, (1 - c) / 2, and the baseline one c lower, at (1 + c) / 2.
bool centre_capitals(ImFontAtlas*, ImFontConfig* source, ImFontBaked* baked, void*) {
    if (source->MergeMode) return true;  // the font that it is merged into has said it
    baked->Ascent = std::round(baked->Size * (1.0f + kCapitalHeight) / 2.0f);
    baked->Descent = baked->Ascent - baked->Size;
    return true;
}

const ImFontLoader& font_loader() {
    static const ImFontLoader loader = [] {
        ImFontLoader l = *ImFontAtlasGetFontLoaderForStbTruetype();
        l.FontBakedInit = centre_capitals;
        return l;
    }();
    return loader;
}

ImFont* add(ImFontAtlas& atlas, std::string_view name, ImFontConfig config) {
    const std::string_view bytes = shell_files::embedded(name);
    KV_ASSERT(!bytes.empty());
    // ImGui asks for a plain pointer but only reads: the bytes are the program's own.
    config.FontDataOwnedByAtlas = false;
    std::copy_n(name.data(), std::min(name.size(), sizeof config.Name - 1), config.Name);
    ImFont* font = atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                              static_cast<int>(bytes.size()), 0.0f, &config);
    KV_ASSERT(font != nullptr);
    return font;
}

ImFontConfig mono_config() {
    ImFontConfig config;
    config.ExtraSizeScale = kMonoHeight;
    config.PixelSnapH = true;  // columns of digits stand on whole pixels
    return config;
}

ImFont* add_mono(ImFontAtlas& atlas, std::string_view name) {
    return add(atlas, name, mono_config());
}

// Inter has no U+2581, the mark of a blank in tokens; JetBrains Mono fills such gaps.
ImFont* add_inter(ImFontAtlas& atlas, std::string_view name, std::string_view gaps) {
    ImFontConfig config;
    config.ExtraSizeScale = kInterHeight;
    ImFont* font = add(atlas, name, config);
    ImFontConfig merged = mono_config();
    merged.MergeMode = true;
    add(atlas, gaps, merged);
    return font;
}

}  // namespace

Fonts load_fonts(ImFontAtlas& atlas) {
    atlas.SetFontLoader(&font_loader());
    // Glyphs are twice as wide in the atlas, so a pixel at their edge is mixed of several columns:
    // with too few between them it would depend on which glyph happens to be the neighbour, which
    // is seen at one and two columns.
    atlas.TexGlyphPadding = 4;
    Fonts fonts;
    fonts.regular = add_inter(atlas, "inter-regular", "mono-regular");
    fonts.medium = add_inter(atlas, "inter-medium", "mono-regular");
    fonts.semibold = add_inter(atlas, "inter-semibold", "mono-bold");
    fonts.bold = add_inter(atlas, "inter-bold", "mono-bold");
    fonts.mono = add_mono(atlas, "mono-regular");
    fonts.mono_bold = add_mono(atlas, "mono-bold");
    return fonts;
}

}  // namespace kv
