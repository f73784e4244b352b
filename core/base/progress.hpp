#pragma once
// How long work says how far it is, and is told whether to go on.

#include <functional>

namespace kv {

// Called now and then with the share that is done, 0 to 1. False stops the work, and then nothing
// comes of it.
using Progress = std::function<bool(double done)>;

}  // namespace kv
