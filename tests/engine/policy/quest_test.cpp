// A policy that chooses what is read: the choice against a model of a few lines over all keys, the
// logits against a full run behind the same mask, and bytes that are read against bytes that stay.

#include "core/cache/eviction/quest.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/engine/pool/key_boxes.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

EngineSettings quest_settings(const std::string& policy, std::uint32_t blocks = 40,
                              std::uint32_t block_size = 4) {
    EngineSettings s = tiny_settings(blocks, block_size);
    REQUIRE(find_setting("evict")->read(s, policy).empty());
    return s;
}

// Queries and keys of a pass over a whole sequence, by layer, head and row.
struct Queries : TapSink {
    using Of = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<float>>>;
    Of q, k;
    bool wants(Tap tap, LayerId) const override { return tap == Tap::Q || tap == Tap::K; }
    void take(const TapPlace& at, std::span<const float> values) override {
        (at.tap == Tap::Q ? q : k)[{at.layer.value, at.head}].emplace_back(values.begin(),
                                                                           values.end());
    }
};

// What the last row reads: by products with every corner, written down without the engine's words.
std::vector<std::uint32_t> model_of_choice(const std::vector<float>& q,
                                           const std::vector<std::vector<float>>& keys,
                                           std::uint32_t size, std::uint32_t n_read) {
    std::vector<double> bounds;
    for (std::size_t first = 0; first < keys.size(); first += size) {
        double sum = 0;
        for (std::size_t c = 0; c < q.size(); ++c) {
            double best = -1e30;
            for (std::size_t j = first; j < std::min<std::size_t>(keys.size(), first + size); ++j)
                best = std::max(best, static_cast<double>(q[c]) * static_cast<double>(keys[j][c]));
            sum += best;
        }
        bounds.push_back(sum);
    }
    std::vector<std::uint32_t> order(bounds.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return bounds[a] > bounds[b]; });
    order.resize(std::min<std::size_t>(order.size(), n_read));
    std::sort(order.begin(), order.end());
    return order;
}

struct Judged {
    double masked = 0, full = 0;
    std::uint32_t compared = 0;
    Work work;
    std::uint64_t used = 0;
    std::vector<std::uint32_t> tokens;
    std::uint32_t preemptions = 0;
};

std::vector<std::uint32_t> entries_of(const std::vector<KeyRange>& ranges, std::uint32_t size) {
    std::vector<std::uint32_t> entries;
    for (const KeyRange& range : ranges)
        for (std::uint32_t slot = range.begin; slot < range.end; slot += size)
            entries.push_back(slot / size);
    return entries;
}

// After each drawn row: the full run behind the recorded mask, and the choice of its last query.
class Judge {
public:
    Judge(const EngineOn& on, const EngineSettings& settings, std::uint32_t n_read)
        : on_(on), settings_(settings), n_read_(n_read), masked_(maker()), full_(maker()) {}

    Prover::Maker maker() {
        return [this](std::uint32_t n) {
            const std::uint32_t blocks = (n + settings_.block_size - 1) / settings_.block_size;
            auto backend = make_reference(on_.model.config, on_.model.weights,
                                          pool_spec_of(settings_, blocks));
            copy_shared_scales(running_->backend(), *backend);
            return backend;
        };
    }

    void look(const Engine& engine, SeqId id, const SeenTokens& seen,
              std::span<const float> logits) {
        running_ = &engine;
        const SightMask mask{engine.keeper(id)->seen(), engine.sight_lanes(),
                             engine.key_rotation()};
        masked_.check(seen, logits, 1, &mask);
        full_.check(seen, logits, 1);
        if (settings_.k_codec == Codec::F32) compare_choice(mask, seen.tokens);
    }

    void finish(Judged& outcome) const {
        outcome.masked = masked_.proof().max_abs_difference;
        outcome.full = full_.proof().max_abs_difference;
        outcome.compared = compared_;
    }

private:
    void compare_choice(const SightMask& mask, std::span<const std::uint32_t> tokens) {
        const auto n = static_cast<std::uint32_t>(tokens.size());
        if (mask.seen[n - 1].empty()) return;
        const auto backend = maker()(n);
        BlockTables tables;
        tables.tables.resize(1);
        for (std::uint32_t b = 0; b < backend->layout().n_blocks; ++b)
            tables.tables[0].push_back(BlockId(b));
        std::vector<std::uint32_t> slots(n);
        std::iota(slots.begin(), slots.end(), 0u);
        const VisibleKeys visible = sight_behind(mask, slots, 0);
        Batch batch;
        batch.sequences.push_back({tokens, slots, slots, &tables, {}});
        batch.sequences[0].visible = &visible;
        Queries taps;
        backend->forward(batch, &taps);
        const ModelConfig& c = on_.model.config;
        for (std::uint32_t layer = 0; layer < c.n_layers; ++layer)
            for (std::uint32_t head = 0; head < c.n_heads; ++head) {
                const auto kv_head = static_cast<std::uint32_t>(head / (c.n_heads / c.n_kv_heads));
                const auto expected =
                    model_of_choice(taps.q[{layer, head}].back(), taps.k[{layer, kv_head}],
                                    settings_.block_size, n_read_);
                const LaneId lane = mask.lanes.lane_of(LayerId(layer), HeadId(head));
                CHECK(entries_of(mask.seen[n - 1][lane.index()], settings_.block_size) == expected);
                ++compared_;
            }
    }

