#pragma once
// How many tokens the next draft of a request has: k, or as many as acceptance suggests. A draft
// that was all right lets the next be two longer; any other, one shorter. The rule of assisted
// generation in Hugging Face transformers.

#include <cstdint>
#include <optional>

namespace kv {

class DraftPace {
public:
    std::uint32_t next(const std::optional<std::uint32_t>& k) const { return k.value_or(length_); }
    void learn(std::uint32_t proposed, std::uint32_t accepted) {
        if (accepted < proposed)
            length_ = length_ > 1 ? length_ - 1 : 1;
        else
            length_ = length_ + 2 < kLongest ? length_ + 2 : kLongest;
    }

private:
    static constexpr std::uint32_t kFirst = 4, kLongest = 16;
    std::uint32_t length_ = kFirst;
};

}  // namespace kv
