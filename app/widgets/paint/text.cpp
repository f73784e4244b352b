#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/widgets/paint/paint.hpp"

namespace kv {
namespace {

constexpr std::string_view kEllipsis = "…";

float pixels(const Ui& ui, const TextStyle& style) {
    return std::max(1.0f, ui.px(style.size));
}

// Measured on a capital: from the top of a text's box down to the baseline, and the capital's
// height.
struct Capital {
    float baseline = 0, height = 0;
};
Capital capital(const Ui& ui, const TextStyle& style) {
    const ImFontGlyph* glyph = style.font->GetFontBaked(pixels(ui, style))->FindGlyph('H');
    return {glyph->Y1, glyph->Y1 - glyph->Y0};
}

// The part of `text` that fits beside an ellipsis, cut between characters.
std::string_view part_before_ellipsis(const Ui& ui, const TextStyle& style, float width,
                                      std::string_view text) {
    const float room = width - text_width(ui, style, kEllipsis);
    const char* end = nullptr;
    style.font->CalcTextSizeA(pixels(ui, style), room, 0.0f, text.data(), text.data() + text.size(),
                              &end);
    std::string_view part = text.substr(0, static_cast<std::size_t>(end - text.data()));
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return part;
}

void offer_whole_text(const Rect& rect, std::string_view text) {
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
    if (!ImGui::IsMouseHoveringRect(im(rect.min()), im(rect.max()))) return;
    if (!ImGui::BeginTooltip()) return;
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::EndTooltip();
}

// The id after "###" in the name of the window being drawn.
std::string id_of_window() {
    const std::string_view name = ImGui::GetCurrentWindowRead()->Name;
    const std::size_t mark = name.find("###");
    return std::string(mark == std::string_view::npos ? name : name.substr(mark + 3));
}

void write_down(const Painter& p, const TextStyle& style, float left, float top,
                std::string_view text) {
    const float height = pixels(p.ui, style);
    p.ui.written->push_back(
        {{left, top, text_width(p.ui, style, text), height}, std::string(text), id_of_window()});
}

// `left` may lie between pixels: texts that end at one edge then have their digits at the same
// places.
void put(const Painter& p, const TextStyle& style, const Capital& cap, float left, float baseline,
         std::string_view text) {
    if (text.empty()) return;
    const float top = std::round(baseline) - cap.baseline;
    if (p.ui.written != nullptr) write_down(p, style, left, top, text);
    const ImDrawListFlags kept = p.list.Flags;
    p.list.Flags |= ImDrawListFlags_TextNoPixelSnap;
    p.list.AddText(style.font, pixels(p.ui, style), {left, top}, im(style.color), text.data(),
                   text.data() + text.size());
    p.list.Flags = kept;
}

float aligned_left(Align align, const Rect& rect, float width) {
    if (align == Align::Right) return rect.right() - width;
    if (align == Align::Center) return std::floor(rect.x + (rect.w - width) / 2);
    return rect.x;
}

// The baseline that puts a capital of this height into the middle.
float centred_baseline(const Rect& rect, float cap) {
    return std::floor(rect.y + (rect.h - cap) / 2) + cap;
}

struct Line {
    std::string_view text, rest;
};
Line first_line(const Ui& ui, const TextStyle& style, float width, std::string_view text) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* const cut = style.font->CalcWordWrapPosition(pixels(ui, style), begin, end, width);
    const char* next = cut;
    while (next < end && *next == ' ') ++next;
    if (next < end && *next == '\n') ++next;
    return {{begin, static_cast<std::size_t>(cut - begin)},
            {next, static_cast<std::size_t>(end - next)}};
}

template <class Each>
float each_line(const Ui& ui, const TextStyle& style, float pitch, float width,
                std::string_view text, Each each) {
    float y = 0;
    while (!text.empty()) {
        const Line line = first_line(ui, style, std::max(width, 1.0f), text);
        each(y, line.text);
        y += ui.px(pitch);
        text = line.rest;
    }
    return y;
}

}  // namespace

float text_width(const Ui& ui, const TextStyle& style, std::string_view text) {
    if (text.empty()) return 0;
    return style.font
        ->CalcTextSizeA(pixels(ui, style), FLT_MAX, 0.0f, text.data(), text.data() + text.size())
        .x;
}

float cap_height(const Ui& ui, const TextStyle& style) {
    return capital(ui, style).height;
}

bool text_in(const Painter& p, const TextStyle& style, const Rect& rect, std::string_view text) {
    // Pixels: a box measured from this very text must not cut it.
    constexpr float kTolerance = 0.5f;
    const Capital cap = capital(p.ui, style);
    const float baseline = centred_baseline(rect, cap.height);
    const float width = text_width(p.ui, style, text);
    if (rect.w == 0 || width <= rect.w + kTolerance) {
        put(p, style, cap, aligned_left(style.align, rect, width), baseline, text);
        return false;
    }
    if (text_width(p.ui, style, kEllipsis) > rect.w) return true;
    const std::string_view part = part_before_ellipsis(p.ui, style, rect.w, text);
    put(p, style, cap, rect.x, baseline, part);
    put(p, style, cap, rect.x + text_width(p.ui, style, part), baseline, kEllipsis);
    offer_whole_text(rect, text);
    return true;
}

void text_at(const Painter& p, const TextStyle& style, Vec2 at, std::string_view text) {
    const float width = text_width(p.ui, style, text);
    put(p, style, capital(p.ui, style), aligned_left(style.align, {at.x, at.y, 0, 0}, width), at.y,
        text);
}

float runs_width(const Ui& ui, std::span<const Run> runs) {
    float width = 0;
    for (const Run& run : runs) width += ui.px(run.gap) + text_width(ui, run.style, run.text);
    return width;
}

void runs_in(const Painter& p, std::span<const Run> runs, const Rect& rect, Align align) {
    float cap = 0;
    for (const Run& run : runs) cap = std::max(cap, cap_height(p.ui, run.style));
    const float baseline = centred_baseline(rect, cap);
    float x = aligned_left(align, rect, runs_width(p.ui, runs));
    for (const Run& run : runs) {
        x += p.ui.px(run.gap);
        put(p, run.style, capital(p.ui, run.style), std::round(x), baseline, run.text);
        x += text_width(p.ui, run.style, run.text);
    }
}

float wrapped_height(const Ui& ui, const TextStyle& style, float pitch, float width,
                     std::string_view text) {
    return each_line(ui, style, pitch, width, text, [](float, std::string_view) {});
}

float wrapped_at(const Painter& p, const TextStyle& style, float pitch, const Rect& room,
                 std::string_view text) {
    return each_line(p.ui, style, pitch, room.w, text, [&](float y, std::string_view line) {
        const Rect box{room.x, room.y + y, room.w, p.ui.px(pitch)};
        const float left = aligned_left(style.align, box, text_width(p.ui, style, line));
        const Capital cap = capital(p.ui, style);
        put(p, style, cap, left, centred_baseline(box, cap.height), line);
    });
}

}  // namespace kv
