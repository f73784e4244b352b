#pragma once
// What the backends on this machine's memory share: the pool, and how a slot of a sequence is found
// in it.

#include <algorithm>

#include "core/cache/layout/place_in.hpp"
#include "core/engine/pool/key_boxes.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"

namespace kv {

class PoolBackend : public Backend {
public:
    const KvLayout& layout() const override { return pool_.layout(); }
    void read_pool(std::uint64_t offset, std::span<std::byte> out) const override;
    void write_pool(std::uint64_t offset, std::span<const std::byte> bytes) override;
    void copy_block(BlockId from, BlockId to, std::uint32_t slots) override;

    SharedScale shared_scale(LayerId layer, Side side) const override {
        return pool_.shared_scale(layer, side);
    }
    void set_shared_scale(LayerId layer, Side side, SharedScale scale) override {
        pool_.set_shared_scale(layer, side, scale);
    }
    void free_residual(std::uint32_t row_set) override { pool_.free_residual(row_set); }
    std::uint64_t residual_bytes() const override { return pool_.residual_bytes(); }

    // For whoever computes with the pool.
    const PoolSpec& spec() const { return spec_; }
    KvPool& pool() { return pool_; }
    const KvPool& pool() const { return pool_; }

    // Where all vectors of a layer share a scale (:tensor), it is found before the first of them
    // are stored: `rows` of them, each of all KV heads.
    template <class Rows>
    void take_scales(LayerId layer, const Rows& k, const Rows& v, std::size_t rows) {
        take_scale(layer, Side::K, k, rows);
        take_scale(layer, Side::V, v, rows);
    }
    // KIVI. A token's key and value wait in the residual, in fp16: they go there before the token
    // attends, or, where a pass attends exactly, when the whole pass has attended. When a token has
    // attended, those that are due are coded: coded_tokens() says up to which, `n` being stored.
    template <class Real>
    void wait_in_residual(const SequenceWork& work, LayerId layer, std::uint32_t slot,
                          const Real* k, const Real* v);
    void code_due(const SequenceWork& work, LayerId layer, std::uint32_t n);
    // Reads a slot as it is once `n` tokens are stored: decoded, or, with KIVI, as it still waits
    // in the residual, if it is not among the first coded_tokens(n).
    template <class Real>
    void read(const SequenceWork& work, LayerId layer, Side side, HeadId head, std::uint32_t slot,
              std::uint32_t n, Real* out) const;
    SlotPlace place(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot) const;

    // For Quest, which goes by bounds of blocks (KeyBoxes): called before keys of these new tokens
    // are stored, and once they are.
    struct NewTokens {
        const SequenceWork& work;
        std::size_t begin, end;
    };
    void before_append(const NewTokens& some, LayerId layer);
    void after_append(const NewTokens& some, LayerId layer);
    // Quest: chooses the blocks that a query head of a new token reads. q: (head_dim), as it meets
    // the keys.
    void choose_reads(const SequenceWork& work, LayerId layer, const QueryHead& who,
                      std::span<const float> q) const;

protected:
    PoolBackend(const ModelConfig& config, const PoolSpec& pool);

private:
    std::byte* bytes_at(const SequenceWork& work, LayerId layer, Side side, HeadId head,
                        std::uint32_t slot);
    void code_keys(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t first);
    void code_value(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot);
    // KIVI: a key that is coded already. It is decoded from the slots of its whole group.
    template <class Real>
    void read_coded_key(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot,
                        Real* out) const;

    template <class Rows>
    void take_scale(LayerId layer, Side side, const Rows& values, std::size_t rows) {
        const Codec& codec = pool_.codec(side);
        if (codec.scale != ScaleMode::Tensor || pool_.shared_scale(layer, side) != kNoScale) return;
        const std::size_t width = std::size_t{layout().n_kv_heads} * layout().vector(side).dim;
        SharedScale most = 0;  // larger fp16 numbers have larger codes
        for (std::size_t i = 0; i < rows; ++i)
            most = std::max(most, scale_for(codec, values[i], width));
        pool_.set_shared_scale(layer, side, most);
    }

    PoolSpec spec_;
    KvPool pool_;
    KeyBoxes boxes_;
};

}  // namespace kv
