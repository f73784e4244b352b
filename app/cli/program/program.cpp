#include "app/cli/program/program.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <system_error>

#include "app/cli/program/help.hpp"
#include "app/cli/terminal/command.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/suggest.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/cli/terminal/version.hpp"
#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

bool contains(const std::vector<std::string>& arguments, std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

const Subcommand* find_subcommand(const Program& all, const std::string& name) {
    const auto found = std::find_if(all.commands.begin(), all.commands.end(),
                                    [&](const Subcommand& c) { return c.name == name; });
    return found == all.commands.end() ? nullptr : &*found;
}

CommonOptions read_common(const GivenOptions& given) {
    CommonOptions common;
    common.json = given.has("--json");
    common.quiet = given.has("--quiet");
    common.seed = whole_option(given, "--seed", 0, std::numeric_limits<u64>::max());
    common.out = given.text("--out");
    if (common.out && common.out->empty()) {
        throw Error{ErrorCode::Usage, "--out has an empty value; write --out FILE."};
    }
    return common;
}

bool looks_like_scene(const std::string& word) {
    return word.find('/') != std::string::npos || word.find('.') != std::string::npos;
}

// The window prints nothing, and the seed of its samples stands in its scene.
void refuse_for_a_printer(const GivenOptions& given) {
    for (const char* option : {"--json", "--out", "--seed", "--quiet"})
        if (given.has(option))
            throw Error{ErrorCode::Usage, std::string(option) +
                                              " means nothing to the window; leave it out, or name "
                                              "a command in front: kvarium --help lists them."};
}

// Refuses a missing scene before a window opens for it and closes again.
void require_scene(const GivenOptions& given) {
    if (!given.positional) return;
    const std::filesystem::path file = scene_file(*given.positional);
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown))
        throw Error{ErrorCode::World, shown(file.string()) +
                                          ": there is no such file; check the name, or name a "
                                          "shipped scene such as needle."};
}

[[noreturn]] void refuse_word(const Program& all, const std::string& word) {
    std::vector<std::string> names = shipped_scenes();
    for (const Subcommand& command : all.commands) names.emplace_back(command.name);
    const auto near = nearest(word, names);
    throw Error{ErrorCode::Usage,
                '"' + shown(word) + "\" is not a command and not a shipped scene; " +
                    (near ? "did you mean " + *near + "?" : "see kvarium --help for the list.")};
}

int parse_and_run(const Subcommand& command, const std::vector<std::string>& arguments) {
    std::vector<OptionSpec> specs = command.options;
    specs.insert(specs.end(), common_options().begin(), common_options().end());
    const GivenOptions given = parse_options(specs, command.positional, arguments);
    if (command.name.empty()) refuse_for_a_printer(given), require_scene(given);
    return command.run(given, read_common(given));
}

int dispatch(const std::vector<std::string>& arguments) {
    const Program all = program();
    const Subcommand* command = arguments.empty() ? nullptr : find_subcommand(all, arguments[0]);
    if (contains(arguments, "--version")) {
        write_output(std::nullopt, version_text());
        return 0;
    }
    if (contains(arguments, "--help")) {
        write_output(std::nullopt, command ? command_help(*command) : program_help(all));
        return 0;
    }
    if (command) return parse_and_run(*command, {arguments.begin() + 1, arguments.end()});
    const bool word = !arguments.empty() && arguments[0].rfind('-', 0) != 0;
    if (word && !looks_like_scene(arguments[0]) && !names_a_scene(arguments[0]))
        refuse_word(all, arguments[0]);
    if (all.opening) return parse_and_run(*all.opening, arguments);
    // Nothing opens, but an option that is none is refused by its name all the same.
    if (!arguments.empty() && !word) {
        static_cast<void>(parse_options(common_options(), "FILE", arguments));
    }
    throw Error{
        ErrorCode::Missing,
        "This build has no window; use a command such as kvarium calc, see kvarium --help."};
}

// What was typed stands in many sentences, and no byte of it may steer the terminal.
std::string plain(std::string_view sentence) {
    std::string text;
    for (std::size_t at = 0; at < sentence.size();) {
        const std::size_t length = utf8_length(sentence, at);
        const auto byte = static_cast<unsigned char>(sentence[at]);
        const bool stays = length > 0 && byte >= 0x20 && byte != 0x7F;
        text += stays ? std::string(sentence.substr(at, length)) : shown(sentence.substr(at, 1));
        at += std::max<std::size_t>(length, 1);
    }
    return text;
}

int report(const std::string& sentence, int code) {
    std::cerr << "kvarium: " << plain(sentence) << '\n';
    return code;
}

int bug(const std::exception& what) {
    return report("a bug in KVarium itself: " + shown(what.what()) +
                      "; please report it with this command line.",
                  static_cast<int>(ErrorCode::Check));
}

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
    // A reader that closes the pipe early must not kill the program; writing then fails quietly.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return dispatch(arguments);
    } catch (const Error& error) {
        return report(error.what(), error.exit_code());
    } catch (const BrokenAssert& broken) {
        return bug(broken);
    } catch (const Interrupted& stopped) {
        return report(stopped.sentence, kInterruptedExit);
    } catch (const std::bad_alloc&) {
        return report("there is not enough memory for this; ask for less.",
                      static_cast<int>(ErrorCode::World));
    } catch (const std::system_error& failed) {
        return report(shown(failed.what()) + "; check the name and the permissions.",
                      static_cast<int>(ErrorCode::World));
    } catch (const std::exception& unforeseen) {
        return bug(unforeseen);
    }
}

}  // namespace kv
