#pragma once
// What the painting parts of the Stage share: the run, the plan, and where it lies on the screen.

#include <optional>
#include <string_view>

#include "app/panels/stage/plan/chips.hpp"
#include "app/panels/stage/plan/draft.hpp"
#include "app/panels/stage/plan/plan.hpp"
#include "app/panels/stage/plan/try_next.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/widgets/paint/paint.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct StagePicture {
    const Ui& ui;
    const RunView& run;
    const RunFocus& focus;
    StageUi& own;
    StagePlan plan;  // from the room's upper left corner
    Vec2 origin;     // of the room
    PoolGrid grid;   // on the screen
    std::optional<PoolGrid> host;
    List<SeqId> others;
    bool strip_ids = false;             // under the blocks of a strip: all of them or none
    const DraftShown* draft = nullptr;  // of the request in focus

    const Snapshot& now() const { return run.now; }
    LaneAt lane() const { return run.lane(); }
    Rect on_screen(const Rect& r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    // What the inspector shows, and whether a person chose it.
    std::optional<std::uint32_t> inspected() const { return inspected_position(now(), focus); }
    bool is_selected(TokenAt token) const {
        return token.request == focus.request && focus.token == token.position;
    }
    std::optional<BlockId> selected_block() const;  // of the selection: by itself, or by its token
    std::optional<BlockId> entry(SeqId request, std::uint32_t index) const;
    // The row in which a token of the request in focus stands.
    std::optional<std::uint32_t> row_of(std::uint32_t position) const {
        return entry_of(lane(), {focus.request, position});
    }
    std::optional<std::uint32_t> offset_of(std::uint32_t position) const {
        return slot_offset_of(lane(), {focus.request, position});
    }
    Hue hue(SeqId request) const { return request_hue(ui.colors, own.facts.tag_index(request)); }
    bool is_shared(BlockId block) const;
};

// How much of a colour, over the panel's, the empty part of a small block has.
inline constexpr double kPale = 0.28;

// Fill and ink of a request that is not in focus: 72 % fill, 80 % ink.
Hue quieter(const Palette& colors, Hue hue);

void paint_sentences(const StagePicture& s);
void paint_headline(const StagePicture& s);
void paint_rows(const StagePicture& s);
void paint_pieces(const StagePicture& s);
void paint_row_bracket(const StagePicture& s, const Painter& p, const StageRow& row, bool strong);
void paint_table_entry(const StagePicture& s, const Painter& p, const StageRow& row);
void paint_strips(const StagePicture& s);
void paint_lines(const StagePicture& s);
void paint_pool(const StagePicture& s);
void paint_block(const StagePicture& s, const Painter& p, std::uint32_t block, const Rect& cell);
void paint_pool_head(const StagePicture& s);
void paint_host(const StagePicture& s);
void paint_pool_bar(const StagePicture& s);
void paint_draft_line(const StagePicture& s);
void paint_draft_box(const StagePicture& s);
void paint_drafter(const StagePicture& s);  // its lane and its pool

// The line under the Stage: its height, and its buttons.
float try_next_height(const Ui& ui);
void draw_try_next(const Ui& ui, std::span<const TryStep> steps, const Rect& room);

// One token, wherever tokens are written out.
struct ChipLook {
    bool lit = false;  // in the row of the selected token, which has a wash behind it
    float size = 13;   // of its word, logical pixels
};
void paint_chip(const Painter& p, const Rect& box, const Chip& chip, std::string_view word, Hue hue,
                const ChipLook& look = {});

// Centred words in the largest of the three small sizes in which they fit.
void text_that_fits(const Painter& p, TextStyle style, const Rect& r, std::string_view text);

}  // namespace kv
