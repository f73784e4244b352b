#include "app/cli/terminal/progress_line.hpp"

#include <unistd.h>

#include <iostream>

namespace kv {
namespace {

constexpr std::chrono::seconds kQuietFor{1};
constexpr std::chrono::milliseconds kBetween{50};  // two redrawings
constexpr const char* kEmptyLine = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : shown_(!quiet && ::isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
    if (written_) std::cerr << kEmptyLine << std::flush;
}

void ProgressLine::show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - start_ < kQuietFor || (written_ && now - last_ < kBetween)) return;
    std::cerr << kEmptyLine << text << std::flush;
    written_ = true;
    last_ = now;
}

}  // namespace kv
