// The rows of the GPU: decode attention at batch 32 and 1, over fp8, int8 and int4, a small model
// end to end, and the way of a new token into the pool. Each is held against copying memory in the
// same run; each result is checked against float64 before it is timed.

#include <algorithm>
#include <cmath>

#include "bench/cpu/model.hpp"
#include "bench/gpu/append.hpp"
#include "bench/gpu/attention.hpp"
#include "bench/row.hpp"
#include "core/base/error.hpp"
#include "core/engine/cpu/backend.hpp"
#include "cuda/backend/gpu_backend.hpp"
#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/device.hpp"

namespace kv::bench {
namespace {

constexpr std::size_t kFewestSamples = 30;  // of a kernel
constexpr std::uint32_t kKeys32k = 32 * 1024, kKeys128k = 128 * 1024;

// Runs a row where there is a GPU; says why not where there is none.
template <class Measure>
Result on_gpu(const char* row, const char* what, std::size_t samples, const Measure& measure) {
    Result result;
    result.row = row;
    result.what = what;
    const DeviceQuery query = query_devices();
    result.done_by = query.sentence;
    if (query.outcome != DeviceQuery::Outcome::Found) {
        result.skipped = query.sentence;
        return result;
    }
    const auto gpu = gpu::make_cuda_gpu(0);
    GpuClock clock(*gpu);
    const double copy = clock.copy_bytes_per_us(), read = clock.read_bytes_per_us();
    result.figures.push_back({"copy, read and written", "TB/s", spread_of({copy / 1e6})});
    result.figures.push_back({"reading", "TB/s", spread_of({read / 1e6})});
    measure(*gpu, clock, copy, std::max(samples, kFewestSamples), result);
    return result;
}

// Time and rate of one rung at one shape; microseconds.
double measure_rung(gpu::Gpu& gpu, GpuClock& clock, const GpuAttentionShape& shape, DecodeRung rung,
                    const std::string& name, std::size_t samples, Result& result) {
    GpuAttention attention(gpu, shape);
    attention.check(rung);
    const Spread us = clock.us_of([&] { attention.launch(rung); }, samples);
    result.figures.push_back({name, "us", us});
    result.figures.push_back({name, "TB/s", spread_of({attention.bytes() / us.median / 1e6})});
    return us.median;
}

double floor_us(gpu::Gpu& gpu, const GpuAttentionShape& shape, double copy) {
    return GpuAttention(gpu, shape).bytes() / copy;
}

constexpr CpuShape kLlama1B{.name = "1B",
                            .n_layers = 16,
                            .n_heads = 32,
                            .n_kv_heads = 8,
                            .head_dim = 64,
                            .hidden = 2048,
                            .intermediate = 8192,
                            .vocab = 128'256};
constexpr std::uint32_t kSlots = 512, kWarm = 128;

// One token at a time, in blocks that lie backwards.
class Tokens {
public:
    explicit Tokens(Backend& backend) : backend_(backend) {
        tables_.tables.resize(1);
        for (std::uint32_t i = backend.layout().n_blocks; i > 0; --i)
            tables_.tables[0].push_back(BlockId(i - 1));
    }
    ForwardResult next() {
        const std::vector<std::uint32_t> token{n_ * 977 % 128'256}, at{n_ % kSlots}, row{0};
        ++n_;
        return backend_.forward({{{token, at, at, &tables_, row}}}, nullptr);
    }

private:
    Backend& backend_;
    BlockTables tables_;
    std::uint32_t n_ = 0;
};

// The first tokens' logits against the cpu backend's.
void check_against_cpu(Tokens& tokens, const CpuModel& model, const PoolSpec& pool) {
    const auto cpu = make_cpu(model.config, model.weights, pool, {best_workers(), std::nullopt});
    Tokens same(*cpu);
    for (int i = 0; i < 3; ++i) {
        const auto ours = tokens.next().logits, theirs = same.next().logits;
        float largest = 0, worst = 0;
        for (std::size_t t = 0; t < ours.size(); ++t) {
            largest = std::max(largest, std::abs(theirs[t]));
            if (const float off = std::abs(ours[t] - theirs[t]); !(off <= worst)) worst = off;
        }
        if (!(worst <= 2e-2f * largest))
            throw Error(ErrorCode::Check,
                        "Logits on the GPU differ from the cpu backend's; a time would mean "
                        "nothing. Run ctest -L gpu.");
    }
}

}  // namespace

Result measure_gpu_decode_b32(const Programs&, std::size_t samples) {
    return on_gpu(
        "gpu_decode_b32",
        "attention of 32 tokens over 4,096 keys each, bf16, against copying as many bytes", samples,
        [](gpu::Gpu& gpu, GpuClock& clock, double copy, std::size_t n, Result& result) {
            const GpuAttentionShape shape{.batch = 32};
            double us = 0;
            for (const DecodeRung rung : gpu::kDecodeRungs)
                us = measure_rung(gpu, clock, shape, rung, name_of(rung), n, result);
            result.ratio = us / floor_us(gpu, shape, copy);
            result.goal = 1 / 0.97;
        });
}

Result measure_gpu_decode_b1(const Programs&, std::size_t samples) {
    return on_gpu("gpu_decode_b1",
                  "attention of one token over 32,768 keys, bf16, against copying as many bytes; "
                  "4,096 and 131,072 beside it",
                  samples,
                  [](gpu::Gpu& gpu, GpuClock& clock, double copy, std::size_t n, Result& result) {
                      for (const std::uint32_t context : {4096u, kKeys128k, kKeys32k}) {
                          const GpuAttentionShape shape{.context = context};
                          const std::string name = std::to_string(context) + " keys";
                          const double us =
                              measure_rung(gpu, clock, shape, DecodeRung::OfCodec, name, n, result);
                          result.ratio = us / floor_us(gpu, shape, copy);
                          result.figures.push_back(
                              {name + ", to the floor", "x", spread_of({*result.ratio})});
                      }
                      result.goal = 1.15;
                  });
}

namespace {

// Time of the first format to that of bf16, the others beside it.
void measure_codecs(gpu::Gpu& gpu, GpuClock& clock, const std::vector<Codec>& codecs, std::size_t n,
                    Result& result) {
    GpuAttentionShape shape{.batch = 32, .context = kKeys32k};
    const double plain = measure_rung(gpu, clock, shape, DecodeRung::OfCodec, "bf16", n, result);
    for (const Codec& codec : codecs) {
        shape.codec = codec;
        const double us =
            measure_rung(gpu, clock, shape, DecodeRung::OfCodec, codec_name(codec), n, result);
        result.figures.push_back({codec_name(codec) + " to bf16", "x", spread_of({us / plain})});
        if (!result.ratio) result.ratio = us / plain;
    }
}

}  // namespace

Result measure_gpu_decode_fp8(const Programs&, std::size_t samples) {
    return on_gpu("gpu_decode_fp8",
                  "attention of 32 tokens over 32,768 keys each: e4m3 against bf16", samples,
                  [](gpu::Gpu& gpu, GpuClock& clock, double, std::size_t n, Result& result) {
                      measure_codecs(gpu, clock, {Codec::Fp8E4m3}, n, result);
                      result.goal = 1 / 1.85;
                  });
}

Result measure_gpu_decode_int8(const Programs&, std::size_t samples) {
    return on_gpu("gpu_decode_int8_int4",
                  "the same: int8 against bf16; int4, both with a scale for each token and head",
                  samples,
                  [](gpu::Gpu& gpu, GpuClock& clock, double, std::size_t n, Result& result) {
                      measure_codecs(gpu, clock, {Codec::Int8, Codec::Int4}, n, result);
                      result.goal = 1 / 1.8;
                  });
}

Result measure_gpu_small_model(const Programs&, std::size_t samples) {
    return on_gpu(
        "gpu_small_model_e2e",
        "a token of a model with the shape of Llama-3.2-1B, random bf16, against copying "
        "its bytes",
        samples, [](gpu::Gpu&, GpuClock&, double copy, std::size_t n, Result& result) {
            const CpuModel model = random_model(kLlama1B, WeightStorage::Bf16);
            const std::shared_ptr<gpu::Gpu> own = gpu::make_cuda_gpu(0);
            const PoolSpec pool{.n_blocks = kSlots / 16, .block_size = 16};
            gpu::GpuBackend backend(
                own, std::make_shared<const gpu::DeviceModel>(own, model.config, model.weights),
                model.config, model.weights, pool);
            Tokens tokens(backend);
            check_against_cpu(tokens, model, pool);
            for (std::uint32_t i = 0; i < kWarm; ++i) tokens.next();
            std::vector<double> us;
            double bytes = 0;
            for (std::size_t i = 0; i < n; ++i) {
                ForwardResult out;
                us.push_back(1e6 * seconds_of([&] { out = tokens.next(); }));
                bytes = static_cast<double>(out.work.weight_bytes + out.work.k_bytes_read +
                                            out.work.v_bytes_read);
            }
            result.figures.push_back({"a token", "us", spread_of(us)});
            result.figures.push_back({"copying its bytes", "us", spread_of({bytes / copy})});
            result.ratio = spread_of(us).median / (bytes / copy);
            result.goal = 1 / 0.8;
        });
}

Result measure_gpu_append(const Programs&, std::size_t samples) {
    return on_gpu("gpu_append_overhead",
                  "norm, rotation, coding and paged append of 32 tokens in one launch, against "
                  "copying their bytes; int8, one layer",
                  samples,
                  [](gpu::Gpu& gpu, GpuClock& clock, double copy, std::size_t n, Result& result) {
                      GpuAppend append(gpu, Codec::Int8, 32);
                      append.check();
                      const Spread us = clock.us_of([&] { append.launch(); }, n);
                      const Spread apart = clock.us_of([&] { append.launch_apart(); }, n);
                      result.figures.push_back({"one launch", "us", us});
                      result.figures.push_back({"in steps", "us", apart});
                      result.figures.push_back(
                          {"copying its bytes", "us", spread_of({append.bytes() / copy})});
                      result.ratio = us.median / 3;  // microseconds: the goal of the row
                      result.goal = 1;
                  });
}

}  // namespace kv::bench
