#include "core/engine/run/request.hpp"

namespace kv {

std::uint64_t most_stored(const RequestSpec& spec, std::size_t inherited) {
    return inherited + std::uint64_t{spec.prompt.size()} + spec.forced.size() + spec.max_new - 1;
}

}  // namespace kv
