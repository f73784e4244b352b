#include "core/engine/measure/generation.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <vector>

#include "core/base/numbers/logits.hpp"
#include "core/cost/time/flops.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/engine/measure/state_hash.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr PoolSpec kGenerationPool{.n_blocks = 10, .block_size = 4};

GenerationRequest request_of(std::uint32_t max_new) {
    GenerationRequest request;
    request.prompt = {3, 9, 2, 7, 30, 31, 32};
    request.max_new = max_new;
    request.keep_logits = true;
    return request;
}

struct Generated {
    std::vector<std::uint32_t> tokens;
    std::vector<std::vector<float>> logits;
    std::uint32_t iterations;
    Work work;
    std::string hash;
};

Generated run(const SmallModel& model, const GenerationRequest& request) {
    const auto backend = make_reference(model.config, model.weights, kGenerationPool);
    Generation generation(*backend, model.config, request);
    while (generation.advance()) {
    }
    return {generation.new_tokens(), generation.logits(), generation.iterations(),
            generation.work(),
            state_hash(*backend, generation.tables(), generation.stored_tokens())};
}

}  // namespace

TEST_CASE("a prompt in chunks, or no cache at all, gives the same logits", "[generation][C020]") {
    const SmallModel model = load_fixture("llama_gqa");
    const Generated whole = run(model, request_of(8));
    CHECK(whole.logits.size() == 8);
    CHECK(whole.iterations == 8);
    GenerationRequest chunked = request_of(8);
    chunked.max_batch_tokens = 3;
    const Generated in_chunks = run(model, chunked);
    CHECK(in_chunks.logits == whole.logits);
    CHECK(in_chunks.hash == whole.hash);
    CHECK(in_chunks.iterations == 10);
    GenerationRequest without = chunked;
    without.keep = Keep::Nothing;
    const Generated again = run(model, without);
    CHECK(again.logits == whole.logits);
    CHECK(again.hash == whole.hash);
    CHECK(again.work.positions_projected == positions_without_cache(7, 8));
    CHECK(whole.work.positions_projected == positions_with_cache(7, 8));
}

TEST_CASE("a stop token ends a run and is its last token", "[generation]") {
    const SmallModel model = load_fixture("llama_gqa");
    const Generated whole = run(model, request_of(8));
    GenerationRequest request = request_of(8);
    request.stop_tokens = {whole.tokens[4]};
    const Generated stopped = run(model, request);
    const auto first = std::find(whole.tokens.begin(), whole.tokens.end(), whole.tokens[4]);
    CHECK(stopped.tokens == std::vector<std::uint32_t>(whole.tokens.begin(), first + 1));
}

TEST_CASE("forced tokens are judged by the logits before them", "[generation]") {
    const SmallModel model = load_fixture("llama_gqa");
    GenerationRequest request = request_of(2);
    request.forced = {12, 40};
    const auto backend = make_reference(model.config, model.weights, kGenerationPool);
    Generation generation(*backend, model.config, request);
    while (generation.advance()) {
    }
    REQUIRE(generation.forced_nll().size() == 2);
    REQUIRE(generation.logits().size() == 4);
    CHECK(generation.forced_nll()[0] == negative_log_likelihood(generation.logits()[0], 12));
    CHECK(generation.forced_nll()[1] == negative_log_likelihood(generation.logits()[1], 40));
    GenerationRequest as_prompt = request_of(2);
    as_prompt.prompt.insert(as_prompt.prompt.end(), {12, 40});
    CHECK(run(model, as_prompt).tokens == generation.new_tokens());
}

TEST_CASE("the proof passes for what is true and fails for a spoilt cache", "[generation]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (const bool spoilt : {false, true}) {
        const auto backend = make_reference(model.config, model.weights, kGenerationPool);
        Prover prover([&](std::uint32_t) {
            return make_reference(model.config, model.weights, kGenerationPool);
        });
        Generation generation(*backend, model.config, request_of(6));
        while (generation.advance()) {
            const auto seen = generation.tokens_so_far();
            prover.check({std::span(seen).first(generation.stored_tokens()), generation.passes()},
                         generation.last_logits(), generation.iterations());
            const std::vector<std::byte> other(2, std::byte{0x3F});
            if (spoilt && generation.iterations() == 2) backend->write_pool(0, other);
        }
        CHECK(prover.proof().checked);
        CHECK((prover.proof().max_abs_difference > 0) == spoilt);
        if (spoilt) CHECK(prover.proof().step == 3u);
    }
}

TEST_CASE("the state hash sees every stored byte and no other", "[generation]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto backend = make_reference(model.config, model.weights, kGenerationPool);
    Generation generation(*backend, model.config, request_of(2));
    while (generation.advance()) {
    }
    const auto hash = [&] {
        return state_hash(*backend, generation.tables(), generation.stored_tokens());
    };
    const std::string before = hash();
    CHECK(before.size() == 16);
    const std::vector<std::byte> other(1, std::byte{0x55});
    // Eight tokens fill blocks 0 and 1; block 2 holds nothing.
    const KvLayout& layout = backend->layout();
    backend->write_pool(layout.vector_offset(LayerId(1), Side::V, HeadId(1), BlockId(2), Slot(0)),
                        other);
    CHECK(hash() == before);
    backend->write_pool(layout.vector_offset(LayerId(1), Side::V, HeadId(1), BlockId(1), Slot(3)),
                        other);
    CHECK(hash() != before);
}
