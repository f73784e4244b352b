#include "app/panels/view/token_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kTagSize = 18, kBeforeTag = 2, kAfterLabel = 7;  // logical pixels
constexpr std::array<std::string_view, 2> kSideNames{"K", "V"};

// Calls `words(text, style)` for what stands between the places, `place(which)` for a place.
template <class Words, class PlaceOf>
void each_part(std::string_view text, const TokenLineLook& look, std::span<const LinePlace> places,
               Words words, PlaceOf place) {
    std::size_t from = 0;
    const TextStyle* style = look.lead ? &*look.lead : &look.words;
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos) break;
        const std::string_view name = text.substr(open + 1, close - open - 1);
        const auto found = std::find_if(places.begin(), places.end(),
                                        [&](const LinePlace& p) { return p.name == name; });
        if (found == places.end()) continue;
        if (open > from) words(text.substr(from, open - from), *style);
        place(*found);
        if (name == look.lead_end) style = &look.words;
        from = close + 1;
    }
    if (from < text.size()) words(text.substr(from), *style);
}

float part_width(const Ui& ui, const LinePlace& place) {
    return place.tag ? ui.px(kTagSize) + ui.px(kBeforeTag)
                     : text_width(ui, place.style, place.text);
}

// Owns the texts of the options; the views stay valid as long as it lives.
struct Options {
    List<Text> texts;
    List<std::string_view> views;
    explicit Options(const IndexSwitch& which) {
        for (std::uint32_t i = 0; i < which.count; ++i)
            texts.push_back(Text(which.prefix) + std::to_string(i));
        views.assign(texts.begin(), texts.end());
    }
};

float label_width(const Ui& ui, std::string_view label) {
    if (label.empty()) return 0;
    return std::ceil(text_width(ui, type::caption(ui), label)) + ui.px(kAfterLabel);
}

float list_width(const Ui& ui) {
    return ui.px(76);
}

bool is_row(const Ui& ui, const IndexSwitch& which, const Options& options, float room) {
    return which.count <= 12 &&
           label_width(ui, which.label) + segmented_width(ui, options.views, {.mono = true}) <=
               room;
}

}  // namespace

float line_width(const Ui& ui, const TokenLineLook& look, std::string_view text,
                 std::span<const LinePlace> places) {
    float width = 0;
    each_part(
        text, look, places,
        [&](std::string_view part, const TextStyle& style) {
            width += text_width(ui, style, part);
        },
        [&](const LinePlace& place) { width += part_width(ui, place); });
    return std::ceil(width);
}

float draw_line(const Painter& p, const Rect& rect, const TokenLineLook& look,
                std::string_view text, std::span<const LinePlace> places) {
    float cap = cap_height(p.ui, look.lead ? *look.lead : look.words);
    for (const LinePlace& place : places)
        if (!place.tag) cap = std::max(cap, cap_height(p.ui, place.style));
    const float baseline = std::floor(rect.y + (rect.h - cap) / 2) + cap;
    float x = rect.x;
    const auto put = [&](std::string_view part, const TextStyle& style) {
        const float left = rect.right() - x, width = text_width(p.ui, style, part);
        if (left < 1) return;
        // text_in centres capitals in its box, so this box puts them on the common baseline.
        const float h = cap_height(p.ui, style);
        text_in(p, style, {std::round(x), baseline - h, std::max(1.0f, std::min(left, width)), h},
                part);
        x += width;
    };
    each_part(text, look, places, put, [&](const LinePlace& place) {
        if (!place.tag) return put(place.text, place.style);
        const float size = p.ui.px(kTagSize);
        x += p.ui.px(kBeforeTag);
        if (x + size <= rect.right() + 1)
            draw_request_tag(p, {std::round(x) + size / 2, std::floor(baseline - cap / 2)},
                             kTagSize, *place.tag);
        x += size;
    });
    return std::min(x, rect.right()) - rect.x;
}

float index_switch_width(const Ui& ui, const IndexSwitch& which, float room) {
    const Options options(which);
    const float label = label_width(ui, which.label);
    return is_row(ui, which, options, room)
               ? label + segmented_width(ui, options.views, {.mono = true})
               : std::min(room, label + list_width(ui));
}

void draw_index_switch(const Ui& ui, const IndexSwitch& which, const Rect& rect) {
    const Options options(which);
    const float label = label_width(ui, which.label);
    if (label > 0)
        text_in(Painter(ui), type::caption(ui), {rect.x, rect.y, label, rect.h}, which.label);
    ImGui::SetCursorScreenPos({rect.x + label, rect.y});
    const auto next =
        is_row(ui, which, options, rect.w)
            ? segmented(ui, which.id, options.views, which.chosen, {.mono = true})
            : dropdown(ui, which.id, options.views, which.chosen,
                       {.width = std::max(1.0f, std::min(list_width(ui), rect.w - label))});
    if (next) ui.out.push(which.command, std::uint64_t{*next});
}

float side_switch_width(const Ui& ui) {
    return segmented_width(ui, kSideNames, {.width = ui.px(84)});
}

void draw_side_switch(const Ui& ui, bool keys, Vec2 at) {
    const std::array hues{ui.colors.k, ui.colors.v};
    ImGui::SetCursorScreenPos(im(at));
    const auto next =
        segmented(ui, "side", kSideNames, keys ? 0 : 1, {.width = ui.px(84), .hues = hues});
    if (next) ui.out.push(*next == 0 ? CommandId("select.keys") : CommandId("select.values"));
}

}  // namespace kv
