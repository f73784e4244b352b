#include "app/export/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "core/base/error.hpp"

extern char** environ;

namespace kv {
namespace {

namespace fs = std::filesystem;

// What the child's three streams are.
class Streams {
public:
    explicit Streams(const fs::path& log) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    }
    ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

}  // namespace

std::optional<fs::path> program_in(const std::string& folders, std::string_view name) {
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t to = std::min(folders.find(':', from), folders.size());
        // An empty entry means the current folder, where nobody wants to find programs.
        const fs::path file = fs::path(folders.substr(from, to - from)) / name;
        std::error_code unknown;
        if (to > from && fs::is_regular_file(file, unknown) && ::access(file.c_str(), X_OK) == 0)
            return file;
        from = to + 1;
    }
    return std::nullopt;
}

// A shell starts it behind itself and ends, so that nobody waits for it.
void start_alone(const fs::path& program, const std::string& argument) {
    Child shell("/bin/sh",
                {"sh", "-c", "\"$0\" \"$1\" >/dev/null 2>&1 &", program.string(), argument},
                "/dev/null");
    while (!shell.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Child::Child(const fs::path& program, const std::vector<std::string>& arguments,
             const fs::path& log) {
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const Streams streams(log);
    const int error =
        ::posix_spawn(&pid_, program.c_str(), streams.get(), nullptr, pointers.data(), environ);
    if (error != 0)
        throw Error(ErrorCode::World, program.string() + ": cannot be started (" +
                                          std::generic_category().message(error) + ").");
}

Child::~Child() {
    if (ended()) return;
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
}

std::optional<int> Child::ended() {
    if (code_) return code_;
    int status = 0;
    const pid_t done = ::waitpid(pid_, &status, WNOHANG);
    if (done == 0 || (done < 0 && errno == EINTR)) return std::nullopt;
    if (done < 0)
        code_ = 127;
    else
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_;
}

}  // namespace kv
