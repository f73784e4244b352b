#pragma once
// One layer's part of the cache, as a pass over one sequence meets it: the new tokens' keys and
// values are appended, and then each of its query heads is shown the keys and values that it sees.
// What lies between a decoder and its bytes lies here: block tables, codecs and their scales, the
// residual of KIVI, the Hadamard transform, keys that are rotated when they are read, a policy that
// chooses what is read.

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/pool/backend.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/engine/reference/tensor.hpp"

namespace kv {

template <class Real>
class PassCache {
public:
    // All arguments outlive the object.
    PassCache(PoolBackend& pool, const ModelConfig& config, Rotations<Real>& rope,
              const SequenceWork& work, LayerId layer);
    // Else a query and its keys are rotated to their positions when they meet.
    bool stores_rotated_keys() const { return rotated_when_stored(work_); }

    // Keys and values of earlier tokens, which were given up and computed once more, go back into
    // their slots 0, 1, ...
    void restore(Rows<Real> k, Rows<Real> v);  // (tokens, n_kv_heads x head_dim)
    // Those of the new tokens go into the slots that the pass gives them.
    void append(Rows<Real> k, Rows<Real> v);  // (n, n_kv_heads x head_dim)
    // The whole pass has attended: what waits in a residual for that is coded.
    void close();

    // While one token attends. With a residual its own key and value wait there in fp16, and those
    // that have waited long enough are coded when it has attended.
    class Query {
    public:
        Query(PassCache& cache, std::size_t row);
        void close();

        // Finds what a query head sees, and brings q (head_dim) to where its keys are. What the
        // heads of a group see alike is read once.
        void look(std::uint32_t head, Real* q);
        std::size_t n_seen() const { return seen_.slots.size(); }
        // Of the j-th token that is seen, oldest first. Valid until the next look.
        const Real* key(std::size_t j);    // (head_dim)
        const Real* value(std::size_t j);  // (v_head_dim)
        // The sum of values, back from the Hadamard transform if they were stored in it.
        void leave(Real* output) const;

    private:
        PassCache& cache_;
        std::size_t row_;
        HeadId kv_head_{0};
        SeenKeys seen_, before_;
        // Vectors of the first tokens that are seen, as far as they were asked for.
        std::vector<Real> keys_, values_;
    };

private:
    void apply_hadamard(Rows<Real>& heads) const;  // where the pool has it
    void write(HeadId head, std::uint32_t slot, const Real* k, const Real* v);
    void write_new_tokens();
    void hold_and_settle(std::uint32_t slot, const Real* k, const Real* v);
    void read(Side side, HeadId head, std::uint32_t slot, std::size_t row, Real* out) const;
    void read_with_scale_of_key(HeadId head, std::uint32_t slot, Real* out) const;

    PoolBackend& pool_;
    const ModelConfig& config_;
    Rotations<Real>& rope_;
    const SequenceWork& work_;
    LayerId layer_;
    bool settles_one_by_one_;
    Rows<Real> k_{0, 0}, v_{0, 0};  // of the new tokens, before they were coded
};

}  // namespace kv
