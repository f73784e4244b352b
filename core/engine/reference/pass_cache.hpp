#pragma once
// One layer's part of the paged cache (PagedAttention, Kwon et al., arXiv 2309.06180), as a pass
// over one sequence meets it: the new tokens' keys and values are appended, and then each of its
// query heads is shown the keys and values that it sees. What lies between a decoder and its bytes
// lies here: block tables, codecs and their scales, the residual of KIVI, the Hadamard transform,
// keys that are rotated when they are read, a policy that chooses what is read. `attention` and
// `attend` in reference.cpp call these in their order.

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
    // False: a query and its keys are rotated each time they meet.
    bool stores_rotated_keys() const { return rotated_when_stored(work_); }

    // Keys and values of earlier tokens go back into slots 0, 1, ...: they were computed once more,
    // since only layer inputs were kept between two steps.
    void restore(Rows<Real> k, Rows<Real> v);  // (tokens, n_kv_heads x head_dim)
    // Keys and values of the new tokens go into the slots that the pass gives them.
    void append(Rows<Real> k, Rows<Real> v);  // (n, n_kv_heads x head_dim)
    // All tokens of the pass have attended: those that only waited for that are coded now.
    void pass_has_attended();

    // What one new token sees, while it attends. With a residual (KIVI), where tokens go one by one
    // (codes_one_by_one_), its own key and value go there in fp16 first, and what is due is coded
    // when it has attended; else append() and pass_has_attended() do that for all of them.
    class Query {
    public:
        Query(PassCache& cache, std::size_t row);
        void token_has_attended();

        // Finds the keys that a query head sees, and changes q (head_dim) as they were changed: the
        // Hadamard transform where they are stored in it, RoPE where they are rotated when read.
        void see_keys_of(std::uint32_t head, Real* q);
        std::size_t n_seen() const { return seen_.slots.size(); }
        // The numbers of the j-th token that is seen, oldest first, valid until the next
        // see_keys_of().
        const Real* key(std::size_t j);    // (head_dim)
        const Real* value(std::size_t j);  // (head_dim)
        // Takes the sum of values back from the Hadamard transform, if they were stored in it.
        void back_from_hadamard(Real* output) const;

    private:
        void find_keys(const QueryHead& at, const Real* q);
        void forget_what_was_read();

        PassCache& cache_;
        std::size_t row_;
        HeadId kv_head_{0};
        SeenKeys seen_, seen_by_head_before_;
        // Numbers of the first tokens that are seen, as far as they were asked for: heads of a
        // group that see the same keys have them read once.
        std::vector<Real> keys_, values_;
    };

private:
    void apply_hadamard(Rows<Real>& heads) const;  // where the pool has it
    void write(HeadId head, std::uint32_t slot, const Real* k, const Real* v);
    void take_new_tokens(Rows<Real> k, Rows<Real> v);
    void write_new_tokens();
    void wait_and_code_due(std::uint32_t slot, const Real* k, const Real* v);
    void read(Side side, HeadId head, std::uint32_t slot, std::size_t row, Real* out) const;
    const Real* as_computed(Side side, HeadId head, std::uint32_t slot, std::size_t row) const;
    std::uint32_t stored_before(Side side, std::size_t row) const;
    void append_nothing_wrongly(Rows<Real> k, Rows<Real> v);
    void read_value_wrongly(HeadId head, std::uint32_t slot, std::size_t row, Real* out) const;

    PoolBackend& pool_;
    const ModelConfig& config_;
    Rotations<Real>& rope_;
    const SequenceWork& work_;
    LayerId layer_;
    // With a residual (KIVI): each token goes there, attends and has coded what is due before the
    // next one comes (quantised prefill, a draft). Else all go there when the pass has attended.
    bool codes_one_by_one_;
    Rows<Real> k_{0, 0}, v_{0, 0};  // of the new tokens, before they were coded
};

}  // namespace kv
