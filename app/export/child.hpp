#pragma once
// Another program, run beside this one: its words go to a file, and it ends when this object does.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

// The program of that name in the folders that PATH lists; nothing when none has it.
std::optional<std::filesystem::path> program_in(const std::string& folders, std::string_view name);

// Starts a program that outlives this one, such as a file manager. Throws kv::Error (World).
void start_alone(const std::filesystem::path& program, const std::string& argument);

class Child {
public:
    // `arguments` begins with the program's own name. What it says on either output goes to `log`.
    // Throws kv::Error (World).
    Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const std::filesystem::path& log);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // The exit code of the child once it has ended; 128 and more when a signal ended it.
    std::optional<int> ended();

private:
    pid_t pid_ = 0;
    std::optional<int> code_;
};

}  // namespace kv
