#pragma once
// A vector as a kernel sees it.

#include <vector>

#include "cuda/grid/view.hpp"

namespace kv::test {

template <class T>
gpu::View<T> view_of(std::vector<T>& values) {
    return {values.data(), values.size()};
}

}  // namespace kv::test
