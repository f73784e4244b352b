// Codecs in the pool of the backend over the emulated GPU: the logits and the bytes of the
// reference, and the residual of those that have one.

#include <catch2/catch_test_macros.hpp>

#include "tests/cuda/codecs.hpp"
#include "tests/cuda/emulated.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("every codec gives what the reference gives, in both ways of prefill",
          "[emulated][codec]") {
    RandomShape shape;
    shape.head_dim = 16;
    const RandomModel model = random_model(shape);
    const auto tokens = random_tokens(50, shape.vocab, 6);
    for (const Codec& codec : every_codec())
        for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized})
            for (const Rotation rotation : {Rotation::None, Rotation::Hadamard}) {
                PoolSpec pool = pool_for(50, 7, codec);
                pool.v = prefill == Prefill::Exact ? codec : Codec::Int8;
                pool.prefill = prefill;
                pool.rotation = rotation;
                CAPTURE(codec_name(codec), name_of(prefill), name_of(rotation));
                const auto reference = make_reference(model.config, model.weights, pool);
                const auto backend = make_emulated(model.config, model.weights, pool);
                const auto expected = run(*reference, tokens, {40, 1, 1, 5, 1});
                const auto ours = run(*backend, tokens, {40, 1, 1, 5, 1});
                // A number that rounds to the neighbouring code moves everything behind it.
                const double step = std::exp2(-static_cast<double>(codec.bits()));
                CHECK(distance(ours, expected).relative() <=
                      (codec.is_plain() ? 1e-2 : 0.5 * step + 1e-2));
                for (const Side side : {Side::K, Side::V})
                    CHECK(backend->shared_scale(LayerId(0), side) ==
                          reference->shared_scale(LayerId(0), side));
            }
}

TEST_CASE("a pass of nothing takes no scale for all others", "[emulated][codec]") {
    const RandomModel model = random_model({});
    const PoolSpec pool = pool_for(20, 4, {ElementCode::Int8, ScaleMode::Tensor});
    const auto tokens = random_tokens(12, model.config.vocab_size, 6);
    const auto backend = make_emulated(model.config, model.weights, pool),
               fresh = make_emulated(model.config, model.weights, pool);
    CHECK(backend->forward({}, nullptr).logits.empty());
    CHECK(backend->shared_scale(LayerId(0), Side::K) == kNoScale);
    CHECK(run(*backend, tokens, {10, 1, 1}) == run(*fresh, tokens, {10, 1, 1}));
}

// Layer 0's keys and values are made of the same numbers on both sides, so nearly all bytes agree;
// one that is off by rounding is a neighbouring code.
TEST_CASE("the pool on the device holds the bytes that the reference writes", "[emulated][codec]") {
    RandomShape shape;
    shape.head_dim = 16;
    shape.n_layers = 1;
    const RandomModel model = random_model(shape);
    const auto tokens = random_tokens(30, shape.vocab, 6);
    for (const Codec codec : {Codec::Bf16, Codec::Fp8E4m3, Codec::Int8, Codec::Int4, Codec::Int3,
                              Codec{ElementCode::Int2, ScaleMode::Groups, 8}}) {
        const PoolSpec pool = pool_for(30, 4, codec);
        const auto reference = make_reference(model.config, model.weights, pool);
        const auto backend = make_emulated(model.config, model.weights, pool);
        run(*reference, tokens, {28, 1, 1});
        run(*backend, tokens, {28, 1, 1});
        std::vector<std::byte> ours(backend->layout().pool_bytes()), theirs(ours.size());
        backend->read_pool(0, ours);
        reference->read_pool(0, theirs);
        std::size_t differ = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) differ += ours[i] != theirs[i];
        CAPTURE(codec_name(codec), differ, ours.size());
        CHECK(differ * 50 < ours.size());
    }
}

// 300 tokens: keys leave the residual twice, 128 at a time, and values one by one.
TEST_CASE("a residual holds and codes what the reference's does", "[emulated][codec][heavy]") {
    RandomShape shape;
    shape.head_dim = 16;
    const RandomModel model = random_model(shape);
    const auto tokens = random_tokens(300, shape.vocab, 6);
    const Codec int4{ElementCode::Int4, ScaleMode::Kivi}, int2{ElementCode::Int2, ScaleMode::Kivi};
    for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized})
        for (const auto& [k, v] :
             {std::pair(int4, int4), {int2, int4}, {int4, Codec::Int8}, {Codec::Bf16, int2}}) {
            PoolSpec pool = pool_for(300, 8, k);
            pool.v = v;
            pool.prefill = prefill;
            CAPTURE(codec_name(k), codec_name(v), name_of(prefill));
            const auto reference = make_reference(model.config, model.weights, pool);
            const auto backend = make_emulated(model.config, model.weights, pool);
            const Chunks chunks{129, 1, 120, 1, 1, 1, 46, 1};
            const auto table = backwards(backend->layout().n_blocks);
            const auto expected = run(*reference, tokens, chunks, table);
            const auto ours = run(*backend, tokens, chunks, table);
            CHECK(distance(ours, expected).relative() <= 5e-2);
            CHECK(backend->residual_bytes() == reference->residual_bytes());
            std::vector<std::byte> stored(backend->layout().pool_bytes()), theirs(stored.size());
            backend->read_pool(0, stored);
            reference->read_pool(0, theirs);
            std::size_t differ = 0;
            for (std::size_t i = 0; i < stored.size(); ++i) differ += stored[i] != theirs[i];
            CHECK(differ * 20 < stored.size());
            backend->free_residual(0);
            CHECK(backend->residual_bytes() == 0);
        }
}

TEST_CASE("row sets of a residual are apart, and grow with who needs one", "[emulated][codec]") {
    RandomShape shape;
    shape.head_dim = 16;
    const RandomModel model = random_model(shape);
    PoolSpec pool = pool_for(400, 8, {ElementCode::Int4, ScaleMode::Kivi});
    const auto backend = make_emulated(model.config, model.weights, pool),
               alone = make_emulated(model.config, model.weights, pool);
    std::vector<BlockTables> tables(3);
    for (std::uint32_t s = 0; s < 3; ++s) {
        tables[s].tables.resize(1);
        for (std::uint32_t i = 0; i < 16; ++i) tables[s].tables[0].push_back(BlockId(16 * s + i));
    }
    const auto step = [&](Backend& on, std::uint32_t s, std::uint32_t row_set, std::uint32_t first,
                          std::uint32_t n) {
        const auto tokens = random_tokens(n, shape.vocab, first);
        std::vector<std::uint32_t> at(n), last{n - 1};
        std::iota(at.begin(), at.end(), first);
        SequenceWork work{tokens, at, at, &tables[s], last};
        work.residual.row_set = row_set;
        return on.forward({{work}}, nullptr).logits;
    };
    for (const std::uint32_t row_set : {0u, 2u, 5u}) step(*backend, row_set / 2, row_set, 0, 100);
    step(*alone, 1, 0, 0, 100);
    const auto ours = step(*backend, 1, 2, 100, 1), expected = step(*alone, 1, 0, 100, 1);
    CHECK(ours == expected);
    CHECK(backend->residual_bytes() == 3 * bytes_of_row_set(backend->layout()));
    backend->free_residual(2);
    CHECK(backend->residual_bytes() == 2 * bytes_of_row_set(backend->layout()));
}
