#include "core/engine/seam/taps.hpp"

#include <array>

#include "core/base/names.hpp"

namespace kv {

std::string_view name_of(Tap tap) {
    constexpr std::array<std::string_view, 8> kNames{
        "layer_input", "q", "k", "v", "scores", "weights", "attention", "layer_output"};
    return name_in(kNames, tap);
}

}  // namespace kv
