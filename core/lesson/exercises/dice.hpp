#pragma once
// Seeded draws for the random instances of one exercise: the same seed gives the same instance on
// every machine, and one exercise's draws do not depend on another's.

#include <utility>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/base/random.hpp"

namespace kv {

class Dice {
public:
    Dice(u64 seed, u64 exercise) : random_(seed, exercise) {}

    u64 whole(u64 least, u64 most);             // both may come
    u64 in_steps(u64 least, u64 most, u64 by);  // one of least, least + by, ...
    bool coin() { return whole(0, 1) == 1; }
    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[static_cast<std::size_t>(whole(0, from.size() - 1))];
    }
    template <class T>
    void shuffle(std::vector<T>& list) {
        for (std::size_t i = list.size(); i > 1; --i)
            std::swap(list[i - 1], list[static_cast<std::size_t>(whole(0, i - 1))]);
    }

private:
    Random random_;
    u64 drawn_ = 0;
};

}  // namespace kv
