#pragma once
// A line on a terminal that says how far long work is, once it has taken a second; nothing in a
// pipe. It is gone when the work is done.

#include <chrono>
#include <functional>
#include <string>

namespace kv {

// What is being done; whoever works long calls it with a few words.
using SayProgress = std::function<void(const std::string&)>;

class ProgressLine {
public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const std::string& text);

private:
    bool shown_, written_ = false;
    std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace kv
