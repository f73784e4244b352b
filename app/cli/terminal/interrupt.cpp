#include "app/cli/terminal/interrupt.hpp"

#include <csignal>

namespace kv {
namespace {

volatile std::sig_atomic_t interrupted = 0;  // the one thing a signal handler may touch
void note_interrupt(int) {
    interrupted = 1;
}

}  // namespace

void watch_for_interrupts() {
    std::signal(SIGINT, note_interrupt);
    std::signal(SIGTERM, note_interrupt);
}

bool was_interrupted() {
    return interrupted != 0;
}

void stop_if_interrupted(const char* sentence) {
    if (was_interrupted()) throw Interrupted{sentence};
}

}  // namespace kv
