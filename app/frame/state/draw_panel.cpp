// What a panel shows at the moment: of its row's functions the one that fits what there is.

#include "app/frame/state/app_state.hpp"
#include "app/frame/state/panel_table.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/preparing/preparing.hpp"
#include "app/panels/timeline/panels.hpp"

namespace kv {
namespace {

bool lacks_engine(const PanelRow& row, const RunView& run) {
    return row.missing_in_record && !run.has_engine;
}

void draw_row_without_run(const PanelRow& row, const PanelScene& scene) {
    if (row.draw_without_run != nullptr)
        row.draw_without_run(scene);
    else if (row.empty)
        draw_empty_words(scene.ui, row.empty->title, row.empty->why);
}

// Whether the panel waits while a run is prepared: it shows the picture of the run, or steers it.
bool waits_for_run(const PanelScene& scene, PanelId panel) {
    using enum PanelId;
    return scene.state.run.preparing &&
           (panel == Stage || panel == Transport || panel == Left || panel == Right);
}

bool waits_for_side(const PanelScene& scene, PanelId panel) {
    return panel == PanelId::Right && scene.state.run.preparing_side.has_value();
}

}  // namespace

void draw_panel(const PanelScene& scene, PanelId panel) {
    const PanelRow& row = row_of(panel);
    if (waits_for_run(scene, panel))
        return panel == PanelId::Transport
                   ? draw_preparing_row(scene.ui, *scene.state.run.preparing)
                   : draw_preparing(scene.ui, *scene.state.run.preparing);
    if (scene.run == nullptr) return draw_row_without_run(row, scene);
    if (waits_for_side(scene, panel))
        return draw_preparing(scene.ui, *scene.state.run.preparing_side);
    const RunView& run = *scene.run;
    RunState& own = scene.state.run;
    own.history.catch_up(run);
    own.events.rows.follow(own.history, own.events.hidden, run.moment);
    if (scene.other != nullptr && row.draw_pair != nullptr) {
        follow_pair(own.pair, run, *scene.other, own.focus);
        row.draw_pair(scene);
    } else if (lacks_engine(row, run)) {
        draw_missing_in_record(scene.ui, run, row.missing_in_record->title,
                               row.missing_in_record->why);
    } else if (row.draw_run != nullptr) {
        row.draw_run(scene);
    } else {
        draw_row_without_run(row, scene);
    }
}

TabWords tab_words(const PanelScene& scene, PanelId panel) {
    const PanelRow& row = row_of(panel);
    TabWords name;
    if (row.words_of_tab != nullptr) name = row.words_of_tab(scene);
    if (name.title.empty()) name.title = scene.ui.text[row.title];
    return name;
}

Text panel_caption(const PanelScene& scene, PanelId panel) {
    const PanelRow& row = row_of(panel);
    const bool has_words =
        row.caption != nullptr && (scene.run != nullptr || row.captioned_without_run);
    return has_words ? row.caption(scene) : Text();
}

std::vector<DataTable> panel_tables(const PanelDataAsk& ask, PanelId panel) {
    const PanelRow& row = row_of(panel);
    if (ask.run != nullptr && ask.other != nullptr && row.pair_tables != nullptr)
        return row.pair_tables(ask);
    if (ask.run != nullptr && row.run_tables != nullptr) {
        if (lacks_engine(row, *ask.run)) return {};
        ask.state.run.history.catch_up(*ask.run);
        return row.run_tables(ask);
    }
    return row.tables_without_run == nullptr ? std::vector<DataTable>()
                                             : row.tables_without_run(ask);
}

}  // namespace kv
