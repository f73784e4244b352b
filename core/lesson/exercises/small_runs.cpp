#include "core/lesson/exercises/small_runs.hpp"

#include <memory>
#include <numeric>
#include <set>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/engine/reference/reference.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/work/counting_backend.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kBlock = 16, kVocab = 8;

struct LittleModel {
    ModelConfig config;
    Weights weights;
};

class LittleWeights {
public:
    Matrix matrix(u64 rows, u64 columns) {
        Matrix m(rows, columns, WeightStorage::F32);
        const Random random(7, ++stream_);
        for (u64 i = 0; i < rows * columns; ++i)
            m.f32()[i] = static_cast<float>(2 * random.unit(i) - 1);
        return m;
    }

private:
    u64 stream_ = 0;
};

ModelConfig little_config(const LittleShape& shape) {
    ModelConfig c;
    c.n_layers = shape.n_layers;
    c.n_heads = shape.n_heads;
    c.n_kv_heads = shape.n_kv_heads;
    c.head_dim = c.v_head_dim = 2;
    c.hidden_size = c.intermediate_size = 4;
    c.vocab_size = kVocab;
    c.max_positions = 1 << 20;
    c.tied_embeddings = true;
    c.sliding_layers.assign(c.n_layers, false);
    return c;
}

LittleModel little_model(const LittleShape& shape) {
    LittleModel m{little_config(shape), {}};
    const ModelConfig& c = m.config;
    LittleWeights make;
    m.weights.embedding = make.matrix(c.vocab_size, c.hidden_size);
    m.weights.final_norm.assign(c.hidden_size, 1);
    for (u64 layer = 0; layer < c.n_layers; ++layer) {
        LayerWeights w;
        w.attention_norm = w.mlp_norm = m.weights.final_norm;
        w.q = make.matrix(c.n_heads * c.head_dim, c.hidden_size);
        w.k = make.matrix(c.n_kv_heads * c.head_dim, c.hidden_size);
        w.v = make.matrix(c.n_kv_heads * c.head_dim, c.hidden_size);
        w.o = make.matrix(c.hidden_size, c.n_heads * c.head_dim);
        w.gate = make.matrix(c.intermediate_size, c.hidden_size);
        w.up = make.matrix(c.intermediate_size, c.hidden_size);
        w.down = make.matrix(c.hidden_size, c.intermediate_size);
        m.weights.layers.push_back(std::move(w));
    }
    return m;
}

PoolSpec room_for(u64 tokens) {
    PoolSpec pool;
    pool.block_size = kBlock;
    pool.n_blocks = static_cast<std::uint32_t>(ceil_div(tokens, kBlock));
    pool.k = pool.v = Codec::F32;
    return pool;
}

// All tokens in one pass, with a look at it.
void feed(const LittleModel& model, const std::vector<std::uint32_t>& tokens, TapSink& taps) {
    const auto backend = make_reference(model.config, model.weights, room_for(tokens.size()));
    BlockTables tables;
    tables.tables.resize(1);
    for (std::uint32_t b = 0; b < backend->layout().n_blocks; ++b)
        tables.tables[0].push_back(BlockId(b));
    std::vector<std::uint32_t> slots(tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &tables, {}});
    backend->forward(batch, &taps);
}

// The keys and values of every position, layer by layer.
class StoredRows final : public TapSink {
public:
    explicit StoredRows(std::size_t n) : rows(n) {}
    bool wants(Tap tap, LayerId) const override { return tap == Tap::K || tap == Tap::V; }
    void take(const TapPlace& place, std::span<const float> values) override {
        rows[place.row].insert(rows[place.row].end(), values.begin(), values.end());
    }
    std::vector<std::vector<float>> rows;
};

class ScoreRows final : public TapSink {
public:
    explicit ScoreRows(std::uint32_t row) : row_(row) {}
    bool wants(Tap tap, LayerId) const override { return tap == Tap::Scores; }
    void take(const TapPlace& place, std::span<const float> values) override {
        if (place.row != row_) return;
        heads.insert(place.head);
        keys = values.size();
    }
    std::set<std::uint32_t> heads;
    std::size_t keys = 0;

private:
    std::uint32_t row_;
};

}  // namespace

Work counted_generation(u64 prompt, u64 new_tokens, Keep keep) {
    const ModelConfig config = little_config({});
    const Weights none;
    CountingBackend backend(config, none, room_for(prompt + new_tokens));
    GenerationRequest request;
    request.prompt.assign(prompt, 1);
    request.max_new = static_cast<std::uint32_t>(new_tokens);
    request.max_batch_tokens = static_cast<std::uint32_t>(prompt + new_tokens);
    request.keep = keep;
    Generation generation(backend, config, request);
    while (generation.advance()) {
    }
    return generation.work();
}

std::vector<PromptChunk> scheduled_chunks(u64 prompt, u64 chunk) {
    const ModelConfig config = little_config({});
    const Weights none;
    EngineSettings settings;
    settings.pool.blocks = static_cast<std::uint32_t>(ceil_div(prompt + 1, kBlock));
    settings.block_size = kBlock;
    settings.max_batch_tokens = static_cast<std::uint32_t>(chunk);
    const BackendMaker make = [&](const std::string&, const PoolSpec& pool) {
        return std::make_unique<CountingBackend>(config, none, pool);
    };
    Engine engine({.config = config, .make_backend = make, .payload_bytes = 0}, settings);
    RequestSpec request;
    request.name = "A";
    request.prompt.assign(prompt, 1);
    request.max_new = 1;
    engine.submit(std::move(request));
    while (!engine.done()) engine.advance();
    std::vector<PromptChunk> chunks;
    engine.trace().each(0, engine.trace().size(), [&](std::uint64_t, const Event& event) {
        if (const auto* scheduled = std::get_if<TokensScheduled>(&event.what))
            chunks.push_back({scheduled->first, scheduled->count});
    });
    return chunks;
}

u64 surviving_positions(u64 tokens, u64 edited) {
    KV_ASSERT(edited < tokens);
    const LittleModel model = little_model({3, 2, 1});
    std::vector<std::uint32_t> text(tokens);
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::uint32_t>(i % 3 + 1);
    StoredRows before(text.size()), after(text.size());
    feed(model, text, before);
    text[edited] = kVocab - 1;
    feed(model, text, after);
    u64 same = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (before.rows[i] == after.rows[i]) ++same;
    return same;
}

ScoreShape score_shape(const LittleShape& shape, u64 tokens) {
    const LittleModel model = little_model(shape);
    ScoreRows newest(static_cast<std::uint32_t>(tokens - 1));
    feed(model, std::vector<std::uint32_t>(tokens, 1), newest);
    return {newest.heads.size(), 1, newest.keys};
}

}  // namespace kv
