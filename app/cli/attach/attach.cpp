#include "app/cli/attach/attach.hpp"

#include <algorithm>
#include <set>

#include "app/attach/recorder.hpp"
#include "app/cli/attach/input.hpp"
#include "app/cli/attach/json.hpp"
#include "app/cli/attach/view.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/cli/window/window.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// A server that is about to start is waited for so long, and no longer.
constexpr double kPatience_s = 5;
constexpr double kAtOnce_s = 0.25;  // between two looks at the clock and at Ctrl+C

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

bool anybody(const std::vector<StreamStatus>& streams) {
    return std::any_of(streams.begin(), streams.end(),
                       [](const StreamStatus& stream) { return stream.ever_ready; });
}

class Attached {
public:
    explicit Attached(const AttachInput& input)
        : input_(input),
          client_(input.plan),
          tank_(input.tank),
          view_(!input.json && !input.quiet) {
        if (input.record)
            recorder_.emplace(*input.record,
                              input.show_tokens ? LineTokens::Written : LineTokens::LeftOut);
    }

    void run() {
        began_s_ = now_s();
        while (!was_interrupted() && !is_over()) {
            for (const TankEntry& entry : client_.wait(wait_s())) take(entry);
            if (recorder_) recorder_->flush();
            streams_ = client_.status();
            give_up_if_nobody();
            tell_news();
            view_.show(input_, tank_, streams_, now_s());
        }
        if (was_interrupted()) return;
        if (!anybody(streams_)) throw not_there(input_, streams_.front().problem);
        for (const StreamStatus& stream : streams_)
            if (stream.batches == 0 && stream.unreadable > 0)
                throw no_protocol(input_, stream.first_unreadable);
    }

    std::string text() const {
        return input_.json ? attach_json(input_, tank_, streams_)
                           : attach_text(input_, tank_, streams_);
    }

private:
    double left_s() const {
        return input_.for_s ? *input_.for_s - (now_s() - began_s_) : kAtOnce_s;
    }
    double wait_s() const { return std::clamp(left_s(), 0.0, kAtOnce_s); }

    bool is_over() const {
        if (input_.for_s) return left_s() <= 0;
        if (!input_.until_sequence || streams_.empty()) return false;
        return std::all_of(streams_.begin(), streams_.end(), [&](const StreamStatus& stream) {
            const auto rank = tank_.ranks().find(stream.rank);
            return rank != tank_.ranks().end() && rank->second.last_sequence &&
                   *rank->second.last_sequence >= *input_.until_sequence;
        });
    }

    void take(const TankEntry& entry) {
        if (is_over() && input_.until_sequence) return;
        tank_.apply(entry);
        if (recorder_) recorder_->add(entry);
        if (const auto* mark = std::get_if<StreamMark>(&entry)) tell_mark(*mark);
    }

    void give_up_if_nobody() const {
        if (const StreamStatus* other = speaks_otherwise(streams_))
            throw no_protocol(input_, other->problem);
        const bool waits = input_.plan.bind || anybody(streams_);
        if (!waits && now_s() - began_s_ > kPatience_s)
            throw not_there(input_, streams_.front().problem);
    }

    void tell(const std::string& sentence) {
        if (!input_.quiet) view_.tell(sentence);
    }

    void tell_mark(const StreamMark& mark) {
        const std::string rank = "rank " + std::to_string(mark.rank) + ": ";
        if (mark.kind == MarkKind::BeganInTheMiddle)
            tell(rank + "began in the middle, at batch " + with_commas(mark.first) +
                 "; blocks stored before are not known" +
                 (input_.plan.replay ? "." : ", and --replay could tell."));
        if (mark.kind == MarkKind::GapLost)
            tell(rank + counted(mark.last - mark.first + 1, "batch") + " from " +
                 with_commas(mark.first) + " on will not come any more" +
                 (input_.plan.replay ? "." : ", and --replay could tell."));
        if (mark.kind == MarkKind::Restarted)
            tell(rank + "the server began again; what it had cached is gone.");
    }

    // Each sentence once.
    void tell_news() {
        for (const StreamStatus& stream : streams_) {
            if (!stream.first_unreadable.empty() && told_.insert(stream.first_unreadable).second)
                tell(shown(input_.address) + " " + stream.first_unreadable +
                     "; it is passed over.");
            if (!stream.broke_protocol || !told_.insert(stream.problem).second) continue;
            tell(shown(input_.address) + " " + stream.problem + "; connecting again.");
        }
        if (!client_.metrics() || client_.metrics()->problem().empty()) return;
        const std::string& problem = client_.metrics()->problem();
        if (told_.insert(problem).second)
            tell("--metrics: the server " + problem + "; it is asked again.");
    }

    const AttachInput& input_;
    AttachClient client_;
    Tank tank_;
    AttachView view_;
    std::optional<ServerRecorder> recorder_;
    std::vector<StreamStatus> streams_;
    std::set<std::string> told_;
    double began_s_ = 0;
};

// The words of the command that opens the same in the window.
std::string words_of(const GivenOptions& given) {
    std::string words = given.positional.value_or("");
    for (const char* name : {"replay", "metrics", "topic", "ranks", "tokenizer"})
        if (const auto value = given.text("--" + std::string(name)))
            words += " " + std::string(name) + "=" + *value;
    if (given.has("--bind")) words += " bind";
    if (given.has("--show-tokens")) words += " tokens";
    return words;
}

int show_in_window(const GivenOptions& given) {
    for (const char* option : {"--headless", "--json", "--record", "--for", "--until-sequence"})
        refuse_both(given, "--window", option);
    return run_window({.layout = std::string(name_of(LayoutName::Attach)),
                       .theme = {},
                       .language = {},
                       .scene = {},
                       .model = {},
                       .step = {},
                       .commands = {"attach.open " + words_of(given)}});
}

int run_attach(const GivenOptions& given, const CommonOptions& common) {
    const AttachInput input = read_attach(given, common);
    if (given.has("--window")) return show_in_window(given);
    watch_for_interrupts();
    std::string text;
    {
        Attached attached(input);
        attached.run();
        text = attached.text();
    }
    write_output(common.out, text);
    return was_interrupted() ? kInterruptedExit : 0;
}

}  // namespace

Subcommand attach_command() {
    return {"attach",
            "show what a running server has cached, from its events",
            {"attach tcp://localhost:5557",
             "attach tcp://localhost:5557 --replay tcp://localhost:5558 --metrics "
             "http://localhost:8000/metrics",
             "attach tcp://localhost:5557 --ranks 2 --record hour.jsonl --for 3600 --json"},
            "tcp://HOST:PORT",
            attach_options(),
            run_attach};
}

}  // namespace kv
