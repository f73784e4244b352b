#pragma once
// What the painting parts of the picture share: the run at its step, the plan, and what the step
// stored.

#include "app/frame/start/paint.hpp"
#include "app/frame/start/picture_plan.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/tags.hpp"

namespace kv {

inline constexpr SeqId kPictured{0};  // its only request

struct PicturePaint {
    const StartPage& page;
    const Ui& ui;
    const RunView& run;
    PicturePlan plan;
    StoredNow stored;
    List<PictureLine> lines;
    std::uint32_t n_steps = 0;
    float way = 1;  // that the newest key and value have gone, 0 to 1

    Rect at(const Rect& r) const { return page.at(r); }
    Hue hue() const { return request_hue(ui.colors, 0); }
    // Where the step at the cursor writes; nowhere where it stored no token.
    bool writes_row(std::uint32_t row) const;
    bool writes_slot(BlockId block, std::uint32_t slot) const;
    std::size_t blocks_written() const;
};

void paint_rows(const PicturePaint& s);
void paint_blocks(const PicturePaint& s);
// The lines of the rows that the step writes lie over all others.
void paint_lines(const PicturePaint& s, bool written);
void paint_travellers(const PicturePaint& s);
void paint_half(const Painter& p, const Rect& box, Side side);

}  // namespace kv
