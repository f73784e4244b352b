#include "core/engine/reference/pass_cache.hpp"

#include <algorithm>
#include <utility>

#include "core/base/kv_head.hpp"
#include "core/base/planted.hpp"
#include "core/engine/reference/hadamard.hpp"

namespace kv {

template <class Real>
PassCache<Real>::PassCache(PoolBackend& pool, const ModelConfig& config, Rotations<Real>& rope,
                           const SequenceWork& work, LayerId layer)
    : pool_(pool),
      config_(config),
      rope_(rope),
      work_(work),
      layer_(layer),
      codes_one_by_one_(pool.spec().has_residual() &&
                        (work.one_by_one || !pool.spec().attends_exactly())) {}

template <class Real>
void PassCache<Real>::pass_has_attended() {
    if (planted(PlantedBug::AttendsBeforeAppend)) write_new_tokens();
    if (!pool_.spec().has_residual() || codes_one_by_one_) return;
    for (std::size_t i = 0; i < k_.size(); ++i)
        wait_and_code_due(work_.token_indices[i], k_[i], v_[i]);
}

template <class Real>
void PassCache<Real>::apply_hadamard(Rows<Real>& heads) const {
    if (pool_.spec().rotation != Rotation::Hadamard) return;
    for (std::size_t i = 0; i < heads.size(); ++i)
        hadamard_heads(heads[i], config_.n_kv_heads, config_.head_dim);
}

template <class Real>
void PassCache<Real>::restore(Rows<Real> k, Rows<Real> v) {
    apply_hadamard(k);
    apply_hadamard(v);
    for (std::uint32_t slot = 0; slot < k.size(); ++slot) {
        for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
            write(HeadId(head), slot, k[slot], v[slot]);
        if (pool_.spec().has_residual()) wait_and_code_due(slot, k[slot], v[slot]);
    }
}

template <class Real>
void PassCache<Real>::append(Rows<Real> k, Rows<Real> v) {
    if (planted(PlantedBug::AttendsBeforeAppend))
        return append_nothing_wrongly(std::move(k), std::move(v));
    take_new_tokens(std::move(k), std::move(v));
    pool_.before_append({work_, 0, k_.size()}, layer_);
    write_new_tokens();
    pool_.after_append({work_, 0, k_.size()}, layer_);
}

template <class Real>
void PassCache<Real>::take_new_tokens(Rows<Real> k, Rows<Real> v) {
    k_ = std::move(k);
    v_ = std::move(v);
    apply_hadamard(k_);
    apply_hadamard(v_);
    pool_.take_scales(layer_, k_, v_, k_.size());
}

template <class Real>
void PassCache<Real>::write_new_tokens() {
    for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head) {
        const auto slots = own_slots(work_, layer_, HeadId(head));
        for (std::size_t i = 0; i < k_.size(); ++i) write(HeadId(head), slots[i], k_[i], v_[i]);
    }
}

// k, v: (n_kv_heads, head_dim), of which this head's go to the slot.
template <class Real>
void PassCache<Real>::write(HeadId head, std::uint32_t slot, const Real* k, const Real* v) {
    const auto at = pool_.place(work_, layer_, head, slot);
    const std::size_t first = head.index() * config_.head_dim;
    for (const Side side : {Side::K, Side::V}) {
        const Codec& codec = pool_.spec().codec(side);
        if (codec.has_residual()) continue;
        encode_vector(codec, (side == Side::K ? k : v) + first, pool_.layout().vector(side).dim,
                      pool_.pool().vector(layer_, side, head, at.block, at.slot),
                      pool_.shared_scale(layer_, side));
    }
}

template <class Real>
void PassCache<Real>::wait_and_code_due(std::uint32_t slot, const Real* k, const Real* v) {
    pool_.wait_in_residual(work_, layer_, slot, k, v);
    pool_.code_due(work_, layer_, slot + 1);
}

template <class Real>
PassCache<Real>::Query::Query(PassCache& cache, std::size_t row) : cache_(cache), row_(row) {
    if (cache_.codes_one_by_one_)
        cache_.pool_.wait_in_residual(cache_.work_, cache_.layer_, cache_.work_.token_indices[row],
                                      cache_.k_[row], cache_.v_[row]);
}

template <class Real>
void PassCache<Real>::Query::token_has_attended() {
    if (cache_.codes_one_by_one_)
        cache_.pool_.code_due(cache_.work_, cache_.layer_, cache_.work_.token_indices[row_] + 1);
}

template <class Real>
void PassCache<Real>::Query::see_keys_of(std::uint32_t head, Real* q) {
    const ModelConfig& config = cache_.config_;
    const HeadId kv_head_before =
        std::exchange(kv_head_, kv_head_of(head, config.n_heads, config.n_kv_heads));
    std::swap(seen_, seen_by_head_before_);  // find_keys() overwrites seen_
    // q becomes as its keys are: in the Hadamard transform, or rotated below. Never both: channels
    // that are mixed cannot be rotated any more (clash_of in settings.cpp).
    if (cache_.pool_.spec().rotation == Rotation::Hadamard) hadamard(q, config.head_dim);
    find_keys({kv_head_, head, row_}, q);
    if (seen_.rotated_when_read) cache_.rope_.rotate(q, 1, seen_.positions.back());
    // Query heads of a group mostly see the same keys. Then what was read for the head before
    // serves again.
    const bool is_alike = kv_head_ == kv_head_before && seen_.slots == seen_by_head_before_.slots &&
                          seen_.positions == seen_by_head_before_.positions;
    if (!is_alike) forget_what_was_read();
}

