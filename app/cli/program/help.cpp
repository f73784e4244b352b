#include "app/cli/program/help.hpp"

#include <algorithm>

#include "app/cli/manual/facts.hpp"

namespace kv {
namespace {

constexpr std::size_t kHelpWidth = 96;

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

// Words of `text` into lines of kHelpWidth, each but the first indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    std::string out;
    std::size_t column = indent;
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        if (column > indent && column + 1 + space > kHelpWidth) {
            out += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            out += ' ';
            ++column;
        }
        out.append(text.substr(0, space));
        column += space;
        text.remove_prefix(std::min(space + 1, text.size()));
    }
    return out;
}

std::string option_lines(const std::vector<OptionSpec>& options) {
    constexpr std::size_t kColumn = 26;
    std::string out;
    for (const OptionSpec& option : options) {
        std::string head = "  " + std::string(option.name);
        if (!option.value.empty()) head += " " + std::string(option.value);
        out += padded(std::move(head), kColumn - 1) + " " + wrapped(option.help, kColumn) + "\n";
    }
    return out;
}

std::string exit_codes() {
    std::string line = "Exit codes:";
    for (const ExitCodeFact& fact : exit_code_facts())
        line += " " + std::to_string(fact.code) + " " + std::string(fact.meaning) + ";";
    line.back() = '.';
    return line;
}

}  // namespace

std::string command_help(const Subcommand& command) {
    std::string out = std::string(command.summary) + "\n\n";
    for (const std::string_view line : command.usage) {
        out += "  kvarium " + std::string(line) + "\n";
    }
    if (!command.arguments.empty())
        out += "\n" + std::string(command.positional) + ":\n" + option_lines(command.arguments);
    return out + "\nOptions:\n" + option_lines(command.options) + "\nCommon:\n" +
           option_lines(common_options());
}

std::string program_help(const Program& program) {
    std::string out = "KVarium, a glass tank for the KV cache.\n\n";
    if (program.opening) {
        for (const std::string_view line : program.opening->usage) {
            out += "  kvarium " + std::string(line) + "\n";
        }
    }
    out += "  kvarium COMMAND [OPTIONS]\n\nCommands:\n";
    for (const Subcommand& command : program.commands) {
        out += padded("  " + std::string(command.name), 12) + std::string(command.summary) + "\n";
    }
    out += "\n'kvarium COMMAND --help' explains one of them.\n\n";
    if (program.opening) out += "Options:\n" + option_lines(program.opening->options) + "\n";
    out += "Common:\n" + option_lines(common_options());
    return out + "\n" + wrapped(exit_codes(), 0) + "\n";
}

}  // namespace kv
