#pragma once
// The events of a run for those who subscribe to them: a class watches one engine, each on a screen
// of its own, with the command that watches a production server.

#include <cstdint>
#include <optional>

#include "app/attach/publisher.hpp"
#include "app/cli/terminal/options.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "core/trace/trace.hpp"

namespace kv {

struct PublishInput {
    PublishPlan plan = {};
    double pause_s = 0, stay_s = 0;  // after each iteration; after the last one
};
std::optional<PublishInput> read_publish(const GivenOptions& given);

class RunPublisher {
public:
    explicit RunPublisher(const PublishInput& input);  // kv::Error (World) when it cannot listen

    // What the trace has that was not published yet is one batch; none when there is nothing.
    void follow(const Trace& trace);
    // Goes on answering those who come late, until its time is over or Ctrl+C; says how long that
    // is.
    void stay(const SayProgress& progress, bool quiet);

private:
    void answer_for(double seconds);  // whoever asks

    PublishInput input_;
    Publisher publisher_;
    std::uint64_t seen_ = 0;
    bool pool_is_known_ = false;
};

}  // namespace kv
