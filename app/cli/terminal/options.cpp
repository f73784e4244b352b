#include "app/cli/terminal/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/cli/terminal/suggest.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

std::vector<std::string> names_of(const std::vector<OptionSpec>& specs) {
    std::vector<std::string> names;
    names.reserve(specs.size());
    for (const OptionSpec& spec : specs) names.emplace_back(spec.name);
    return names;
}

const OptionSpec* find_spec(const std::vector<OptionSpec>& specs, std::string_view name) {
    const auto found = std::find_if(specs.begin(), specs.end(),
                                    [name](const OptionSpec& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

bool is_long(std::string_view argument) {
    return argument.substr(0, 2) == "--";
}

[[noreturn]] void ask_for_value(const OptionSpec& spec, const char* why, char between) {
    const std::string name{spec.name};
    throw usage_error(name + why + "; write " + name + between + std::string(spec.value) + ".");
}

// CLI11 takes whatever comes next as a value: the argument after "--name=", even another option. So
// values that are missing or unwanted are found here, where the sentence can name them.
void refuse_bad_values(const std::vector<OptionSpec>& specs,
                       const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const OptionSpec* spec = find_spec(specs, argument.substr(0, equals));
        if (!spec) continue;
        if (equals != std::string::npos) {
            if (spec->value.empty())
                throw usage_error(std::string(spec->name) +
                                  " is a switch and takes no value; write it alone.");
            if (equals + 1 == argument.size()) ask_for_value(*spec, " has an empty value", '=');
            continue;
        }
        if (spec->value.empty()) continue;
        if (i + 1 == arguments.size() || is_long(arguments[i + 1]))
            ask_for_value(*spec, " needs a value", ' ');
        ++i;  // the value itself
    }
}

[[noreturn]] void refuse_extra(const std::vector<OptionSpec>& specs, std::string_view positional,
                               const std::vector<std::string>& extras) {
    const auto dashed = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
        return extra.size() > 1 && extra[0] == '-';
    });
    const std::string& culprit = dashed == extras.end() ? extras.front() : *dashed;
    if (dashed == extras.end()) {
        throw usage_error(shown(culprit) +
                          (positional.empty() ? " is one argument too many"
                                              : " is a second argument without a name") +
                          "; put the option's name in front of it or leave it out.");
    }
    const std::string name = culprit.substr(0, culprit.find('='));
    const auto near = nearest(name, names_of(specs));
    throw usage_error(
        shown(name) + " is not an option here; " +
        (near ? "did you mean " + *near + "?" : std::string("see --help for the list.")));
}

// What no empty text can be.
bool names_a_place(const OptionSpec& spec) {
    return spec.value == "FILE" || spec.value == "DIR" || spec.value == "FOLDER";
}

// What is written later would take the place of what was written first.
void refuse_one_file_twice(const std::vector<OptionSpec>& specs, const GivenOptions& given) {
    std::map<std::filesystem::path, std::string_view> written;
    for (const OptionSpec& spec : specs) {
        const auto file = spec.written ? given.text(spec.name) : std::nullopt;
        if (!file) continue;
        std::error_code unknown;
        std::filesystem::path whole =
            std::filesystem::weakly_canonical(std::filesystem::absolute(*file), unknown);
        if (unknown) whole = *file;
        const auto [first, is_new] = written.emplace(std::move(whole), spec.name);
        if (!is_new)
            throw usage_error(std::string(first->second) + " and " + std::string(spec.name) +
                              " write the same file, " + shown(*file) + "; give each its own.");
    }
}

// How many arguments without dashes may follow, of `n` that do: by "FILE" one, by "FILE..." all.
std::size_t most_positionals(std::string_view positional, std::size_t n) {
    if (positional.empty()) return 0;
    return positional.ends_with("...") ? n : 1;
}

// What the line gives to each option of the table.
void take_values(const std::vector<OptionSpec>& specs, const CLI::App& app, GivenOptions& given) {
    for (const OptionSpec& spec : specs) {
        const CLI::Option* option = app.get_option(std::string(spec.name));
        const std::vector<std::string>& results = option->results();
        if (results.empty()) continue;
        if (results.size() > 1 && !spec.repeatable) {
            throw usage_error(std::string(spec.name) + " stands " + std::to_string(results.size()) +
                              " times; give it once.");
        }
        if (names_a_place(spec) && std::find(results.begin(), results.end(), "") != results.end()) {
            throw usage_error(std::string(spec.name) + " has an empty value; write " +
                              std::string(spec.name) + " " + std::string(spec.value) + ".");
        }
        given.values.emplace(std::string(spec.name), results);
    }
}

// Of what is in no table the first ones may be the command's file; an option among them, or one
// argument too many, is refused.
void take_positionals(const std::vector<OptionSpec>& specs, std::string_view positional,
                      std::vector<std::string> extras, GivenOptions& given) {
    const std::size_t most = most_positionals(positional, extras.size());
    while (given.positionals.size() < most && !extras.empty() && !extras.front().starts_with('-')) {
        given.positionals.push_back(extras.front());
        extras.erase(extras.begin());
    }
    if (!given.positionals.empty()) given.positional = given.positionals.front();
    if (!extras.empty()) refuse_extra(specs, positional, extras);
}

}  // namespace

bool GivenOptions::has(std::string_view name) const {
    return values.find(name) != values.end();
}

std::optional<std::string> GivenOptions::text(std::string_view name) const {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second.front();
}

const std::vector<std::string>& GivenOptions::all(std::string_view name) const {
    static const std::vector<std::string> none;
    const auto found = values.find(name);
    return found == values.end() ? none : found->second;
}

GivenOptions parse_options(const std::vector<OptionSpec>& specs, std::string_view positional,
                           const std::vector<std::string>& arguments) {
    refuse_bad_values(specs, arguments);
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    for (const OptionSpec& spec : specs) {
        // Every value stays text: CLI11's own numbers would accept 0x10 and 1e9.
        CLI::Option* option = spec.value.empty()
                                  ? app.add_flag(std::string(spec.name))->disable_flag_override()
                                  : app.add_option(std::string(spec.name))->allow_extra_args(false);
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    // CLI11 takes the arguments from the back of its list.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::ParseError&) {
        throw usage_error("The command line cannot be read; see --help.");
    }
    GivenOptions given;
    take_values(specs, app, given);
    take_positionals(specs, positional, app.remaining(), given);
    refuse_one_file_twice(specs, given);
    return given;
}

}  // namespace kv
