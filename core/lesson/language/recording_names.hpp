#pragma once
// The facts of a recording under the names that lessons use. At the moment at hand:
//
//   server.pool .cached .empty .usage .in_use .running .waiting     blocks, and the server's gauges
//   server.queries .hits                                            its counters, in tokens
//   server.stored .removed .again .tokens_again .time               counted from events
//   server.idle .too_late .gap                                      how long blocks rest, and texts
//
// and of all of it:
//
//   recorded.requests .blocks .tokens .seconds .block_size .bytes_of_block .knee .without_end
//   whatif(pool=, order=, codec=, host=, block_size=).hit_rate .again .blocks .bytes ...
//   asked.host .codec                                               in a task: what was asked for

#include <optional>
#include <string_view>

#include "core/lesson/language/arguments.hpp"
#include "core/lesson/recording/ask.hpp"
#include "core/lesson/recording/recording.hpp"

namespace kv {

// The value of a name; nothing when there is none of that name. `asked`: null outside of a task.
std::optional<LessonValue> recording_name(const LessonRecording& recording, std::uint64_t moment,
                                          const RecordingAsk* asked, std::string_view name);

// Throws ExpressionRefusal for a pool, an order or a size of blocks that cannot be.
LessonValue recording_point(const LessonRecording& recording, LessonArguments& arguments);

}  // namespace kv
