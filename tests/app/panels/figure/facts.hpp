#pragma once
// Facts of lesson figures, made by hand: those of a prompt of twelve tokens, of a layer of 96
// bytes, of eight query heads, of five tokens with one edited, and of Llama 3 8B.

#include <vector>

#include "core/cache/codec/vector_codec.hpp"
#include "core/lesson/figures/facts.hpp"
#include "tests/app/panels/figure/lossy_facts.hpp"
#include "tests/app/panels/figure/pool_facts.hpp"

namespace kv {

inline WithoutCacheFacts without_cache_facts() {
    WithoutCacheFacts facts;
    facts.prompt = 12, facts.steps = facts.asked = 8;
    for (std::uint32_t i = 0; i < 20; ++i) {
        facts.without.push_back(12 + i);
        facts.with.push_back(i == 0 ? 12 : 1);
    }
    facts.words.assign(31, "word");
    return facts;
}

inline ByteMapFacts byte_map_facts() {
    const KvVector vector = vector_of(Codec::Bf16, 4);
    return {.token_major = {1, 2, 3, 1, KvOrder::TokenMajor, vector, vector},
            .head_major = {1, 2, 3, 1, KvOrder::HeadMajor, vector, vector},
            .token = 1,
            .head = 0,
            .dim = 2};
}

inline WiringFacts wiring_facts() {
    WiringFacts facts;
    facts.element = "bf16";
    for (const std::uint64_t kv_heads : {8, 2, 1})
        facts.models.push_back(
            {"demo", 8, kv_heads, 4, 16, 2, std::uint64_t{2} * 4 * kv_heads * 16 * 2});
    facts.real = WiringModel{"Llama 2 70B", 64, 8, 80, 128, 2, 327'680};
    facts.real_when = FigureWhen::Revealed, facts.head = 31;
    return facts;
}

inline ChangedFacts changed_facts() {
    ChangedFacts facts;
    facts.words = {"<s>", "Rosa", "put", "the", "key"};
    facts.old_words = {"<s>", "Rosa", "took", "the", "key"};
    facts.position = 2;
    facts.change = {{0, 0, 1.05, 0, 0}, {0, 0, 0.45, 1.04, 0.23}};
    return facts;
}

inline TwoSumsFacts two_sums_facts() {
    using Feeds = TwoSumsFacts::Line::Feeds;
    TwoSumsFacts facts;
    facts.title = "The price of one request", facts.how = "Llama 3 8B at 8,192 tokens.";
    facts.terms = {{"K and V", "K and V", "K and V", "2", "2"},
                   {"layers", "layers", "layers", "32", "32"},
                   {"KV heads", "query heads", "heads", "8", "32"},
                   {"head_dim", "head_dim", "head_dim", "128", "128"},
                   {"BF16", "BF16", "BF16", "2 B", "2 B"},
                   {"tokens", "tokens", "tokens", "8,192", "8,192"}};
    facts.right = {"1 GiB", "1,073,741,824 B", 1'073'741'824, 24};
    facts.wrong = {"4 GiB", "4,294,967,296 B", 4'294'967'296, 6};
    facts.lines = {{"num_attention_heads", "32", Feeds::Wrong},
                   {"num_hidden_layers", "32", Feeds::Neither},
                   {"num_key_value_heads", "8", Feeds::Right}};
    facts.room = "24 GiB";
    return facts;
}

// The wrong sum lacks the KV heads: 512 MiB in place of 16 GiB.
inline TwoSumsFacts lacking_facts() {
    TwoSumsFacts facts = two_sums_facts();
    facts.terms[2] = {"KV heads", "KV heads", "KV heads", "32", ""};
    facts.right = {"16 GiB", "17,179,869,184 B", 17'179'869'184, 1};
    facts.wrong = {"512 MiB", "536,870,912 B", 536'870'912, 48};
    facts.lines.clear();
    return facts;
}

// A prompt of twelve tokens in blocks of four, and what eight steps add.
inline TextFacts text_facts() {
    TextFacts facts;
    facts.prompt = 12, facts.open = 5, facts.end = 8, facts.block_size = 4;
    facts.words.assign(20, "word");
    facts.table = {7, 3, 5, 9, 1};
    return facts;
}

inline VectorsFacts vectors_facts() {
    return {.n_layers = 4,
            .n_heads = 8,
            .n_kv_heads = 2,
            .k_dim = 16,
            .v_dim = 16,
            .layer_bytes = 128,
            .bytes = 512,
            .element = "bf16"};
}

inline PassesFacts passes_facts() {
    return {.prompt = 200, .fresh = 4, .without = 806, .with = 203, .cache = FigureWhen::Revealed};
}

// The weights of scores 1 and 0; then a third key with the score 1 joins.
inline AttendRowFacts attend_row_facts() {
    AttendRowFacts facts;
    facts.query = {2, 0, 0, 0}, facts.open = 2;
    facts.keys = {{{1, 0, 0, 0}, {1, 0}, 2, 1, 2.71828},
                  {{0, 1, 0, 0}, {0, 1}, 0, 0, 1},
                  {{1, 1, 0, 0}, {1, 1}, 2, 1, 2.71828}};
    facts.before = {{0.7311, 0.2689}, {0.7311, 0.2689}};
    facts.after = {{0.4223, 0.1554, 0.4223}, {0.8446, 0.5777}};
    return facts;
}

inline BitsFacts bits_facts() {
    return {.bits = 0x4020, .number = 2.5, .value = FigureWhen::Revealed};
}

inline SectorsFacts sectors_facts() {
    const KvVector vector = vector_of(Codec::Bf16, 4);
    return {.token_major = {1, 2, 16, 1, KvOrder::TokenMajor, vector, vector},
            .head_major = {1, 2, 16, 1, KvOrder::HeadMajor, vector, vector},
            .other = FigureWhen::Revealed};
}

inline BarsFacts bars_facts() {
    return {.title = "Bytes of two models",
            .how = "A bar is a model.",
            .bars = {{"MHA", "16 KiB", 16384}, {"GQA", "4 KiB", 4096}, {"MQA", "2 KiB", 2048}},
            .open = 2,
            .limit = BarsFacts::Bar{"room", "20 KiB", 20480}};
}

inline FactorsFacts factors_facts() {
    return {.title = "A token",
            .how = "Each box multiplies.",
            .factors = {{"K and V", "2", "2"}, {"layers", "4", "8"}, {"bytes", "2 B", "16 B"}},
            .strong = 2,
            .products = FigureWhen::Revealed};
}

inline SeriesFacts series_facts() {
    return {.title = "Keys met",
            .how = "A column is a step.",
            .word = "step",
            .first = 2,
            .rows = {{"with", {1, 2, 4}, {"1", "2", "4"}}, {"without", {1, 4, 8}, {"1", "4", "8"}}},
            .open = 1,
            .columns = 3};
}

// Two requests share blocks 7 and 3; then A ends.
inline BlocksFacts blocks_facts() {
    BlocksFacts facts;
    facts.block_size = 4;
    facts.open.step = 2, facts.end.step = 3;
    facts.open.requests = {{"A", 10, {7, 3, 5}}, {"B", 9, {7, 3, 9}}};
    facts.end.requests = {{"A", 0, {}, false, true}, {"B", 10, {7, 3, 9}}};
    facts.open.blocks.resize(12), facts.end.blocks.resize(12);
    for (const std::uint32_t shared : {7u, 3u}) {
        facts.open.blocks[shared] = {2, 4, false};
        facts.end.blocks[shared] = {1, 4, false};
    }
    facts.open.blocks[5] = {1, 2, false}, facts.open.blocks[9] = {1, 1, false};
    facts.end.blocks[9] = {1, 2, false};
    return facts;
}

// Six layers, three milliseconds to fetch one and two to compute it.
inline LanesFacts lanes_facts() {
    LanesFacts facts;
    facts.layers = 6, facts.copy = 0.003, facts.compute = 0.002, facts.blocks = 12;
    facts.slower = LanesFacts::Run{}, facts.slower_copy = 0.005;
    for (int i = 0; i < 6; ++i) {
        facts.in_turn.copies.push_back({0.005 * i, 0.005 * i + 0.003});
        facts.in_turn.computed.push_back({0.005 * i + 0.003, 0.005 * i + 0.005});
        facts.in_turn.stalls.push_back(facts.in_turn.copies.back());
        facts.ahead.copies.push_back({0.003 * i, 0.003 * i + 0.003});
        facts.ahead.computed.push_back({0.003 * i + 0.003, 0.003 * i + 0.005});
        facts.ahead.stalls.push_back({i == 0 ? 0 : 0.003 * i + 0.002, 0.003 * i + 0.003});
        facts.slower->copies.push_back({0.005 * i, 0.005 * i + 0.005});
        facts.slower->computed.push_back({0.005 * i + 0.005, 0.005 * i + 0.007});
    }
    facts.in_turn.end = 0.03, facts.ahead.end = 0.02, facts.slower->end = 0.032;
    return facts;
}

inline RooflineFacts roofline_facts() {
    return {.card = "a card",
            .flop_rate = 989e12,
            .byte_rate = 3.35e12,
            .points = {{"attention, MHA", 1}, {"attention, GQA", 4}, {"prefill of 2,048", 2048}},
            .open = 2};
}

// Two of six layers keep all tokens, four keep the newest 1,000; a token takes 10 bytes a layer.
inline LayersFacts layers_facts() {
    using LayerKind = LayersFacts::Kind;
    LayersFacts facts;
    facts.title = "Windows in four of six layers", facts.how = "A column is a layer.";
    facts.ghost_name = "if all layers were full";
    for (int i = 0; i < 6; ++i)
        facts.kinds.push_back(i % 3 == 2 ? LayerKind::Full : LayerKind::Window);
    facts.groups = {{LayerKind::Window, 4, 1000}, {LayerKind::Full, 2, 0}};
    facts.open = 2;
    for (const std::uint64_t tokens : {500, 2000, 8000}) {
        LayersFacts::Moment moment;
        moment.tokens = tokens, moment.ghost_layer = 10 * tokens, moment.ghost = 60 * tokens;
        for (const LayerKind kind : facts.kinds) {
            const bool is_full = kind == LayerKind::Full;
            moment.held.push_back(10 * (is_full ? tokens : std::min<std::uint64_t>(tokens, 1000)));
            moment.total += moment.held.back();
        }
        moment.total_said = std::to_string(moment.total) + " B";
        moment.ghost_said = std::to_string(moment.ghost) + " B";
        facts.moments.push_back(std::move(moment));
    }
    return facts;
}

// Each as the lessons ask for it.
// Eight steps of half a second, two a key, of which the last two are shown behind the reveal. On
// the right nothing is looked up, and from step 5 on requests wait.
inline ServiceFacts service_facts() {
    ServiceFacts facts;
    facts.open = 6, facts.end = 8, facts.part = 2, facts.window = 4, facts.step = 0.5;
    const ServiceFacts::Curve none(8), zero(8, 0.0);
    const ServiceFacts::Curve calm{0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4};
    const ServiceFacts::Curve queue{0, 0, 0, 0, 10, 20, 30, 40};
    facts.servers.push_back({"healthy",
                             {calm,
                              {1, 2, 3, 3, 4, 4, 4, 4},
                              zero,
                              {{}, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
                              calm,
                              zero}});
    facts.servers.push_back(
        {"what is wrong?", {calm, {1, 2, 3, 3, 4, 4, 4, 4}, queue, none, calm, zero}});
    return facts;
}
inline ServiceFacts one_server_facts() {
    ServiceFacts facts = service_facts();
    facts.servers.resize(1), facts.servers[0].name.clear();
    facts.open = facts.end;
    return facts;
}

// A of three tokens computes one a step; B waits for two steps and then reads a prompt of four.
inline BatchFacts batch_facts() {
    using enum BatchFacts::State;
    BatchFacts facts;
    facts.first = 5, facts.open = 2, facts.end = 4;
    facts.rows.push_back({"A", {{Reads, 3}, {Writes, 1}, {Writes, 1}, {Absent, 0}}});
    facts.rows.push_back({"B", {{Waits, 0}, {Waits, 0}, {Reads, 4}, {Writes, 1}}});
    return facts;
}

// Four layers; the step stores row 15 of each, and then reads 16.
inline StagesFacts stages_facts() {
    return {4, 16, 128};
}

// Two tokens in common, then two that differ, and one that only the right run wrote.
inline TwoTextsFacts two_texts_facts() {
    return {"exact", "coded", {"the", "key", "is", "in"}, {"the", "key", "was", "no", "more"}, 1};
}

inline std::vector<FigureFacts> sample_figures() {
    WithoutCacheFacts alone = without_cache_facts(), late = without_cache_facts();
    alone.asked = 20, alone.cache = FigureWhen::Never;
    late.cache = FigureWhen::Revealed;
    ByteMapFacts asked = byte_map_facts();
    asked.address = FigureWhen::Revealed;
    TwoSumsFacts slip = two_sums_facts(), lacking = lacking_facts(), hole = two_sums_facts(),
                 other = two_sums_facts();
    slip.open = lacking.open = TwoSumsFacts::Open::Wrong;
    hole.open = TwoSumsFacts::Open::Both, hole.judged = false;
    other.open = TwoSumsFacts::Open::Right;
    ChangedFacts late_keys = changed_facts();
    late_keys.is_late = true, late_keys.old_words = late_keys.words, late_keys.position = 4;
    late_keys.change = {{0, 0, 0, 0, 0}, {0, 0.4, 0.3, 0.2, 0.1}};
    SeriesFacts charted = series_facts();
    charted.open = 2, charted.columns = 2;
    LanesFacts many = lanes_facts();
    many.layers = 32, many.blocks = 0, many.slower.reset(), many.when = FigureWhen::Revealed;
    LanesFacts apart = lanes_facts();
    apart.sends = true, apart.slower.reset(), apart.when = FigureWhen::Revealed;
    for (LanesFacts::Run* run : {&apart.in_turn, &apart.ahead}) {
        run->stalls.clear();
        for (std::size_t i = 0; i < 6; ++i) {
            const double step = static_cast<double>(i), at = run == &apart.ahead ? 0.002 : 0.012;
            run->computed[i] = {0.002 * step, 0.002 * (step + 1)};
            run->copies[i] = {at + 0.003 * step, at + 0.003 * (step + 1)};
        }
        run->end = run->copies.back().to;
    }
    for (LanesFacts::Run* run : {&many.in_turn, &many.ahead}) {
        run->copies.clear(), run->computed.clear(), run->stalls.clear();
        for (int i = 0; i < 32; ++i) {
            run->copies.push_back({0.0013 * i, 0.0013 * (i + 1)});
            run->computed.push_back({0.0416 + 0.0026 * i, 0.0416 + 0.0026 * (i + 1)});
        }
        run->stalls.push_back({0, 0.0416}), run->end = 0.1248;
    }
    TextFacts at_first = text_facts();
    at_first.open = 0, at_first.end = 1, at_first.block_size = 0;
    at_first.words.resize(13);
    TextFacts two_sizes = text_facts();
    two_sizes.other_block_size = 16;
    VectorsFacts with_queries = vectors_facts();
    with_queries.queries = true, with_queries.total = FigureWhen::Revealed;
    PassesFacts long_answer = passes_facts();
    long_answer.prompt = 1, long_answer.fresh = 1000, long_answer.then = 2000;
    long_answer.without = 500'500, long_answer.with = 1000;
    long_answer.last = FigureWhen::Revealed;
    OutlierFacts turned = outlier_facts();
    turned.kind = OutlierFacts::Second::Turned, turned.second_revealed = true;
    for (OutlierFacts::At& tick : turned.ticks) tick.second = tick.whole;
    return {without_cache_facts(),
            alone,
            late,
            byte_map_facts(),
            asked,
            wiring_facts(),
            changed_facts(),
            late_keys,
            two_sums_facts(),
            slip,
            lacking_facts(),
            lacking,
            hole,
            other,
            text_facts(),
            at_first,
            two_sizes,
            vectors_facts(),
            with_queries,
            passes_facts(),
            long_answer,
            attend_row_facts(),
            bits_facts(),
            sectors_facts(),
            bars_facts(),
            factors_facts(),
            series_facts(),
            charted,
            blocks_facts(),
            lanes_facts(),
            roofline_facts(),
            outlier_facts(),
            turned,
            residual_facts(),
            fields_facts(),
            sink_facts(),
            heavy_facts(),
            observed_facts(),
            ranks_facts(),
            service_facts(),
            one_server_facts(),
            batch_facts(),
            many,
            apart,
            layers_facts(),
            arena_facts(),
            shares_facts(),
            radix_facts(),
            walk_facts(),
            last_block_facts(),
            all_last_blocks(),
            bounds_facts(),
            hashes_facts(),
            stretches_facts(),
            stages_facts(),
            two_texts_facts()};
}

}  // namespace kv
