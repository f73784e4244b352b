// Three ways to remember: nothing, each layer's inputs, keys and values. They lead to the same bits
// and differ in what they hold and repeat.

#include "core/cost/keep.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/engine/measure/state_hash.hpp"
#include "tests/engine/cpu/model.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct KeptRun {
    std::vector<std::vector<float>> logits;
    std::string hash;
    bool operator==(const KeptRun&) const = default;
};

struct Lengths {
    std::uint32_t prompt, max_new, chunk;
};

GenerationRequest request_of(Keep keep, const Lengths& lengths) {
    GenerationRequest request;
    request.prompt = random_tokens(lengths.prompt, 37, 6);
    request.forced = {5, 11};
    request.max_new = lengths.max_new;
    request.max_batch_tokens = lengths.chunk;
    request.keep = keep;
    request.keep_logits = true;
    return request;
}

// `spoil`: between steps, whatever lies in the pool becomes something else.
KeptRun run(Backend& backend, const ModelConfig& config, GenerationRequest request,
            bool spoil = false) {
    Generation generation(backend, config, std::move(request));
    const std::vector<std::byte> other(backend.layout().pool_bytes(), std::byte{0x3E});
    while (generation.advance()) {
        const bool step_done = generation.stored_tokens() >= generation.request().prompt.size();
        if (spoil && step_done) backend.write_pool(0, other);
    }
    return {generation.logits(),
            state_hash(backend, generation.tables(), generation.stored_tokens())};
}

std::vector<RandomShape> shapes() {
    std::vector<RandomShape> list(5);
    list[0].group = 1;       // MHA
    list[1].n_kv_heads = 1;  // MQA
    list[1].group = 3;
    list[2].biases = true;
    list[2].head_dim = 40;
    list[2].hidden = 72;  // more than the tile unit takes in a step
    list[3].qk_norm = true;
    list[3].n_layers = 3;
    list[4].window = 5;
    for (RandomShape& shape : list)
        if (shape.head_dim == 40) shape.storage = WeightStorage::Bf16;
    return list;
}

}  // namespace

TEST_CASE("whatever is kept, the reference's logits are the same bits", "[keep][C019][C020]") {
    std::uint64_t seed = 20;
    for (const RandomShape& shape : shapes()) {
        const RandomModel model = random_model(shape, ++seed);
        for (const Codec codec : {Codec::Bf16, Codec::F32}) {
            const PoolSpec pool = pool_for(20, 4, codec);
            const auto outcome = [&](Keep keep, std::uint32_t chunk) {
                const auto backend = make_reference(model.config, model.weights, pool);
                return run(*backend, model.config, request_of(keep, {9, 4, chunk}));
            };
            const KeptRun whole = outcome(Keep::KeysAndValues, 512);
            REQUIRE(whole.logits.size() == 6);
            for (const Keep keep : kKeeps)
                for (const std::uint32_t chunk : {1u, 4u, 512u}) {
                    CAPTURE(seed, codec_name(codec), name_of(keep), chunk);
                    CHECK(outcome(keep, chunk) == whole);
                }
        }
    }
}

// 300 positions are more than the cpu backend takes through its layers at once.
TEST_CASE("whatever is kept, the cpu backend's logits are the same bits", "[keep][cpu][C020]") {
    std::uint64_t seed = 40;
    for (const RandomShape& shape : shapes()) {
        const RandomModel model = random_model(shape, ++seed);
        const std::uint32_t prompt = seed == 41 ? 300 : 9;
        const PoolSpec pool = pool_for(prompt + 5, 4, Codec::Bf16);
        for (const CpuPath path : paths_here()) {
            const auto outcome = [&](Keep keep, std::uint32_t chunk, std::size_t workers = 0) {
                const auto backend = make_cpu(model.config, model.weights, pool, {workers, path});
                return run(*backend, model.config, request_of(keep, {prompt, 2, chunk}));
            };
            const KeptRun whole = outcome(Keep::KeysAndValues, 512);
            for (const Keep keep : {Keep::Inputs, Keep::Nothing}) {
                CAPTURE(seed, name_of(path), name_of(keep));
                CHECK(outcome(keep, 512) == whole);
                CHECK(outcome(keep, 100) == whole);
            }
            if (path == best_cpu_path()) CHECK(outcome(Keep::Inputs, 512, 1) == whole);
        }
    }
}

