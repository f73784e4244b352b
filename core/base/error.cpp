#include "core/base/error.hpp"

namespace kv {

void assert_failed(const char* expression, const char* file, int line) {
    throw BrokenAssert("KVarium has found a mistake in itself: \"" + std::string(expression) +
                       "\" does not hold at " + file + ":" + std::to_string(line) +
                       ". Please report this line together with what you were doing.");
}

}  // namespace kv
