#pragma once
// What the right side of the top bar says: what runs, or what is priced, and what is proved.

#include "app/frame/state/app_state.hpp"
#include "app/panels/view/run.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct TopBarWords {
    List<Text> values;  // owns what the runs point at
    List<Run> readout, badge;
    Text badge_head, badge_tip;
    BadgeLook badge_look;
    bool can_prove = false;
};
TopBarWords top_bar_words(const Ui& ui, const AppState& state, const RunView* run);

}  // namespace kv