    const EngineOn& on_;
    EngineSettings settings_;
    std::uint32_t n_read_, compared_ = 0;
    const Engine* running_ = nullptr;
    Prover masked_, full_;
};

Judged play(const EngineOn& on, const EngineSettings& settings,
            const std::vector<RequestSpec>& requests, std::uint32_t n_read) {
    Judge judge(on, settings, n_read);
    const Engine* running = nullptr;
    EngineParts parts = on.parts();
    parts.keep_seen = true;
    parts.on_logits = [&](SeqId id, const SeenTokens& seen, std::span<const float> logits) {
        judge.look(*running, id, seen, logits);
    };
    Engine engine(std::move(parts), settings);
    running = &engine;
    for (const RequestSpec& spec : requests) engine.submit(spec);
    Judged outcome;
    while (!engine.done()) {
        engine.advance();
        REQUIRE(engine.observe() == engine.trace().end());
        for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
        outcome.used = std::max<std::uint64_t>(outcome.used, engine.last_held().used);
    }
    judge.finish(outcome);
    outcome.work = engine.work();
    outcome.tokens = engine.requests()[0].new_tokens;
    outcome.preemptions = engine.requests()[0].preemptions;
    return outcome;
}

}  // namespace

TEST_CASE("every query head reads the blocks with the highest bounds, and nothing else",
          "[engine][quest][I20][I22]") {
    const EngineOn on;
    for (const std::uint32_t size : {1u, 3u, 4u, 5u})
        for (const std::uint32_t chunk : {64u, 5u}) {
            EngineSettings settings = quest_settings("quest:7", 60, size);
            settings.k_codec = settings.v_codec = Codec::F32;
            settings.max_batch_tokens = chunk;
            CAPTURE(size, chunk);
            const Judged outcome =
                play(on, settings, {told_request("A", 17, 14)}, (7 + size - 1) / size);
            CHECK(outcome.compared > 100);
            CHECK(outcome.masked == 0);
            CHECK(outcome.full > 1e-4);
        }
}

TEST_CASE("what is read is read as it is stored, in every codec", "[engine][quest][codecs][I22]") {
    const EngineOn on;
    for (const char* codec : {"bf16", "fp16", "fp8_e4m3", "int8", "int4", "int8:tensor"})
        for (const char* rotation : {"none", "hadamard"}) {
            EngineSettings settings = quest_settings("quest:6");
            for (const char* side : {"k_codec", "v_codec"})
                REQUIRE(find_setting(side)->read(settings, codec).empty());
            REQUIRE(find_setting("rotation")->read(settings, rotation).empty());
            CAPTURE(codec, rotation);
            const Judged outcome = play(on, settings, {told_request("A", 17, 9)}, 2);
            CHECK(outcome.masked == 0);
            CHECK(outcome.full > 1e-4);
        }
}

TEST_CASE("who may read every block gives what a full cache gives, bit for bit",
          "[engine][quest]") {
    const EngineOn on;
    const auto logits = [&](const char* policy) {
        EngineParts parts = on.parts();
        parts.keep_logits = true;
        Engine engine(std::move(parts), quest_settings(policy));
        engine.submit(told_request("A", 17, 9));
        run_to_end(engine);
        CHECK(events_of<BlocksRead>(engine.trace()).empty());
        return engine.requests()[0].logits;
    };
    CHECK(logits("quest:28") == logits("none"));
}

