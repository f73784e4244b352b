// Which lines the newest key of a figure stands for.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/code/beats.hpp"
#include "app/panels/code/tank_beats.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using Beats = std::vector<CodeBeat>;

std::string whole(std::uint64_t n) {
    return std::to_string(n);
}
std::string plain_number(double x) {
    return fixed(x, x == std::floor(x) ? 0 : 4);
}
std::string in_row(const std::vector<double>& values) {
    std::string out = "[";
    for (const double value : values) out += (out.size() > 1 ? ", " : "") + plain_number(value);
    return out + "]";
}
std::string quoted_word(const std::vector<std::string>& words, std::size_t at) {
    return at < words.size() ? "\"" + words[at] + "\"" : std::string();
}

// Step by step: first all steps with nothing kept, then those with a cache.
Beats loop_beats(const WithoutCacheFacts& facts, std::uint32_t key) {
    const bool cached = key > std::max(facts.asked, facts.steps);
    const std::uint32_t step = cached ? key - std::max(facts.asked, facts.steps) : key;
    const std::uint32_t known = facts.prompt + step - 1;
    const std::string word = quoted_word(facts.words, known);
    if (!cached)
        return {{"whole", "len(text) = " + whole(known)},
                {"append", word.empty() ? "" : "text += " + word},
                {"forget", ""}};
    return {{"fresh", "len(fresh) = " + whole(step == 1 ? facts.prompt : 1)},
            {"keep", "len(cache) = " + whole(known)},
            {"draw", word.empty() ? "" : "fresh = [" + word + "]"}};
}

Beats loop_beats(const TextFacts& facts, std::uint32_t key) {
    const std::uint32_t step = std::min(key, facts.end);
    if (step == 0) return {};
    const std::string word = quoted_word(facts.words, facts.prompt + step - 1);
    return {{"fresh", "len(fresh) = " + whole(step == 1 ? facts.prompt : 1)},
            {"keep", "len(cache) = " + whole(facts.stored(step))},
            {"draw", word.empty() ? "" : "fresh = [" + word + "]"}};
}

// The keys of a row of attention: dot products, scores, powers, weights, the output, and the same
// with the keys that join.
Beats attend_beats(const AttendRowFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { Dot = 1, Score, Power, Weight, Output, Joins };
    const std::size_t n = key >= Joins ? facts.keys.size() : facts.open;
    const AttendRowFacts::Shared& shared = key >= Joins ? facts.after : facts.before;
    const auto column = [&](double AttendRowFacts::Key::*field) {
        std::vector<double> values;
        for (std::size_t i = 0; i < n; ++i) values.push_back(facts.keys[i].*field);
        return in_row(values);
    };
    const std::string dots = "dots = " + column(&AttendRowFacts::Key::dot),
                      scores = "scores = " + column(&AttendRowFacts::Key::score),
                      powers = "powers = " + column(&AttendRowFacts::Key::power);
    const CodeBeat scale{"scale", "scale = 1 / sqrt(" + whole(facts.query.size()) +
                                      ") = " + plain_number(1 / std::sqrt(facts.query.size()))};
    switch (key) {
        case Dot:
            return {scale, {"score", dots}};
        case Score:
            return {scale, {"score", scores}};
        case Power:
            return {{"power", powers}};
        case Weight:
            return {{"weight", "weights = " + in_row(shared.weights)}};
        case Output:
            return {{"sum_of_values", in_row(shared.output)}};
        case Joins:
            return {{"score", scores},
                    {"power", powers},
                    {"weight", "weights = " + in_row(shared.weights)},
                    {"sum_of_values", in_row(shared.output)}};
        default:
            return {};
    }
}

// The terms of an address, one a key. The toy has one layer and one block.
enum : std::uint32_t { kBaseTerm = 1, kOuterTerm, kInnerTerm, kElementTerm };

struct ByteTerms {
    std::uint64_t outer, inner, element;
    ByteTerms(const ByteMapFacts& facts, const KvLayout& layout)
        : outer(facts.token * layout.slot_stride(Side::K)),
          inner(facts.head * layout.head_stride(Side::K)),
          element(facts.dim * std::uint64_t{layout.k.element_bits} / 8) {}
};

Beats offset_beats(const ByteMapFacts& facts, std::uint32_t key) {
    const KvLayout& layout = facts.token_major;
    const ByteTerms at(facts, layout);
    const std::string outer = whole(layout.slot_stride(Side::K)),
                      inner = whole(layout.head_stride(Side::K));
    switch (key) {
        case kBaseTerm:
            return {{"base", "base = 0"}};
        case kOuterTerm:
            return {
                {"outer", "0 + " + whole(facts.token) + " * " + outer + " = " + whole(at.outer)}};
        case kInnerTerm:
            return {{"inner", whole(facts.head) + " * " + inner + " = " + whole(at.inner)}};
        case kElementTerm:
            return {{"sum", "0 + " + whole(at.outer) + " + " + whole(at.inner) + " + " +
                                whole(at.element)}};
        default:
            return {};
    }
}

