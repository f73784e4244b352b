#include "core/engine/recode.hpp"

#include <vector>

namespace kv {
namespace {

// A side that keeps its format is copied as it is.
void recode_vector(const KvFormat& old_format, const std::vector<std::byte>& old_bytes,
                   const KvFormat& format, std::uint32_t dim, std::vector<std::byte>& bytes) {
    if (format == old_format) {
        bytes = old_bytes;
        return;
    }
    std::vector<float> values(dim);
    decode_vector(old_format, old_bytes.data(), dim, values.data());
    encode_vector(format, values.data(), dim, bytes.data());
}

}  // namespace

std::uint64_t recode_block(const Backend& from, const PoolSpec& from_spec, Backend& to,
                           const PoolSpec& to_spec, BlockId block, std::uint32_t slots) {
    std::uint64_t written = 0;
    const KvLayout &was = from.layout(), &is = to.layout();
    std::vector<std::byte> old_bytes, bytes;
    for (std::uint32_t layer = 0; layer < is.n_layers; ++layer)
        for (const KvSide side : {KvSide::K, KvSide::V})
            for (std::uint32_t slot = 0; slot < slots; ++slot)
                for (std::uint32_t head = 0; head < is.n_kv_heads; ++head) {
                    old_bytes.resize(was.vector(side).bytes);
                    bytes.resize(is.vector(side).bytes);
                    from.read_pool(
                        was.vector_offset(LayerId(layer), side, HeadId(head), block, Slot(slot)),
                        old_bytes);
                    recode_vector(from_spec.format(side), old_bytes, to_spec.format(side),
                                  is.vector(side).dim, bytes);
                    to.write_pool(
                        is.vector_offset(LayerId(layer), side, HeadId(head), block, Slot(slot)),
                        bytes);
                    written += bytes.size();
                }
    return written;
}

}  // namespace kv
