#include "app/cli/attach/recorded.hpp"

#include <iostream>
#include <vector>

#include "app/cli/attach/compare.hpp"
#include "app/cli/attach/json.hpp"
#include "app/cli/attach/view.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/live/attach/recording.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kPastBytes = std::uint64_t{1} << 20;  // nobody goes back here

void require_rank(const AttachInput& input, const Tank& tank) {
    std::string known;
    for (const auto& [number, rank] : tank.ranks()) {
        if (number == *input.against_rank) return;
        known += (known.empty() ? "" : ", ") + std::to_string(number);
    }
    throw Error{ErrorCode::World, shown(input.address) + " has no rank " +
                                      std::to_string(*input.against_rank) + "; it has " + known +
                                      "."};
}

}  // namespace

std::optional<std::string> read_recorded(const AttachInput& input) {
    ServerRecording recording;
    {
        ProgressLine progress(input.quiet);
        recording = read_server_recording(input.address, input.tank, kPastBytes, [&](double done) {
            progress.show("reading " + shown(input.address) + ": " +
                          std::to_string(static_cast<int>(100 * done)) + " %");
            return !was_interrupted();
        });
    }
    if (recording.history == nullptr) return std::nullopt;
    if (recording.passed_over > 0 && !input.quiet)
        std::cerr << "kvarium: " << shown(input.address) << ": "
                  << counted(recording.passed_over, "line")
                  << " without a batch or metrics, passed over.\n";
    const Tank& tank = recording.history->end();
    if (input.against_rank) require_rank(input, tank);
    const std::vector<StreamStatus> nobody;  // is listened to
    if (input.json) return attach_json(input, tank, nobody);
    std::string text = attach_text(input, tank, nobody);
    if (input.against_rank) text += compared_text(ranks_seen(input, tank, nobody));
    return text;
}

}  // namespace kv
