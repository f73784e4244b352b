// The backend over the emulated GPU against the reference: whole passes through every kernel that a
// card would run, with the same host code around them.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "core/base/error.hpp"
#include "tests/cuda/emulated.hpp"
#include "tests/cuda/kernels/walked_pool.hpp"
#include "tests/engine/tap_recorder.hpp"

using namespace kv;
using namespace kv::test;
using gpu::GridOrder;

namespace {

std::vector<float> run_reference(const RandomModel& model, const PoolSpec& pool,
                                 const std::vector<std::uint32_t>& tokens, const Chunks& chunks,
                                 Precision precision) {
    const auto backend = make_reference(model.config, model.weights, pool, precision);
    return run(*backend, tokens, chunks);
}

}  // namespace

TEST_CASE("the error over emulated blocks is at most twice that of the naive version",
          "[emulated][C023][heavy]") {
    const std::uint32_t block_sizes[] = {1, 3, 7, 16, 17, 128};
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
        std::size_t i = 0;
        for (RandomShape shape : awkward_shapes()) {
            shape.storage = storage;
            const RandomModel model = random_model(shape, i);
            const std::uint32_t block = block_sizes[i++];
            for (const Chunks& chunks :
                 {Chunks{1}, Chunks{1, 1, 1}, Chunks{40}, Chunks{33, 1, 5, 1}}) {
                const std::size_t n = std::accumulate(chunks.begin(), chunks.end(), std::size_t{0});
                const auto tokens = random_tokens(n, shape.vocab, n);
                const PoolSpec pool = pool_for(n, block);
                const auto truth = run_reference(model, pool, tokens, {n}, Precision::F64);
                const auto naive = run_reference(model, pool, tokens, {n}, Precision::F32);
                const auto backend = make_emulated(model.config, model.weights, pool);
                const auto table = backwards(backend->layout().n_blocks);
                CAPTURE(name_of(storage), i, n, block);
                const auto ours = run(*backend, tokens, chunks, table);
                CHECK(distance(ours, truth).difference <= 2 * distance(naive, truth).difference);
            }
        }
    }
}

TEST_CASE("the order of blocks and threads changes no bit of a pass", "[emulated][I29][heavy]") {
    for (const RandomShape& shape : awkward_shapes())
        for (const Codec codec : {Codec::Bf16, Codec::Int4}) {
            const RandomModel model = random_model(shape);
            const auto tokens = random_tokens(45, shape.vocab, 3);
            const PoolSpec pool = pool_for(45, 7, codec);
            const auto run_in = [&](GridOrder order) {
                const auto backend = make_emulated(model.config, model.weights, pool, {}, order);
                return run(*backend, tokens, {40, 1, 1, 1, 2});
            };
            CHECK(run_in(GridOrder::Upwards) == run_in(GridOrder::Downwards));
        }
}

TEST_CASE("tables, block sizes and orders change no bit of a pass", "[emulated][I28][heavy]") {
    const RandomModel model = random_model(awkward_shapes()[2]);
    const auto tokens = random_tokens(70, model.config.vocab_size, 2);
    for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Int8}) {
        const auto run_with = [&](std::uint32_t block, KvOrder order, bool permuted) {
            const PoolSpec pool = pool_for(70, block, codec, order);
            const auto backend = make_emulated(model.config, model.weights, pool);
            std::optional<std::vector<BlockId>> table;
            if (permuted) table = backwards(backend->layout().n_blocks);
            return run(*backend, tokens, {66, 1, 1, 2}, table);
        };
        const auto whole = run_with(1024, KvOrder::TokenMajor, false);
        for (const std::uint32_t block : {1u, 3u, 16u, 17u, 128u})
            for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor})
                CHECK(run_with(block, order, true) == whole);
    }
}

