// The same backend on a card, where there is one: what no machine without a GPU can say. Everything
// here is skipped with a sentence elsewhere.

#include <catch2/catch_test_macros.hpp>

#include "core/engine/measure/prover.hpp"
#include "cuda/backend/backend.hpp"
#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/device.hpp"
#include "tests/cuda/emulated.hpp"

using namespace kv;
using namespace kv::test;

namespace {

void need_gpu() {
    const DeviceQuery query = query_devices();
    if (query.outcome != DeviceQuery::Outcome::Found) SKIP(query.sentence);
}

std::vector<float> truth(const RandomModel& model, const PoolSpec& pool,
                         const std::vector<std::uint32_t>& tokens, Precision precision) {
    const auto backend = make_reference(model.config, model.weights, pool, precision);
    return run(*backend, tokens, {tokens.size()});
}

const Chunks kChunks{50, 1, 1, 1, 7, 1, 1};  // 62 tokens

}  // namespace

TEST_CASE("on a card the error is at most twice that of the naive version", "[device][C023]") {
    need_gpu();
    const std::uint32_t block_sizes[] = {1, 3, 7, 16, 17, 128};
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
        std::size_t i = 0;
        for (RandomShape shape : awkward_shapes()) {
            shape.storage = storage;
            const RandomModel model = random_model(shape, i);
            const auto tokens = random_tokens(62, shape.vocab, 2);
            const PoolSpec pool = pool_for(62, block_sizes[i++]);
            const auto backend = make_cuda(model.config, model.weights, pool);
            const auto ours = run(*backend, tokens, kChunks, backwards(backend->layout().n_blocks));
            const auto exact = truth(model, pool, tokens, Precision::F64);
            const auto naive = truth(model, pool, tokens, Precision::F32);
            CAPTURE(i, name_of(storage));
            CHECK(distance(ours, exact).difference <= 2 * distance(naive, exact).difference);
        }
    }
}

TEST_CASE("a card gives the same bits a hundred times, behind any table", "[device][I29]") {
    need_gpu();
    for (const Codec& codec : {Codec::Bf16, Codec::Fp8E4m3, Codec::Int8, Codec::Int4, Codec::F32}) {
        const RandomModel model = random_model(awkward_shapes()[3]);
        const auto tokens = random_tokens(62, model.config.vocab_size, 3);
        const PoolSpec pool = pool_for(62, 7, codec);
        const auto once = [&](bool permuted) {
            const auto backend = make_cuda(model.config, model.weights, pool);
            std::optional<std::vector<BlockId>> table;
            if (permuted) table = backwards(backend->layout().n_blocks);
            return run(*backend, tokens, kChunks, table);
        };
        const auto first = once(false);
        int different = 0;
        for (int i = 0; i < 100; ++i) different += once(i % 2 == 1) != first;
        CAPTURE(codec_name(codec));
        CHECK(different == 0);
    }
}

// A pass on a card and one over the emulated GPU are the same kernels: what differs is rounding.
TEST_CASE("a card stores and computes what the emulated GPU does", "[device][codec]") {
    need_gpu();
    RandomShape shape;
    shape.head_dim = 16;
    const RandomModel model = random_model(shape);
    const auto tokens = random_tokens(62, shape.vocab, 4);
    for (const Codec& codec :
         {Codec::F32, Codec::Fp16, Codec::Fp8E4m3, Codec::Fp8E5m2, Codec::Int8, Codec::Int4,
          Codec::Int3, Codec::Int2, Codec{ElementCode::Int4, ScaleMode::Groups, 8},
          Codec{ElementCode::Int8, ScaleMode::Tensor}})
        for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized}) {
            PoolSpec pool = pool_for(62, 16, codec);
            pool.prefill = prefill;
            const auto card = make_cuda(model.config, model.weights, pool);
            const auto emulated = make_emulated(model.config, model.weights, pool);
            const auto a = run(*card, tokens, kChunks), b = run(*emulated, tokens, kChunks);
            std::vector<std::byte> ours(card->layout().pool_bytes()), theirs(ours.size());
            card->read_pool(0, ours);
            emulated->read_pool(0, theirs);
            std::size_t differ = 0;
            for (std::size_t i = 0; i < ours.size(); ++i) differ += ours[i] != theirs[i];
            CAPTURE(codec_name(codec), name_of(prefill), differ);
            CHECK(distance(a, b).relative() < (codec == Codec::F32 ? 1e-4 : 5e-2));
            CHECK((codec == Codec::F32 || differ * 20 < ours.size()));
        }
}

