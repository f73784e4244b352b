// What stands around the pool: its head with the key, the host tier, and the bar of the whole pool.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

enum class KeySign : std::uint8_t { Used, Shared, Partly, Cached, Free };
struct KeyPart {
    KeySign sign;
    TextId words, short_words;
};
constexpr std::array kKey{
    KeyPart{KeySign::Used, "stage.key.used"_t, "stage.key.used"_t},
    KeyPart{KeySign::Shared, "stage.key.shared"_t, "stage.key.shared"_t},
    KeyPart{KeySign::Partly, "stage.key.partly"_t, "stage.key.partly.short"_t},
    KeyPart{KeySign::Cached, "stage.key.cached"_t, "stage.key.cached.short"_t},
    KeyPart{KeySign::Free, "stage.key.free"_t, "stage.key.free"_t},
};

void paint_sign(const StagePicture& s, const Painter& p, const Rect& box, KeySign sign) {
    const Palette& colors = s.ui.colors;
    const Hue hue = s.hue(s.focus.request);
    const float dot = s.ui.px(6);
    const Rect middle = snap({box.center().x - dot / 2, box.center().y - dot / 2, dot, dot});
    switch (sign) {
        case KeySign::Used:
            fill(p, box, hue.fill);
            if (const auto edge = needed_outline(colors, hue.fill)) outline(p, box, *edge);
            return;
        case KeySign::Shared:
            fill(p, box, colors.shared);
            return fill(p, middle, colors.is_light() ? colors.panel : colors.on_fill);
        case KeySign::Partly:
            fill(p, box, mix(colors.panel, hue.fill, kPale));
            fill(p, {box.x, box.y, box.w, std::round(box.h / 2)}, hue.fill);
            return outline(p, box, hue.ink);
        case KeySign::Cached:
            fill(p, box, colors.inset);
            outline(p, box, colors.cached.ink);
            return fill(p, middle, colors.cached.ink);
        case KeySign::Free:
            fill(p, box, colors.inset);
            return outline(p, box, colors.line);
    }
}

float key_width(const StagePicture& s, bool brief) {
    float w = 0;
    for (const KeyPart& part : kKey)
        w += s.ui.px(16) + s.ui.px(6) + s.ui.px(brief ? 12 : 20) +
             std::ceil(text_width(s.ui, type::caption(s.ui),
                                  s.ui.text[brief ? part.short_words : part.words]));
    return w;
}

void paint_key(const StagePicture& s, const Painter& p, const Rect& line, float least_x) {
    bool brief = !s.plan.learn;
    float x = line.right() - key_width(s, brief);
    if (x < least_x && !brief) brief = true, x = line.right() - key_width(s, brief);
    if (x < least_x) return;
    const Ui& ui = s.ui;
    for (const KeyPart& part : kKey) {
        const char* words = ui.text[brief ? part.short_words : part.words];
        x += ui.px(brief ? 12 : 20);
        const Rect box{x, std::round(line.center().y) - ui.px(8), ui.px(16), ui.px(16)};
        paint_sign(s, p, box, part.sign);
        x = box.right() + ui.px(6);
        text_in(p, type::caption(ui), {x, line.y, 0, line.h}, words);
        x += std::ceil(text_width(ui, type::caption(ui), words));
    }
}

struct HeadWords {
    TextId title;
    List<Text> values;
};
// Counts are of the table that the grid shows; where there are several, their number is said.
HeadWords head_words(const StagePicture& s) {
    const Ui& ui = s.ui;
    const std::size_t n_lanes = s.now().lanes.size();
    const LaneView& lane = s.lane().view();
    const std::uint64_t blocks = lane.blocks.size();
    if (s.plan.learn) {
        const std::uint64_t each = measure_of_block(s.run);
        return {"stage.pool"_t,
                {fill(ui.text[n_lanes > 1 ? "stage.pool.size.tables"_t : "stage.pool.size"_t],
                      {{"blocks", with_commas(blocks)},
                       {"each", measured(each, s.run.layout, ui.text)},
                       {"tables", with_commas(n_lanes)},
                       {"all", measured(each * blocks * n_lanes, s.run.layout, ui.text)}})}};
    }
    const auto count = [&](TextId text, std::uint64_t n) {
        return fill(ui.text[text], {{"count", with_commas(n)}});
    };
    HeadWords words{
        "stage.device_pool"_t,
        {count("stage.pool.used"_t, lane.used), count("stage.pool.cached"_t, lane.cached),
         count("stage.pool.free"_t, blocks - lane.used - lane.cached)}};
    if (n_lanes > 1)
        words.values.push_back(fill(
            ui.text["stage.pool.of_tables"_t],
            {{"n", with_commas(s.run.lane_in_focus.value + 1)}, {"tables", with_commas(n_lanes)}}));
    return words;
}

