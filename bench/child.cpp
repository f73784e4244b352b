#include "bench/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "core/base/error.hpp"

namespace kv::bench {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const Variables& variables) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('='));
        bool replaced = false;
        for (const auto& variable : variables) replaced |= variable.first == name;
        if (!replaced) all.push_back(text);
    }
    for (const auto& variable : variables) {
        all.push_back(variable.first);
        all.back().append("=").append(variable.second);
    }
    return all;
}

double milliseconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) * 1e-3;
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const Variables& variables) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Error{ErrorCode::World, "No pipe to a program that the bench starts."};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<std::string> words = arguments, settings = environment_with(variables);
    started_ = Clock::now();
    const int failed = ::posix_spawnp(&id_, words.front().c_str(), &actions, nullptr,
                                      pointers_to(words).data(), pointers_to(settings).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
    if (failed == 0) return;
    ::close(output_);
    throw Error{ErrorCode::Missing, words.front() + " cannot be started (" + std::strerror(failed) +
                                        "). Build or install it first."};
}

Child::~Child() {
    ::close(output_);
    if (ended_) return;
    ::kill(id_, SIGTERM);
    if (wait(std::chrono::seconds(5))) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
}

std::optional<std::string> Child::line(std::chrono::seconds patience) {
    const Clock::time_point deadline = Clock::now() + patience;
    for (;;) {
        if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
            std::string first = read_.substr(0, end);
            read_.erase(0, end + 1);
            return first;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        pollfd waiting{output_, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0)
            return {};
        char bytes[4096];
        const ssize_t n = ::read(output_, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return {};
        read_.append(bytes, static_cast<std::size_t>(n));
    }
}

bool Child::running() {
    rusage used{};
    if (!ended_ && ::wait4(id_, &status_, WNOHANG, &used) == id_) {
        ended_ = true;
        cpu_ms_ = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
    }
    return !ended_;
}

std::optional<int> Child::wait(std::chrono::seconds patience) {
    const Clock::time_point deadline = Clock::now() + patience;
    while (running()) {
        if (Clock::now() > deadline) return {};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

}  // namespace kv::bench
