#include "app/cli/window_command.hpp"

#include "app/cli/window.hpp"

namespace kv {
namespace {

int run(const GivenOptions& given, const CommonOptions&) {
    return run_window({.layout = given.text("--layout").value_or(""),
                       .theme = given.text("--theme").value_or(""),
                       .language = given.text("--language").value_or(""),
                       .commands = given.all("--command")});
}

}  // namespace

Subcommand window_command() {
    return {
        .name = "",
        .summary = "open the window",
        .usage = {"", "--layout present --theme light"},
        .positional = "",
        .options = {{"--layout", "NAME", "learn, explore, present or compare"},
                    {"--theme", "NAME", "dark, light or contrast"},
                    {"--language", "FILE", "a translation, or pseudo"},
                    {"--command", "TEXT",
                     "carry this out first, such as \"bill.tokens 4096\"; may be repeated", true}},
        .run = run};
}

}  // namespace kv
