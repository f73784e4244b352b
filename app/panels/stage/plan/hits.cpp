#include "app/panels/stage/plan/hits.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

bool is_written_token(const Snapshot& now, TokenAt token) {
    return token.request.index() < now.requests.size() &&
           token_at(now.requests[token.request.index()], token.position).has_value();
}

void hit_rows(const StageTargets& t, Vec2 at, StageHit& hit) {
    for (const StageRow& row : t.plan.rows) {
        if (row.left_out > 0) continue;
        if (t.plan.physical(row).contains(at) || t.plan.logical(row).contains(at)) {
            const Table* table = t.lane.table(t.focused);
            if (table != nullptr && row.entry < table->size()) hit.block = (*table)[row.entry];
            return;
        }
        for (std::uint32_t offset = 0; offset < t.lane.now.block_size; ++offset) {
            const TokenAt token{t.focused, position_in(t.lane, t.focused, row.entry, offset)};
            if (!t.plan.chip(row, offset).contains(at)) continue;
            if (is_written_token(t.lane.now, token)) hit.token = token;
            return;
        }
    }
}

// The token that a strip has so many pixels behind its left end; none in the gap behind a block.
std::optional<TokenAt> token_in_strip(const StageTargets& t, SeqId request, float behind) {
    const std::uint32_t slots = t.lane.now.block_size;
    const float pitch = t.plan.strip_block_pitch;
    // Where a token has no bar of its own, the tokens of a block share its width.
    const float bar =
        t.plan.strip_bar_pitch > 0 ? t.plan.strip_bar_pitch : pitch / static_cast<float>(slots);
    const auto entry = static_cast<std::uint32_t>(behind / pitch);
    const auto offset =
        static_cast<std::uint32_t>((behind - static_cast<float>(entry) * pitch) / bar);
    if (offset >= slots) return std::nullopt;
    return TokenAt{request, position_in(t.lane, request, entry, offset)};
}

void hit_strips(const StageTargets& t, Vec2 at, StageHit& hit) {
    for (std::uint32_t i = 0; i < t.plan.n_strips; ++i) {
        const Rect strip = t.plan.strip(i);
        if (at.y < strip.y || at.y >= strip.bottom()) continue;
        if (at.x < strip.x) {
            hit.tag = t.others[i];
        } else if (at.x < strip.right() && t.plan.strip_block_pitch > 0) {
            const auto token = token_in_strip(t, t.others[i], at.x - strip.x);
            if (token && is_written_token(t.lane.now, *token)) hit.token = token;
        }
        return;
    }
}

}  // namespace

StageHit stage_hit(const StageTargets& t, Vec2 point) {
    StageHit hit;
    const Vec2 at = point - t.origin;
    hit.in_pool = t.grid.area.contains(point);
    if (hit.in_pool) {
        if (const auto block = t.grid.at(point)) hit.block = BlockId(*block);
        return hit;
    }
    if (t.host && t.host->area.contains(point)) {
        hit.host = t.host->at(point);
        return hit;
    }
    hit.in_rows = at.y >= t.plan.chips.y && at.y < t.plan.chips.bottom();
    if (hit.in_rows && at.x < t.plan.chips.x && at.y < t.plan.chips.y + t.plan.chip_h)
        hit.tag = t.focused;
    if (hit.in_rows)
        hit_rows(t, at, hit);
    else
        hit_strips(t, at, hit);
    return hit;
}

}  // namespace kv
