#pragma once
// What the whole program keeps to, beside its tables of options: exit codes, files, environment and
// lines to begin with. --help and the manual say it from here.

#include <span>
#include <string_view>

namespace kv {

struct ExitCodeFact {
    int code;
    std::string_view meaning;
};
std::span<const ExitCodeFact> exit_code_facts();

// A name with a sentence: a file, an environment variable, or an example line.
struct NamedFact {
    std::string_view name, meaning;
};
std::span<const NamedFact> file_facts();
std::span<const NamedFact> environment_facts();
std::span<const NamedFact> example_facts();  // names are whole lines

}  // namespace kv
