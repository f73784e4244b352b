#pragma once
// What happens when something fails. A bug of ours is a KV_ASSERT, on in every build. The world
// failing (a file, a GPU, a display, a wrong option) is one exception type with a code, a sentence
// that says what, where and what to do, and the place in the source. A normal outcome is neither:
// it is a value.

#include <stdexcept>
#include <string>

namespace kv {

// The numbers are the exit codes of the program.
enum class ErrorCode {
    World = 1,    // file, GPU, display, disk full
    Usage = 2,    // unknown option, bad value
    Check = 3,    // a check said no: answer wrong, picture differs, invariant broken
    Missing = 4,  // this build or machine lacks what was asked for (no CUDA, no EGL)
};

// A place in the source; std::source_location is missing from one of the compilers we support.
struct Where {
    const char* file;
    int line;
};
inline Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
}

class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& sentence, Where where = here())
        : std::runtime_error(sentence), code_(code), where_(where) {}

    ErrorCode code() const { return code_; }
    int exit_code() const { return static_cast<int>(code_); }
    Where where() const { return where_; }

private:
    ErrorCode code_;
    Where where_;
};

// What a broken KV_ASSERT throws, so that a test can catch it and the window can say it. It is not
// a kv::Error: nobody but main may handle it.
class BrokenAssert : public std::logic_error {
public:
    using std::logic_error::logic_error;
};
[[noreturn]] void assert_failed(const char* expression, const char* file, int line);

}  // namespace kv

#define KV_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::kv::assert_failed(#condition, __FILE__, __LINE__))
