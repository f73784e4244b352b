// What the three ways to remember cost, counted, against the closed forms and the chapters' sums.

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/keep.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/engine/work/counting_backend.hpp"
#include "tests/engine/cpu/model.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

namespace {

struct Counted {
    Work all;
    std::vector<Work> steps;  // a chunk of the prompt is one of its own
    std::uint32_t most_tokens_of_a_step = 0;
};

struct AnswerLengths {
    std::uint32_t prompt, max_new, chunk = 512;
};

Counted count(Backend& backend, const ModelConfig& config, Keep keep,
              const AnswerLengths& lengths) {
    GenerationRequest request;
    request.prompt = random_tokens(lengths.prompt, config.vocab_size, 3);
    request.max_new = lengths.max_new;
    request.max_batch_tokens = lengths.chunk;
    request.keep = keep;
    Generation generation(backend, config, request);
    Counted counted;
    for (bool more = true; more;) {
        const auto had = static_cast<std::uint32_t>(generation.new_tokens().size());
        more = generation.advance();
        counted.steps.push_back(generation.last_work());
        const auto gained = static_cast<std::uint32_t>(generation.new_tokens().size()) - had;
        counted.most_tokens_of_a_step = std::max(counted.most_tokens_of_a_step, gained);
    }
    counted.all = generation.work();
    return counted;
}

// Counts alone: no arithmetic is done, so lengths may be those of the chapters.
Counted count_long(Keep keep, std::uint32_t prompt, std::uint32_t max_new,
                   const RandomShape& shape = {}) {
    const RandomModel model = random_model(shape);
    CountingBackend backend(model.config, model.weights,
                            pool_for(std::size_t{prompt} + max_new, 16));
    return count(backend, model.config, keep, {prompt, max_new});
}

u64 projected(Keep keep, std::uint32_t prompt, std::uint32_t max_new) {
    return count_long(keep, prompt, max_new).all.positions_projected;
}

void check_closed_forms(const RandomModel& model, Keep keep, const Counted& counted) {
    const ModelShape shape = shape_of(model.config);
    const CodecPair bf16{};
    const Work& work = counted.all;
    CHECK(work.positions_projected == positions_projected(keep, 11, 5));
    CHECK(work.positions_forwarded == positions_forwarded(keep, 11, 5));
    CHECK(work.flops == generation_flops(shape, keep, 11, 5));
    CHECK(work.kv_projection_flops == kv_projection_flops(shape, positions_projected(keep, 11, 5)));
    const CacheTraffic traffic = cache_traffic(shape, bf16, keep, 11, 5);
    CHECK(work.k_bytes_read + work.v_bytes_read == traffic.kv_read);
    CHECK(work.k_bytes_written + work.v_bytes_written == traffic.kv_written);
    CHECK(work.input_bytes_read == traffic.inputs_read);
    CHECK(work.input_bytes_written == traffic.inputs_written);
}

}  // namespace

TEST_CASE("the counters equal the closed forms, whatever is kept and however the prompt is cut",
          "[keep][I16][C002][C003]") {
    std::vector<RandomShape> shapes(4);
    shapes[0].group = 1;       // MHA
    shapes[2].n_kv_heads = 1;  // MQA; shapes[1] is GQA
    shapes[3].window = 5;      // of the last layer
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const RandomModel model = random_model(shapes[i]);
        const PoolSpec pool = pool_for(16, 4, Codec::Bf16);
        for (const Keep keep : kKeeps)
            for (const std::uint32_t chunk : {1u, 4u, 11u, 512u}) {
                CAPTURE(i, name_of(keep), chunk);
                const auto reference = make_reference(model.config, model.weights, pool);
                const auto cpu = make_cpu(model.config, model.weights, pool);
                check_closed_forms(model, keep,
                                   count(*reference, model.config, keep, {11, 5, chunk}));
                check_closed_forms(model, keep, count(*cpu, model.config, keep, {11, 5, chunk}));
            }
    }
}

TEST_CASE("each step projects its whole prefix, or one position when keys and values are kept",
          "[keep][C001][C002][C003][C009]") {
    const Counted nothing = count_long(Keep::Nothing, 12, 20),
                  inputs = count_long(Keep::Inputs, 12, 20),
                  both = count_long(Keep::KeysAndValues, 12, 20);
    const ModelShape shape = shape_of(config_of({}));
    REQUIRE(both.steps.size() == 20);
    CHECK(both.steps[0].positions_projected == 12);
    for (std::size_t step = 1; step < 20; ++step) {
        CAPTURE(step);
        CHECK(nothing.steps[step].positions_projected == 12 + step);
        CHECK(nothing.steps[step].positions_forwarded == 12 + step);
        CHECK(inputs.steps[step].positions_projected == 12 + step);
        CHECK(inputs.steps[step].positions_forwarded == 1);
        CHECK(both.steps[step].positions_projected == 1);
        // One K and one V vector for each of two layers and two KV heads: 2 x 2 x 8 x 4 bytes.
        CHECK(both.steps[step].k_bytes_written == 128);
        CHECK(both.steps[step].v_bytes_written == 128);
        CHECK(both.steps[step].kv_projection_flops == kv_projection_flops(shape, 1));
        // What keeping inputs saves over keeping nothing is everything but these projections.
        CHECK(inputs.steps[step].kv_projection_flops == nothing.steps[step].kv_projection_flops);
        CHECK(inputs.steps[step].flops.mlp == both.steps[step].flops.mlp);
        CHECK(inputs.steps[step].flops.scores == both.steps[step].flops.scores);
    }
    CHECK(nothing.steps[19].positions_projected == 31);
    for (const Counted* each : {&nothing, &inputs, &both}) CHECK(each->most_tokens_of_a_step == 1);
}

