#include "app/frame/run_panels.hpp"

#include "app/panels/measure_panels.hpp"
#include "app/panels/run_panels.hpp"

namespace kv {

bool draw_run_panel(const Ui& ui, AppState& state, const RunView& run, PanelId panel) {
    RunState& own = state.run;
    own.history.catch_up(run.id, run.trace);
    switch (panel) {
        case PanelId::Transport:
            draw_transport(ui, run, own.focus, own.playback, own.history);
            return true;
        case PanelId::Events:
            draw_events(ui, run, own.focus, own.history, own.events);
            return true;
        case PanelId::Requests:
            draw_requests(ui, run, own.focus);
            return true;
        case PanelId::Charts:
            draw_charts(ui, run, own.focus, own.history, own.charts);
            return true;
        case PanelId::MiniCharts:
            draw_mini_charts(ui, run, own.focus, own.history, own.charts);
            return true;
        case PanelId::Equation:
            draw_run_equation(ui, run, own.focus);
            return true;
        case PanelId::Roofline:
            draw_run_roofline(ui, run, own.history);
            return true;
        default:
            return false;
    }
}

}  // namespace kv
