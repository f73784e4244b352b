// Loading: every number at its place in every storage, budget, progress, cancelling, changed files.
#include "core/model/checkpoint/load_weights.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/error.hpp"
#include "tests/model/model_folder.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

Weights loaded(const Checkpoint& checkpoint, const LoadOptions& options) {
    return std::get<Weights>(load_weights(checkpoint, options));
}

std::string said(const Checkpoint& checkpoint, const LoadOptions& options = {}) {
    try {
        load_weights(checkpoint, options);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return error.what();
    }
    return "";
}

bool is_known(const Matrix& matrix, const std::string& name, u64 rows, u64 columns) {
    if (matrix.rows() != rows || matrix.columns() != columns) return false;
    for (u64 row = 0; row < rows; ++row) {
        for (u64 column = 0; column < columns; ++column) {
            if (matrix.at(row, column) != known_value(name, row * columns + column)) return false;
        }
    }
    const void* first = matrix.storage() == WeightStorage::F32
                            ? static_cast<const void*>(matrix.f32())
                            : static_cast<const void*>(matrix.bf16());
    return reinterpret_cast<std::uintptr_t>(first) % 64 == 0;
}

bool is_known(const std::vector<float>& vector, const std::string& name, u64 size) {
    if (vector.size() != size) return false;
    for (u64 i = 0; i < size; ++i) {
        if (vector[i] != known_value(name, i)) return false;
    }
    return true;
}

// Hidden 64, 8 query heads and 2 KV heads of 8, intermediate 160.
void check_layer(const LayerWeights& w, const std::string& layer) {
    CAPTURE(layer);
    CHECK(is_known(w.attention_norm, layer + "input_layernorm.weight", 64));
    CHECK(is_known(w.q, layer + "self_attn.q_proj.weight", 64, 64));
    CHECK(is_known(w.k, layer + "self_attn.k_proj.weight", 16, 64));
    CHECK(is_known(w.v, layer + "self_attn.v_proj.weight", 16, 64));
    CHECK(is_known(w.o, layer + "self_attn.o_proj.weight", 64, 64));
    CHECK(is_known(w.mlp_norm, layer + "post_attention_layernorm.weight", 64));
    CHECK(is_known(w.gate, layer + "mlp.gate_proj.weight", 160, 64));
    CHECK(is_known(w.up, layer + "mlp.up_proj.weight", 160, 64));
    CHECK(is_known(w.down, layer + "mlp.down_proj.weight", 64, 160));
}

void check_model(const Weights& w) {
    CHECK(is_known(w.embedding, "model.embed_tokens.weight", 512, 64));
    REQUIRE(w.layers.size() == 2);
    check_layer(w.layers[0], "model.layers.0.");
    check_layer(w.layers[1], "model.layers.1.");
    CHECK(is_known(w.final_norm, "model.norm.weight", 64));
}

// The embedding alone has 8,192 x 64 x 4 bytes, two pieces of 1 MiB.
const Changes kLarger{{"vocab_size", "8192"}, {"tie_word_embeddings", "true"}};

}  // namespace

TEST_CASE("every number arrives, from each type of file into each storage", "[load]") {
    for (const char* dtype : {"F32", "F16", "BF16"}) {
        const ScratchFolder scratch;
        const Checkpoint checkpoint =
            Checkpoint::open(write_model(scratch, {}, known_tensors({}, dtype)));
        for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
            CAPTURE(dtype, name_of(storage));
            const Weights weights = loaded(checkpoint, {.storage = storage});
            check_model(weights);
            CHECK(weights.embedding.storage() == storage);
            REQUIRE(weights.head);
            CHECK(is_known(*weights.head, "lm_head.weight", 512, 64));
            CHECK(&weights.output() == &*weights.head);
            CHECK(weights.layers[0].q_bias.empty());
            CHECK(weights.layers[0].q_norm.empty());
        }
    }
}