// The parts of the bar of the whole pool, in slots.
struct BarPart {
    TextId label;
    Text amount, bytes;
    std::uint64_t slots;
    KeySign sign;  // Used: live, Partly: waste
};
std::array<BarPart, 4> bar_parts(const StagePicture& s) {
    const Ui& ui = s.ui;
    const PoolCounts& c = s.own.facts.counts();
    const std::uint64_t bs = s.now().block_size, token = measure_of_slot(s.run);
    const auto part = [&](TextId label, TextId amount, std::uint64_t n, std::uint64_t slots,
                          KeySign sign) {
        return BarPart{label, fill(ui.text[amount], {{"count", with_commas(n)}}),
                       measured(slots * token, s.run.layout, ui.text), slots, sign};
    };
    BarPart waste = part("stage.bar.waste"_t, "stage.bar.empty_slots"_t, c.empty_slots,
                         c.empty_slots + c.dead_slots, KeySign::Partly);
    if (c.dead_slots > 0)
        waste.amount =
            fill(ui.text["stage.bar.empty_and_dead"_t],
                 {{"empty", with_commas(c.empty_slots)}, {"dead", with_commas(c.dead_slots)}});
    return {
        part("stage.bar.live"_t, "stage.bar.slots"_t, c.live_slots, c.live_slots, KeySign::Used),
        waste,
        part("stage.bar.cached"_t, "stage.bar.blocks"_t, c.cached, c.cached * bs, KeySign::Cached),
        part("stage.bar.free"_t, "stage.bar.blocks"_t, c.free, c.free * bs, KeySign::Free)};
}

void paint_bar_part(const StagePicture& s, const Painter& p, const Rect& r, KeySign sign) {
    const Palette& colors = s.ui.colors;
    switch (sign) {
        case KeySign::Used:
            return fill(p, r, colors.text2);
        case KeySign::Partly:
            fill(p, r, colors.loss.fill);
            if (const auto edge = needed_outline(colors, colors.loss.fill)) outline(p, r, *edge);
            return;
        case KeySign::Cached:
            return dashed_outline(p, r, colors.cached.ink);
        default:
            fill(p, r, colors.inset);
            return outline(p, r, colors.line);
    }
}

void paint_bar_key(const StagePicture& s, const Painter& p, const std::array<BarPart, 4>& parts) {
    const Ui& ui = s.ui;
    const Rect line = s.on_screen(*s.plan.bar_key);
    const TextStyle words = colored(type::body(ui), ui.colors.text2), value = type::number(ui),
                    bytes = colored(type::number(ui), ui.colors.text3);
    float all = 0;
    std::array<float, 4> widths{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::array runs{Run{words, ui.text[parts[i].label]}, Run{value, parts[i].amount, 8},
                              Run{bytes, parts[i].bytes, 16}};
        widths[i] = ui.px(18) + std::ceil(runs_width(ui, runs));
        all += widths[i];
    }
    const bool with_bytes = all + 3 * ui.px(12) <= line.w;
    const float gap = with_bytes ? std::floor((line.w - all) / 3) : ui.px(20);
    float x = line.x;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Rect box{x, std::round(line.center().y) - ui.px(6), ui.px(11), ui.px(11)};
        paint_bar_part(s, p, box, parts[i].sign);
        List<Run> runs{Run{words, ui.text[parts[i].label]}, Run{value, parts[i].amount, 8}};
        if (with_bytes) runs.push_back(Run{bytes, parts[i].bytes, 16});
        runs_in(p, runs, {x + ui.px(18), line.y, 0, line.h});
        x += with_bytes ? widths[i] + gap : ui.px(18) + std::ceil(runs_width(ui, runs)) + gap;
    }
}

}  // namespace