TEST_CASE("with less than keys and values, nothing in the pool outlives a step", "[keep][C002]") {
    const RandomModel model = random_model(RandomShape{});
    const PoolSpec pool = pool_for(20, 4);
    for (const bool fast : {false, true})
        for (const Keep keep : kKeeps) {
            CAPTURE(fast, name_of(keep));
            const auto outcome = [&](bool spoil) {
                const auto backend = fast ? make_cpu(model.config, model.weights, pool)
                                          : make_reference(model.config, model.weights, pool);
                return run(*backend, model.config, request_of(keep, {9, 4, 4}), spoil).logits;
            };
            CHECK((outcome(true) == outcome(false)) == (keep != Keep::KeysAndValues));
        }
}

TEST_CASE("every way to remember can be proved", "[keep][C020]") {
    const RandomModel model = random_model(RandomShape{});
    const PoolSpec pool = pool_for(20, 4);
    for (const Keep keep : kKeeps) {
        CAPTURE(name_of(keep));
        const auto backend = make_reference(model.config, model.weights, pool);
        Prover prover(
            [&](std::uint32_t) { return make_reference(model.config, model.weights, pool); });
        Generation generation(*backend, model.config, request_of(keep, {9, 4, 4}));
        for (bool more = true; more;) {
            more = generation.advance();
            if (generation.stored_tokens() < 9) continue;
            const auto seen = generation.tokens_so_far();
            prover.check({std::span(seen).first(generation.stored_tokens()), generation.passes()},
                         generation.last_logits(), generation.iterations());
        }
        CHECK(prover.proof().max_abs_difference == 0);
        CHECK(prover.proof().scale > 0);
    }
}

// Two layers of 24 float32 numbers: 192 bytes a token. Nine prompt tokens, two forced ones and
// three of the four new ones are fed: 14, in four blocks of 4.
TEST_CASE("kept inputs take layers x width x 4 bytes a token", "[keep]") {
    const RandomModel model = random_model(RandomShape{});
    const auto backend = make_reference(model.config, model.weights, pool_for(20, 4));
    Generation generation(*backend, model.config, request_of(Keep::Inputs, {9, 4, 4}));
    while (generation.advance()) {
    }
    REQUIRE(generation.kept_inputs() != nullptr);
    CHECK(generation.kept_inputs()->size() == 14);
    CHECK(generation.kept_inputs()->live_bytes() == 2'688);
    CHECK(generation.kept_inputs()->allocated_bytes() == 3'072);
    CHECK(input_bytes_per_token(shape_of(model.config)) == 192);
    Generation other(*backend, model.config, request_of(Keep::KeysAndValues, {9, 4, 4}));
    CHECK(other.kept_inputs() == nullptr);
}

TEST_CASE("a kept row lies in its slot and is NaN until it is written", "[keep]") {
    KeptInputs kept(2, 3, 2);
    const std::vector<std::uint32_t> positions{7, 9, 12};
    kept.add(positions);
    CHECK(kept.size() == 3);
    CHECK(kept.position(2) == 12);
    CHECK(std::isnan(kept.row(LayerId(1), 2)[0]));
    for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (std::uint32_t slot = 0; slot < 3; ++slot)
            for (float& value : kept.row(LayerId(layer), slot))
                value = static_cast<float>(10 * layer + slot);
    const KeptInputs& same = kept;
    for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (std::uint32_t slot = 0; slot < 3; ++slot)
            for (const float value : same.row(LayerId(layer), slot))
                CHECK(value == static_cast<float>(10 * layer + slot));
    CHECK(kept.allocated_bytes() == 96);  // room for 4 tokens of 2 x 3 numbers
    CHECK_THROWS_AS(kept.row(LayerId(0), 3), BrokenAssert);
}
