#pragma once
// Sequences whose newest tokens wait in fp16 and are coded later, and what pool, residual and
// attention should be after each of their passes: token by token, in plain loops, in the order that
// core/cache/codec/kivi.hpp tells. Places are found by walking, so that no stride is shared with a
// kernel.

#include <cmath>
#include <cstring>
#include <map>

#include "core/base/random.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/batch.hpp"
#include "tests/cuda/kernels/kivi_codes.hpp"
#include "tests/cuda/kernels/plain_attention.hpp"
#include "tests/cuda/kernels/walked_pool.hpp"

namespace kv::test {

using u32 = std::uint32_t;

struct KiviShape {
    u32 n_kv_heads = 1, group = 1, k_dim = 16, v_dim = 16, window = 0;
    PoolSpec pool;  // without the number of blocks
    bool by_head = false;
    struct Sequence {
        u32 row_set = 0;
        u32 base = 0;             // tokens that others have stored: whole groups
        std::vector<u32> chunks;  // new tokens of each pass; may be none
    };
    std::vector<Sequence> sequences;
    u32 n_row_sets = 1, seed = 0;
    double reach = 1;

    u32 tokens_of(u32 s) const {
        u32 n = sequences[s].base;
        for (const u32 chunk : sequences[s].chunks) n += chunk;
        return n;
    }
    u32 n_blocks() const {
        u32 n = 1;
        for (u32 s = 0; s < sequences.size(); ++s)
            n += (tokens_of(s) + pool.block_size - 1) / pool.block_size;
        return by_head ? 2 * n_kv_heads * n : n;
    }
    KvLayout layout() const {
        return {2,
                n_kv_heads,
                pool.block_size,
                n_blocks(),
                pool.order,
                vector_of(pool.k, k_dim, Side::K),
                vector_of(pool.v, v_dim, Side::V)};
    }
};

class KiviCase {
public:
    static constexpr u32 kLayer = 1, kHeld = 128, kRows = 129, kTokens = 32;
    static constexpr SharedScale kScale = 0x2800;  // 2^-5, of ':tensor' codecs
    static constexpr std::byte kPoison{0xA5};

    // `block_order`: in which blocks are given out.
    KiviCase(const KiviShape& of, const std::vector<u32>& block_order)
        : shape(of), layout(of.layout()), walked_(layout) {
        pool.assign((walked_.bytes() + 15) / 16 * 16, kPoison);
        residual.assign(shape.n_row_sets * set_bytes(), kPoison);
        u32 given = 0;
        for (u32 s = 0; s < shape.sequences.size(); ++s) {
            BlockTables own{of.by_head ? TableScope::Head : TableScope::Sequence, of.n_kv_heads,
                            std::vector<std::vector<BlockId>>(of.by_head ? 2 * of.n_kv_heads : 1)};
            for (auto& table : own.tables)
                while (table.size() * of.pool.block_size < of.tokens_of(s))
                    table.emplace_back(block_order[given++]);
            tables.push_back(own);
            for (u32 i = 0; i < 2 * of.n_kv_heads; ++i) {
                const std::size_t n =
                    std::size_t{of.tokens_of(s)} * (i % 2 == 0 ? of.k_dim : of.v_dim);
                kept_.push_back({std::vector<double>(n, NAN), std::vector<double>(n, NAN)});
            }
            for (u32 slot = 0; slot < of.sequences[s].base; ++slot)
                append(s, slot), wait_in_residual(s, slot);
            for (const Side side : {Side::K, Side::V}) code_up_to(s, side, base(s));
        }
        residual.assign(residual.size(), kPoison);  // what others stored never waited here
    }

    bool waits(Side side) const { return shape.pool.codec(side).has_residual(); }
    bool exact(Side side) const { return shape.pool.attends_exactly(side); }
    u32 dim(Side side) const { return side == Side::K ? shape.k_dim : shape.v_dim; }
    u32 base(u32 s) const { return shape.sequences[s].base; }

    // Some channels are eight times as large, as keys have them; some never change.
    float number(Side side, u32 s, u32 head, u32 slot, u32 c) const {
        const Random random(shape.seed, (s * 2 + (side == Side::V ? 1 : 0)) * 16 + head);
        const double unit = random.unit(c % 11 == 5 ? c : 4096 + slot * 256ull + c);
        return static_cast<float>((2 * unit - 1) * shape.reach * (c % 7 == 3 ? 8 : 1));
    }

