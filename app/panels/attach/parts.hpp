#pragma once
// Parts of a watched server's panels that stand in Compare as well.

#include <span>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/words.hpp"

namespace kv {

void draw_state_pill(const Painter& p, const Rect& r, AttachStateWords state);
inline constexpr float kPillH = 34;  // logical pixels
// The same for each state, so that nothing beside it moves: as the longest word needs it.
float pill_width(const Ui& ui);

// What a rank holds: in use (sampled), else cached, of its pool where that is known.
void draw_rank_bar(const Painter& p, const Rect& bar, const RankCard& card);

// What steers the picture, what is recorded, and where it stands.
void draw_stream_row(const Ui& ui, const AttachUi& own, const Rect& row);
void draw_stream_axis(const Painter& p, const StreamSpan& span, double start_s, const Rect& axis);
void draw_stream_lane(const Painter& p, std::span<const StreamMark> marks, const StreamSpan& span,
                      const Rect& lane);

}  // namespace kv
