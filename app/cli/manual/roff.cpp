// The manual as a man page: macros of man(7), nothing that only one formatter knows.

#include "app/cli/manual/facts.hpp"
#include "app/cli/manual/manual.hpp"
#include "app/cli/terminal/version.hpp"

namespace kv {
namespace {

// Words that roff takes as they stand: no escape of their own, hyphens that can be copied, and no
// line that looks like a macro.
std::string roff_text(std::string_view text) {
    std::string out;
    if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\'')
            out += "\\(aq";
        else if (c == '"')
            out += "\\(dq";
        else if (c == '~')
            out += "\\(ti";
        else
            out += c;
    }
    return out;
}

std::string section(std::string_view name) {
    return ".SH " + std::string(name) + "\n";
}

std::string bold(std::string_view words) {
    return "\\fB" + roff_text(words) + "\\fR";
}

std::string tagged(const std::string& tag, std::string_view text) {
    return ".TP\n" + tag + "\n" + roff_text(text) + "\n";
}

std::string facts(std::span<const NamedFact> all) {
    std::string out;
    for (const NamedFact& fact : all) out += tagged(bold(fact.name), fact.meaning);
    return out;
}

std::string options(const std::vector<OptionSpec>& all) {
    std::string out;
    for (const OptionSpec& option : all) {
        std::string tag = bold(option.name);
        if (!option.value.empty()) tag += " \\fI" + roff_text(option.value) + "\\fR";
        out += tagged(tag, option.help);
    }
    return out;
}

// Lines that keep their ends.
std::string lines(const std::vector<std::string_view>& usage) {
    std::string out = ".PP\n.nf\n";
    for (const std::string_view line : usage)
        out += bold(line.empty() ? "kvarium" : "kvarium " + std::string(line)) + "\n";
    return out + ".fi\n";
}

std::string synopsis(const Program& program) {
    std::string out = section("SYNOPSIS") + ".nf\n";
    if (program.opening)
        out += bold("kvarium") + " [\\fIOPTIONS\\fR] [\\fI" +
               roff_text(program.opening->positional) + "\\fR]\n";
    for (const Subcommand& command : program.commands) {
        out += bold(name_in_manual(command)) + " [\\fIOPTIONS\\fR]";
        if (!command.positional.empty()) out += " [\\fI" + roff_text(command.positional) + "\\fR]";
        out += "\n";
    }
    return out + ".fi\n";
}

std::string roff_command(const Subcommand& command) {
    std::string out = ".SS " + roff_text(name_in_manual(command)) + "\n" +
                      roff_text(summary_sentence(command)) + "\n" + lines(command.usage) +
                      options(command.options);
    if (!command.arguments.empty())
        out +=
            ".PP\n" + roff_text(command.positional) + " is one of:\n" + options(command.arguments);
    return out;
}

}  // namespace

std::string manual_roff(const Program& program) {
    std::string out =
        ".\\\" Made by `kvarium man` from the tables that --help prints.\n"
        ".TH KVARIUM 1 \"\" \"kvarium " +
        version() + "\" \"KVarium\"\n" + section("NAME") +
        "kvarium \\- a glass tank for the KV cache of language models\n" + synopsis(program) +
        section("DESCRIPTION") +
        "KVarium runs a small decoder step by step and shows every byte that its KV "
        "cache holds;\nit computes what a cache costs for any model, and teaches "
        "both in lessons.\nWithout a command it opens its window.\n" +
        section("COMMANDS");
    if (program.opening) out += roff_command(*program.opening);
    for (const Subcommand& command : program.commands) out += roff_command(command);
    out += section("COMMON OPTIONS") + "Every command takes these as well.\n" +
           options(common_options()) + section("EXIT STATUS");
    for (const ExitCodeFact& fact : exit_code_facts())
        out += tagged(bold(std::to_string(fact.code)), fact.meaning);
    out += section("ENVIRONMENT") + facts(environment_facts()) + section("FILES") +
           facts(file_facts()) + section("EXAMPLES");
    for (const NamedFact& example : example_facts())
        out += tagged(bold(example.name), example.meaning);
    return out;
}

}  // namespace kv
