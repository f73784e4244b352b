// The other requests: one strip each, a bar for each token and a gap after each block.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/stage_paint.hpp"
#include "core/base/text.hpp"

namespace kv {
namespace {

struct StripBlock {
    SeqId request;
    std::uint32_t entry;
    Rect box;
    std::uint32_t known, stored;  // tokens of this block
};

void paint_filled(const StagePicture& s, const Painter& p, const StripBlock& b, BlockId block) {
    const Palette& colors = s.ui.colors;
    const bool shared = s.is_shared(block);
    const Hue hue = quieter(colors, s.hue(b.request));
    const Color color = shared ? mix(colors.panel, colors.shared, 0.72) : hue.fill;
    const float line = s.ui.px(1);
    Rect box = b.box;
    if (shared) {
        box.h -= 2 * line + s.ui.px(1);
        fill(p, {b.box.x, b.box.bottom() - line, b.box.w, line}, color);
    }
    const std::uint32_t bs = s.now().block_size;
    if (s.plan.strip_bar_pitch == 0) {
        const float part = static_cast<float>(b.stored) / static_cast<float>(bs);
        fill(p, {box.x, box.y, std::max(1.0f, std::round(box.w * part)), box.h}, color);
        if (box.w >= s.ui.px(5)) outline(p, box, shared ? color : hue.ink);
        return;
    }
    const float pitch = s.plan.strip_bar_pitch, w = pitch - s.ui.px(1);
    for (std::uint32_t i = 0; i < bs; ++i) {
        const Rect bar{box.x + static_cast<float>(i) * pitch, box.y, std::max(1.0f, w), box.h};
        if (i < b.stored)
            fill(p, bar, color);
        else if (s.plan.learn)
            outline(p, bar, colors.line);
        else
            fill(p, bar, colors.line);
    }
}

// Blocks with no place on the device: queued tokens, given up, or in the host tier.
void paint_placeless(const StagePicture& s, const Painter& p, const StripBlock& b) {
    const Palette& colors = s.ui.colors;
    if (s.own.facts.host_place(b.request, b.entry)) {
        hatch(p, b.box, colors.edge);
        return outline(p, b.box, colors.edge, 2);
    }
    if (b.stored > 0) {
        dashed_outline(p, b.box, colors.line, 2);
        return cross_mark(p, b.box.center(), 7, colors.loss.ink);
    }
    const float y = std::floor(b.box.center().y), bs = static_cast<float>(s.now().block_size);
    const float end = b.box.x + std::round(b.box.w * static_cast<float>(b.known) / bs);
    const float step = std::max(2.0f, s.plan.strip_bar_pitch),
                dot = std::max(1.0f, step - s.ui.px(1));
    for (float x = b.box.x; x + dot <= end; x += step)
        fill(p, {x, y, std::min(dot, s.ui.px(3)), s.ui.px(2)}, colors.text3);
}

bool is_pointed(const StagePicture& s, const StripBlock& b, std::optional<BlockId> block) {
    const auto& pointed = s.focus.pointed;
    if (pointed.token)
        return pointed.token->request == b.request &&
               pointed.token->position / s.now().block_size == b.entry;
    return block && pointed.block == *block;
}

void paint_strip_block(const StagePicture& s, const Painter& p, const StripBlock& b) {
    const auto block = s.entry(b.request, b.entry);
    if (block)
        paint_filled(s, p, b, *block);
    else
        paint_placeless(s, p, b);
    if (is_pointed(s, b, block)) hover_ring(p, b.box, 2);
    if (!block || !s.strip_ids) return;
    const bool shared = s.is_shared(*block);
    const TextStyle style{shared ? s.ui.fonts.mono_bold : s.ui.fonts.mono, 12,
                          shared ? s.ui.colors.text : s.ui.colors.text2, Align::Center};
    const std::string id = with_commas(block->value);

    text_in(p, style,
            {b.box.x - s.ui.px(4), b.box.bottom() + s.ui.px(1), b.box.w + s.ui.px(8), s.ui.px(16)},
            id);
}

void paint_words(const StagePicture& s, const Painter& p, SeqId id, const Rect& strip) {
    const Ui& ui = s.ui;
    const StripWords words = strip_words(s.now(), id, s.plan.learn, ui.text);
    const float end = s.origin.x + s.plan.first_track - ui.px(4);
    const float w = end - strip.right() - ui.px(8);
    const Rect room{end - w, strip.y, w, strip.h};
    if (!s.plan.learn)
        return static_cast<void>(
            text_in(p, aligned(type::number_small(ui), Align::Right), room, words.amount));
    text_in(p, type::number_small(ui), {room.x, room.y - ui.px(4), w, ui.px(16)}, words.amount);
    text_in(p, type::caption(ui), {room.x, room.y + ui.px(12), w, ui.px(16)}, words.state);
}

void paint_strip(const StagePicture& s, const Painter& p, SeqId id, const Rect& strip) {
    const Snapshot& now = s.now();
    const RequestView& r = now.requests[id.index()];
    const float tag = s.plan.learn ? 22.0f : 16.0f;
    const Vec2 center{s.origin.x + s.ui.px(12), std::floor(strip.center().y)};
    draw_request_tag(p, center, tag, tag_of(now, id));
    const std::uint32_t n = rows_of(now, id), bs = now.block_size;
    const float gap = s.plan.strip_bar_pitch > 0
                          ? s.plan.strip_block_pitch -
                                s.plan.strip_bar_pitch * static_cast<float>(bs) + s.ui.px(1)
                          : (s.plan.strip_block_pitch >= 6 ? s.ui.px(2) : 0);
    std::optional<float> last_x;
    for (std::uint32_t entry = 0; entry < n; ++entry) {
        const float x = std::round(strip.x + static_cast<float>(entry) * s.plan.strip_block_pitch);
        if (x > strip.right()) break;
        // Blocks narrower than a pixel: the first one of each pixel stands for the others.
        if (x == last_x) continue;
        last_x = x;
        const auto in_block = [&](std::size_t tokens) {
            const std::size_t first = std::size_t{entry} * bs;
            return static_cast<std::uint32_t>(std::clamp<std::size_t>(tokens, first, first + bs) -
                                              first);
        };
        const Rect box{x, strip.y, std::max(1.0f, std::round(s.plan.strip_block_pitch - gap)),
                       strip.h};
        paint_strip_block(s, p, {id, entry, box, in_block(r.tokens.size()), in_block(r.stored)});
    }
    paint_words(s, p, id, strip);
}

}  // namespace

void paint_strips(const StagePicture& s) {
    const Painter p(s.ui);
    for (std::uint32_t i = 0; i < s.plan.n_strips; ++i)
        paint_strip(s, p, s.others[i], s.on_screen(s.plan.strip(i)));
    const std::size_t more = s.others.size() - s.plan.n_strips;
    if (more == 0) return;
    const Rect below = s.on_screen(s.plan.strip(s.plan.n_strips));
    text_in(p, type::caption(s.ui), {below.x, below.y - s.ui.px(4), below.w, s.ui.px(18)},
            fill(s.ui.text["stage.more"_t], {{"count", with_commas(more)}}));
}

}  // namespace kv
