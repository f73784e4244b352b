#pragma once
// Facts of figures about the pool, made by hand: two requests in sixteen slots under two rules, the
// shares of two rules, and a node of a tree that a request splits.

#include "core/lesson/figures/facts.hpp"

namespace kv {

// A 3 + 2 and B 4 + 2. "max" has room for one region of eight at a time; blocks of two have both.
inline ArenaFacts arena_facts() {
    ArenaFacts facts;
    facts.slots = 8, facts.block_size = 2, facts.max_length = 6;
    facts.requests = {{"A", 3, 2}, {"B", 4, 2}};
    const auto alone = [](std::uint32_t who, std::uint64_t tokens, std::uint64_t reserved) {
        FloorMoment at{{{who, 0, 6, tokens, reserved}}, 1, {}, {}};
        if (who == 0) at.waiting = {1}, at.wanted = Wanted{6, 6, 2};
        return at;
    };
    facts.rules = {
        {AllocatorKind::FirstFit, {alone(0, 3, 2), alone(0, 4, 1), alone(1, 4, 2), alone(1, 5, 1)}},
        {AllocatorKind::Paged,
         {{{{0, 0, 2, 2, 0}, {0, 2, 2, 1, 1}, {1, 4, 2, 2, 0}, {1, 6, 2, 2, 0}}, 2, {}, {}},
          {{{0, 0, 2, 2, 0}, {0, 2, 2, 2, 0}}, 1, {1}, Wanted{6, 6, 4}},
          {{{1, 0, 2, 2, 0}, {1, 2, 2, 2, 0}, {1, 4, 2, 1, 1}}, 1, {}, {}}}}};
    facts.open = 2, facts.step = 1, facts.until = 3, facts.end_of = 0;
    return facts;
}

inline SharesFacts shares_facts() {
    SharesFacts facts;
    facts.slots = 4096, facts.requests = 100, facts.open = 1, facts.source = "paper";
    facts.rows = {{AllocatorKind::Max, 0.2, 0.2, 0.5, 0.1, 0, 4},
                  {AllocatorKind::Oracle, 0.4, 0.35, 0, 0.25, 0, 8},
                  {AllocatorKind::Paged, 0.95, 0, 0.02, 0, 0.03, 19}};
    facts.published = {{AllocatorKind::Max, 0.204, 0.133, 0.573, 0.089, 0, 7},
                       {AllocatorKind::Paged, 0.963, 0, 0, 0, 0, 30}};
    return facts;
}

// "<s> Greta put the key" and "<s> Tom likes"; then D brings "<s> Greta put a hat".
inline RadixFacts radix_facts() {
    using Node = RadixFacts::Node;
    const auto node = [](std::uint32_t id, std::vector<std::string> words,
                         std::optional<std::size_t> parent, std::uint32_t first,
                         std::uint32_t used) {
        Node one;
        one.id = id, one.words = std::move(words), one.parent = parent, one.first = first;
        one.last_used = used;
        return one;
    };
    RadixFacts facts;
    facts.blocks = 12, facts.request = "D", facts.which = 3;
    facts.matched = facts.alike = 3, facts.fresh = 2, facts.open = 4, facts.tells_first = true;
    facts.before = {7,
                    7,
                    {node(1, {"<s>"}, {}, 0, 7), node(2, {"Greta", "put", "the", "key"}, 0, 1, 5),
                     node(3, {"Tom", "likes"}, 0, 1, 7)}};
    facts.before.nodes[0].is_leaf = false;
    facts.before.nodes[0].matched = 1, facts.before.nodes[1].matched = 2;
    facts.after = {8,
                   9,
                   {node(1, {"<s>"}, {}, 0, 8), node(4, {"Greta", "put"}, 0, 1, 8),
                    node(2, {"the", "key"}, 1, 3, 5), node(5, {"a", "hat"}, 1, 3, 8),
                    node(3, {"Tom", "likes"}, 0, 1, 7)}};
    facts.after.nodes[0].is_leaf = facts.after.nodes[1].is_leaf = false;
    for (const std::size_t locked : {0, 1, 3}) {
        facts.after.nodes[locked].locks = 1;
        facts.after.nodes[locked].holders = {{3, false}};
    }
    facts.after.nodes[2].holders = {{0, true}}, facts.after.nodes[4].holders = {{1, true}};
    facts.after.nodes[2].goes_first = true;
    return facts;
}

// Token 37 in blocks of 16: row 2 of the table, block 44, slot 709.
inline WalkFacts walk_facts() {
    return {
        .position = 37, .block_size = 16, .table = {91, 17, 44, 203}, .way = FigureWhen::Revealed};
}

inline LastBlockFacts last_block_facts() {
    return {.tokens = 690, .block_sizes = {16}, .open = 0};
}
inline LastBlockFacts all_last_blocks() {
    return {.tokens = 0, .block_sizes = {4, 16}, .open = 1};
}

// Two blocks of two requests; the first differs, so the second has another hash as well.
inline HashesFacts hashes_facts() {
    HashesFacts facts;
    facts.block_size = 4, facts.open = 2;
    facts.rows = {{"A", "", 0, {{{"a", "b", "c", "d"}, 0x1234567812345678}, {{"e", "f"}, 7}}},
                  {"B", "one", 1, {{{"a", "x", "c", "d"}, 0x99}, {{"e", "f"}, 8}}}};
    facts.rows[1].blocks[1].has_same_words = true;
    return facts;
}

// 400 + 600 + 50 three times, and 400 + 1,000 + 50: 4,600 tokens, and 2,200 of them once.
inline StretchesFacts stretches_facts() {
    StretchesFacts facts;
    facts.title = "Four texts", facts.how = "A bar is a text.";
    facts.stretches = {{"system", 400}, {"short", 600}, {"long", 1000}, {"q1", 50},
                       {"q2", 50},      {"q3", 50},     {"q4", 50}};
    facts.texts = {{"1", {0, 1, 3}}, {"2", {0, 1, 4}}, {"3", {0, 1, 5}}, {"4", {0, 2, 6}}};
    return facts;
}

}  // namespace kv
