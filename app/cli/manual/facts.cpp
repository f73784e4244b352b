#include "app/cli/manual/facts.hpp"

#include <array>

#include "app/cli/terminal/interrupt.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr int code_of(ErrorCode code) {
    return static_cast<int>(code);
}

constexpr auto kExitCodes =
    std::to_array<ExitCodeFact>({{0, "done"},
                                 {code_of(ErrorCode::World), "a file, GPU or display failed"},
                                 {code_of(ErrorCode::Usage), "wrong usage"},
                                 {code_of(ErrorCode::Check), "a check said no, or a bug"},
                                 {code_of(ErrorCode::Missing), "not in this build or machine"},
                                 {kInterruptedExit, "stopped by Ctrl+C or SIGTERM"}});

constexpr auto kFiles = std::to_array<NamedFact>(
    {{"$XDG_CONFIG_HOME/kvarium/settings.json", "theme, text size and what else the window keeps"},
     {"$XDG_STATE_HOME/kvarium/docks.ini", "where panels were moved to"},
     {"$XDG_DATA_HOME/kvarium/lessons.json", "how far the lessons were read"},
     {"$XDG_PICTURES_DIR/kvarium/", "pictures and films of the window that were told no place"},
     {"$XDG_DATA_HOME/kvarium/exports/",
      "what else it exports, and pictures where there is no pictures folder"},
     {"*.kvscene", "a scene: the requests, settings and commands of a run, as JSON"},
     {"*.jsonl", "the events of a run, one JSON object a line"}});

constexpr auto kEnvironment = std::to_array<NamedFact>(
    {{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME",
      "absolute paths of the folders above; without them ~/.config, ~/.local/state and "
      "~/.local/share"},
     {"XDG_PICTURES_DIR",
      "not read from the environment but from user-dirs.dirs, as desktops write it; without it "
      "~/Pictures, where there is one"},
     {"HOME", "where these begin; without it the folder that the account names"},
     {"PATH", "where ffmpeg is looked for, which films need"},
     {"DISPLAY", "the display that the window opens on; shot needs none"}});

constexpr auto kExamples = std::to_array<NamedFact>(
    {{"kvarium", "open the window"},
     {"kvarium --lesson 8 --step 3", "open a step of a lesson"},
     {"kvarium calc --preset llama-3-8b --tokens 8192", "price the cache of a model"},
     {"kvarium run --prompt \"Once upon a time\" --prove",
      "go on from a prompt, and compute every step once more without a cache"},
     {"kvarium shot --scene explore --step 112 --out explore.png", "draw a scene into a file"},
     {"kvarium sim --workload azure-conv-like --pool 65536", "race allocators over one pool"},
     {"kvarium lessons --show 8", "read a lesson as text"},
     {"kvarium lessons --ask 8 --seed 3 --json", "draw the questions of a lesson"}});

}  // namespace

std::span<const ExitCodeFact> exit_code_facts() {
    return kExitCodes;
}
std::span<const NamedFact> file_facts() {
    return kFiles;
}
std::span<const NamedFact> environment_facts() {
    return kEnvironment;
}
std::span<const NamedFact> example_facts() {
    return kExamples;
}

}  // namespace kv
