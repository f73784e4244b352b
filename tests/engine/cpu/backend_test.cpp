// The cpu backend against the float64 truth, and what may not change a bit of it. Each path that
// runs here is forced in turn.

#include "core/engine/cpu/backend.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "core/base/error.hpp"
#include "tests/engine/cpu/model.hpp"
#include "tests/engine/reference/naive_decoder.hpp"
#include "tests/engine/small_model.hpp"
#include "tests/engine/tap_recorder.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::WithinAbs;

namespace {

std::vector<float> run_cpu(const RandomModel& model, const PoolSpec& pool, CpuPath path,
                           const std::vector<std::uint32_t>& tokens, const Chunks& chunks,
                           std::size_t workers = 0) {
    const auto backend = make_cpu(model.config, model.weights, pool, {workers, path});
    return run(*backend, tokens, chunks);
}

std::vector<float> run_reference(const RandomModel& model, const PoolSpec& pool,
                                 const std::vector<std::uint32_t>& tokens, Precision precision) {
    const auto backend = make_reference(model.config, model.weights, pool, precision);
    return run(*backend, tokens, {tokens.size()});
}

bool rounds_activations(CpuPath path, WeightStorage storage) {
    return (path == CpuPath::Avx512Bf16 || path == CpuPath::Amx) && storage == WeightStorage::Bf16;
}

}  // namespace

// The naive version in the same types is the reference in float, or, where products are made of
// bf16 pairs, a decoder that rounds what goes into its products.
TEST_CASE("the error is at most twice that of the naive version", "[cpu][C023][heavy]") {
    const std::uint32_t block_sizes[] = {1, 3, 7, 16, 17, 128};
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
        std::size_t i = 0;
        for (RandomShape shape : awkward_shapes()) {
            shape.storage = storage;
            const RandomModel model = random_model(shape, i);
            const std::uint32_t block = block_sizes[i++];
            for (const std::size_t n : {std::size_t{1}, std::size_t{block} + 1, std::size_t{17}}) {
                const auto tokens = random_tokens(n, shape.vocab, n);
                const PoolSpec pool = pool_for(n, block);
                const auto truth = run_reference(model, pool, tokens, Precision::F64);
                const auto naive = run_reference(model, pool, tokens, Precision::F32);
                const auto rounded =
                    naive_logits(model.config, model.weights, tokens, bf16_rounded);
                for (const CpuPath path : paths_here()) {
                    CAPTURE(name_of(path), name_of(storage), i, n, block);
                    const auto ours = run_cpu(model, pool, path, tokens, {n});
                    const auto& peer = rounds_activations(path, storage) ? rounded : naive;
                    CHECK(distance(ours, truth).difference <= 2 * distance(peer, truth).difference);
                }
            }
        }
    }
}

TEST_CASE("a long context of 1,100 keys, whose spans merge, is as exact", "[cpu]") {
    RandomShape shape;
    shape.n_layers = 1;
    shape.window = 700;  // begins in the middle of a tile
    const RandomModel model = random_model(shape);
    const auto tokens = random_tokens(1100, shape.vocab, 1);
    const PoolSpec pool = pool_for(1100, 17);
    const auto truth = run_reference(model, pool, tokens, Precision::F64);
    const double allowed =
        2 * distance(run_reference(model, pool, tokens, Precision::F32), truth).difference;
    for (const CpuPath path : paths_here()) {
        CAPTURE(name_of(path));
        const auto whole = run_cpu(model, pool, path, tokens, {1100});
        CHECK(distance(whole, truth).difference <= allowed);
        // One by one from 1,095 on: there the spans are shared out, before they were not.
        CHECK(run_cpu(model, pool, path, tokens, {1095, 1, 1, 2, 1}, 2) == whole);
    }
}

TEST_CASE("threads change no bit", "[cpu][I29]") {
    for (RandomShape shape : awkward_shapes())
        for (const CpuPath path : paths_here()) {
            shape.storage = WeightStorage::Bf16;
            const RandomModel model = random_model(shape);
            const auto tokens = random_tokens(23, shape.vocab, 2);
            const PoolSpec pool = pool_for(23, 7, Codec::Bf16);
            const auto alone = run_cpu(model, pool, path, tokens, {20, 1, 2});
            for (const std::size_t workers : {1u, 2u, 4u}) {
                CAPTURE(name_of(path), shape.head_dim, workers);
                CHECK(run_cpu(model, pool, path, tokens, {20, 1, 2}, workers) == alone);
            }
        }
}

