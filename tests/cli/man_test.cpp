// kvarium man: the manual holds every command and option that --help prints, as roff, as Markdown
// and for bash.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string out_of(const std::vector<std::string>& arguments) {
    const Ran ran = run_cli(arguments);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return ran.out;
}

// The commands as --help lists them: two blanks, a word, blanks, a sentence.
std::vector<std::string> commands() {
    std::istringstream help(out_of({"--help"}));
    std::vector<std::string> names;
    bool inside = false;
    for (std::string line; std::getline(help, line);) {
        if (line == "Commands:")
            inside = true;
        else if (line.empty())
            inside = false;
        else if (inside)
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

// What stands first in the lines of options, and what they do as far as the first line says it.
std::vector<std::pair<std::string, std::string>> options(const std::string& help) {
    static const std::regex kRow("\n  (--[a-z-]+)(?: \\S+)*? {2,}(\\S[^\n]*)");
    std::vector<std::pair<std::string, std::string>> rows;
    for (std::sregex_iterator at(help.begin(), help.end(), kRow), end; at != end; ++at)
        rows.emplace_back((*at)[1], (*at)[2]);
    return rows;
}

std::string without_escapes(const std::string& roff) {
    std::string plain = std::regex_replace(roff, std::regex("\\\\f[BIR]|\\\\&"), "");
    for (const auto& [escape, letter] : {std::pair{"\\\\-", "-"},
                                         {"\\\\\\(aq", "'"},
                                         {"\\\\\\(dq", "\""},
                                         {"\\\\\\(ti", "~"},
                                         {"\\\\e", "\\"}})
        plain = std::regex_replace(plain, std::regex(escape), letter);
    return plain;
}

// As a pattern: what a line begins with, its signs meaning nothing.
std::string first_words(const std::string& text) {
    return std::regex_replace(text.substr(0, 20), std::regex("[^A-Za-z0-9 ]"), ".");
}

// The part of a page between a heading and the next.
std::string part(const std::string& page, const std::string& heading, const std::string& next) {
    const std::size_t from = page.find(heading + "\n");
    INFO(heading);
    REQUIRE(from != std::string::npos);
    return page.substr(from, page.find(next, from + heading.size()) - from);
}

}  // namespace

TEST_CASE("the manual has every command and option of --help", "[man]") {
    const std::string page = without_escapes(out_of({"man"}));
    const std::string markdown = out_of({"man", "--markdown"});
    const std::vector<std::string> names = commands();
    REQUIRE(names.size() >= 7);
    std::size_t seen = 0;
    for (const std::string& name : names) {
        const std::string here = part(page, ".SS kvarium " + name, "\n.S"),
                          there = part(markdown, "## kvarium " + name, "\n## "),
                          common = part(page, ".SH COMMON OPTIONS", "\n.SH"),
                          common_there = part(markdown, "## Common options", "\n## ");
        for (const auto& [option, does] : options(out_of({name, "--help"}))) {
            CAPTURE(name, option);
            const std::regex row("\n" + option + "( [^\n]+)?\n" + first_words(does));
            const std::regex cell("\n\\| `" + option + "( [^`]+)?` \\|");
            CHECK((std::regex_search(here, row) || std::regex_search(common, row)));
            CHECK((std::regex_search(there, cell) || std::regex_search(common_there, cell)));
            ++seen;
        }
    }
    CHECK(seen > 90);
    for (const auto& [option, does] : options(out_of({"--help"})))
        CHECK_THAT(page, ContainsSubstring("\n" + option));
}

TEST_CASE("the manual has exit codes, files, environment and examples", "[man]") {
    const std::string page = without_escapes(out_of({"man"}));
    for (const char* words : {".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\n", "\n4\nnot in this build",
                              "\n130\nstopped by Ctrl+C", ".SH ENVIRONMENT\n.TP\nXDG_CONFIG_HOME",
                              ".SH FILES\n.TP\n$XDG"})
        CHECK_THAT(page, ContainsSubstring(words));
    // Examples name what there is.
    std::istringstream lines(part(page, ".SH EXAMPLES", "\n.SH"));
    std::size_t seen = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("kvarium")) continue;
        std::istringstream words(line);
        std::string word, command;
        words >> word >> command;
        const bool named = !command.empty() && command[0] != '-';
        const std::string help =
            named ? out_of({command, "--help"}) : out_of({std::string("--help")});
        for (; words >> word;)
            if (word.starts_with("--")) CHECK_THAT(help, ContainsSubstring("\n  " + word + " "));
        ++seen;
    }
    CHECK(seen == 8);
}

TEST_CASE("man reads the manual without a complaint", "[man]") {
    if (run_shell("command -v man").code != 0) SKIP("man is not installed");
    const Ran ran =
        run_shell("\"$KV\" man | MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l - | grep -c kvarium");
    CHECK(ran.err.empty());
    CHECK(std::stoi("0" + ran.out) > 20);
}

TEST_CASE("bash offers commands, and the options of a command behind it", "[man]") {
    const auto offered = [](const std::string& words, int at) {
        const Ran ran = run_shell("source <(\"$KV\" man --bash); COMP_WORDS=(" + words +
                                  "); COMP_CWORD=" + std::to_string(at) +
                                  "; _kvarium; printf '%s ' \"${COMPREPLY[@]}\"");
        INFO(ran.err);
        CHECK(ran.code == 0);
        return ran.out;
    };
    CHECK(offered("kvarium s", 1) == "shot sim ");
    CHECK(offered("kvarium --les", 1) == "--lesson ");
    CHECK(offered("kvarium run", 1) == "run ");
    CHECK(offered("kvarium calc --kv", 2) == "--kv-heads ");
    CHECK_THAT(offered("kvarium bench ''", 2), ContainsSubstring("startup "));
    for (const std::string& name : commands()) {
        const std::string all = offered("kvarium " + name + " --", 2);
        for (const auto& [option, does] : options(out_of({name, "--help"})))
            CHECK_THAT(all, ContainsSubstring(option + " "));
    }
}

TEST_CASE("what the manual cannot be is refused in one sentence", "[man]") {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"man", "--html"},
                                                  {"man", "run"},
                                                  {"man", "--bash", "--markdown"}}) {
        const Ran ran = run_cli(words);
        CHECK(ran.code == 2);
        CHECK(ran.out.empty());
        CHECK(count_lines(ran.err) == 1);
    }
}
