#include "core/engine/pool/key_boxes.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace kv {
namespace {

Codec box_codec(const Codec& keys) {
    return keys.is_plain() && keys != Codec::F64 ? keys : Codec::F32;
}

}  // namespace

std::uint64_t box_bytes(const KvLayout& layout) {
    const bool half = layout.k.element_bits == 16;
    return std::uint64_t{2} * layout.k.dim * (half ? sizeof(std::uint16_t) : sizeof(float));
}

std::uint64_t box_bytes_per_block(const KvLayout& layout) {
    return std::uint64_t{layout.n_layers} * layout.n_kv_heads * box_bytes(layout);
}

KeyBoxes::KeyBoxes(const KvPool& pool)
    : pool_(pool),
      codec_(box_codec(pool.codec(Side::K))),
      vector_bytes_(box_bytes(pool.layout()) / 2) {}

std::size_t KeyBoxes::count_index(LayerId layer, BlockId block) const {
    return layer.index() * pool_.layout().n_blocks + block.index();
}

const std::byte* KeyBoxes::box(LayerId layer, HeadId head, BlockId block) const {
    const std::size_t heads = pool_.layout().n_kv_heads;
    return boxes_.data() + (count_index(layer, block) * heads + head.index()) * 2 * vector_bytes_;
}

std::byte* KeyBoxes::box(LayerId layer, HeadId head, BlockId block) {
    return const_cast<std::byte*>(std::as_const(*this).box(layer, head, block));
}

void KeyBoxes::forget(LayerId layer, BlockId block, Slot from) {
    if (n_known_.empty()) return;
    std::uint32_t& known = n_known_[count_index(layer, block)];
    if (known > from.value) known = 0;
}

void KeyBoxes::forget_bytes(std::uint64_t offset, std::uint64_t n) {
    if (n_known_.empty() || n == 0) return;
    const KvPlace first = place_of(pool_.layout(), offset),
                  last = place_of(pool_.layout(), offset + n - 1);
    if (first.layer != last.layer || first.side != last.side)
        return std::fill(n_known_.begin(), n_known_.end(), 0u);
    if (first.side == Side::V) return;
    for (std::uint32_t block = first.block.value; block <= last.block.value; ++block)
        forget(first.layer, BlockId(block), Slot(0));
}

void KeyBoxes::forget(BlockId block) {
    for (std::uint32_t layer = 0; layer < pool_.layout().n_layers; ++layer)
        forget(LayerId(layer), block, Slot(0));
}

void KeyBoxes::read_key(LayerId layer, HeadId head, BlockId block, std::uint32_t slot,
                        float* out) const {
    decode_vector(pool_.codec(Side::K), pool_.vector(layer, Side::K, head, block, Slot(slot)),
                  pool_.layout().k.dim, out, pool_.shared_scale(layer, Side::K));
}

// room: the box, least and most, and the key at hand. The first `known` slots are in the box; it is
// made as wide as the keys of the others, up to of.n, ask for.
void KeyBoxes::widen_by_keys(const Of& of, std::uint32_t known, std::span<float> room) const {
    const std::size_t dim = pool_.layout().k.dim;
    const auto least = room.first(dim), most = room.subspan(dim, dim), key = room.last(dim);
    for (std::uint32_t slot = known; slot < of.n; ++slot) {
        read_key(of.layer, of.head, of.block, slot, key.data());
        if (slot == 0) {
            std::copy(key.begin(), key.end(), least.begin());
            std::copy(key.begin(), key.end(), most.begin());
        }
        widen_box(least, most, key);
    }
}

void KeyBoxes::cover(LayerId layer, BlockId block, std::uint32_t n) {
    const KvLayout& layout = pool_.layout();
    if (n_known_.empty()) {
        n_known_.resize(std::size_t{layout.n_layers} * layout.n_blocks);
        boxes_.resize(layout.n_blocks * box_bytes_per_block(layout));
    }
    std::uint32_t& known = n_known_[count_index(layer, block)];
    if (known >= n) return;
    const std::uint32_t dim = layout.k.dim;
    std::vector<float> room(std::size_t{3} * dim);
    // Where some slots are known, the box that stands there is widened.
    for (std::uint32_t h = 0; h < layout.n_kv_heads; ++h) {
        std::byte* at = box(layer, HeadId(h), block);
        for (std::size_t side = 0; side < 2 && known > 0; ++side)
            decode_vector(codec_, at + side * vector_bytes_, dim, room.data() + side * dim);
        widen_by_keys({.layer = layer, .head = HeadId(h), .block = block, .n = n}, known, room);
        for (std::size_t side = 0; side < 2; ++side)
            encode_vector(codec_, room.data() + side * dim, dim, at + side * vector_bytes_);
    }
    known = n;
}

// A query of a prompt that goes in at once may see less of a block than is stored of it by then:
// then a box of the keys that it sees is made for it.
float KeyBoxes::bound(const Of& of, std::span<const float> q, std::span<float> room) const {
    const std::uint32_t dim = pool_.layout().k.dim;
    const std::uint32_t known = n_known_[count_index(of.layer, of.block)];
    KV_ASSERT(known >= of.n);
    const std::byte* at = box(of.layer, of.head, of.block);
    if (known > of.n)
        widen_by_keys(of, 0, room);
    else
        for (std::size_t side = 0; side < 2; ++side)
            decode_vector(codec_, at + side * vector_bytes_, dim, room.data() + side * dim);
    return bound_of_box(q, {room.first(dim), room.subspan(dim, dim)});
}

}  // namespace kv