TEST_CASE("chunks, block sizes, orders and formats of either side change no bit they should not",
          "[cpu][I28][heavy]") {
    const auto shapes = awkward_shapes();
    for (const CpuPath path : paths_here())
        for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Fp16}) {
            const RandomModel model = random_model(shapes[2]);
            const auto tokens = random_tokens(300, model.config.vocab_size, 2);
            CAPTURE(name_of(path), codec_name(codec));
            const auto whole = run_cpu(model, pool_for(300, 1024, codec), path, tokens, {300});
            for (const std::uint32_t block : {1u, 3u, 7u, 16u, 17u})
                for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor})
                    CHECK(run_cpu(model, pool_for(300, block, codec, order), path, tokens,
                                  {1, 5, 2, 280, 12}) == whole);
            // 16-bit keys may round to a neighbour; float ones are held to the rule above.
            const auto reference =
                run_reference(model, pool_for(300, 16, codec), tokens, Precision::F32);
            CHECK(distance(whole, reference).relative() <= (codec == Codec::F32 ? 1e-5 : 1e-2));
        }
}

TEST_CASE("neighbours in the batch change no bit", "[cpu][I29]") {
    const RandomModel model = random_model(awkward_shapes()[1]);
    const std::vector<std::size_t> lengths{9, 1, 17, 4, 30};
    for (const CpuPath path : paths_here())
        for (const std::size_t n : {1u, 2u, 3u, 5u}) {
            const PoolSpec pool = pool_for(64, 1);
            const auto backend = make_cpu(model.config, model.weights, pool, {1, path});
            std::vector<std::vector<std::uint32_t>> tokens, at;
            std::vector<BlockTables> tables(n);
            std::vector<float> alone;
            std::uint32_t block = 0;
            for (std::size_t s = 0; s < n; ++s) {
                tokens.push_back(random_tokens(lengths[s], model.config.vocab_size, s));
                at.emplace_back(lengths[s]);
                std::iota(at[s].begin(), at[s].end(), 0u);
                tables[s].tables.resize(1);
                for (std::size_t i = 0; i < lengths[s]; ++i)
                    tables[s].tables[0].push_back(BlockId(block++));
                const auto one = run_cpu(model, pool, path, tokens[s], {lengths[s]});
                const auto width = static_cast<std::ptrdiff_t>(model.config.vocab_size);
                alone.insert(alone.end(), one.end() - width, one.end());
            }
            Batch batch;
            for (std::size_t s = 0; s < n; ++s)
                batch.sequences.push_back(
                    {tokens[s], at[s], at[s], &tables[s], std::span(at[s]).last(1)});
            CAPTURE(name_of(path), n);
            CHECK(backend->forward(batch).logits == alone);
        }
}

TEST_CASE("a table for each layer or head leads to the same bits", "[cpu]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(6, model.config.vocab_size, 3);
    const std::vector<std::uint32_t> at{0, 1, 2, 3, 4, 5}, last{5};
    const auto run_with = [&](const BlockTables& tables, CpuPath path) {
        const auto backend = make_cpu(model.config, model.weights, pool_for(24, 4), {0, path});
        return backend->forward({{{tokens, at, at, &tables, last}}}).logits;
    };
    BlockTables whole;
    whole.tables = {{BlockId(0), BlockId(1)}};
    const BlockTables layers{
        TableScope::Layer, 2, {{BlockId(0), BlockId(4)}, {BlockId(3), BlockId(1)}}};
    const BlockTables heads{TableScope::Head,
                            2,
                            {{BlockId(0), BlockId(4)},
                             {BlockId(5), BlockId(6)},
                             {BlockId(3), BlockId(1)},
                             {BlockId(1), BlockId(2)}}};
    for (const CpuPath path : paths_here()) {
        CHECK(run_with(layers, path) == run_with(whole, path));
        CHECK(run_with(heads, path) == run_with(whole, path));
    }
}

TEST_CASE("what lies beyond the last key never matters", "[cpu][I30]") {
    for (const CpuPath path : paths_here())
        for (const RandomShape& shape : awkward_shapes())
            for (const std::uint32_t block : {3u, 16u, 17u}) {
                const RandomModel model = random_model(shape);
                const PoolSpec pool = pool_for(40, block, Codec::Fp16);
                const auto tokens = random_tokens(20, shape.vocab, 5);
                const auto nan = make_cpu(model.config, model.weights, pool, {0, path});
                const auto ones = make_cpu(model.config, model.weights, pool, {0, path});
                const std::vector<std::byte> other(ones->layout().pool_bytes(), std::byte{0x3C});
                ones->write_pool(0, other);
                CAPTURE(name_of(path), shape.head_dim, block);
                const auto logits = run(*nan, tokens, {1, 15, 1, 3});
                CHECK(logits == run(*ones, tokens, {1, 15, 1, 3}));
                CHECK(std::isfinite(logits.back()));
            }
}