// Larger than the pinned memory that copies go through.
TEST_CASE("bytes go to a card and come back as they were", "[device][I23]") {
    need_gpu();
    const RandomModel model = random_model({});
    const auto backend = make_cuda(model.config, model.weights, pool_for(200'000, 16));
    const auto size = backend->layout().pool_bytes();
    REQUIRE(size > (u64{20} << 20));
    std::vector<std::byte> out(size), back(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>(i * 31 % 253);
    backend->write_pool(0, out);
    backend->read_pool(0, back);
    CHECK(back == out);
    backend->read_pool(12'345, std::span(back).first(777));
    CHECK(std::equal(back.begin(), back.begin() + 777, out.begin() + 12'345));
}

TEST_CASE("the tables on a card are those of the host", "[device][I09]") {
    need_gpu();
    const RandomModel model = random_model({});
    const auto gpu = gpu::make_cuda_gpu(0);
    const PoolSpec pool = pool_for(62, 4);
    const auto tokens = random_tokens(9, 37, 1);
    std::vector<std::uint32_t> at(9), last{8};
    std::iota(at.begin(), at.end(), 0u);
    BlockTables tables;
    tables.tables = {{BlockId(7), BlockId(2), BlockId(11)}};
    const gpu::BatchPlan plan(model.config, layout_of(model.config, pool), pool,
                              {{{tokens, at, at, &tables, last}}});
    gpu::PlanMemory memory;
    memory.upload(*gpu, plan);
    for (gpu::u32 i = 0; i < gpu::kPlanArrays; ++i) {
        const auto view = memory.exactly(static_cast<gpu::PlanArray>(i));
        std::vector<gpu::u32> back(view.size);
        gpu->download(back.data(), reinterpret_cast<const std::byte*>(view.data),
                      back.size() * sizeof(gpu::u32));
        CAPTURE(i);
        CHECK(back == plan.arrays[i]);
    }
}

TEST_CASE("a cache on a card is proved", "[device][C023]") {
    need_gpu();
    const RandomModel model = random_model(awkward_shapes()[1]);
    const PoolSpec pool = pool_for(62, 7, Codec::Bf16);
    const auto tokens = random_tokens(62, model.config.vocab_size, 9);
    const auto backend = make_cuda(model.config, model.weights, pool);
    const auto fresh = make_cuda(model.config, model.weights, pool);
    const auto step_by_step = run(*backend, tokens, kChunks);
    CHECK(distance(step_by_step, run(*fresh, tokens, {62})).relative() < kProofTolerance);
}

TEST_CASE("each part of a pass on a card has a time", "[device]") {
    need_gpu();
    const RandomModel model = random_model({});
    const auto backend = make_cuda(model.config, model.weights, pool_for(8, 4));
    PassClock clock([] { return 0.0; });  // of the host, which stands still
    BlockTables tables;
    tables.tables = {{BlockId(0), BlockId(1)}};
    for (std::uint32_t i = 0; i < 6; ++i) {  // the third and later ones are recorded
        const std::vector<std::uint32_t> token{3}, at{i}, row{0};
        Batch batch{{{token, at, at, &tables, row}}, &clock};
        double sum = 0;
        for (const Operation& part : backend->forward(batch).parts) sum += part.us;
        CAPTURE(i);
        CHECK(sum > 0);
        CHECK(sum < 1e6);
    }
}

// What compute-sanitizer runs: every kernel of a pass once, in a pool that nobody has filled. One
// of int4 is: decode copies whole pieces of 16 bytes, in which neighbours lie that come later.
TEST_CASE("a pass on a card reads nothing that nobody wrote", "[device][sanitizer]") {
    need_gpu();
    const RandomModel model = random_model(awkward_shapes()[1]);
    const auto tokens = random_tokens(12, model.config.vocab_size, 9);
    const Codec kivi{ElementCode::Int4, ScaleMode::Kivi};
    for (const Codec& codec : {Codec::Bf16, Codec::Int4, kivi}) {
        const PoolSpec pool = pool_for(12, 4, codec);
        const std::shared_ptr<gpu::Gpu> card = gpu::make_cuda_gpu(0);
        const auto weights =
            std::make_shared<const gpu::DeviceModel>(card, model.config, model.weights);
        gpu::GpuBackend backend(card, weights, model.config, model.weights, pool,
                                {.splits = 2, .record = false, .poison = codec == Codec::Int4});
        CHECK(std::isfinite(run(backend, tokens, {9, 1, 1, 1}).back()));
    }
}
