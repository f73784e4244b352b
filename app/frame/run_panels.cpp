#include "app/frame/run_panels.hpp"

#include "app/panels/bill/panels.hpp"
#include "app/panels/charts/panels.hpp"
#include "app/panels/price/price.hpp"
#include "app/panels/stage/stage.hpp"
#include "app/panels/timeline/lanes.hpp"
#include "app/panels/timeline/panels.hpp"
#include "app/panels/token/attention/attention.hpp"
#include "app/panels/token/bytes/bytes.hpp"
#include "app/panels/token/inspector/inspector.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {

namespace {

bool draw_pair_panel(const Ui& ui, RunState& own, const RunView& run, const RunView& other,
                     PanelId panel, LayoutName layout) {
    follow_pair(own.pair, run, other, own.focus);
    const PairView pair{run, other, own.pair, &own.pair.scroll};
    switch (panel) {
        case PanelId::Summary:
            draw_pair_summary(ui, pair);
            return true;
        case PanelId::Left:
            draw_pair_side(ui, pair, CompareSide::Left, own.focus);
            return true;
        case PanelId::Right:
            draw_pair_side(ui, pair, CompareSide::Right, own.focus);
            return true;
        case PanelId::Quality:
            draw_pair_quality(ui, pair);
            return true;
        case PanelId::Memory:
            draw_pair_memory(ui, pair);
            return true;
        case PanelId::Transport: {
            if (layout != LayoutName::Compare) return false;
            const Text name = name_of_request(run.now, own.focus.request);
            const TimelinePair lanes{other, own.pair.right_history, own.pair.pair.parting_of(name)};
            draw_transport(ui, run, own.focus, own.playback, own.history, &lanes);
            return true;
        }
        default:
            return false;
    }
}

// What a panel says in which a record of a run has nothing to show; nothing for all others.
struct MissingWords {
    TextId title, why;
};
std::optional<MissingWords> missing_in_record(PanelId panel) {
    switch (panel) {
        case PanelId::Bytes:
        case PanelId::Inspector:
        case PanelId::Channels:
            return MissingWords{"trace.bytes.title"_t, "trace.bytes.why"_t};
        case PanelId::Attention:
            return MissingWords{"trace.attention.title"_t, "trace.attention.why"_t};
        case PanelId::Price:
            return MissingWords{"trace.price.title"_t, "trace.price.why"_t};
        case PanelId::Equation:
            return MissingWords{"trace.equation.title"_t, "trace.equation.why"_t};
        case PanelId::Roofline:
            return MissingWords{"trace.roofline.title"_t, "trace.roofline.why"_t};
        default:
            return std::nullopt;
    }
}

}  // namespace

bool draw_run_panel(const Ui& ui, AppState& state, const RunView& run, const RunView* other,
                    PanelId panel) {
    RunState& own = state.run;
    own.history.catch_up(run);
    own.events.rows.follow(own.history, own.events.hidden, run.moment);
    if (other != nullptr && draw_pair_panel(ui, own, run, *other, panel, state.layout)) return true;
    if (const auto missing = missing_in_record(panel); missing && !run.has_engine)
        return draw_missing_in_record(ui, run, missing->title, missing->why), true;
    switch (panel) {
        case PanelId::Transport:
            draw_transport(ui, run, own.focus, own.playback, own.history);
            return true;
        case PanelId::Events:
            draw_events(ui, run, own.focus, own.history, own.events);
            return true;
        case PanelId::Requests:
            if (!run.has_engine && run.trace.end().requests.empty())
                draw_missing_in_record(ui, run, "trace.no_requests.title"_t,
                                       "trace.no_requests.why"_t);
            else
                draw_requests(ui, run, own.focus);
            return true;
        case PanelId::Notes:
            draw_notes(ui, own.notes);
            return true;
        case PanelId::Prefix:
            draw_prefix(ui, run, own.focus, own.prefix);
            return true;
        case PanelId::Xray:
            draw_xray(ui, run, own.focus, own.xray);
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
            choose_roofline(ui, own.roofline);
            if (own.roofline == RooflineOf::Bill)
                draw_roofline(ui, state.bill);
            else
                draw_run_roofline(ui, run, own.history);
            return true;
        case PanelId::Price:
            draw_price(ui, run, own.price);
            return true;
        case PanelId::Settings:
            if (run.has_engine)
                draw_run_settings(ui, run, own.has_gpu);
            else
                draw_recorded_settings(ui, run);
            return true;
        case PanelId::Stage:
            draw_stage(ui, run, own.focus, own.stage);
            return true;
        case PanelId::Inspector:
            draw_inspector(ui, run, own.focus);
            return true;
        case PanelId::Bytes:
            draw_bytes(ui, run, own.focus, own.bytes);
            return true;
        case PanelId::Channels:
            draw_channels(ui, run, own.focus, own.channels);
            return true;
        case PanelId::Attention:
            draw_attention(ui, run, own.focus);
            return true;
        case PanelId::Quality:
            draw_pair_missing(ui, run);
            return true;
        default:
            return false;
    }
}

Text run_panel_caption(const Ui& ui, const AppState& state, const RunView& run,
                       const RunView* other, PanelId panel) {
    switch (panel) {
        case PanelId::Quality:
            if (other == nullptr) return {};
            return quality_caption(ui, {run, *other, state.run.pair}, state.run.focus);
        case PanelId::Left:
            return table_caption(ui, run);
        case PanelId::Right:
            return other == nullptr ? Text() : table_caption(ui, *other);
        case PanelId::Xray:
            return table_caption(ui, run);
        case PanelId::Stage:
            return run.lanes.n_lanes() > 1 ? table_caption(ui, run) : ui.text["stage.caption"_t];
        case PanelId::Charts:
            return ui.text["charts.caption"_t];
        case PanelId::Price:
            return price_caption(ui, run, state.run.price);
        case PanelId::Requests:
            return requests_caption(ui, run);
        case PanelId::Prefix:
            return prefix_caption(ui, state.run.prefix);
        case PanelId::Events:
            return events_caption(ui, state.run.events);
        default:
            return {};
    }
}

}  // namespace kv