TEST_CASE("a tensor of several pieces and a rest arrives whole", "[load][heavy]") {
    // 20,001 x 64 numbers: four pieces of 1 MiB and a rest in F32, two and a rest in the others.
    const Changes large{{"vocab_size", "20001"}, {"tie_word_embeddings", "true"}};
    for (const char* dtype : {"F32", "F16", "BF16"}) {
        const ScratchFolder scratch;
        const Checkpoint checkpoint =
            Checkpoint::open(write_model(scratch, large, known_tensors(large, dtype)));
        for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
            CAPTURE(dtype, name_of(storage));
            const Weights weights = loaded(checkpoint, {.storage = storage});
            CHECK(is_known(weights.embedding, "model.embed_tokens.weight", 20'001, 64));
        }
    }
}

TEST_CASE("biases and head norms arrive where a family has them", "[load]") {
    const Changes biased{{"attention_bias", "true"}, {"mlp_bias", "true"}};
    const ScratchFolder scratch;
    const Weights w =
        loaded(Checkpoint::open(write_model(scratch, biased, known_tensors(biased, "BF16"))), {});
    const LayerWeights& layer = w.layers[1];
    const std::string at = "model.layers.1.";
    CHECK(is_known(layer.q_bias, at + "self_attn.q_proj.bias", 64));
    CHECK(is_known(layer.k_bias, at + "self_attn.k_proj.bias", 16));
    CHECK(is_known(layer.v_bias, at + "self_attn.v_proj.bias", 16));
    CHECK(is_known(layer.o_bias, at + "self_attn.o_proj.bias", 64));
    CHECK(is_known(layer.gate_bias, at + "mlp.gate_proj.bias", 160));
    CHECK(is_known(layer.up_bias, at + "mlp.up_proj.bias", 160));
    CHECK(is_known(layer.down_bias, at + "mlp.down_proj.bias", 64));

    const Changes qwen3{{"model_type", "\"qwen3\""}, {"head_dim", "8"}};
    const ScratchFolder other;
    const Weights q =
        loaded(Checkpoint::open(write_model(other, qwen3, known_tensors(qwen3, "F16"))), {});
    CHECK(is_known(q.layers[0].q_norm, "model.layers.0.self_attn.q_norm.weight", 8));
    CHECK(is_known(q.layers[0].k_norm, "model.layers.0.self_attn.k_norm.weight", 8));
}

TEST_CASE("a tied model's output is its embedding", "[load]") {
    const Changes tied{{"tie_word_embeddings", "true"}};
    const ScratchFolder scratch;
    // The head in the file is surplus and other than the embedding.
    const Weights w =
        loaded(Checkpoint::open(write_model(scratch, tied, known_tensors({}, "F32"))), {});
    CHECK_FALSE(w.head);
    CHECK(&w.output() == &w.embedding);
    check_model(w);
}

TEST_CASE("a file may mix types, and lie in any order", "[load]") {
    auto tensors = known_tensors({}, "BF16");
    for (std::size_t i = 0; i < tensors.size(); i += 2) {
        u64 count = 1;
        for (const u64 d : tensors[i].shape) count *= d;
        tensors[i].dtype = "F32";
        tensors[i].data = known_bytes(tensors[i].name, count, "F32");
    }
    std::reverse(tensors.begin(), tensors.end());
    const ScratchFolder scratch;
    check_model(loaded(Checkpoint::open(write_model(scratch, {}, tensors)), {}));
}

TEST_CASE("shards load like one file", "[load]") {
    const ScratchFolder scratch;
    const auto tensors = known_tensors({}, "F16");
    std::string map;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string file = "s" + std::to_string(i % 3) + ".safetensors";
        map += (i > 0 ? ",\"" : "\"") + tensors[i].name + "\":\"" + file + "\"";
    }
    for (std::size_t shard = 0; shard < 3; ++shard) {
        std::vector<FileTensor> part;
        for (std::size_t i = shard; i < tensors.size(); i += 3) part.push_back(tensors[i]);
        scratch.write("s" + std::to_string(shard) + ".safetensors", safetensors_bytes(part));
    }
    scratch.write("config.json", config_text({}));
    scratch.write("model.safetensors.index.json", R"({"weight_map":{)" + map + "}}");
    check_model(loaded(Checkpoint::open(scratch.file(".")), {.storage = WeightStorage::F32}));
}

TEST_CASE("a value that is not finite is refused by tensor and place", "[load]") {
    auto tensors = known_tensors({}, "F32");
    FileTensor& k = named(tensors, "model.layers.1.self_attn.k_proj.weight");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(k.data.data() + (3 * 64 + 7) * 4, &nan, 4);
    const ScratchFolder scratch;
    const Checkpoint checkpoint = Checkpoint::open(write_model(scratch, {}, tensors));
    CHECK_THAT(said(checkpoint),
               ContainsSubstring("model.safetensors: tensor \"model.layers.1.self_attn.k_proj."
                                 "weight\" at [3, 7] is not a number; use weights whose"));

    auto infinite = known_tensors({}, "F16");
    named(infinite, "model.norm.weight").data.replace(2 * 63, 2, std::string("\x00\xfc", 2));
    const ScratchFolder other;
    CHECK_THAT(said(Checkpoint::open(write_model(other, {}, infinite))),
               ContainsSubstring("tensor \"model.norm.weight\" at [63] is infinite"));
}

TEST_CASE("a bad value in a late piece is found at its place", "[load]") {
    auto tensors = known_tensors(kLarger, "F32");
    const float infinity = std::numeric_limits<float>::infinity();
    std::memcpy(named(tensors, "model.embed_tokens.weight").data.data() + (8191 * 64 + 63) * 4,
                &infinity, 4);
    const ScratchFolder scratch;
    CHECK_THAT(said(Checkpoint::open(write_model(scratch, kLarger, tensors))),
               ContainsSubstring("at [8191, 63] is infinite"));
}

