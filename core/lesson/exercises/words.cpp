#include "core/lesson/exercises/words.hpp"

#include "core/base/numbers/decimal.hpp"

namespace kv {

std::string say(double number) {
    return group_thousands(plain_text(without_trailing_zeros(shortest(number))));
}

}  // namespace kv
