#pragma once
// A line on a terminal that says how far long work is, once it has taken a second; nothing in a
// pipe. It is gone when the work is done.

#include <chrono>
#include <string>

namespace kv {

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