// 2 layers, 2 KV heads of 8 in bf16: 32 bytes of K and V for a token and head, 32 for a box. At 26
// tokens there are 7 blocks of 4, the last with 2.
TEST_CASE("bytes read fall to what was chosen, and bytes held do not", "[engine][quest][C136]") {
    const EngineOn on;
    Engine engine(on.parts(), quest_settings("quest:8"));
    Engine full(on.parts(), quest_settings("none"));
    for (Engine* each : {&engine, &full}) {
        each->submit(told_request("A", 25, 4));
        each->advance();
        CHECK(each->last_work().box_bytes_read == 0);
        each->advance();
    }
    CHECK(engine.held().used == full.held().used);
    CHECK(engine.held().live_slots == full.held().live_slots);
    CHECK(engine.held().box_bytes == 7 * 4 * 32);
    CHECK(full.held().box_bytes == 0);
    CHECK(full.last_work().k_bytes_read == 26 * 4 * 16);
    CHECK(engine.last_work().box_bytes_read == 7 * 4 * 32);
    const auto reads = events_of<BlocksRead>(engine.trace());
    REQUIRE(reads.size() == 1);
    const BlocksRead& read = reads[0].second;
    CHECK(reads[0].first.reason == Reason::highest_bounds(2, 7));
    CHECK(read.position == 25);
    CHECK(read.of == 7);
    REQUIRE(read.counts.size() == 4);
    std::uint64_t slots = 0;
    for (const std::uint32_t entry : read.entries) slots += entry == 6 ? 2 : 4;
    for (std::size_t i = 1, head = 0, end = read.counts[0]; i < read.entries.size(); ++i) {
        if (i == end)
            end += read.counts[++head];
        else
            CHECK(read.entries[i] > read.entries[i - 1]);
    }
    CHECK(engine.last_work().k_bytes_read == slots * 16);
    CHECK(engine.last_work().v_bytes_read == slots * 16);
    // Each of the 4 query heads of a KV head read two blocks.
    for (const std::uint32_t count : read.counts) CHECK((count >= 2 && count <= 7));
    CHECK(engine.last_work().k_bytes_read < full.last_work().k_bytes_read);
    CHECK(engine.last_work().flops.sum_of_values < full.last_work().flops.sum_of_values);
    const Work& work = engine.last_work();
    std::uint64_t parts = 0;
    for (const auto& [event, part] : events_of<Operation>(engine.trace()))
        if (event.iteration == 2 && part.op == Op::Attend) parts += part.bytes_read;
    CHECK(parts == work.k_bytes_read + work.v_bytes_read + work.box_bytes_read);
}

TEST_CASE(
    "the newest tokens are read where they are spared, and whole layers where they are "
    "skipped",
    "[engine][quest]") {
    const EngineOn on;
    Engine engine(on.parts(), quest_settings("quest:8,recent=5,skip=1"));
    engine.submit(told_request("A", 25, 6));
    run_to_end(engine);
    const auto reads = events_of<BlocksRead>(engine.trace());
    REQUIRE(!reads.empty());
    for (const auto& [event, read] : reads) {
        CHECK(read.counts[0] == 0);
        CHECK(read.counts[1] == 0);
        std::size_t at = 0;
        for (const std::size_t head : {2, 3}) {
            const auto first = read.entries.begin() + static_cast<std::ptrdiff_t>(at);
            at += read.counts[head];
            const auto end = read.entries.begin() + static_cast<std::ptrdiff_t>(at);
            for (std::uint32_t entry = (read.position - 4) / 4; entry <= read.position / 4; ++entry)
                CHECK(std::find(first, end, entry) != end);
        }
    }
}

// Prompts that share beginnings, pools too small for all: what is chosen depends on nobody else.
TEST_CASE("sharing, preemption and swapping change no token of a query that chooses",
          "[engine][quest][I29]") {
    const EngineOn on;
    std::uint32_t preempted = 0;
    for (const Preemption preempt : {Preemption::Recompute, Preemption::Swap})
        for (const Sharing share : {Sharing::FullBlocksOnly, Sharing::CopyOnWrite, Sharing::Off})
            for (const char* codec : {"f32", "int8"}) {
                EngineSettings settings = quest_settings("quest:8", 21);
                for (const char* side : {"k_codec", "v_codec"})
                    REQUIRE(find_setting(side)->read(settings, codec).empty());
                REQUIRE(find_setting("prefill")->read(settings, "quantized").empty());
                settings.preempt = preempt, settings.share = share, settings.host_blocks = 20;
                std::vector<RequestSpec> requests{request("A", 18, 16), request("B", 22, 14),
                                                  request("C", 20, 12, 3, 4)};
                requests.push_back(request("D", 2, 9, 3, 9));
                requests.back().fork_of = "A";
                CAPTURE(name_of(preempt), static_cast<int>(share), codec);
                Engine engine(on.parts(), settings);
                for (const RequestSpec& spec : requests) engine.submit(spec);
                while (!engine.done()) {
                    engine.advance();
                    REQUIRE(engine.observe() == engine.trace().end());
                    for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
                }
                for (const Request& r : engine.requests()) {
                    preempted += r.preemptions;
                    EngineSettings roomy = settings;
                    roomy.pool = {{}, 200}, roomy.share = Sharing::Off;
                    Engine alone(on.parts(), roomy);
                    RequestSpec spec = r.spec;
                    spec.prompt = r.prompt, spec.fork_of.reset(), spec.arrive = 0;
                    alone.submit(spec);
                    run_to_end(alone);
                    CAPTURE(r.spec.name, r.preemptions, r.cached_prompt);
                    CHECK(r.new_tokens == alone.requests()[0].new_tokens);
                }
            }
    CHECK(preempted > 0);
}