TEST_CASE("denormal, zero and very large weights are legal", "[load]") {
    auto tensors = known_tensors({}, "F32");
    FileTensor& q = named(tensors, "model.layers.0.self_attn.q_proj.weight");
    std::vector<float> odd(4096, 0.0F);
    odd[0] = 1e38F;
    odd[1] = 1e-45F;
    odd[2] = -0.0F;
    q.data = f32_bytes(odd);
    const ScratchFolder scratch;
    const Weights w = loaded(Checkpoint::open(write_model(scratch, {}, tensors)),
                             {.storage = WeightStorage::F32});
    CHECK(w.layers[0].q.at(0, 0) == 1e38F);
    CHECK(w.layers[0].q.at(0, 1) == 1e-45F);
    CHECK(std::signbit(w.layers[0].q.at(0, 2)));
}

TEST_CASE("progress runs from nothing to all bytes, and never back", "[load]") {
    const ScratchFolder scratch;
    const Checkpoint checkpoint =
        Checkpoint::open(write_model(scratch, kLarger, known_tensors(kLarger, "F32")));
    std::vector<u64> seen;
    u64 total = 0;
    LoadOptions options;
    options.progress = [&](u64 done, u64 all) {
        seen.push_back(done);
        total = all;
        return true;
    };
    loaded(checkpoint, options);
    REQUIRE(seen.size() > 3);
    CHECK(seen.front() == 0);
    CHECK(seen.back() == total);
    CHECK(total == loaded_bytes(checkpoint.config(), WeightStorage::F32));
    for (std::size_t i = 1; i < seen.size(); ++i) {
        CHECK(seen[i] > seen[i - 1]);
        CHECK(seen[i] - seen[i - 1] <= 1U << 20U);
    }
}

TEST_CASE("loading stops when it is asked to, at whichever call", "[load]") {
    const ScratchFolder scratch;
    const Checkpoint checkpoint =
        Checkpoint::open(write_model(scratch, kLarger, known_tensors(kLarger, "F32")));
    u64 all = 0;
    LoadOptions options;
    options.progress = [&](u64, u64) { return ++all > 0; };
    loaded(checkpoint, options);
    for (u64 stop_at = 1; stop_at <= all; ++stop_at) {
        u64 calls = 0;
        options.progress = [&](u64, u64) { return ++calls < stop_at; };
        CHECK(std::holds_alternative<LoadCancelled>(load_weights(checkpoint, options)));
        CHECK(calls == stop_at);
    }
    // A cancelled checkpoint can be loaded again.
    options.progress = {};
    CHECK(loaded(checkpoint, options).layers.size() == 2);
}

TEST_CASE("what does not fit is refused with the arithmetic, before anything is read", "[load]") {
    const ScratchFolder scratch;
    const Checkpoint checkpoint =
        Checkpoint::open(write_model(scratch, {}, known_tensors({}, "BF16")));
    // Matrices: 2 x 32,768 of embedding and head, 2 layers of 2 x 4,096 + 2 x 1,024 + 3 x 10,240
    // are 147,456 numbers; 5 norms of 64. In bf16 294,912 + 1,280 bytes, and 1 MiB to read with.
    const u64 weights = 296'192, pool = 1'000, need = weights + pool + 1'048'576;
    const MemoryNeed counted = memory_need(checkpoint.config(), WeightStorage::Bf16, pool);
    CHECK(counted.weights == weights);
    CHECK(counted.total() == need);

    bool asked = false;
    LoadOptions options;
    options.pool_bytes = pool;
    options.memory_budget = need;
    CHECK(loaded(checkpoint, options).layers.size() == 2);
    options.memory_budget = need - 1;
    options.progress = [&](u64, u64) { return asked = true; };
    const std::string sentence = said(checkpoint, options);
    CHECK_FALSE(asked);
    CHECK_THAT(sentence, ContainsSubstring(
                             "does not fit into memory: weights 296,192 B (bf16) + pool 1,000 B "
                             "+ reading 1,048,576 B = 1,345,768 B (1.283 MiB), and 1,345,767 B"));
    CHECK_THAT(sentence, ContainsSubstring("use a smaller pool or a smaller model."));
    options.storage = WeightStorage::F32;
    CHECK_THAT(said(checkpoint, options), ContainsSubstring("smaller pool, bf16 weights or a"));
    options.pool_bytes = ~u64{0};
    CHECK_THROWS_AS(load_weights(checkpoint, options), Error);
}

TEST_CASE("a file that is cut short while it is loaded is an error", "[load]") {
    const ScratchFolder scratch;
    const Checkpoint checkpoint =
        Checkpoint::open(write_model(scratch, kLarger, known_tensors(kLarger, "F32")));
    LoadOptions options;
    options.progress = [&](u64 done, u64) {
        if (done > 0) fs::resize_file(scratch.file("model.safetensors"), (1U << 20U) + 100'000);
        return true;
    };
    CHECK_THAT(said(checkpoint, options),
               ContainsSubstring("model.safetensors was cut short while it was read, at tensor "
                                 "\"model.embed_tokens.weight\"; try again."));
}

TEST_CASE("files that are deleted or replaced after opening do not matter", "[load]") {
    const ScratchFolder scratch;
    const Checkpoint checkpoint =
        Checkpoint::open(write_model(scratch, {}, known_tensors({}, "BF16")));
    fs::remove(scratch.file("model.safetensors"));
    scratch.write("model.safetensors", "other");
    check_model(loaded(checkpoint, {}));
}