void paint_pool_head(const StagePicture& s) {
    const Painter p(s.ui);
    const Ui& ui = s.ui;
    const Rect line = s.on_screen(s.plan.pool_head);
    const HeadWords words = head_words(s);
    List<Run> runs{Run{type::section(ui), ui.text[words.title]}};
    for (const Text& value : words.values)
        runs.push_back({colored(type::number(ui), ui.colors.text2), value, 14});
    if (!knows_bytes(s.run.layout))
        runs.push_back({type::caption(ui), ui.text["trace.no_bytes"_t], 14});
    runs_in(p, runs, line);
    const Rect grid_line{line.x, line.y, s.plan.pool.w, line.h};
    paint_key(s, p, grid_line, line.x + runs_width(ui, runs) + ui.px(8));
}

void paint_host(const StagePicture& s) {
    if (!s.plan.host_head) return;
    const Ui& ui = s.ui;
    const Painter p(ui);
    const PoolCounts& c = s.own.facts.counts();
    const Text size =
        fill(ui.text["stage.host.size"_t],
             {{"held", with_commas(c.host_held)},
              {"all", with_commas(c.host_blocks)},
              {"bytes", measured(c.host_held * measure_of_block(s.run), s.run.layout, ui.text)}});
    const Rect head = s.on_screen(*s.plan.host_head);
    const std::string_view title = ui.text["stage.host"_t];
    text_in(p, type::section(ui), {head.x, head.y, 0, head.h}, title);
    const float x = head.x + text_width(ui, type::section(ui), title) + ui.px(14);
    text_in(p, colored(type::number(ui), ui.colors.text2), {x, head.y, head.right() - x, head.h},
            size);
    if (!s.host) return;
    const PoolGrid::Visible seen = s.host->visible();
    const std::uint64_t first = std::uint64_t{seen.first_row} * s.host->columns,
                        last = std::uint64_t{seen.last_row} * s.host->columns;
    for (std::uint64_t i = first; i < std::min<std::uint64_t>(last, s.host->n_blocks); ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const Rect cell = s.host->cell(id);
        const bool held = s.now().host[id].state != PlaceState::Free;
        const float radius = s.host->look >= BlockClass::Label ? 3.0f : 0.0f;
        fill(p, cell, held && s.host->look < BlockClass::Outline ? ui.colors.edge : ui.colors.inset,
             radius);
        if (held && s.host->look >= BlockClass::Outline)
            hatch(p, cell.inset(ui.px(1)), mix(ui.colors.inset, ui.colors.text3, 0.4));
        if (s.host->look != BlockClass::Texel)
            outline(p, cell, held ? ui.colors.cached.ink : ui.colors.line, radius);
        if (s.host->look < BlockClass::Label) continue;
        const TextStyle style{ui.fonts.mono, 12, held ? ui.colors.text : ui.colors.text3,
                              Align::Center};
        text_that_fits(p, style, cell, "H" + std::to_string(id));
    }
}

void paint_pool_bar(const StagePicture& s) {
    if (!s.plan.bar || s.own.facts.counts().blocks == 0) return;
    const Painter p(s.ui);
    const Rect bar = s.on_screen(*s.plan.bar);
    const std::array<BarPart, 4> parts = bar_parts(s);
    std::uint64_t all = 0;
    for (const BarPart& part : parts) all += part.slots;
    std::uint64_t before = 0;
    for (const BarPart& part : parts) {
        const auto at = [&](std::uint64_t slots) {
            return std::round(
                bar.x +
                bar.w * static_cast<float>(static_cast<double>(slots) /
                                           static_cast<double>(std::max<std::uint64_t>(all, 1))));
        };
        const float from = at(before), to = at(before + part.slots);
        if (to > from) paint_bar_part(s, p, {from, bar.y, to - from, bar.h}, part.sign);
        before += part.slots;
    }
    if (s.plan.bar_key) paint_bar_key(s, p, parts);
}

}  // namespace kv
