#pragma once
// The options of a command as a table, and what a command line gave. The table is all there is:
// --help, parsing and "did you mean" come from it. Options are long, take one value or none, and
// stand once unless they are repeatable.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace kv {

inline Error usage_error(const std::string& sentence) {
    return Error{ErrorCode::Usage, sentence};
}

struct OptionSpec {
    std::string_view name;   // "--tokens"
    std::string_view value;  // what stands for the value in --help; empty for a switch
    std::string_view help;
    bool repeatable = false;
    bool written = false;  // the value is a file that the command writes
};

class GivenOptions {
public:
    bool has(std::string_view name) const;
    std::optional<std::string> text(std::string_view name) const;
    const std::vector<std::string>& all(std::string_view name) const;  // of a repeatable option

    std::map<std::string, std::vector<std::string>, std::less<>> values;
    std::optional<std::string> positional;
    std::vector<std::string> positionals;  // all of them, where several may follow
};

// `positional` names the one argument without dashes that may follow ("FILE"); several may where it
// ends in dots ("FILE..."), and none where it is empty. Throws kv::Error (Usage) for what is
// unknown, missing, repeated or empty, and for a file that would be written twice.
GivenOptions parse_options(const std::vector<OptionSpec>& specs, std::string_view positional,
                           const std::vector<std::string>& arguments);

}  // namespace kv
