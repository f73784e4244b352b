#pragma once
// Prefix: what can be found again, as the chain of hashes that a lookup walks and as the radix tree
// of the same blocks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/prefix/tree.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// The rows that can be seen, gathered anew when the moment or the place changes.
class PrefixUi {
public:
    void follow(const RunView& run);
    void drawn_in(int frame) { drawn_in_ = frame; }
    // Whether more is to be read than that frame had time for; the next one goes on.
    bool behind() const { return forest_.behind(); }
    bool wants_frame_after(int frame) const { return behind() && drawn_in_ == frame; }
    std::uint64_t n_rows() const { return forest_.size(mode); }
    // Valid until the next call.
    const PrefixRow& row(const RunView& run, std::uint64_t i);
    // Blocks and places that a lookup can find.
    std::uint64_t on_device() const { return forest_.on_device(); }
    std::uint64_t below() const { return forest_.below(); }

    PrefixMode mode = PrefixMode::Chain;
    std::optional<double> patience;  // seconds that following may take of a frame; none: pictures

private:
    PrefixForest forest_;
    std::vector<PrefixRow> rows_;  // from number first_ on
    std::uint64_t first_ = 0;
    int drawn_in_ = -1;  // Dear ImGui's number of the frame
    PrefixMode gathered_ = PrefixMode::Chain;
};

void draw_prefix(const Ui& ui, const RunView& run, RunFocus& focus, PrefixUi& own);
// "41 blocks on the device, 8 below", at the right end of the tab bar.
Text prefix_caption(const Ui& ui, const PrefixUi& own);

}  // namespace kv
