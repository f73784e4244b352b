// The other requests: one strip each, a bar for each token and a gap after each block.

#include <algorithm>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// Below this a block has no outline, and full ones of one look side by side are one rectangle.
constexpr float kOutlinedFrom = 5;  // logical pixels

float strip_gap(const StagePicture& s) {
    if (s.plan.strip_bar_pitch > 0)
        return s.plan.strip_block_pitch -
               s.plan.strip_bar_pitch * static_cast<float>(s.now().block_size) + s.ui.px(1);
    return s.plan.strip_block_pitch >= 6 ? s.ui.px(2) : 0;
}
float strip_block_width(const StagePicture& s) {
    return std::max(1.0f, std::round(s.plan.strip_block_pitch - strip_gap(s)));
}

struct StripBlock {
    SeqId request;
    std::uint32_t entry;
    Rect box;
    std::uint32_t known, stored;  // slots of tokens, and of stored ones
    TableEntry block;
    bool shared;
};

void paint_filled(const StagePicture& s, const Painter& p, const StripBlock& b) {
    const Palette& colors = s.ui.colors;
    const bool shared = b.shared;
    const Hue hue = quieter(colors, s.hue(b.request));
    const Color color = shared ? mix(colors.panel, colors.shared, 0.72) : hue.ink;
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
        if (strip_block_width(s) >= s.ui.px(kOutlinedFrom)) outline(p, box, color);
        return;
    }
    const float pitch = s.plan.strip_bar_pitch, w = pitch - s.ui.px(1);
    for (std::uint32_t i = 0; i < bs; ++i) {
        const Rect bar{box.x + static_cast<float>(i) * pitch, box.y, std::max(1.0f, w), box.h};
        if (i < b.stored && is_dropped_slot(s.lane(), b.request, b.entry, i))
            cross_mark(p, bar.center(), std::min(7.0f, bar.w / s.ui.unit), colors.loss.ink);
        else if (i < b.stored)
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

bool is_pointed(const StagePicture& s, const StripBlock& b) {
    const auto& pointed = s.focus.pointed;
    if (pointed.token)
        return pointed.token->request == b.request && entry_of(s.lane(), *pointed.token) == b.entry;
    return b.block && pointed.block == *b.block;
}

void paint_strip_block(const StagePicture& s, const Painter& p, const StripBlock& b) {
    if (b.block)
        paint_filled(s, p, b);
    else
        paint_placeless(s, p, b);
    if (is_pointed(s, b)) hover_ring(p, b.box, 2);
    if (!b.block || !s.strip_ids) return;
    const TextStyle style{b.shared ? s.ui.fonts.mono_bold : s.ui.fonts.mono, 12,
                          b.shared ? s.ui.colors.text : s.ui.colors.text2, Align::Center};
    const Text id = with_commas(b.block->value);
    text_in(p, style,
            {b.box.x - s.ui.px(4), b.box.bottom() + s.ui.px(1), b.box.w + s.ui.px(8), s.ui.px(16)},
            id);
}

void paint_words(const StagePicture& s, const Painter& p, SeqId id, const Rect& strip) {
    const Ui& ui = s.ui;
    const StripWords words = strip_words(s.lane(), id, s.plan.learn, ui.text);
    const float end = s.origin.x + s.plan.first_track - ui.px(4);
    const float w = end - strip.right() - ui.px(8);
    const Rect room{end - w, strip.y, w, strip.h};
    if (!s.plan.learn)
        return static_cast<void>(
            text_in(p, aligned(type::number_small(ui), Align::Right), room, words.amount));
    text_in(p, type::number_small(ui), {room.x, room.y - ui.px(4), w, ui.px(16)}, words.amount);
    text_in(p, type::caption(ui), {room.x, room.y + ui.px(12), w, ui.px(16)}, words.state);
}

// Gathers blocks that look alike and touch each other, and paints them at once.
class StripRuns {
public:
    StripRuns(const StagePicture& s, const Painter& p) : s_(s), p_(p) {}
    ~StripRuns() { flush(); }
    StripRuns(const StripRuns&) = delete;
    StripRuns& operator=(const StripRuns&) = delete;

    void add(const StripBlock& b) {
        if (!may_join(b)) {
            flush();
            return paint_strip_block(s_, p_, b);
        }
        if (run_ && run_->shared == b.shared && run_->box.right() >= b.box.x) {
            run_->box.w = b.box.right() - run_->box.x;
            return;
        }
        flush();
        run_ = b;
    }

private:
    bool may_join(const StripBlock& b) const {
        return b.block && b.stored == s_.now().block_size && narrow_ && !is_pointed(s_, b);
    }
    void flush() {
        if (run_) paint_filled(s_, p_, *run_);
        run_.reset();
    }

    const StagePicture& s_;
    const Painter& p_;
    const bool narrow_ = s_.plan.strip_bar_pitch == 0 && !s_.strip_ids &&
                         strip_block_width(s_) < s_.ui.px(kOutlinedFrom);
    std::optional<StripBlock> run_;
};

void paint_strip(const StagePicture& s, const Painter& p, SeqId id, const Rect& strip) {
    const Snapshot& now = s.now();
    const LaneAt lane = s.lane();
    const RequestView& r = now.requests[id.index()];
    const float tag = s.plan.learn ? 22.0f : 16.0f;
    const Vec2 center{s.origin.x + s.ui.px(12), std::floor(strip.center().y)};
    draw_request_tag(p, center, tag, tag_of(now, id));
    const std::uint32_t n = rows_of(lane, id), bs = now.block_size;
    const float width = strip_block_width(s);
    std::optional<float> last_x;
    const Table* table = lane.table(id);
    const std::uint32_t known = slots_taken(lane, id, static_cast<std::uint32_t>(r.tokens.size())),
                        stored = slots_taken(lane, id, r.stored);
    StripRuns runs(s, p);
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
        const TableEntry block =
            table != nullptr && entry < table->size() ? (*table)[entry] : std::nullopt;
        runs.add({id,
                  entry,
                  {x, strip.y, width, strip.h},
                  in_block(known),
                  in_block(stored),
                  block,
                  block && s.is_shared(*block)});
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
