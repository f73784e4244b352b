#pragma once
// A program that a bench starts, listens to and, whatever happens, ends. Its standard output is
// ours; its standard error is shared.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kv::bench {

using Clock = std::chrono::steady_clock;
using Variables = std::vector<std::pair<std::string, std::string>>;  // added to the environment

class Child {
public:
    // The first argument is the program, looked up in PATH when it has no slash. Throws kv::Error
    // (Missing) when it cannot be started.
    explicit Child(const std::vector<std::string>& arguments, const Variables& variables = {});
    ~Child();  // asks it to end, and insists after a while
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    pid_t id() const { return id_; }
    Clock::time_point started() const { return started_; }

    // The next line that it prints, without its end; nothing when it closes its output or takes too
    // long.
    std::optional<std::string> line(std::chrono::seconds patience);
    bool running();
    // Its exit code, or 128 + the signal that ended it; nothing when it takes too long.
    std::optional<int> wait(std::chrono::seconds patience);
    double cpu_ms() const {
        return cpu_ms_;
    }  // processor time of all its threads, once it has ended

private:
    pid_t id_ = 0;
    int output_ = -1;
    bool ended_ = false;
    int status_ = 0;
    double cpu_ms_ = 0;
    std::string read_;
    Clock::time_point started_;
};

}  // namespace kv::bench
