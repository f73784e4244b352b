#include "core/engine/seam/kept_inputs.hpp"

#include <limits>

#include "core/base/error.hpp"

namespace kv {

KeptInputs::KeptInputs(std::uint32_t n_layers, std::uint32_t hidden_size, std::uint32_t block_size)
    : n_layers_(n_layers), hidden_size_(hidden_size), block_size_(block_size) {
    KV_ASSERT(n_layers > 0 && hidden_size > 0 && block_size > 0);
}

void KeptInputs::add(std::span<const std::uint32_t> positions) {
    positions_.insert(positions_.end(), positions.begin(), positions.end());
    const std::size_t block = std::size_t{n_layers_} * block_size_ * hidden_size_;
    while (blocks_.size() * block_size_ < positions_.size())
        blocks_.emplace_back(block, std::numeric_limits<float>::quiet_NaN());
}

std::size_t KeptInputs::offset(LayerId layer, std::uint32_t slot) const {
    KV_ASSERT(layer.index() < n_layers_ && slot < size());
    return (layer.index() * block_size_ + slot % block_size_) * hidden_size_;
}

std::span<float> KeptInputs::row(LayerId layer, std::uint32_t slot) {
    const std::size_t at = offset(layer, slot);
    return std::span(blocks_[slot / block_size_]).subspan(at, hidden_size_);
}

std::span<const float> KeptInputs::row(LayerId layer, std::uint32_t slot) const {
    const std::size_t at = offset(layer, slot);
    return std::span(blocks_[slot / block_size_]).subspan(at, hidden_size_);
}

u64 KeptInputs::allocated_bytes() const {
    return blocks_.size() * block_size_ * bytes_per_token(n_layers_, hidden_size_);
}

}  // namespace kv