TEST_CASE("tables of layers and of heads lead where they say", "[emulated]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(8, model.config.vocab_size, 4);
    std::vector<std::uint32_t> at(8), last{7};
    std::iota(at.begin(), at.end(), 0u);
    const auto run_with = [&](const BlockTables& tables) {
        const auto backend = make_emulated(model.config, model.weights, pool_for(24, 4));
        return backend->forward({{{tokens, at, at, &tables, last}}}, nullptr).logits;
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
    CHECK(run_with(layers) == run_with(whole));
    CHECK(run_with(heads) == run_with(whole));
}

TEST_CASE("what lies beyond the last key never matters to a kernel", "[emulated][I30][heavy]") {
    for (const RandomShape& shape : awkward_shapes())
        for (const std::uint32_t block : {3u, 16u, 17u}) {
            const RandomModel model = random_model(shape);
            const PoolSpec pool = pool_for(20, block, Codec::Fp16);
            const auto tokens = random_tokens(20, shape.vocab, 5);
            const auto nan = make_emulated(model.config, model.weights, pool);
            const auto ones = make_emulated(model.config, model.weights, pool);
            const std::vector<std::byte> other(ones->layout().pool_bytes(), std::byte{0x3C});
            ones->write_pool(0, other);
            const auto logits = run(*nan, tokens, {1, 15, 1, 3});
            CHECK(logits == run(*ones, tokens, {1, 15, 1, 3}));
            CHECK(std::isfinite(logits.back()));
        }
}

TEST_CASE("a recorded step is the step itself, and is used again", "[emulated]") {
    const RandomModel model = random_model(awkward_shapes()[3]);
    const auto tokens = random_tokens(60, model.config.vocab_size, 7);
    const Chunks chunks = [] {
        Chunks list{30};
        list.insert(list.end(), 30, 1);
        return list;
    }();
    const PoolSpec pool = pool_for(60, 16);
    const auto recorded = make_emulated(model.config, model.weights, pool),
               plain = make_emulated(model.config, model.weights, pool, {{}, false});
    CHECK(run(*recorded, tokens, chunks) == run(*plain, tokens, chunks));
    CHECK(recorded->recordings() >= 1);
    CHECK(recorded->recordings() <= 2);  // up to 32 keys, and up to 64
    CHECK(plain->recordings() == 0);
}

TEST_CASE("splits change logits by rounding alone", "[emulated]") {
    const RandomModel model = random_model(awkward_shapes()[1]);
    const auto tokens = random_tokens(200, model.config.vocab_size, 7);
    const PoolSpec pool = pool_for(200, 16);
    const auto logits = [&](std::uint32_t splits) {
        const auto backend = make_emulated(model.config, model.weights, pool, {splits, true});
        return run(*backend, tokens, {197, 1, 1, 1});
    };
    const auto whole = logits(1);
    for (const std::uint32_t splits : {2u, 3u, 7u}) {
        CHECK(logits(splits) != whole);
        CHECK(distance(logits(splits), whole).relative() < 1e-5);
    }
}

TEST_CASE("sequences of one batch change each other by rounding alone", "[emulated][I29]") {
    const RandomModel model = random_model(awkward_shapes()[1]);
    const std::vector<std::size_t> lengths{9, 1, 17, 1, 30};
    const auto backend = make_emulated(model.config, model.weights, pool_for(80, 4));
    std::vector<std::vector<std::uint32_t>> tokens, at, last;
    std::vector<BlockTables> tables(lengths.size());
    std::vector<float> alone;
    std::uint32_t block = 0;
    for (std::size_t s = 0; s < lengths.size(); ++s) {
        tokens.push_back(random_tokens(lengths[s], model.config.vocab_size, s));
        at.emplace_back(lengths[s]);
        std::iota(at[s].begin(), at[s].end(), 0u);
        last.push_back({static_cast<std::uint32_t>(lengths[s] - 1)});
        tables[s].tables.resize(1);
        for (std::size_t i = 0; i < (lengths[s] + 3) / 4; ++i)
            tables[s].tables[0].push_back(BlockId(block++));
        const auto own = make_emulated(model.config, model.weights, pool_for(80, 4));
        const auto logits = run(*own, tokens[s], {lengths[s]});
        const auto row = static_cast<std::ptrdiff_t>(model.config.vocab_size);
        alone.insert(alone.end(), logits.end() - row, logits.end());
    }
    Batch batch;
    for (std::size_t s = 0; s < lengths.size(); ++s)
        batch.sequences.push_back({tokens[s], at[s], at[s], &tables[s], last[s]});
    CHECK(distance(backend->forward(batch, nullptr).logits, alone).relative() < 1e-5);
}

TEST_CASE("taps show what lies on the device, and change no bit", "[emulated]") {
    const Codec kivi{ElementCode::Int4, ScaleMode::Kivi};
    for (const Codec codec : {Codec::F32, Codec::Int8, kivi})
        for (const Rotation rotation : {Rotation::None, Rotation::Hadamard}) {
            RandomShape shape;
            shape.head_dim = 16;
            shape.window = 5;
            shape.qk_norm = true;
            const RandomModel model = random_model(shape);
            const auto tokens = random_tokens(20, shape.vocab, 8);
            PoolSpec pool = pool_for(20, 4, codec);
            pool.rotation = rotation;
            TapRecorder expected, seen;
            const auto reference = make_reference(model.config, model.weights, pool);
            Sequence(*reference).feed(tokens, &expected);
            const auto backend = make_emulated(model.config, model.weights, pool);
            const auto tapped = Sequence(*backend).feed(tokens, &seen);
            REQUIRE(seen.taken.size() == expected.taken.size());
            for (const auto& [place, values] : expected.taken) {
                REQUIRE(seen.taken.count(place) == 1);
                REQUIRE(seen.taken[place].size() == values.size());
                CHECK(distance(seen.taken[place], values).difference <= 1e-3);
            }
            const auto untapped = make_emulated(model.config, model.weights, pool);
            CHECK(run(*untapped, tokens, {20}) == tapped);
        }
}

TEST_CASE("the first slots of a block are copied, and no byte beside them", "[emulated]") {
    const RandomModel model = random_model({});
    for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor})
        for (const Codec codec : {Codec::F32, Codec::Int4}) {
            PoolSpec pool = pool_for(9, 3, codec);
            pool.order = order;
            const auto reference = make_reference(model.config, model.weights, pool);
            const auto backend = make_emulated(model.config, model.weights, pool);
            const KvLayout& layout = backend->layout();
            std::vector<std::byte> bytes(layout.pool_bytes());
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = static_cast<std::byte>(i * 7 % 251);
            std::vector<std::byte> expected = bytes;
            const WalkedPool walked(layout);
            for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
                for (const Side side : {Side::K, Side::V})
                    for (const std::uint32_t slot : {0u, 1u})
                        for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head)
                            std::copy_n(bytes.begin() + walked.at({layer, side, 2, slot, head}),
                                        layout.vector(side).bytes,
                                        expected.begin() + walked.at({layer, side, 1, slot, head}));
            for (Backend* each :
                 {static_cast<Backend*>(reference.get()), static_cast<Backend*>(backend.get())}) {
                each->write_pool(0, bytes);
                each->copy_block(BlockId(2), BlockId(1), 2);
                std::vector<std::byte> is(bytes.size());
                each->read_pool(0, is);
                CHECK(is == expected);
            }
        }
}

