#include "core/cache/eviction/key_positions.hpp"

#include <array>

#include "core/base/names.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 4> kPositions{"true", "cache", "original", "shift"};

}  // namespace

std::string_view name_of(KeyPositions positions) {
    return name_in(kPositions, positions);
}

std::optional<KeyPositions> key_positions_named(std::string_view name) {
    return named_in<KeyPositions>(kPositions, name);
}

}  // namespace kv