    // A token comes: what does not wait is stored.
    void append(u32 s, u32 slot) {
        for (const Side side : {Side::K, Side::V})
            for (u32 head = 0; head < shape.n_kv_heads; ++head) {
                if (waits(side)) continue;
                std::vector<float> values(dim(side));
                for (u32 c = 0; c < dim(side); ++c) values[c] = number(side, s, head, slot, c);
                std::byte* at = pool.data() + place(side, s, head, slot);
                encode_vector(shape.pool.codec(side), values.data(), dim(side), at, kScale);
                decode_vector(shape.pool.codec(side), at, dim(side), values.data(), kScale);
                for (u32 c = 0; c < dim(side); ++c)
                    keep(side, s, head, slot, c, values[c], std::abs(values[c]));
            }
    }
    // The token waits, in fp16.
    void wait_in_residual(u32 s, u32 slot) {
        for (const Side side : {Side::K, Side::V})
            for (u32 head = 0; head < shape.n_kv_heads; ++head) {
                if (!waits(side)) continue;
                std::byte* row = residual.data() + row_at(side, s, head, slot);
                for (u32 c = 0; c < dim(side); ++c) {
                    const std::uint16_t code = fp16_from_float(number(side, s, head, slot, c));
                    const float value = fp16_to_float(code);
                    put_fp16(row + std::size_t{2} * c, code);
                    keep(side, s, head, slot, c, value, std::abs(value));
                }
            }
    }
    // `n` tokens are stored: all keys leave when another 128 tokens are there, the oldest values
    // when more than 128 wait.
    void code_due(u32 s, u32 n) {
        if (n % kHeld == 0) code_up_to(s, Side::K, n);
        if (n > kHeld) code_up_to(s, Side::V, n - kHeld);
    }

    // What the query of a token gives in a head: `first_own`: the first token of its pass.
    struct Attention {
        std::vector<double> values;
        double rounding;
    };
    Attention attended(u32 s, u32 head, u32 slot, u32 first_own,
                       const std::vector<double>& query) const {
        const u32 begin =
            shape.window != 0 && slot + 1 > shape.window ? slot + 1 - shape.window : 0;
        const Kept k = seen(Side::K, s, head / shape.group, begin, slot + 1, first_own),
                   v = seen(Side::V, s, head / shape.group, begin, slot + 1, first_own);
        return {plain_attention(query, k.values, v.values),
                attention_rounding(query, k.sizes, v.sizes)};
    }

    KiviShape shape;
    KvLayout layout;
    std::vector<BlockTables> tables;        // of each sequence
    std::vector<std::byte> pool, residual;  // as they should be

    std::size_t set_bytes() const {
        std::size_t n = 0;
        for (const Side side : {Side::K, Side::V}) n += row_bytes(side);
        return 2 * n * shape.n_kv_heads * kRows;
    }

private:
    // Every token's vector as it is seen, (tokens, dim), and the sizes of what each number sums up.
    struct Kept {
        std::vector<double> values, sizes;
    };
    std::size_t number_of(Side side, u32 s, u32 head) const {
        return (s * shape.n_kv_heads + head) * 2 + (side == Side::V ? 1 : 0);
    }
    Kept& kept(Side side, u32 s, u32 head) { return kept_[number_of(side, s, head)]; }
    void keep(Side side, u32 s, u32 head, u32 slot, u32 c, double value, double size) {
        Kept& all = kept(side, s, head);
        all.values.at(std::size_t{slot} * dim(side) + c) = value;
        all.sizes.at(std::size_t{slot} * dim(side) + c) = size;
    }
    // Of the slots [begin, end), the pass's own as they were computed where that is what is seen.
    Kept seen(Side side, u32 s, u32 head, u32 begin, u32 end, u32 first_own) const {
        const Kept& all = kept_[number_of(side, s, head)];
        const auto part = [&](const std::vector<double>& of) {
            return std::vector<double>(of.begin() + std::ptrdiff_t{begin} * dim(side),
                                       of.begin() + std::ptrdiff_t{end} * dim(side));
        };
        Kept out{part(all.values), part(all.sizes)};
        for (u32 slot = std::max(begin, first_own); exact(side) && slot < end; ++slot)
            for (u32 c = 0; c < dim(side); ++c) {
                const std::size_t at = std::size_t{slot - begin} * dim(side) + c;
                out.values[at] = number(side, s, head, slot, c);
                out.sizes[at] = std::abs(out.values[at]);
            }
        return out;
    }
    std::size_t place(Side side, u32 s, u32 head, u32 slot) const {
        const u32 size = shape.pool.block_size;
        const BlockId block = tables[s].of(LayerId(kLayer), HeadId(head))[slot / size];
        return walked_.at({kLayer, side, block.value, slot % size, head});
    }

