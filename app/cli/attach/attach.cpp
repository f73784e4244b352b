#include "app/cli/attach/attach.hpp"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/attach/compare.hpp"
#include "app/cli/attach/in_window.hpp"
#include "app/cli/attach/input.hpp"
#include "app/cli/attach/json.hpp"
#include "app/cli/attach/listener.hpp"
#include "app/cli/attach/recorded.hpp"
#include "app/cli/attach/view.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/cli/window/window.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kBetweenLooks_s = 0.25;  // between two looks at the clock and at Ctrl+C

AttachListener::Tell tell_on(AttachView& view, const AttachInput& input, const std::string& side) {
    return [&view, quiet = input.quiet, side](const std::string& sentence) {
        if (!quiet) view.tell(side + sentence);
    };
}

// What it has seen, as text, at its end.
std::string listen(const AttachInput& input) {
    AttachView view(!input.json && !input.quiet);
    AttachListener listener(input, tell_on(view, input, ""));
    const Tank& tank = listener.tank();
    while (!was_interrupted() && !listener.is_over()) {
        listener.turn(kBetweenLooks_s);
        view.show(attach_lines(input, tank, listener.streams()), steady_now_s());
    }
    if (!was_interrupted()) listener.check_end();
    const auto& streams = listener.streams();
    if (input.json) return attach_json(input, tank, streams);
    std::string text = attach_text(input, tank, streams);
    if (input.against_rank) text += compared_text(ranks_seen(input, tank, streams));
    return text;
}

// Two servers by turns; where one fails, the other is listened to alone.
class ListenerPair {
public:
    explicit ListenerPair(const AttachInput& left)
        : view_(!left.json && !left.quiet), inputs_{&left, left.against.get()} {
        for (std::size_t i = 0; i < 2; ++i)
            try_to(i, [&] {
                listeners_[i] = std::make_unique<AttachListener>(
                    *inputs_[i], tell_on(view_, left, std::string(kSides[i]) + ": "));
            });
    }

    void run() {
        while (!was_interrupted() && (goes_on(0) || goes_on(1))) {
            std::string lines;
            for (std::size_t i = 0; i < 2; ++i) {
                if (goes_on(i)) try_to(i, [&] { listeners_[i]->turn(kTurn_s); });
                lines += lines_of(i);
            }
            view_.show(lines, steady_now_s());
        }
        for (std::size_t i = 0; i < 2 && !was_interrupted(); ++i)
            if (problems_[i].empty()) try_to(i, [&] { listeners_[i]->check_end(); });
    }

    bool failed(std::size_t i) const { return !problems_[i].empty(); }
    std::string text() const {
        const std::array<SideSeen, 2> sides{seen(0), seen(1)};
        if (inputs_[0]->json) return pair_json(sides);
        std::string text;
        for (std::size_t i = 0; i < 2; ++i)
            text += std::string(kSides[i]) + "  " + sides[i].name + "\n" +
                    (failed(i) ? std::string("  ") + problems_[i] + "\n"
                               : attach_text(*inputs_[i], listeners_[i]->tank(),
                                             listeners_[i]->streams()));
        return text + compared_text(sides);
    }

private:
    static constexpr std::array<const char*, 2> kSides{"left", "right"};
    // Short, so that neither waits long for the other.
    static constexpr double kTurn_s = 0.02;

    // A failure is told whether or not news are.
    template <class Do>
    void try_to(std::size_t i, const Do& work) {
        try {
            work();
        } catch (const Error& failure) {
            problems_[i] = failure.what();
            view_.tell(std::string(kSides[i]) + ": " + problems_[i]);
        }
    }
    bool goes_on(std::size_t i) const { return problems_[i].empty() && !listeners_[i]->is_over(); }
    std::string lines_of(std::size_t i) const {
        if (failed(i)) return {};
        return std::string(kSides[i]) + "  " + inputs_[i]->address + "\n" +
               attach_lines(*inputs_[i], listeners_[i]->tank(), listeners_[i]->streams());
    }
    SideSeen seen(std::size_t i) const {
        SideSeen side{.name = inputs_[i]->address, .problem = problems_[i]};
        if (failed(i)) return side;
        side.input = inputs_[i];
        side.tank = &listeners_[i]->tank();
        side.streams = &listeners_[i]->streams();
        return side;
    }

    AttachView view_;
    std::array<const AttachInput*, 2> inputs_;
    std::array<std::unique_ptr<AttachListener>, 2> listeners_;
    std::array<std::string, 2> problems_;
};

int show_in_window(const GivenOptions& given, bool is_recording) {
    for (const std::string_view option : not_in_window()) refuse_both(given, "--window", option);
    return run_window({.layout = std::string(name_of(LayoutName::Attach)),
                       .theme = {},
                       .language = {},
                       .scene = {},
                       .model = {},
                       .step = {},
                       .commands = window_commands(given, is_recording)});
}

int run_attach(const GivenOptions& given, const CommonOptions& common) {
    const AttachInput input = read_attach(given, common);
    if (given.has("--window")) return show_in_window(given, input.is_recording);
    watch_for_interrupts();
    if (input.is_recording) {
        const auto text = read_recorded(input);
        if (!text) return kInterruptedExit;
        write_output(common.out, *text);
        return 0;
    }
    if (!input.against) {
        write_output(common.out, listen(input));
        return was_interrupted() ? kInterruptedExit : 0;
    }
    bool any_failed = false, both_failed = false;
    std::string text;
    {
        ListenerPair pair(input);
        pair.run();
        any_failed = pair.failed(0) || pair.failed(1);
        both_failed = pair.failed(0) && pair.failed(1);
        text = pair.text();
    }
    if (!both_failed) write_output(common.out, text);
    if (was_interrupted()) return kInterruptedExit;
    return any_failed ? static_cast<int>(ErrorCode::World) : 0;
}

}  // namespace

Subcommand attach_command() {
    return {"attach",
            "show what a running server has cached, from its events",
            {"attach tcp://localhost:5557",
             "attach tcp://localhost:5557 --replay tcp://localhost:5558 --metrics "
             "http://localhost:8000/metrics",
             "attach tcp://localhost:5557 --ranks 2 --record hour.jsonl --for 3600 --json",
             "attach tcp://one:5557 --against tcp://other:5557 --for 60 --json",
             "attach hour.jsonl --json"},
            "tcp://HOST:PORT|FILE.jsonl",
            attach_options(),
            run_attach};
}

}  // namespace kv
