#pragma once
// Where the tokens of two runs part, request by request.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/view/run.hpp"

namespace kv {

// The first token of a request that both sides have and that is not the same; or the first that
// only one side has, once the other one has ended.
struct TokenParting {
    std::string request;
    std::uint32_t index = 0;
    std::optional<std::uint32_t> left, right;
    std::uint32_t iteration = 0;             // of the side that has it, the left one where both do
    std::uint64_t event = 0;                 // of that side's trace: it added the token
    std::optional<std::uint32_t> full = {};  // what a full cache says there, if it was asked
    friend bool operator==(const TokenParting&, const TokenParting&) = default;
};

// What request_named() of facts.hpp finds, as the state has it; null where none has that name.
const RequestView* request_view_named(const Snapshot& now, std::string_view name);

// In the order of their iterations. `ended`: neither run goes on. `known`: what was found in
// shorter recordings, whose iterations need not be looked up again.
std::vector<TokenParting> find_partings(const RunView& left, const RunView& right, bool ended,
                                        const std::vector<TokenParting>& known);

}  // namespace kv
