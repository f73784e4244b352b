#pragma once
// One subcommand: its name, its table of options, and the function that runs it. A new one is a
// file with a function that returns a Subcommand, and one word in program/commands.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/terminal/options.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {

// The options that every command has.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    std::optional<u64> seed;
    std::optional<std::string> out;  // "-" is standard output, and so is nothing
};

struct Subcommand {
    std::string_view name;                // empty for what runs without a subcommand
    std::string_view summary;             // one line
    std::vector<std::string_view> usage;  // lines after "kvarium "
    std::string_view positional;          // "FILE", "ROW...", or empty
    std::vector<OptionSpec> options;
    int (*run)(const GivenOptions& given, const CommonOptions& common);  // the exit code
    std::vector<OptionSpec> arguments = {};  // what may stand for `positional`; empty: anything
};

const std::vector<OptionSpec>& common_options();

struct Program {
    std::vector<Subcommand> commands;
    std::optional<Subcommand> opening;  // runs when no subcommand is named
};
Program program();

}  // namespace kv
