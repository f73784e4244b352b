#pragma once
// Ctrl+C and SIGTERM as a question that long work asks between two steps, so that it ends whole.

#include <string>

namespace kv {

void watch_for_interrupts();
bool was_interrupted();

// What main turns into the code below. Not an Error: nothing has failed.
struct Interrupted {
    std::string sentence;  // what became of the work
};
void stop_if_interrupted(const char* sentence);  // throws Interrupted

inline constexpr int kInterruptedExit = 130;  // what a shell gives a program that Ctrl+C ended

}  // namespace kv
