#include "bench/gpu/attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/random.hpp"
#include "cuda/backend/gpu_backend.hpp"

namespace kv::bench {

using gpu::u32;

namespace {

constexpr u32 kPattern = 251;      // blocks of numbers that the pool repeats
constexpr double kAllowed = 2e-3;  // parts of the largest output

KvLayout layout_for(const GpuAttentionShape& s) {
    const u32 blocks = s.batch * static_cast<u32>(gpu::ceil_of(s.context, s.block_size));
    const KvVector vector = vector_of(s.codec, s.dim);
    return {1, s.n_kv_heads, s.block_size, blocks, KvOrder::TokenMajor, vector, vector};
}

std::vector<u32> shuffled(u32 n) {
    std::vector<u32> ids(n);
    for (u32 i = 0; i < n; ++i) ids[i] = i;
    const Random random(3, 1);
    for (u32 i = n; i > 1; --i) std::swap(ids[i - 1], ids[random.below(i, i)]);
    return ids;
}

}  // namespace

GpuAttention::GpuAttention(gpu::Gpu& gpu, const GpuAttentionShape& shape)
    : gpu_(gpu), shape_(shape), layout_(layout_for(shape)), table_(shuffled(layout_.n_blocks)) {
    const u32 b = shape.batch, blocks = layout_.n_blocks / b;
    fill_pool();
    const Random random(5, 1);
    q_.resize(std::size_t{b} * shape.n_heads * shape.dim);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = static_cast<float>(4 * random.unit(i) - 2);
    queries_ = gpu::uploaded(gpu, q_);
    attention_output_ = gpu::Memory<float>(gpu, q_.size());
    scores_ = gpu::Memory<float>(gpu, std::size_t{b} * shape.n_heads * shape.context);
    scales_ = gpu::uploaded(gpu, std::vector<std::uint16_t>(2, kNoScale));
    std::vector<u32> numbers;  // rows, slots, starts, tables
    for (u32 i = 0; i < b; ++i) numbers.push_back(i);
    for (u32 i = 0; i < b; ++i) numbers.push_back(shape.context - 1);
    for (u32 i = 0; i < b; ++i) numbers.push_back(i * blocks);
    numbers.insert(numbers.end(), table_.begin(), table_.end());
    numbers_ = gpu::uploaded(gpu, numbers);
    a_.cache = {layout_,
                shape.codec,
                shape.codec,
                pool_.view(),
                scales_.view(),
                numbers_.part(3 * u64{b}, table_.size()),
                numbers_.part(2 * u64{b}, b),
                {1, shape.n_kv_heads},
                LayerId(0)};
    a_.q = queries_.view();
    a_.attention_output = attention_output_.view();
    a_.rows = a_.sequence_of = a_.first_row = numbers_.part(0, b);
    a_.slots = a_.first_slot = numbers_.part(b, b);
    a_.n_heads = shape.n_heads;
    a_.n_kv_heads = shape.n_kv_heads;
    u64 parts = 0, units = 0;
    for (const DecodeRung rung : gpu::kDecodeRungs) {
        const gpu::HeadGroups g = groups(rung);
        parts = std::max(parts, g.units(a_) * g.n_splits * g.at_once);
        units = std::max(units, g.units(a_));
    }
    partial_out_ = gpu::Memory<float>(gpu, parts * shape.dim);
    partial_states_ = gpu::Memory<float>(gpu, 2 * parts);
    tickets_ = gpu::Memory<u32>(gpu, units);
    gpu.fill(tickets_.raw(), 0, tickets_.bytes());
    gpu.wait();
}

// Some blocks are made here; the card repeats them until the pool is full.
void GpuAttention::fill_pool() {
    const u64 block = layout_.block_bytes(Side::K), made = std::min(kPattern, layout_.n_blocks);
    const Random random(7, 1);
    some_blocks_.resize(made * block);
    std::vector<float> values(shape_.dim);
    for (u64 v = 0; v * layout_.k.bytes < some_blocks_.size(); ++v) {
        for (u32 c = 0; c < shape_.dim; ++c)
            values[c] = static_cast<float>(2 * random.unit(v * shape_.dim + c) - 1);
        encode_vector(shape_.codec, values.data(), shape_.dim, &some_blocks_[v * layout_.k.bytes]);
    }
    const u64 size = layout_.pool_bytes();
    pool_ = gpu::Memory<std::byte>(gpu_, gpu::ceil_of(size, gpu::kPiece) * gpu::kPiece);
    gpu_.upload(pool_.raw(), some_blocks_.data(), some_blocks_.size());
    for (u64 filled = some_blocks_.size(); filled < size;) {
        const u64 n = std::min(filled / block / made * made * block, size - filled);
        gpu_.copy(pool_.raw() + filled, pool_.raw(), n);
        filled += n;
    }
}

gpu::HeadGroups GpuAttention::groups(DecodeRung rung) const {
    gpu::HeadGroups g{gpu::heads_of_block(rung, a_, gpu_.most_shared_bytes()).value(), 1};
    g.n_splits = gpu::choose_splits({g.units(a_), shape_.context, gpu_.multiprocessors()});
    return g;
}

void GpuAttention::launch(DecodeRung rung) {
    gpu::launch_rung(gpu_, rung, a_, groups(rung),
                     {scores_.view(),
                      shape_.context,
                      {partial_out_.view(), partial_states_.view()},
                      tickets_.view()});
}

double GpuAttention::bytes() const {
    const double tokens = static_cast<double>(shape_.batch) * shape_.context;
    return tokens * shape_.n_kv_heads * (layout_.k.bytes + layout_.v.bytes) +
           2.0 * static_cast<double>(q_.size()) * sizeof(float) +
           static_cast<double>(table_.size()) * sizeof(u32);
}

std::vector<double> GpuAttention::truth(std::uint32_t row, std::uint32_t head) const {
    const u32 kv_head = kv_head_of(head, shape_.n_heads, shape_.n_kv_heads).value, dim = shape_.dim;
    const u32 blocks = layout_.n_blocks / shape_.batch, bs = shape_.block_size;
    const float* query = q_.data() + (std::size_t{row} * shape_.n_heads + head) * dim;
    const auto vector = [&](Side side, u32 slot, float* out) {
        const u64 block =
            table_[row * blocks + slot / bs] + (side == Side::V ? u64{layout_.n_blocks} : 0);
        const u64 made = some_blocks_.size() / layout_.block_bytes(side);
        const u64 at = block % made * layout_.block_bytes(side) +
                       slot % bs * layout_.slot_stride(side) + kv_head * layout_.head_stride(side);
        decode_vector(shape_.codec, some_blocks_.data() + at, dim, out);
    };
    std::vector<double> weights(shape_.context), out(dim);
    std::vector<float> values(dim);
    double top = -INFINITY, sum = 0;
    for (u32 slot = 0; slot < shape_.context; ++slot) {
        vector(Side::K, slot, values.data());
        for (u32 c = 0; c < dim; ++c) weights[slot] += double{query[c]} * values[c];
        weights[slot] /= std::sqrt(static_cast<double>(dim));
        top = std::max(top, weights[slot]);
    }
    for (double& w : weights) sum += w = std::exp(w - top);
    for (u32 slot = 0; slot < shape_.context; ++slot) {
        vector(Side::V, slot, values.data());
        for (u32 c = 0; c < dim; ++c) out[c] += weights[slot] / sum * values[c];
    }
    return out;
}

double GpuAttention::check(DecodeRung rung) {
    gpu_.fill(attention_output_.raw(), 0xFF, attention_output_.bytes());  // NaN
    launch(rung);
    const std::vector<float> ours = gpu::downloaded(gpu_, attention_output_.view());
    double largest = 0, worst = 0;
    for (u32 i = 0; i < 6; ++i) {
        const u32 row = i * 7 % shape_.batch, head = i * 11 % shape_.n_heads;
        const auto expected = truth(row, head);
        for (u32 c = 0; c < shape_.dim; ++c) {
            const double given = ours[(std::size_t{row} * shape_.n_heads + head) * shape_.dim + c];
            largest = std::max(largest, std::abs(expected[c]));
            const double off = std::abs(given - expected[c]);
            if (!(off <= worst)) worst = off;
        }
    }
    if (!(worst <= kAllowed * largest))
        throw Error(ErrorCode::Check, std::string("Attention ") + name_of(rung) +
                                          " on the GPU differs from float64; a time would mean "
                                          "nothing. Run ctest -L gpu.");
    return worst / largest;
}

}  // namespace kv::bench
