#include "bench/gpu/append.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"

namespace kv::bench {

using gpu::u32;

namespace {

constexpr u32 kHeads = 32, kKvHeads = 8, kDim = 128, kBlockTokens = 16;
constexpr float kCosine = 0.6f, kSine = 0.8f;  // of one angle

}  // namespace

GpuAppend::GpuAppend(gpu::Gpu& gpu, const Codec& codec, std::uint32_t n) : gpu_(gpu) {
    const KvVector vector = vector_of(codec, kDim);
    const KvLayout layout{1, kKvHeads, kBlockTokens, n, KvOrder::TokenMajor, vector, vector};
    const Random random(13, 1);
    values_.resize(std::size_t{n} * (kHeads + 2 * kKvHeads) * kDim);
    for (std::size_t i = 0; i < values_.size(); ++i)
        values_[i] = static_cast<float>(2 * random.unit(i) - 1);
    floats_ = gpu::uploaded(gpu, values_);
    std::vector<float> angles(std::size_t{n} * kDim, kCosine);
    for (std::size_t i = angles.size() / 2; i < angles.size(); ++i) angles[i] = kSine;
    angles_ = gpu::uploaded(gpu, angles);
    scales_ = gpu::uploaded(gpu, std::vector<std::uint16_t>(2, kNoScale));
    std::vector<u32> numbers(n, 1);  // rotated now; then slots, the blocks backwards
    for (u32 i = 0; i < n; ++i) numbers.push_back((n - 1 - i) * kBlockTokens + i % kBlockTokens);
    numbers_ = gpu::uploaded(gpu, numbers);
    pool_ = gpu::Memory<std::byte>(gpu, gpu::ceil_of(layout.pool_bytes(), 16) * 16);
    const u64 q = u64{n} * kHeads * kDim, kv = u64{n} * kKvHeads * kDim, half = u64{n} * kDim / 2;
    heads_ = {.cache = {.layout = layout,
                        .k_codec = codec,
                        .v_codec = codec,
                        .pool = pool_.view(),
                        .scales = scales_.view(),
                        .tables = {},  // the slots are given, so nobody looks into a table
                        .starts = {},
                        .lanes = {1, kKvHeads},
                        .layer = LayerId(0)},
              .q = floats_.part(0, q),
              .k = floats_.part(q, kv),
              .v = floats_.part(q + kv, kv),
              .slot_mapping = numbers_.part(n, n),
              .n_rows = n,
              .n_heads = kHeads,
              .n_kv_heads = kKvHeads,
              .hadamard = false};
    rope_ = {.cosine = angles_.part(0, half),
             .sine = angles_.part(half, half),
             .rotated = numbers_.part(0, n),
             .q_norm = {},
             .k_norm = {},
             .eps = 0};
    gpu.wait();
}

void GpuAppend::launch() {
    gpu_.launch(gpu::RopeQuantizeAppend{heads_, rope_});
}

void GpuAppend::launch_apart() {
    gpu_.launch(gpu::RotateHeads{heads_, rope_});
    gpu_.launch(gpu::AppendHeads{heads_});
}

double GpuAppend::bytes() const {
    return static_cast<double>(heads_.bytes());
}

std::vector<std::byte> GpuAppend::pool_after(void (GpuAppend::*way)()) {
    gpu_.upload(floats_.raw(), values_.data(), floats_.bytes());
    gpu_.fill(pool_.raw(), 0xFF, pool_.bytes());
    (this->*way)();
    return gpu::downloaded(gpu_, pool_.view());
}

void GpuAppend::check() {
    const std::vector<std::byte> once = pool_after(&GpuAppend::launch);
    if (once != pool_after(&GpuAppend::launch_apart) ||
        once == std::vector<std::byte>(once.size(), std::byte{0xFF}))
        throw Error(ErrorCode::Check,
                    "Appending in one launch leaves another pool than appending in steps; a time "
                    "would mean nothing. Run ctest -L gpu.");
}

}  // namespace kv::bench