TEST_CASE("100 prompt tokens and 500 new ones: 174,750 positions and 599",
          "[keep][C004][C005][lesson1]") {
    CHECK(projected(Keep::Nothing, 100, 500) == 174'750);
    CHECK(projected(Keep::Inputs, 100, 500) == 174'750);
    CHECK(projected(Keep::KeysAndValues, 100, 500) == 599);
}

TEST_CASE("512 prompt tokens and three passes: 1,539 and 514; 64 and 64: 6,112 and 127",
          "[keep][C006][lesson1]") {
    CHECK(projected(Keep::Nothing, 512, 3) == 1'539);
    CHECK(projected(Keep::KeysAndValues, 512, 3) == 514);
    CHECK(projected(Keep::Nothing, 64, 64) == 6'112);
    CHECK(projected(Keep::KeysAndValues, 64, 64) == 127);
}

// Steps 1 to 1,000 begin with one token.
TEST_CASE("a thousand steps without a cache project 500,500 positions", "[keep][C007]") {
    CHECK(projected(Keep::Nothing, 1, 1000) == 500'500);
    CHECK(projected(Keep::Inputs, 1, 1000) == 500'500);
    CHECK(projected(Keep::KeysAndValues, 1, 1000) == 1'000);
}

TEST_CASE("counted K and V projections are 2 L d^2 T(T+1) for square matrices", "[keep][C008]") {
    RandomShape square;
    square.n_kv_heads = 4;
    square.group = 1;
    square.head_dim = 6;
    square.hidden = 24;
    square.n_layers = 3;
    const u64 steps = 40, exact = 2ULL * 3 * 24 * 24 * steps * (steps + 1);
    for (const Keep keep : {Keep::Nothing, Keep::Inputs})
        CHECK(count_long(keep, 1, 40, square).all.kv_projection_flops == exact);
    CHECK(count_long(Keep::KeysAndValues, 1, 40, square).all.kv_projection_flops ==
          2ULL * 2 * 3 * 24 * 24 * steps);
}

// The newest position reads every key there is, whatever was kept. Without a cache the step reads
// once more what every earlier position reads.
TEST_CASE("a new position's attention reads the same in every mode", "[keep][C010]") {
    const Counted nothing = count_long(Keep::Nothing, 12, 20),
                  inputs = count_long(Keep::Inputs, 12, 20),
                  both = count_long(Keep::KeysAndValues, 12, 20);
    for (std::size_t step = 1; step < 20; ++step) {
        CAPTURE(step);
        const u64 keys = 12 + step;
        CHECK(both.steps[step].score_pairs == keys);
        CHECK(inputs.steps[step].score_pairs == keys);
        CHECK(nothing.steps[step].score_pairs - causal_pairs(keys - 1) == keys);
        CHECK(inputs.steps[step].k_bytes_read == both.steps[step].k_bytes_read);
        CHECK(inputs.steps[step].v_bytes_read == both.steps[step].v_bytes_read);
    }
}

TEST_CASE("attention of a new token grows with n squared without a cache and with n with one",
          "[keep][C011]") {
    const auto slope = [](Keep keep) {
        const Counted counted = count_long(keep, 1, 512);
        const auto at = [&](std::size_t n) {
            return static_cast<double>(counted.steps[n - 1].flops.attention());
        };
        return std::log(at(512) / at(64)) / std::log(512.0 / 64);
    };
    CHECK(slope(Keep::Nothing) == Approx(2).margin(0.01));
    CHECK(slope(Keep::Inputs) == Approx(1).margin(1e-9));
    CHECK(slope(Keep::KeysAndValues) == Approx(1).margin(1e-9));
}

TEST_CASE("the saving grows with every new token", "[keep][C014]") {
    const Counted nothing = count_long(Keep::Nothing, 12, 200),
                  both = count_long(Keep::KeysAndValues, 12, 200);
    u64 without = 0, with = 0;
    double last = 0;
    for (std::size_t step = 0; step < 200; ++step) {
        without += nothing.steps[step].positions_projected;
        with += both.steps[step].positions_projected;
        const double ratio = static_cast<double>(without) / static_cast<double>(with);
        CHECK(ratio > last);
        last = ratio;
    }
    CHECK(last == Approx(22'300.0 / 211));  // 200 x 12 + 199 x 200 / 2
}
