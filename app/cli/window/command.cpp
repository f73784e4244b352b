#include "app/cli/window/command.hpp"

#include "app/cli/shot/lessons.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/cli/window/window.hpp"

namespace kv {
namespace {

std::optional<std::uint32_t> step_of(const GivenOptions& given) {
    const auto step = whole_option(given, "--step", 0, 1'000'000'000);
    return step ? std::optional(static_cast<std::uint32_t>(*step)) : std::nullopt;
}

int show_window(const GivenOptions& given, const CommonOptions&) {
    std::vector<std::string> commands = given.all("--command");
    if (const auto recording = given.text("--whatif"))
        commands.insert(commands.begin(), "whatif.file " + *recording);
    const auto lesson = lesson_command(given);
    if (lesson) commands.insert(commands.begin(), *lesson);
    return run_window({.layout = given.text("--layout").value_or(""),
                       .theme = given.text("--theme").value_or(""),
                       .language = given.text("--language").value_or(""),
                       .scene = given.positional,
                       .model = given.text("--model"),
                       .step = lesson ? std::nullopt : step_of(given),
                       .commands = std::move(commands)});
}

}  // namespace

Subcommand window_command() {
    return {
        .name = "",
        .summary = "open the window",
        .usage = {"", "needle", "my.kvscene", "--lesson 8 --step 3",
                  "--layout present --theme light"},
        .positional = "FILE",
        .options = {{"--step", "N",
                     "where the scene stands first; default: its own step. With --lesson: which "
                     "step of it"},
                    {"--lesson", "N",
                     "open the lesson of this number; the one behind the course is the bug museum"},
                    {"--model", "DIR",
                     "play the scene with this checkpoint, or mha, gqa, mqa; +kv2 folds its KV "
                     "heads to 2"},
                    {"--whatif", "FILE",
                     "weigh a recording of a server's events, or a public trace: what would more "
                     "memory bring?"},
                    {"--layout", "NAME", "learn, explore, present, compare or attach"},
                    {"--theme", "NAME", "dark, light or contrast"},
                    {"--language", "FILE", "a translation, or pseudo"},
                    {"--command", "TEXT",
                     "carry this out first, such as \"bill.tokens 4096\"; may be repeated", true}},
        .run = show_window};
}

}  // namespace kv
