#include "app/live/scene/view_of.hpp"

#include <algorithm>

#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

// The lane to look at. While no event has told of the pool there are no lanes to choose from.
LaneId lane_in_focus(const Snapshot& now, const LaneShape& lanes, const RunFocus& focus) {
    if (now.lanes.size() != lanes.n_lanes()) return LaneId(0);
    return lanes.lane_of(LayerId(std::min(focus.layer, lanes.n_layers - 1)),
                         HeadId(std::min(focus.kv_head, lanes.n_kv_heads - 1)));
}

std::string text_of_token(const RunSession& session, std::uint32_t token) {
    const auto& tokenizer = session.model().tokenizer;
    if (!tokenizer || tokenizer->is_special(token)) return {};
    return tokenizer->token_bytes(token).value_or("");
}

}  // namespace

RunView view_of(RunSession& session, std::uint64_t id, const RunFocus& focus) {
    const LaneShape& lanes = session.lanes();
    return {.id = id,
            .trace = session.trace(),
            .now = session.now(),
            .moment = session.moment(),
            .at_end = session.at_end(),
            .busy = session.busy(),
            .scene = session.scene().name,
            .model = session.model().config(),
            .model_name = session.scene().model,
            .stored_kv_heads = session.model().checkpoint.stored_config().n_kv_heads,
            .backend = session.settings().backend,
            .layout = session.layout(),
            .k_codec = session.pool_spec().k,
            .v_codec = session.pool_spec().v,
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
            .lane_in_focus = lane_in_focus(session.now(), lanes, focus),
            .token_size_at =
                [&session](std::uint64_t moment) {
                    const RunSession::Pool& pool = session.pools()[session.pool_at(moment)];
                    const std::uint64_t token = bytes_per_token(pool.layout);
                    return TokenSize{token, token / pool.lanes.n_lanes()};
                },
            .has_engine = true,
            .bytes = [&session](std::uint32_t token) { return text_of_token(session, token); }};
}

// What no event says is empty, and has_engine tells the panels so.
RunView view_of(RecordedRun& recorded, std::uint64_t id, const RunFocus& focus) {
    const LaneShape& lanes = recorded.lanes();
    return {.id = id,
            .trace = recorded.trace(),
            .now = recorded.now(),
            .moment = recorded.moment(),
            .at_end = recorded.at_end(),
            .busy = false,
            .scene = recorded.name(),
            .model = recorded.no_model(),
            .model_name = {},
            .backend = {},
            .layout = recorded.layout(),
            .k_codec = {},
            .v_codec = {},
            .shared_scales = {},
            .settings = recorded.now().settings,
            .can_undo = false,
            .can_redo = false,
            .samples = recorded.series().samples(),
            .payloads = recorded.no_payloads(),
            .attention = nullptr,
            .proof = {},
            .roofs = {},
            .word = [&recorded](std::uint32_t token) -> const std::string& {
                return recorded.word(token);
            },
            .judged = nullptr,
            .recorded_all = true,
            .change = nullptr,
            .lanes = lanes,
            .lane_in_focus = lane_in_focus(recorded.now(), lanes, focus),
            .has_engine = false};
}

}  // namespace kv
