#pragma once
// Facts of the figures about what is lost, made by hand.

#include <vector>

#include "core/lesson/figures/facts.hpp"

namespace kv {

// Four channels of which the last is 2 and then 14: with codes up to 7, and in groups of two.
inline OutlierFacts outlier_facts() {
    OutlierFacts facts;
    facts.channel = 3, facts.group = 2, facts.largest_code = 7;
    facts.code_bits = 4, facts.scale_bits = 16;
    facts.whole_bits = 8, facts.second_bits = 12;
    facts.vanishes_at = 14, facts.marks_vanishing = true, facts.open = 1;
    const std::vector<double> low{0.5, -1, 0.25, 2}, high{0.5, -1, 0.25, 14};
    facts.ticks = {{2,
                    {low, {2.0 / 7}, {2, -4, 1, 7}, {0.07, 0.14, 0.04, 0}, 3, 0.09},
                    {low, {1.0 / 7, 2.0 / 7}, {4, -7, 1, 7}, {0.07, 0, 0.04, 0}, 3, 0.05}},
                   {14,
                    {high, {2}, {0, 0, 0, 7}, {0.5, 1, 0.25, 0}, 1, 0.66},
                    {high, {1.0 / 7, 2}, {4, -7, 0, 7}, {0.07, 0, 0.25, 0}, 3, 0.15}}};
    return facts;
}

// The newest 128 tokens in sixteen bits, the others in three.
inline ResidualFacts residual_facts() {
    ResidualFacts facts;
    facts.group = 32, facts.residual = 128, facts.coded_bits = 3, facts.plain_bits = 16;
    facts.ticks = {
        {64, {0, 0}, {16, 16}}, {256, {256, 128}, {3, 9.5}}, {320, {256, 192}, {5.6, 8.2}}};
    facts.open = 2;
    facts.curve = {{64, {0, 0}, {16, 16}},
                   {127, {0, 0}, {16, 16}},
                   {128, {128, 0}, {3, 16}},
                   {256, {256, 128}, {3, 9.5}},
                   {320, {256, 192}, {5.6, 8.2}}};
    return facts;
}

inline FieldsFacts fields_facts() {
    FieldsFacts facts;
    facts.numbers = 128, facts.open = 2;
    facts.rows = {
        {"sixteen bits", 256, 0, 0}, {"INT8", 128, 2, 0}, {"INT4, groups of 32", 64, 8, 8}};
    return facts;
}

// Twelve tokens; a window of eight, and the first token with the last seven.
inline SinkFacts sink_facts() {
    SinkFacts facts;
    facts.layer = 2, facts.head = 1, facts.open = 2;
    facts.texts = 200, facts.spread = "0.03";
    facts.words.assign(12, "word");
    SinkFacts::Strip full, window, both;
    full.everything = true, full.loss = 1, full.loss_said = "1.000";
    window.recent = 8, window.loss = 3, window.loss_said = "3.000";
    both.sinks = 1, both.recent = 7, both.loss = 1.5, both.loss_said = "1.500";
    full.weights.assign(12, 0.02), full.kept.assign(12, true);
    full.weights[0] = 0.78;
    window.weights.assign(12, 0), window.kept.assign(12, false);
    both.weights = window.weights, both.kept = window.kept;
    for (std::size_t t = 4; t < 12; ++t) window.weights[t] = 0.125, window.kept[t] = true;
    for (std::size_t t = 5; t < 12; ++t) both.weights[t] = 0.03, both.kept[t] = true;
    both.weights[0] = 0.79, both.kept[0] = true;
    facts.strips = {full, window, both};
    return facts;
}

inline HeavyFacts heavy_facts() {
    return {.scores = {3.2, 0.8, 0.5, 1.1, 0.3, 0.2}, .keep = 5, .newest = 2, .dropped = {2}};
}

// Ten tokens, of which the last two observe and five stay.
inline ObservedFacts observed_facts() {
    ObservedFacts facts;
    facts.layer = 2, facts.words.assign(10, "word");
    facts.window = 2, facts.first = 3, facts.end = 6;
    facts.scores = {0.9, 0.1, 0.1, 0.5, 0.8, 0.2, 0.1, 0.1};
    facts.kept = {true, false, false, true, true, false, false, false, true, true};
    return facts;
}

// Four blocks, of which the second and the newest are read.
inline BoundsFacts bounds_facts() {
    BoundsFacts facts;
    facts.layer = 2, facts.head = 1, facts.block_size = 16, facts.n_tokens = 60;
    facts.blocks = {{2, 1, false}, {6, 4, true}, {-1, -2, false}, {1, 0.5, true}};
    return facts;
}

inline RanksFacts ranks_facts() {
    return {.sinks = 4, .first = 500, .end = 506};
}

}  // namespace kv
