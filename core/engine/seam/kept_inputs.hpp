#pragma once
// Each layer's input rows of one sequence, kept in place of its keys and values: enough to compute
// both once more. The rows are float32, as the residual stream is, so what is computed from them is
// the same to the bit. The caller makes room; the backend writes the rows; a fresh row is NaN.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {

class KeptInputs {
public:
    KeptInputs(std::uint32_t n_layers, std::uint32_t hidden_size, std::uint32_t block_size);

    // Room for tokens at these positions, in the slots from size() on. Memory grows by blocks of
    // block_size tokens, as the pool's use does.
    void add(std::span<const std::uint32_t> positions);

    std::uint32_t size() const { return static_cast<std::uint32_t>(positions_.size()); }
    std::uint32_t position(std::uint32_t slot) const { return positions_[slot]; }
    std::span<float> row(LayerId layer, std::uint32_t slot);
    std::span<const float> row(LayerId layer, std::uint32_t slot) const;

    static constexpr u64 bytes_per_token(u64 n_layers, u64 hidden_size) {
        return n_layers * hidden_size * sizeof(float);
    }
    u64 live_bytes() const { return size() * bytes_per_token(n_layers_, hidden_size_); }
    u64 allocated_bytes() const;

private:
    std::size_t offset(LayerId layer, std::uint32_t slot) const;

    std::uint32_t n_layers_, hidden_size_, block_size_;
    std::vector<std::uint32_t> positions_;
    std::vector<std::vector<float>> blocks_;  // each (n_layers, block_size, hidden_size)
};

}  // namespace kv
