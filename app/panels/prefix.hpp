#pragma once
// Prefix: what can be found again, as the chain of hashes that a lookup walks and as the radix tree
// of the same blocks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/prefix_tree.hpp"
#include "app/panels/run_focus.hpp"
#include "app/panels/run_view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// The rows of the moment, gathered anew when it changes.
class PrefixUi {
public:
    void follow(const RunView& run);
    const std::vector<PrefixRow>& rows() const { return rows_; }

    PrefixMode mode = PrefixMode::Chain;

private:
    PrefixContents contents_;
    BlockHolders holders_;
    std::vector<PrefixRow> rows_;
    std::optional<std::uint64_t> run_;
    std::uint64_t moment_ = 0;
    PrefixMode gathered_ = PrefixMode::Chain;
};

void draw_prefix(const Ui& ui, const RunView& run, RunFocus& focus, PrefixUi& own);
// "41 blocks on the device, 8 below", at the right end of the tab bar.
std::string prefix_caption(const Ui& ui, const RunView& run);

}  // namespace kv