    std::size_t row_bytes(Side side) const { return waits(side) ? 2 * dim(side) : 0; }
    // A row set has, layer by layer, the rows of all heads' keys and then those of their values.
    std::size_t row_at(Side side, u32 s, u32 head, u32 slot) const {
        std::size_t at = shape.sequences[s].row_set * set_bytes();
        for (u32 layer = 0; layer <= kLayer; ++layer)
            for (const Side each : {Side::K, Side::V})
                for (u32 i = 0; i < shape.n_kv_heads * kRows; ++i) {
                    if (layer == kLayer && each == side && i == head * kRows + slot % kRows)
                        return at;
                    at += row_bytes(each);
                }
        KV_ASSERT(false);
        return at;
    }

    void code_up_to(u32 s, Side side, u32 n) {
        u32& coded = side == Side::K ? coded_k_[s] : coded_v_[s];
        for (; waits(side) && coded < n; coded += side == Side::K ? kTokens : 1)
            for (u32 head = 0; head < shape.n_kv_heads; ++head)
                if (side == Side::K)
                    code_keys(s, head, coded);
                else
                    code_value(s, head, coded);
    }
    // A stream of bytes through the slots of 32 tokens: in each `n` of its bytes, from `first` on.
    void spread(const std::vector<std::byte>& stream, u32 s, u32 head, u32 token, u32 first) {
        const std::size_t n = stream.size() / kTokens;
        KV_ASSERT(n * kTokens == stream.size());
        for (u32 i = 0; i < kTokens; ++i)
            std::memcpy(pool.data() + place(Side::K, s, head, token + i) + first,
                        stream.data() + i * n, n);
    }
    void code_keys(u32 s, u32 head, u32 first) {
        const u32 bits = shape.pool.k.bits(), of_word = 32 / bits;
        std::vector<KiviCodes> channels;
        std::vector<std::byte> words, records;
        for (u32 c = 0; c < shape.k_dim; ++c) {
            std::array<double, kTokens> column{};
            for (u32 i = 0; i < kTokens; ++i)
                column[i] = kept(Side::K, s, head).values[(first + i) * shape.k_dim + c];
            channels.push_back(kivi_codes(column, kTokens, bits));
            const KiviCodes& channel = channels.back();
            for (const u32 half : {u32{channel.scale}, u32{channel.zero}})
                for (const u32 shift : {0u, 8u})
                    records.push_back(static_cast<std::byte>(half >> shift & 0xFF));
            for (u32 i = 0; i < kTokens; ++i)
                keep(Side::K, s, head, first + i, c, channel.values[i], channel.sizes[i]);
        }
        for (u32 token = 0; token < kTokens; token += of_word)
            for (const KiviCodes& channel : channels) {
                u32 word = 0;
                for (u32 i = 0; i < of_word; ++i) word |= channel.codes[token + i] << i * bits;
                for (u32 i = 0; i < 4; ++i)
                    words.push_back(static_cast<std::byte>(word >> 8 * i & 0xFF));
            }
        spread(words, s, head, first, 0);
        spread(records, s, head, first, static_cast<u32>(words.size()) / kTokens);
    }
    // A scale and a zero for 32 channels, behind all codes; of fewer channels for all of them.
    void code_value(u32 s, u32 head, u32 slot) {
        const u32 bits = shape.pool.v.bits(), group = std::min(kCodedTogether, shape.v_dim);
        std::byte* codes = pool.data() + place(Side::V, s, head, slot);
        std::byte* record = codes + shape.v_dim * bits / 8;
        for (u32 first = 0; first < shape.v_dim; first += group, record += 4) {
            std::array<double, kCodedTogether> values{};
            for (u32 i = 0; i < group; ++i)
                values[i] = kept(Side::V, s, head).values[slot * shape.v_dim + first + i];
            const KiviCodes part = kivi_codes(values, group, bits);
            for (u32 i = 0; i < group; ++i) {
                put_code(codes, bits, first + i, part.codes[i]);
                keep(Side::V, s, head, slot, first + i, part.values[i], part.sizes[i]);
            }
            put_fp16(record, part.scale);
            put_fp16(record + 2, part.zero);
        }
    }

    WalkedPool walked_;
    std::vector<Kept> kept_;                // (sequences, heads, sides)
    std::map<u32, u32> coded_k_, coded_v_;  // tokens of each sequence
};

}  // namespace kv::test
