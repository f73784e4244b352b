#include "core/engine/run/request/request.hpp"

namespace kv {

std::uint64_t most_stored(const RequestSpec& spec, std::size_t inherited) {
    return inherited + std::uint64_t{spec.prompt.size()} + spec.forced.size() + spec.max_new - 1;
}

std::vector<std::uint32_t> tokens_of(const Request& request) {
    std::vector<std::uint32_t> tokens = request.prompt;
    const auto& forced = request.spec.forced;
    tokens.insert(tokens.end(), forced.begin(), forced.begin() + request.forced_fed);
    tokens.insert(tokens.end(), request.new_tokens.begin(), request.new_tokens.end());
    return tokens;
}

}  // namespace kv
