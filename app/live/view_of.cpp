#include "app/live/view_of.hpp"

namespace kv {

RunView view_of(RunSession& session, std::uint64_t id) {
    return {.id = id,
            .trace = session.trace(),
            .now = session.now(),
            .moment = session.moment(),
            .at_end = session.at_end(),
            .busy = session.busy(),
            .scene = session.scene().name,
            .model = session.model().config(),
            .model_name = session.scene().model,
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
            .change = nullptr};
}

}  // namespace kv
