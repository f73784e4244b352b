#pragma once
// Ctrl+C and SIGTERM as a question that long work asks between two steps, so that it ends whole.

namespace kv {

void watch_for_interrupts();
bool was_interrupted();

inline constexpr int kInterruptedExit = 130;  // what a shell gives a program that Ctrl+C ended

}  // namespace kv