// The slots and positions of all keys that the query head sees. Under Quest it chooses their blocks
// by its query first.
template <class Real>
void PassCache<Real>::Query::find_keys(const QueryHead& at, const Real* q) {
    if (cache_.work_.reads != nullptr)
        cache_.pool_.choose_reads(cache_.work_, cache_.layer_, at,
                                  std::vector<float>(q, q + cache_.config_.head_dim));
    find_keys_of_head(cache_.config_, cache_.pool_.layout(), cache_.work_, cache_.layer_, at,
                      seen_);
}

template <class Real>
void PassCache<Real>::Query::forget_what_was_read() {
    const std::size_t dim = cache_.config_.head_dim;
    keys_.clear();
    values_.clear();
    keys_.reserve(n_seen() * dim);
    values_.reserve(n_seen() * dim);
}

template <class Real>
const Real* PassCache<Real>::Query::key(std::size_t j) {
    const std::size_t dim = cache_.config_.head_dim, known = keys_.size() / dim;
    if (j >= known) keys_.resize((j + 1) * dim);
    for (std::size_t k = known; k <= j; ++k) {
        Real* key = keys_.data() + k * dim;
        cache_.read(Side::K, kv_head_, seen_.slots[k], row_, key);
        if (seen_.rotated_when_read) cache_.rope_.rotate(key, 1, seen_.positions[k]);
    }
    return keys_.data() + j * dim;
}

template <class Real>
const Real* PassCache<Real>::Query::value(std::size_t j) {
    const std::size_t dim = cache_.config_.head_dim, known = values_.size() / dim;
    if (j >= known) values_.resize((j + 1) * dim);
    for (std::size_t k = known; k <= j; ++k)
        cache_.read(Side::V, kv_head_, seen_.slots[k], row_, values_.data() + k * dim);
    return values_.data() + j * dim;
}

template <class Real>
void PassCache<Real>::Query::back_from_hadamard(Real* output) const {
    if (cache_.pool_.spec().rotation == Rotation::Hadamard)
        hadamard(output, cache_.config_.head_dim);
}

// `row` is the token of the pass that reads. It may see tokens of its own pass as they were
// computed; else slot -> block table entry -> block -> bytes -> numbers is PoolBackend::read.
template <class Real>
void PassCache<Real>::read(Side side, HeadId head, std::uint32_t slot, std::size_t row,
                           Real* out) const {
    if (planted(PlantedBug::ValuesByKeyScale) && side == Side::V)
        return read_value_wrongly(head, slot, row, out);
    if (const Real* computed = as_computed(side, head, slot, row))
        std::copy_n(computed, pool_.layout().vector(side).dim, out);
    else
        pool_.read(work_, layer_, side, head, slot, stored_before(side, row), out);
}

// The numbers of a token of this pass before they were coded; null for all others, and where what
// is stored is to be seen.
template <class Real>
const Real* PassCache<Real>::as_computed(Side side, HeadId head, std::uint32_t slot,
                                         std::size_t row) const {
    if (!pool_.spec().attends_exactly(side)) return nullptr;
    const auto own = computed_row(work_, layer_, head, slot, row);
    if (!own) return nullptr;
    return (side == Side::K ? k_ : v_)[*own] + head.index() * pool_.layout().vector(side).dim;
}

// How many tokens count as stored when the token `row` reads: KIVI has coded coded_tokens() of
// them, the others wait in fp16. As a rule all before `row` are stored. But a pass that attends
// exactly codes only when all its tokens have attended; until then no more are stored than before
// its first.
template <class Real>
std::uint32_t PassCache<Real>::stored_before(Side side, std::size_t row) const {
    const bool as_it_began = pool_.spec().attends_exactly(side) && !work_.one_by_one;
    return work_.token_indices[as_it_began ? 0 : row];
}

// Planted bugs.

// pass_has_attended() writes the new tokens then.
template <class Real>
void PassCache<Real>::append_nothing_wrongly(Rows<Real> k, Rows<Real> v) {
    take_new_tokens(std::move(k), std::move(v));
    pool_.before_append({work_, 0, k_.size()}, layer_);
    pool_.after_append({work_, 0, k_.size()}, layer_);
}

// By the scale of the slot's key, where keys and values have a scale each.
template <class Real>
void PassCache<Real>::read_value_wrongly(HeadId head, std::uint32_t slot, std::size_t row,
                                         Real* out) const {
    const PoolSpec& spec = pool_.spec();
    const KvLayout& layout = pool_.layout();
    if (const Real* computed = as_computed(Side::V, head, slot, row)) {
        std::copy_n(computed, layout.v.dim, out);
        return;
    }
    if (spec.k.scale != ScaleMode::PerVector || spec.v.scale != ScaleMode::PerVector)
        return pool_.read(work_, layer_, Side::V, head, slot, stored_before(Side::V, row), out);
    const auto at = pool_.place(work_, layer_, head, slot);
    const std::byte* value = pool_.pool().vector(layer_, Side::V, head, at.block, at.slot);
    const std::byte* key = pool_.pool().vector(layer_, Side::K, head, at.block, at.slot);
    std::vector<std::byte> bytes(value, value + layout.v.bytes);
    std::copy_n(key + layout.k.bytes - 2, 2, bytes.end() - 2);
    decode_vector(spec.v, bytes.data(), layout.v.dim, out);
}

template class PassCache<float>;
template class PassCache<double>;

}  // namespace kv