TEST_CASE("the cpu backend chooses and reads as the reference does", "[engine][quest][cpu]") {
    const EngineOn on;
    EngineParts fast = on.parts();
    fast.make_backend = [&](const std::string&, const PoolSpec& pool) {
        CpuOptions options;
        options.path = CpuPath::Portable;
        options.workers = 3;
        return make_cpu(on.model.config, on.model.weights, pool, options);
    };
    for (const char* policy : {"quest:8", "quest:6,recent=4", "quest:8,skip=1"})
        for (const std::uint32_t chunk : {64u, 6u}) {
            CAPTURE(policy, chunk);
            EngineSettings settings = quest_settings(policy);
            settings.max_batch_tokens = chunk;
            settings.k_codec = settings.v_codec = Codec::F32;
            const auto played = [&](EngineParts parts) {
                parts.keep_logits = true;
                Engine engine(std::move(parts), settings);
                engine.submit(told_request("A", 17, 12));
                engine.submit(told_request("B", 30, 3));
                run_to_end(engine);
                std::vector<std::vector<std::uint32_t>> entries;
                for (const auto& [event, read] : events_of<BlocksRead>(engine.trace()))
                    entries.push_back(read.entries);
                return std::tuple(entries, engine.requests()[0].logits, engine.work());
            };
            const auto a = played(on.parts()), b = played(fast);
            CHECK(!std::get<0>(a).empty());
            CHECK(std::get<0>(a) == std::get<0>(b));
            CHECK(std::get<2>(a) == std::get<2>(b));
            for (std::size_t i = 0; i < std::get<1>(a).size(); ++i)
                CHECK(distance(std::get<1>(b)[i], std::get<1>(a)[i]).relative() < 1e-4);
        }
}

// A chunk of the forward pass is 512 rows; a pass takes all of a prompt, or 100 tokens of it.
TEST_CASE("on the cpu backend no cut of a prompt changes a bit of what is chosen",
          "[engine][quest][cpu]") {
    const EngineOn on;
    EngineParts fast = on.parts();
    fast.keep_logits = true;
    fast.make_backend = [&](const std::string&, const PoolSpec& pool) {
        return make_cpu(on.model.config, on.model.weights, pool, {});
    };
    const auto logits = [&](std::uint32_t chunk) {
        EngineSettings settings = quest_settings("quest:32", 200);
        settings.max_batch_tokens = chunk;
        Engine engine(fast, settings);
        engine.submit(told_request("A", 530, 4));
        run_to_end(engine);
        CHECK(events_of<BlocksRead>(engine.trace()).size() == 4);
        return engine.requests()[0].logits;
    };
    CHECK(logits(600) == logits(100));
}

