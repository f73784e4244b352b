#pragma once
// What the painting parts of one side of a comparison share: the run, the plan, and where it lies
// on the screen.

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/side/rows_plan.hpp"
#include "app/panels/compare_runs/side/strip_plan.hpp"
#include "app/panels/compare_runs/side/unfolded.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/paint/paint.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct SidePicture {
    const Ui& ui;
    const PairView& pair;
    CompareSide side;
    RunFocus& focus;
    SeqId request;                             // in this run
    const RequestView& now;                    // at the cursor
    const SharedArray<std::uint32_t>& tokens;  // recorded, those after the cursor too
    const TokenParting* parting;
    List<std::uint32_t> entries;  // of the table, that have a block
    Vec2 origin;
    // All tokens as words where they fit, else as a strip.
    std::optional<PairSidePlan> rows = {};
    PairStripPlan strip = {};
    std::optional<Unfolded> unfolded = {};  // of the strip

    const RunView& run() const { return pair.of(side); }
    const RunView& other() const {
        return pair.of(side == CompareSide::Left ? CompareSide::Right : CompareSide::Left);
    }
    const PairSideParts& parts() const {
        return rows ? static_cast<const PairSideParts&>(*rows) : strip;
    }
    Rect on_screen(const Rect& r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    Hue hue() const { return request_hue(ui.colors, tag_index(now.name, request)); }
    const Table* table() const { return run().lane().table(request); }
    std::string_view word(std::uint32_t i) const { return bare_word(run().word(tokens[i])); }
    std::uint32_t n_tokens() const { return static_cast<std::uint32_t>(tokens.size()); }
};

// Whether this side says what the full cache says where the sides part.
inline bool says_as_full(const SidePicture& s) {
    const auto& own = s.side == CompareSide::Left ? s.parting->left : s.parting->right;
    return s.parting->full && s.parting->full == own;
}

// The entries of a table that have a block on the device: what was given up, or lies in the host
// tier, takes no room in the picture.
inline List<std::uint32_t> entries_held(const Table* table) {
    List<std::uint32_t> held;
    for (std::uint32_t i = 0; table != nullptr && i < table->size(); ++i)
        if ((*table)[i]) held.push_back(i);
    return held;
}

// A token as a chip, or as the pill of an answer: the one at which the sides part, or one that is
// still to come. `size` of its word in logical pixels.
void paint_pair_token(const SidePicture& s, const Painter& p, std::uint32_t token, const Rect& box,
                      float size = 13);
void offer_token_tip(const SidePicture& s, std::uint32_t token);

void take_rows_input(const SidePicture& s);
void paint_pair_rows(const SidePicture& s);
// "Show in the Event log", at the end of a line that says where the sides part; its width.
float draw_event_link(const SidePicture& s, const Rect& line);

void take_strip_input(const SidePicture& s, PairUnfold& unfold);
void paint_pair_strip(const SidePicture& s);
void draw_pair_answer(const SidePicture& s);

void paint_pair_stored(const SidePicture& s);
void draw_pair_predictions(const SidePicture& s);

struct MarkedBadge {
    float width = 0;  // of the room that it took
    bool pressed = false;
};
// "needle kept, 8 of 8" at the right end of the title.
MarkedBadge draw_marked_badge(const Ui& ui, const RunView& run, const RunFocus& focus,
                              SeqId request, const Rect& r);

}  // namespace kv
