#pragma once
// A draft without a model: what the request ends with has often stood before in it, and what came
// behind it there may come again. Prompt lookup decoding (Saxena 2023), as servers have it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kv {

struct NgramDraft {
    std::uint32_t from = 0;             // the position that the first proposal was copied from
    std::vector<std::uint32_t> tokens;  // k of them
};

// The last n tokens are looked for among those before them, the newest place first. What is copied
// may run into what it proposes itself: of "ab ab" it goes on "ab ab ab". Nothing, if they never
// stood there before.
std::optional<NgramDraft> look_back(std::span<const std::uint32_t> tokens, std::uint32_t n,
                                    std::uint32_t k);

}  // namespace kv
