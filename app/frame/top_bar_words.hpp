#pragma once
// What the right side of the top bar says: what runs, or what is priced, and what is proved.

#include <string>
#include <vector>

#include "app/frame/app_state.hpp"
#include "app/panels/run_view.hpp"
#include "app/widgets/tags.hpp"

namespace kv {

struct TopBarWords {
    std::vector<std::string> values;  // owns what the runs point at
    std::vector<Run> readout, badge;
    std::string badge_head, badge_tip;
    BadgeLook badge_look;
    bool can_prove = false;
};
TopBarWords top_bar_words(const Ui& ui, const AppState& state, const RunView* run);

}  // namespace kv
