#include "app/cli/attach/listener.hpp"

#include <algorithm>
#include <utility>

#include "app/cli/attach/view.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// A server that is about to start is waited for so long, and no longer.
constexpr double kPatience_s = 5;

Error not_there(const AttachInput& input, const std::string& problem) {
    const std::string where = shown(input.address);
    if (input.plan.bind)
        return Error{ErrorCode::World, where +
                                           ": no server has connected; check that its endpoint "
                                           "names this address."};
    return Error{ErrorCode::World, where + ": " + (problem.empty() ? "nobody answers" : problem) +
                                       "; start the server with kv-events, or check the address."};
}

Error no_protocol(const AttachInput& input, const std::string& problem) {
    return Error{ErrorCode::World,
                 shown(input.address) + " " + problem +
                     "; check that this is the endpoint of a server's kv-events."};
}

// Who spoke, and said nothing that we can use.
const StreamStatus* speaks_otherwise(const std::vector<StreamStatus>& streams) {
    for (const StreamStatus& stream : streams)
        if (stream.broke_protocol && stream.batches == 0) return &stream;
    return nullptr;
}

std::string rank_head(std::int64_t rank) {
    return "rank " + std::to_string(rank) + ": ";
}

bool anybody(const std::vector<StreamStatus>& streams) {
    return std::any_of(streams.begin(), streams.end(),
                       [](const StreamStatus& stream) { return stream.ever_ready; });
}

}  // namespace

AttachListener::AttachListener(const AttachInput& input, Tell tell)
    : input_(input),
      client_(input.plan),
      tank_(input.tank),
      tell_(std::move(tell)),
      began_s_(steady_now_s()) {
    if (input.record)
        recorder_.emplace(*input.record,
                          input.show_tokens ? LineTokens::Written : LineTokens::LeftOut);
}

void AttachListener::turn(double longest_s) {
    const double wait_s = input_.for_s ? std::clamp(left_s(), 0.0, longest_s) : longest_s;
    for (const TankEntry& entry : client_.wait(wait_s)) take(entry);
    if (recorder_) recorder_->flush();
    streams_ = client_.status();
    give_up_if_nobody();
    tell_news();
}

void AttachListener::check_end() const {
    if (!anybody(streams_))
        throw not_there(input_, streams_.empty() ? std::string() : streams_.front().problem);
    for (const StreamStatus& stream : streams_) {
        if (stream.batches > 0) continue;
        if (stream.unreadable > 0) throw no_protocol(input_, stream.first_unreadable);
        if (stream.ever_ready) tell_silence(stream.rank);
    }
}

// Neither a server whose cache stays as it is nor one with another topic sends anything.
void AttachListener::tell_silence(std::int64_t rank) const {
    const std::string& topic = input_.plan.topic;
    tell_(rank_head(rank) + "no batch came; a server sends one when what it has cached changes" +
          (topic.empty() ? "." : ", and its topic must begin with " + shown(topic) + "."));
}

double AttachListener::left_s() const {
    return *input_.for_s - (steady_now_s() - began_s_);
}

bool AttachListener::is_over() const {
    if (input_.for_s) return left_s() <= 0;
    if (!input_.until_sequence || streams_.empty()) return false;
    return std::all_of(streams_.begin(), streams_.end(), [&](const StreamStatus& stream) {
        const auto rank = tank_.ranks().find(stream.rank);
        return rank != tank_.ranks().end() && rank->second.last_sequence &&
               *rank->second.last_sequence >= *input_.until_sequence;
    });
}

void AttachListener::take(const TankEntry& entry) {
    if (is_over() && input_.until_sequence) return;
    tank_.apply(entry);
    if (recorder_) recorder_->add(entry);
    if (const auto* mark = std::get_if<StreamMark>(&entry)) tell_mark(*mark);
}

void AttachListener::give_up_if_nobody() const {
    if (const StreamStatus* other = speaks_otherwise(streams_))
        throw no_protocol(input_, other->problem);
    const bool waits = input_.plan.bind || anybody(streams_);
    if (!waits && steady_now_s() - began_s_ > kPatience_s)
        throw not_there(input_, streams_.front().problem);
}

void AttachListener::tell_mark(const StreamMark& mark) const {
    const std::string rank = rank_head(mark.rank);
    if (mark.kind == MarkKind::BeganInTheMiddle)
        tell_(rank + "began in the middle, at batch " + with_commas(mark.first) +
              "; blocks stored before are not known" +
              (input_.plan.replay ? "." : ", and --replay could tell."));
    if (mark.kind == MarkKind::GapLost)
        tell_(rank + batches_text(mark.last - mark.first + 1) + " from " + with_commas(mark.first) +
              " on will not come any more" +
              (input_.plan.replay ? "." : ", and --replay could tell."));
    if (mark.kind == MarkKind::Restarted)
        tell_(rank + "the server began again; what it had cached is gone.");
}

// Each sentence once.
void AttachListener::tell_news() {
    for (const StreamStatus& stream : streams_) {
        if (!stream.first_unreadable.empty() && told_.insert(stream.first_unreadable).second)
            tell_(shown(input_.address) + " " + stream.first_unreadable + "; it is passed over.");
        if (!stream.broke_protocol || !told_.insert(stream.problem).second) continue;
        tell_(shown(input_.address) + " " + stream.problem + "; connecting again.");
    }
    if (!client_.metrics() || client_.metrics()->problem().empty()) return;
    const std::string& problem = client_.metrics()->problem();
    if (told_.insert(problem).second)
        tell_("--metrics: the server " + problem + "; it is asked again.");
}

}  // namespace kv
