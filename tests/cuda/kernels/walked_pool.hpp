#pragma once
// Where every vector of a pool lies, found by walking through it from its first byte on in the
// order that core/cache/layout/kv_layout.hpp promises. No stride is multiplied here.

#include <cstddef>
#include <vector>

#include "core/cache/layout/kv_layout.hpp"

namespace kv::test {

class WalkedPool {
public:
    explicit WalkedPool(const KvLayout& layout) : layout_(layout) {
        const bool by_token = layout.order == KvOrder::TokenMajor;
        const std::uint32_t outer = by_token ? layout.block_size : layout.n_kv_heads,
                            inner = by_token ? layout.n_kv_heads : layout.block_size;
        for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
            for (const Side side : {Side::K, Side::V})
                for (std::uint32_t block = 0; block < layout.n_blocks; ++block)
                    for (std::uint32_t i = 0; i < outer; ++i)
                        for (std::uint32_t j = 0; j < inner; ++j)
                            take({layer, side, block, by_token ? i : j, by_token ? j : i});
    }

    struct Place {
        std::uint32_t layer;
        Side side;
        std::uint32_t block, slot, head;
        friend bool operator==(const Place&, const Place&) = default;
    };
    std::size_t bytes() const { return bytes_; }
    std::size_t at(const Place& place) const { return at_[number(place)]; }

private:
    void take(const Place& place) {
        const std::size_t n = number(place);
        if (at_.size() <= n) at_.resize(n + 1);
        at_[n] = bytes_;
        bytes_ += layout_.vector(place.side).bytes;
    }
    // Any number that no other place has.
    std::size_t number(const Place& p) const {
        std::size_t n = p.layer * 2 + (p.side == Side::V ? 1 : 0);
        n = n * layout_.n_blocks + p.block;
        n = n * layout_.block_size + p.slot;
        return n * layout_.n_kv_heads + p.head;
    }

    KvLayout layout_;
    std::vector<std::size_t> at_;
    std::size_t bytes_ = 0;
};

}  // namespace kv::test
