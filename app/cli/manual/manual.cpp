#include "app/cli/manual/manual.hpp"

#include <cctype>

#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"

namespace kv {
namespace {

int write_manual(const GivenOptions& given, const CommonOptions& common) {
    refuse_both(given, "--markdown", "--bash");
    const Program all = program();
    write_output(common.out, given.has("--markdown") ? manual_markdown(all)
                             : given.has("--bash")   ? bash_completion(all)
                                                     : manual_roff(all));
    return 0;
}

}  // namespace

std::string name_in_manual(const Subcommand& command) {
    return command.name.empty() ? "kvarium" : "kvarium " + std::string(command.name);
}

std::string summary_sentence(const Subcommand& command) {
    std::string sentence(command.summary);
    sentence.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    return sentence + ".";
}

Subcommand man_command() {
    return {.name = "man",
            .summary = "the manual: every command and every option, as a man page",
            .usage = {"man --out kvarium.1", "man --markdown", "man --bash"},
            .positional = "",
            .options = {{"--markdown", "", "as Markdown instead"},
                        {"--bash", "", "what bash completes behind kvarium instead"}},
            .run = write_manual};
}

}  // namespace kv
