#pragma once
// Facts of lesson figures, made by hand: those of a prompt of twelve tokens, of a layer of 96
// bytes, of eight query heads, of five tokens with one edited, and of Llama 3 8B.

#include <vector>

#include "core/cache/codec/vector_codec.hpp"
#include "core/lesson/figures/facts.hpp"
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
        facts.models.push_back({"demo", 8, kv_heads, 4, 16, 2, 2 * 4 * kv_heads * 16 * 2});
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
    TwoSumsFacts facts;
    facts.model = "Llama 3 8B", facts.tokens = 8192;
    facts.factors = {{"sides", 2},      {"layers", 32},       {"kv_heads", 8},
                     {"head_dim", 128}, {"element", 2, true}, {"tokens", 8192}};
    facts.parted = 2, facts.wrong = {"query_heads", 32};
    facts.right_line = "num_key_value_heads", facts.wrong_line = "num_attention_heads";
    facts.right_bytes = 1'073'741'824, facts.wrong_bytes = 4'294'967'296;
    facts.room_bytes = std::uint64_t{24} << 30;
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
            .open = 1};
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
    facts.layers = 6, facts.copy = 0.003, facts.compute = 0.002;
    facts.slower.emplace(), facts.slower_copy = 0.005;
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
            .flops = 989e12,
            .bytes = 3.35e12,
            .points = {{"attention, MHA", 1}, {"attention, GQA", 4}, {"prefill of 2,048", 2048}},
            .open = 2};
}

// Each as the lessons ask for it.
inline std::vector<FigureFacts> sample_figures() {
    WithoutCacheFacts alone = without_cache_facts(), late = without_cache_facts();
    alone.asked = 20, alone.cache = FigureWhen::Never;
    late.cache = FigureWhen::Revealed;
    ByteMapFacts asked = byte_map_facts();
    asked.address = FigureWhen::Revealed;
    TwoSumsFacts slip = two_sums_facts();
    slip.parting = FigureWhen::Revealed;
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
    return {without_cache_facts(),
            alone,
            late,
            byte_map_facts(),
            asked,
            wiring_facts(),
            changed_facts(),
            two_sums_facts(),
            slip,
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
            blocks_facts(),
            lanes_facts(),
            roofline_facts(),
            arena_facts(),
            shares_facts(),
            radix_facts(),
            walk_facts(),
            last_block_facts(),
            all_last_blocks(),
            hashes_facts(),
            stretches_facts()};
}

}  // namespace kv
