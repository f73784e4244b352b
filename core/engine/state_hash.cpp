#include "core/engine/state_hash.hpp"

#include <array>
#include <vector>

namespace kv {
namespace {

// FNV-1a, 64 bits.
class Hash {
public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte b : bytes) {
            value_ ^= std::to_integer<std::uint64_t>(b);
            value_ *= 0x100000001B3u;
        }
    }
    void add(std::uint32_t number) {
        const std::array<std::byte, 4> bytes{
            std::byte(number & 0xFF), std::byte(number >> 8 & 0xFF), std::byte(number >> 16 & 0xFF),
            std::byte(number >> 24)};
        add(bytes);
    }
    std::string text() const {
        constexpr char kDigits[] = "0123456789abcdef";
        std::string out;
        for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[value_ >> shift & 0xF];
        return out;
    }

private:
    std::uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace

std::string state_hash(const Backend& backend, const BlockTables& tables,
                       std::uint32_t stored_tokens) {
    const KvLayout& layout = backend.layout();
    Hash hash;
    hash.add(stored_tokens);
    std::vector<std::byte> vector;
    for (const auto& table : tables.tables)
        for (const BlockId block : table) hash.add(block.value);
    for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
        for (const KvSide side : {KvSide::K, KvSide::V})
            for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head)
                for (std::uint32_t slot = 0; slot < stored_tokens; ++slot) {
                    const auto& table = tables.of(LayerId(layer), HeadId(head));
                    vector.resize(layout.vector(side).bytes);
                    backend.read_pool(layout.vector_offset(LayerId(layer), side, HeadId(head),
                                                           table[slot / layout.block_size],
                                                           Slot(slot % layout.block_size)),
                                      vector);
                    hash.add(vector);
                }
    return hash.text();
}

}  // namespace kv
