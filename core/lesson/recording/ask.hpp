#pragma once
// What somebody asks of a recording in the panel What if, as far as a task can ask for it: the
// commands of the palette with one setting each.
//
//   whatif.host 16      the host keeps what the pool gives up, in so many GiB
//   whatif.codec int8   keys and values that are held against those that were recorded

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/codec.hpp"

namespace kv {

struct RecordingAsk {
    Codec codec = Codec::Int8;
    u64 host_bytes = u64{64} << 30;
    bool other_model = false;  // the model, the card or today's pool is not what it was
    friend bool operator==(const RecordingAsk&, const RecordingAsk&) = default;
};

// "whatif.host" and "whatif.codec": what a task allows, and what a command changes.
bool is_recording_change(std::string_view name);

// Why it cannot be done, as the end of a sentence; empty when it was done.
std::string carry_out(std::string_view words, RecordingAsk& ask);

// "changes whatif.codec, and this task allows only: whatif.host"; empty when all of it is allowed.
std::string forbidden_change(const RecordingAsk& start, const RecordingAsk& now,
                             const std::vector<std::string>& allowed);

}  // namespace kv
