#include "app/live/view_of.hpp"

#include <algorithm>
#include <utility>

namespace kv {

const Snapshot& LaneLens::look(const Snapshot& now, LaneId lane) {
    if (lane.value == 0 || lane.index() >= now.lanes.size()) return now;
    shown_ = now;
    std::swap(shown_.lanes[0], shown_.lanes[lane.index()]);
    for (std::size_t i = 0; i < shown_.requests.size(); ++i) {
        if (lane.index() >= now.requests[i].tables.size()) continue;
        RequestView& request = shown_.requests.edit(i);
        std::swap(request.tables[0], request.tables[lane.index()]);
        std::swap(request.slots[0], request.slots[lane.index()]);
    }
    return shown_;
}

// Before the pool is told of there are no lanes to choose from.
RunView view_of(RunSession& session, std::uint64_t id, LaneLens& lens, const RunFocus& focus) {
    const LaneShape& lanes = session.lanes();
    const LaneId lane = session.now().lanes.size() == lanes.n_lanes()
                            ? lanes.lane_of(LayerId(std::min(focus.layer, lanes.n_layers - 1)),
                                            HeadId(std::min(focus.kv_head, lanes.n_kv_heads - 1)))
                            : LaneId(0);
    return {.id = id,
            .trace = session.trace(),
            .now = lens.look(session.now(), lane),
            .moment = session.moment(),
            .at_end = session.at_end(),
            .busy = session.busy(),
            .scene = session.scene().name,
            .model = session.model().config(),
            .model_name = session.scene().model,
            .stored_kv_heads = session.model().checkpoint.stored_config().n_kv_heads,
            .backend = session.settings().backend,
            .layout = session.layout(),
            .k_codec = session.settings().k_codec,
            .v_codec = session.settings().v_codec,
            .shared_scales = session.shared_scales(),
            .settings = session.written_settings(),
            .can_undo = false,
            .can_redo = false,
            .samples = session.series().samples(),
            .payloads = session.payloads(),
            .attention = nullptr,
            .proof = {},
            .roofs = {},
            .word = [&session](std::uint32_t token) -> const std::string& {
                return session.word(token);
            },
            .judged = &session.judged_rows(),
            .recorded_all = !session.busy() && !session.can_run_ahead(),
            .change = nullptr,
            .lanes = lanes,
            .lane = lane};
}

}  // namespace kv
