// What bash offers: commands and options from their tables, names of files for everything else.

#include "app/cli/manual/manual.hpp"

namespace kv {
namespace {

std::string names(const std::vector<OptionSpec>& options) {
    std::string out;
    for (const OptionSpec& option : options) out += " " + std::string(option.name);
    return out;
}

std::string words_of(const Subcommand& command) {
    return names(command.arguments) + names(command.options) + names(common_options());
}

}  // namespace

std::string bash_completion(const Program& program) {
    std::string commands, cases;
    for (const Subcommand& command : program.commands) {
        commands += " " + std::string(command.name);
        cases += "        1:" + std::string(command.name) + ") words='" +
                 words_of(command).substr(1) + "' ;;\n";
    }
    const std::string opening =
        program.opening ? words_of(*program.opening) : names(common_options());
    return "# What bash offers behind kvarium; made by `kvarium man --bash`.\n"
           "_kvarium() {\n"
           "    local words\n"
           "    case $((COMP_CWORD > 1)):${COMP_WORDS[1]} in\n" +
           cases + "        *) words='" + (commands + opening).substr(1) +
           "' ;;\n"
           "    esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
           "}\n"
           "complete -o default -F _kvarium kvarium\n";
}

}  // namespace kv