// A pool of two layers, one head of two channels, blocks of two.
TEST_CASE("a box follows its block through writing, copying and moving", "[engine][quest]") {
    const KvLayout layout{
        2, 1, 2, 3, KvOrder::TokenMajor, vector_of(Codec::F32, 2), vector_of(Codec::F32, 2)};
    KvPool pool(layout, Codec::F32, Codec::F32);
    KeyBoxes boxes(pool);
    const LayerId layer(1);
    const HeadId head(0);
    const auto put = [&](BlockId block, std::uint32_t slot, float x, float y) {
        const float key[] = {x, y};
        boxes.forget(layer, block, Slot(slot));
        encode_vector(Codec::F32, key, 2, pool.vector(layer, Side::K, head, block, Slot(slot)));
    };
    std::vector<float> room(6);
    const std::vector<float> q{1, -2};
    const auto bound = [&](BlockId block, std::uint32_t n) {
        boxes.cover(layer, block, n);
        return boxes.bound({layer, head, block, n}, q, room);
    };
    put(BlockId(0), 0, 1, 2);
    CHECK(bound(BlockId(0), 1) == -3);
    put(BlockId(0), 1, 3, -1);
    CHECK(bound(BlockId(0), 2) == 5);
    CHECK(bound(BlockId(0), 1) == -3);  // of a query that came before
    put(BlockId(2), 0, 9, 9), put(BlockId(2), 1, 9, 9);
    CHECK(bound(BlockId(2), 2) == -9);
    boxes.forget(BlockId(2));
    for (const std::uint32_t slot : {0u, 1u})
        std::copy_n(pool.vector(layer, Side::K, head, BlockId(0), Slot(slot)), 8,
                    pool.vector(layer, Side::K, head, BlockId(2), Slot(slot)));
    CHECK(bound(BlockId(2), 2) == 5);
    put(BlockId(0), 0, -2, 4);  // somebody else's from here on
    CHECK(bound(BlockId(0), 1) == -10);
    const float moved[] = {2, 2};
    for (const std::uint32_t slot : {0u, 1u})
        encode_vector(Codec::F32, moved, 2,
                      pool.vector(layer, Side::K, head, BlockId(2), Slot(slot)));
    boxes.forget_bytes(layout.vector_offset(layer, Side::K, head, BlockId(2), Slot(0)), 16);
    CHECK(bound(BlockId(2), 2) == -2);
}

// One sequence in two sets of blocks, of which the second had been somebody else's.
TEST_CASE("blocks that were copied are chosen as those that they came from", "[engine][quest]") {
    const EngineOn on;
    const auto backend =
        make_reference(on.model.config, on.model.weights, {.n_blocks = 6, .block_size = 4});
    const auto pass = [&](std::uint32_t first_block, std::vector<std::uint32_t> tokens,
                          std::uint32_t first) {
        std::vector<std::uint32_t> slots(tokens.size());
        std::iota(slots.begin(), slots.end(), first);
        BlockTables tables;
        tables.tables = {
            {BlockId(first_block), BlockId(first_block + 1), BlockId(first_block + 2)}};
        HeadReads reads;
        reads.n_blocks = 1, reads.first_choosing_slot = 9, reads.block_size = 4;
        reads.n_layers = static_cast<std::uint32_t>(on.model.config.n_layers);
        reads.n_heads = static_cast<std::uint32_t>(on.model.config.n_heads);
        reads.n_kv_heads = static_cast<std::uint32_t>(on.model.config.n_kv_heads);
        reads.entries.resize(tokens.size() * reads.n_layers * reads.n_heads);
        const std::vector<std::uint32_t> last{static_cast<std::uint32_t>(tokens.size() - 1)};
        Batch batch;
        batch.sequences.push_back({tokens, slots, slots, &tables, last});
        batch.sequences[0].reads = &reads;
        return std::pair(backend->forward(batch).logits, reads.entries);
    };
    pass(0, {3, 9, 2, 7, 5, 6, 4, 8, 3}, 0);
    pass(3, {8, 8, 4, 15, 16, 11, 12, 13, 14}, 0);
    for (const std::uint32_t block : {0u, 1u, 2u})
        backend->copy_block(BlockId(block), BlockId(block + 3), 4);
    const auto was = pass(0, {10}, 9), is = pass(3, {10}, 9);
    CHECK(was.second == is.second);
    CHECK(was.first == is.first);
    CHECK(was.second[0].size() == 1);
}

TEST_CASE("what does not go with a policy that reads is refused by name", "[engine][quest]") {
    const EngineOn on;
    const auto clash = [&](const char* name, const char* value) {
        EngineSettings s = quest_settings("quest:8");
        s.share = Sharing::Off;
        REQUIRE(find_setting(name)->read(s, value).empty());
        return clash_of(s, on.model.config);
    };
    CHECK(clash("share", "off").empty());
    for (const char* positions : {"cache", "original", "shift"})
        CHECK_THAT(clash("positions", positions), ContainsSubstring("set positions to true"));
    CHECK_THAT(clash("prefix_index", "radix"), ContainsSubstring("use prefix_index chain"));
    CHECK_THAT(clash("k_codec", "int4:kivi"), ContainsSubstring("kivi codes keys 32"));
    for (const char* backend : {"reference", "cpu", "cuda", "cuda:0", "cuda:1"})
        CHECK(clash("backend", backend).empty());
    const EngineOn windowed{load_fixture("mistral_window")};
    CHECK_THROWS_AS(Engine(windowed.parts(), quest_settings("quest:8")), Error);
}