// A key that was never written is NaN, and whoever looks at it has to know.
TEST_CASE("a key that is read before it is written shows", "[cpu]") {
    const RandomModel model = random_model({});
    const std::vector<std::uint32_t> tokens{1}, at{3}, rows{0};
    BlockTables tables;
    tables.tables = {{BlockId(0), BlockId(1)}};
    for (const CpuPath path : paths_here()) {
        const auto backend = make_cpu(model.config, model.weights, pool_for(8, 4), {0, path});
        CHECK(std::isnan(backend->forward({{{tokens, at, at, &tables, rows}}}).logits[0]));
    }
}

TEST_CASE("the pool holds the bytes that the reference writes, up to rounding", "[cpu]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(10, model.config.vocab_size, 6);
    const PoolSpec pool = pool_for(10, 4);
    const auto reference = make_reference(model.config, model.weights, pool);
    run(*reference, tokens, {10});
    for (const CpuPath path : paths_here()) {
        const auto backend = make_cpu(model.config, model.weights, pool, {0, path});
        run(*backend, tokens, {10});
        std::vector<float> ours(backend->layout().pool_bytes() / 4), theirs(ours.size());
        backend->read_pool(0, std::as_writable_bytes(std::span(ours)));
        reference->read_pool(0, std::as_writable_bytes(std::span(theirs)));
        std::size_t written = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            REQUIRE(std::isnan(ours[i]) == std::isnan(theirs[i]));
            if (std::isnan(ours[i])) continue;
            ++written;
            CHECK_THAT(ours[i], WithinAbs(theirs[i], 1e-4));
        }
        CHECK(written == 10 * 2 * 2 * 2 * 8);  // tokens, layers, K and V, heads, elements
    }
}

TEST_CASE("taps show what the reference shows, and change no bit", "[cpu]") {
    RandomShape shape;
    shape.window = 5;
    shape.qk_norm = true;
    const RandomModel model = random_model(shape);
    const auto tokens = random_tokens(40, shape.vocab, 8);
    const PoolSpec pool = pool_for(40, 4);
    TapRecorder expected;
    const auto reference = make_reference(model.config, model.weights, pool);
    Sequence(*reference).feed(tokens, &expected);
    for (const CpuPath path : paths_here()) {
        CAPTURE(name_of(path));
        TapRecorder seen;
        const auto backend = make_cpu(model.config, model.weights, pool, {1, path});
        const auto tapped = Sequence(*backend).feed(tokens, &seen);
        REQUIRE(seen.taken.size() == expected.taken.size());
        for (const auto& [place, values] : expected.taken) {
            REQUIRE(seen.taken.count(place) == 1);
            REQUIRE(seen.taken[place].size() == values.size());
            CHECK(distance(seen.taken[place], values).difference <= 1e-3);
        }
        CHECK(run_cpu(model, pool, path, tokens, {40}) == tapped);
    }
}

TEST_CASE("what a pass counts is what the reference counts", "[cpu][I16]") {
    const RandomModel model = random_model(awkward_shapes()[0]);
    const auto tokens = random_tokens(30, model.config.vocab_size, 8);
    const auto reference = make_reference(model.config, model.weights, pool_for(30, 4));
    const auto backend = make_cpu(model.config, model.weights, pool_for(30, 4));
    Sequence a(*reference), b(*backend);
    a.feed(tokens);
    b.feed(tokens);
    CHECK(a.work().score_pairs == b.work().score_pairs);
    CHECK(a.work().weight_bytes == b.work().weight_bytes);
    CHECK(a.work().k_bytes_read == b.work().k_bytes_read);
    CHECK(a.work().flops.total() == b.work().flops.total());
    CHECK(b.work().positions_projected == 30);
}

TEST_CASE("a wrong table is found on every thread, and the backend lives on", "[cpu]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(12, model.config.vocab_size, 8);
    const auto backend = make_cpu(model.config, model.weights, pool_for(12, 4), {2, std::nullopt});
    const std::vector<BlockId> bad{BlockId(0), BlockId(99), BlockId(1)};
    CHECK_THROWS_AS(run(*backend, tokens, {12}, bad), BrokenAssert);
    const auto good = run(*backend, tokens, {12});
    CHECK(good == run_cpu(model, pool_for(12, 4), best_cpu_path(), tokens, {12}));
}