TEST_CASE("what a pass on the device counts is what the reference counts", "[emulated][I16]") {
    const RandomModel model = random_model(awkward_shapes()[0]);
    const auto tokens = random_tokens(30, model.config.vocab_size, 8);
    const auto reference = make_reference(model.config, model.weights, pool_for(30, 4));
    const auto backend = make_emulated(model.config, model.weights, pool_for(30, 4));
    Sequence a(*reference), b(*backend);
    a.feed(tokens);
    b.feed(tokens);
    CHECK(a.work() == b.work());
}

TEST_CASE("each part of a pass has the time that the device took for it", "[emulated]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(6, model.config.vocab_size, 8);
    const auto backend = make_emulated(model.config, model.weights, pool_for(8, 4));
    PassClock clock([] { return 0.0; });  // of the host, which stands still
    BlockTables tables;
    tables.tables = {{BlockId(0), BlockId(1)}};
    for (std::uint32_t i = 0; i < 6; ++i) {  // the third and later ones are recorded
        const std::vector<std::uint32_t> token{tokens[i]}, at{i}, row{0};
        Batch batch{{{token, at, at, &tables, row}}, &clock};
        const auto result = backend->forward(batch, nullptr);
        double sum = 0;
        for (const Operation& part : result.parts) {
            CAPTURE(i, name_of(part.op));
            CHECK((part.us > 0) == (part.op != Op::Rotate));  // which is one launch with Append
            sum += part.us;
        }
        CHECK(result.parts.size() == 2 + 6 * model.config.n_layers);
        CHECK(sum < 1e6);
    }
}

TEST_CASE("a wrong table is refused, and the backend on the device lives on", "[emulated]") {
    const RandomModel model = random_model({});
    const auto tokens = random_tokens(12, model.config.vocab_size, 8);
    const auto backend = make_emulated(model.config, model.weights, pool_for(12, 4));
    const std::vector<BlockId> bad{BlockId(0), BlockId(99), BlockId(1)};
    CHECK_THROWS_AS(run(*backend, tokens, {12}, bad), BrokenAssert);
    const auto fresh = make_emulated(model.config, model.weights, pool_for(12, 4));
    CHECK(run(*backend, tokens, {12}) == run(*fresh, tokens, {12}));
}
