// The manual as a page of the documentation.

#include "app/cli/manual/facts.hpp"
#include "app/cli/manual/manual.hpp"

namespace kv {
namespace {

// What Markdown would read as more than a letter.
std::string markdown_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string table(std::string_view left, std::string_view right) {
    return "\n| " + std::string(left) + " | " + std::string(right) + " |\n|---|---|\n";
}

std::string row(std::string_view name, std::string_view meaning) {
    return "| `" + std::string(name) + "` | " + markdown_text(meaning) + " |\n";
}

std::string options(std::string_view heading, const std::vector<OptionSpec>& all) {
    std::string out = table(heading, "does");
    for (const OptionSpec& option : all) {
        std::string name(option.name);
        if (!option.value.empty()) name += " " + std::string(option.value);
        out += row(name, option.help);
    }
    return out;
}

std::string facts(std::string_view heading, std::span<const NamedFact> all) {
    std::string out = table(heading, "is");
    for (const NamedFact& fact : all) out += row(fact.name, fact.meaning);
    return out;
}

std::string markdown_command(const Subcommand& command) {
    std::string out = "\n## " + name_in_manual(command) + "\n\n" +
                      markdown_text(summary_sentence(command)) + "\n\n```\n";
    for (const std::string_view line : command.usage)
        out += line.empty() ? "kvarium\n" : "kvarium " + std::string(line) + "\n";
    out += "```\n";
    if (!command.arguments.empty()) out += options(command.positional, command.arguments);
    return out + options("option", command.options);
}

}  // namespace

std::string manual_markdown(const Program& program) {
    std::string out =
        "# Command line\n\nOptions are long, take one value or none, and may be written "
        "`--option value` or `--option=value`. `man kvarium` says the same.\n";
    if (program.opening) out += markdown_command(*program.opening);
    for (const Subcommand& command : program.commands) out += markdown_command(command);
    out += "\n## Common options\n\nEvery command takes these as well.\n" +
           options("option", common_options()) + "\n## Exit codes\n" + table("code", "means");
    for (const ExitCodeFact& fact : exit_code_facts())
        out += row(std::to_string(fact.code), fact.meaning);
    return out + "\n## Environment\n" + facts("variable", environment_facts()) + "\n## Files\n" +
           facts("file", file_facts()) + "\n## Examples\n" + facts("line", example_facts());
}

}  // namespace kv
