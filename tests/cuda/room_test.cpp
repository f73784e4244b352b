// Where a pass keeps its numbers on the device: room that grows, that may not be had, and that
// recorded steps must not outlive.

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "tests/cuda/emulated.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr u64 kMemory = u64{1} << 20;

// A backend with a card of its own, whose free memory the test can take away.
struct OnCard {
    std::shared_ptr<gpu::Gpu> card =
        gpu::make_emulated_gpu(gpu::GridOrder::Upwards, {.memory_bytes = kMemory});
    gpu::GpuBackend backend;

    OnCard(const RandomModel& model, const PoolSpec& pool)
        : backend(card,
                  std::make_shared<const gpu::DeviceModel>(gpu::make_emulated_gpu(), model.config,
                                                           model.weights),
                  model.config, model.weights, pool) {}
};

}  // namespace

// A pass of 150 tokens grows every array of the pass; `free` bytes are too few for one after the
// other of them. What was recorded before the refusal may have lost its arrays.
TEST_CASE("a pass that does not fit is refused, and the steps behind it are what they were",
          "[emulated]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(20, model.config.vocab_size, 7),
               many = random_tokens(150, model.config.vocab_size, 8);
    const Codec kivi{ElementCode::Int4, ScaleMode::Kivi};
    for (const Codec& codec : {Codec::Bf16, kivi}) {
        const PoolSpec pool = pool_for(200, 4, codec);
        const auto plain = make_emulated(model.config, model.weights, pool, {{}, false});
        const auto expected = run(*plain, tokens, Chunks(20, 1));
        u64 refused = 0, free = 0;
        for (bool fits = false; !fits; free += 3000) {
            OnCard on(model, pool);
            Sequence sequence(on.backend), other(on.backend);
            std::vector<float> logits;
            const auto steps = [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    const auto row = sequence.feed({tokens[i]});
                    logits.insert(logits.end(), row.begin(), row.end());
                }
            };
            steps(0, 6);
            REQUIRE(on.backend.recordings() >= 1);
            std::byte* taken = on.card->allocate(on.card->free_bytes() - free);
            try {
                other.feed(many);
                fits = true;  // and writes where the first sequence stands
            } catch (const Error& error) {
                CHECK(error.code() == ErrorCode::World);
                ++refused;
            }
            on.card->release(taken);
            if (fits) break;
            steps(6, 20);
            CAPTURE(codec_name(codec), free);
            CHECK((logits == expected));
        }
        CHECK(refused > 10);
    }
}

TEST_CASE("nothing but launches and marks can be recorded", "[emulated]") {
    const auto card = gpu::make_emulated_gpu();
    std::byte* memory = card->allocate(64);
    card->begin_recording();
    CHECK_THROWS_AS(card->allocate(16), BrokenAssert);
    CHECK_THROWS_AS(card->fill(memory, 0, 64), BrokenAssert);
    CHECK_THROWS_AS(card->copy(memory, memory + 32, 32), BrokenAssert);
    CHECK_THROWS_AS(card->upload(memory, &card, 8), BrokenAssert);
    CHECK_THROWS_AS(card->download(&memory, memory, 8), BrokenAssert);
    CHECK_THROWS_AS(card->wait(), BrokenAssert);
    card->mark(0);
    card->end_recording();
    card->release(memory);
}

// One sequence of 2,048 keys has 64 tiles in eight parts on this card; three short ones have more
// blocks and fewer parts. Neither may take the other's room.
TEST_CASE("batches that take turns keep what was recorded of each", "[emulated]") {
    RandomShape shape;
    shape.n_kv_heads = 1;
    const RandomModel model = random_model(shape);
    const PoolSpec pool = pool_for(2048 + 3 * 16, 16, Codec::Fp16);
    const auto backend = make_emulated(model.config, model.weights, pool);
    const std::vector<std::byte> ones(backend->layout().pool_bytes(), std::byte{0x3C});
    backend->write_pool(0, ones);
    std::vector<BlockTables> tables(4);
    for (std::uint32_t s = 0; s < 3; ++s) tables[s].tables = {{BlockId(128 + s)}};
    tables[3].tables.resize(1);
    for (std::uint32_t i = 0; i < 128; ++i) tables[3].tables[0].push_back(BlockId(i));
    const std::vector<std::uint32_t> token{5}, short_at{9}, long_at{2047}, last{0};
    const auto step = [&](bool one) {
        Batch batch;
        for (std::uint32_t s = 0; s < 3 && !one; ++s)
            batch.sequences.push_back({token, short_at, short_at, &tables[s], last});
        if (one) batch.sequences.push_back({token, long_at, long_at, &tables[3], last});
        backend->forward(batch, nullptr);
    };
    for (int i = 0; i < 8; ++i) step(i % 2 == 0);
    CHECK(backend->recordings() == 2);
}