// The way back from the same element, in the order by head.
Beats place_beats(const ByteMapFacts& facts, std::uint32_t key) {
    const KvLayout& layout = facts.head_major;
    const ByteTerms at(facts, layout);
    const std::uint64_t offset = at.outer + at.inner + at.element;
    const KvPlace place = place_of(layout, offset);
    const std::string vector = whole(layout.k.bytes), n = whole(offset / layout.k.bytes);
    switch (key) {
        case kBaseTerm:
            return {{"layer", "divmod(" + whole(offset) + ", " + whole(layout.layer_bytes()) +
                                  ") = " + whole(place.layer.value) + ", " + whole(offset)},
                    {"side", "side = K"}};
        case kOuterTerm:
            return {{"block", "block = " + whole(place.block.value)}};
        case kInnerTerm:
            return {{"vector", "divmod(" + whole(offset) + ", " + vector + ") = " + n + ", " +
                                   whole(place.byte)}};
        case kElementTerm:
            return {{"by_head", "divmod(" + n + ", " + whole(layout.block_size) + ") = " +
                                    whole(place.head.value) + ", " + whole(place.slot.value)}};
        default:
            return {};
    }
}

// One model a key; behind them the real one, and the head that is asked about.
Beats head_beats(const WiringFacts& facts, std::uint32_t key) {
    if (key == 0) return {};
    const bool real = key > facts.models.size();
    if (real && !facts.real) return {};
    const WiringModel& model = real ? *facts.real : facts.models[key - 1];
    const std::uint32_t group = group_size(model.n_heads, model.n_kv_heads);
    const auto last = static_cast<std::uint32_t>(model.n_heads - 1),
               head = real ? facts.head.value_or(last) : last;
    return {{"group", "group = " + whole(model.n_heads) + " // " + whole(model.n_kv_heads) + " = " +
                          whole(group)},
            {"head", whole(head) + " // " + whole(group) + " = " +
                         whole(kv_head_of(head, model.n_heads, model.n_kv_heads).value)}};
}

std::string milliseconds(double seconds) {
    return significant(seconds * 1000, 3) + " ms";
}

// The beats of copies that come in turn, a layer ahead, and a layer ahead over a slower link.
Beats layer_beats(const LanesFacts& facts, std::uint32_t key) {
    enum : std::uint32_t { InTurn = 1, Ahead, Slower };
    const auto ahead = [](const LanesFacts::Run& run) {
        return Beats{{"start", "fetched = " + milliseconds(run.copies.back().to)},
                     {"wait", "waited = " + milliseconds(run.stalled())},
                     {"ahead", "end = " + milliseconds(run.end)}};
    };
    if (key == InTurn)
        return {{"fetch", "waited = " + milliseconds(facts.in_turn.stalled())},
                {"compute", "end = " + milliseconds(facts.in_turn.end)}};
    if (key == Ahead) return ahead(facts.ahead);
    if (key == Slower && facts.slower) return ahead(*facts.slower);
    return {};
}

using AskFigure = std::optional<Beats> (*)(const FigureFacts&, std::uint32_t key);
template <class Facts, Beats (*tell)(const Facts&, std::uint32_t)>
std::optional<Beats> asked(const FigureFacts& facts, std::uint32_t key) {
    const auto* own = std::get_if<Facts>(&facts);
    return own == nullptr ? std::nullopt : std::optional(tell(*own, key));
}

struct Known {
    std::string_view sample;
    AskFigure ask;
};
constexpr auto kKnown = std::to_array<Known>({
    {"decode_loop", asked<WithoutCacheFacts, loop_beats>},
    {"decode_loop", asked<TextFacts, loop_beats>},
    {"attend", asked<AttendRowFacts, attend_beats>},
    {"offset", asked<ByteMapFacts, offset_beats>},
    {"place_of", asked<ByteMapFacts, place_beats>},
    {"kv_head_of", asked<WiringFacts, head_beats>},
    {"layer_ahead", asked<LanesFacts, layer_beats>},
    {"append_attend", asked<ChangedFacts, layer_of_map>},
    {"append_attend", asked<StagesFacts, stage_of_step>},
    {"translate", asked<WalkFacts, walk_through_table>},
    {"allocator", asked<BlocksFacts, blocks_handed_out>},
    {"fork", asked<BlocksFacts, forked_table>},
    {"swap", asked<BlocksFacts, blocks_put_aside>},
    {"radix_split", asked<RadixFacts, split_of_node>},
    {"find_prefix", asked<RadixFacts, prefix_in_tree>},
    {"find_prefix", asked<HashesFacts, prefix_in_chain>},
    {"heavy_hitters", asked<HeavyFacts, heaviest_stay>},
    {"quantize", asked<FieldsFacts, codes_of_vector>},
    {"admission", asked<BarsFacts, prompts_at_the_door>},
    {"chunk", asked<BarsFacts, chunks_of_prompt>},
});

}  // namespace

std::optional<std::vector<CodeBeat>> figure_beats(const CodeSample& sample, const ShownStep& step,
                                                  std::uint32_t key) {
    for (const Known& known : kKnown)
        if (known.sample == sample.name)
            if (auto beats = known.ask(*step.figure, key)) return beats;
    return std::nullopt;
}

}  // namespace kv
