// What is computed once more from the model: proofs, losses, other masks, nothing kept.

#include <algorithm>
#include <cmath>

#include "core/base/files/json.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/engine/settings/settings.hpp"
#include "core/lesson/language/run_functions.hpp"

namespace kv {

// What was asked of this run before, or what `look` finds out.
template <class Look>
LessonValue RunFunctions::known_or(const std::string& question, const Look& look) const {
    auto known = run().memo().find(question);
    if (known == run().memo().end()) known = run().memo().emplace(question, look()).first;
    return known->second;
}

LessonValue RunFunctions::proof() const {
    return known_or("proof", [&] {
        const LessonProof& proof = run().proof();
        return LessonRecord{{"max", count_value(proof.full.max_abs_difference)},
                            {"scale", count_value(proof.full.scale)},
                            {"masked", count_value(proof.masked.max_abs_difference)}};
    });
}

namespace {

LessonValue quality_record(const std::vector<QualityRow>& rows) {
    const QualityMeans means = means_of(rows);
    return LessonRecord{{"nll", count_value(means.nll)},
                        {"nll_full", count_value(means.nll_full)},
                        {"kl", count_value(means.kl)},
                        {"flips", count_value(means.flips)},
                        {"recalled", count_value(means.recalled)},
                        {"mass_lost", count_value(means.mass_lost)}};
}

}  // namespace

// The quality over all forced tokens of a request, or, with token=, of one of them.
LessonValue RunFunctions::quality() const {
    EngineSettings settings = run().engine().settings();
    std::optional<std::size_t> only;
    for (std::size_t p = 0; p < e_.parts.size(); ++p) {
        if (e_.labels[p].empty()) continue;
        const LessonValue value = scope_.value(*e_.parts[p]);
        if (e_.labels[p] == "token" && value.plain<Number>() != nullptr) {
            only = static_cast<std::size_t>(value.plain<Number>()->value);
            continue;
        }
        const SettingRow* row = find_setting(e_.labels[p]);
        if (row == nullptr || value.plain<std::string>() == nullptr)
            refuse("wants settings and their values as texts");
        if (const std::string why = row->read(settings, *value.plain<std::string>()); !why.empty())
            refuse("has a setting that " + why);
    }
    const std::string question = "quality " + text(0) + " " + scene_settings(settings).dump() +
                                 (only ? " token " + std::to_string(*only) : "");
    return known_or(question, [&] {
        const std::vector<QualityRow> rows = run().quality(text(0), settings);
        if (!only) return quality_record(rows);
        if (*only >= rows.size()) refuse("asks for a forced token that is not there");
        return quality_record({rows[*only]});
    });
}

// coarse("A", 4): the same with the weights in so few bits and everything kept in float32.
LessonValue RunFunctions::coarse() const {
    const std::uint32_t bits = whole(1, 9);
    if (bits < 2) refuse("wants 2 to 8 bits");
    return known_or("coarse " + text(0) + " " + std::to_string(bits),
                    [&] { return quality_record(run().coarse_quality(text(0), bits)); });
}

std::vector<std::uint32_t> RunFunctions::tokens_of(SeqId id) const {
    const RequestView& view = scope_.now().requests[id.index()];
    std::vector<std::uint32_t> tokens;
    view.tokens.each([&](std::size_t, std::uint32_t token) { tokens.push_back(token); });
    return tokens;
}

LayerRows RunFunctions::rows_of(const std::vector<std::uint32_t>& tokens, MaskRule rule) const {
    const auto blocks = static_cast<std::uint32_t>((tokens.size() + 15) / 16);
    PoolSpec pool{.n_blocks = blocks, .block_size = 16, .k = Codec::F32, .v = Codec::F32};
    const auto backend = run().model().open("reference", pool);
    return layer_rows(*backend, run().model().config(), tokens, rule);
}

// edited("A", position, layer): the rows of that layer that change when the token there is another.
LessonValue RunFunctions::edited() const {
    std::vector<std::uint32_t> tokens = tokens_of(request_named(text(0)));
    const LayerRows was = rows_of(tokens, MaskRule::Causal);
    const std::uint32_t position = whole(1, was.n_tokens), layer = whole(2, was.n_layers);
    tokens[position] =
        static_cast<std::uint32_t>((tokens[position] + 1) % run().model().config().vocab_size);
    return counts_value(changed_rows(was, rows_of(tokens, MaskRule::Causal), layer));
}

// masked("A", rule, layer): the rows of that layer that change when one more token is read, under
// the rule "causal" or "none"; or between "causal" and "late", which attends before it appends.
LessonValue RunFunctions::masked() const {
    const std::vector<std::uint32_t> tokens = tokens_of(request_named(text(0)));
    const std::string rule = text(1);
    if (tokens.size() < 2) refuse("wants a request of at least two tokens");
    const std::vector<std::uint32_t> fewer(tokens.begin(), tokens.end() - 1);
    const std::uint32_t layer =
        whole(2, static_cast<std::uint32_t>(run().model().config().n_layers));
    if (rule == "late")
        return counts_value(changed_rows(rows_of(tokens, MaskRule::Causal),
                                         rows_of(tokens, MaskRule::NotItself), layer));
    if (rule != "causal" && rule != "none") refuse("knows the rules causal, none and late");
    const MaskRule mask = rule == "causal" ? MaskRule::Causal : MaskRule::NoMask;
    return counts_value(changed_rows(rows_of(fewer, mask), rows_of(tokens, mask), layer));
}

LessonValue RunFunctions::attention() const {
    const std::vector<std::uint32_t> tokens = tokens_of(request_named(text(0)));
    const ModelConfig& config = run().model().config();
    const auto blocks = static_cast<std::uint32_t>((tokens.size() + 15) / 16);
    const auto backend = run().model().open(
        "reference", {.n_blocks = blocks, .block_size = 16, .k = Codec::F32, .v = Codec::F32});
    LessonList list;
    for (const float weight :
         attention_weights(*backend, tokens, whole(1, static_cast<std::uint32_t>(config.n_layers)),
                           whole(2, static_cast<std::uint32_t>(config.n_heads))))
        list.push_back(count_value(weight));
    return list;
}

// key("A", token, layer, kv_head): a key as it is stored, before it is coded; with decimals=
// rounded to so many.
LessonValue RunFunctions::key() const {
    const LayerRows rows = rows_of(tokens_of(request_named(text(0))), MaskRule::Causal);
    const ModelConfig& config = run().model().config();
    const auto dim = static_cast<std::size_t>(config.head_dim);
    const std::uint32_t token = whole(1, rows.n_tokens), layer = whole(2, rows.n_layers),
                        head = whole(3, static_cast<std::uint32_t>(config.n_kv_heads));
    std::optional<double> unit;
    if (const auto decimals = labelled("decimals")) {
        const auto* number = decimals->plain<Number>();
        if (number == nullptr || !(number->unit == kCount) || number->value < 0 ||
            number->value > 6 || number->value != std::floor(number->value))
            refuse("wants 0 to 6 decimals");
        unit = 1;
        for (int i = 0; i < static_cast<int>(number->value); ++i) *unit *= 10;
    }
    LessonList list;
    for (const float x : rows.row(layer, token).subspan(head * dim, dim))
        list.push_back(count_value(unit ? std::round(x * *unit) / *unit : double{x}));
    return list;
}

// without("A", "nothing"): the request once more with that kept between its steps ("nothing", "x"
// or "kv"), on the reference backend: what each step sent through W_K and W_V, what it looked at,
// and the tokens that came out.
LessonValue RunFunctions::without() const {
    const std::string keep = text(1);
    const auto known = run().memo().find("without " + text(0) + " " + keep);
    if (known != run().memo().end()) return known->second;
    const RequestSpec& spec = run().engine().requests()[request_named(text(0)).index()].spec;
    GenerationRequest request;
    request.prompt = spec.prompt, request.forced = spec.forced, request.max_new = spec.max_new;
    const auto found =
        std::find_if(kKeeps.begin(), kKeeps.end(), [&](Keep k) { return name_of(k) == keep; });
    if (found == kKeeps.end()) refuse("keeps nothing, x or kv");
    request.keep = *found;
    const auto blocks = static_cast<std::uint32_t>(ceil_div(stored_slots(request), 16));
    const auto backend = run().model().open("reference", {.n_blocks = blocks, .block_size = 16});
    Generation generation(*backend, run().model().config(), request);
    LessonList projected, pairs, new_tokens;
    for (bool more = true; more;) {
        const std::uint32_t done = generation.iterations();
        more = generation.advance();
        if (generation.iterations() == done) break;
        projected.push_back(whole_value(generation.last_work().positions_projected));
        pairs.push_back(whole_value(generation.last_work().score_pairs));
    }
    for (const std::uint32_t token : generation.new_tokens())
        new_tokens.push_back(whole_value(token));
    const LessonRecord answer{{"projected", projected},
                              {"pairs", pairs},
                              {"positions", whole_value(generation.work().positions_projected)},
                              {"all_pairs", whole_value(generation.work().score_pairs)},
                              {"new_tokens", new_tokens}};
    run().memo()["without " + text(0) + " " + keep] = answer;
    return answer;
}

// address("A", token, layer, "k", kv_head): from the start of the pool.
LessonValue RunFunctions::address() const {
    const SeqId id = request_named(text(0));
    const RequestView& view = scope_.now().requests[id.index()];
    const KvLayout& layout = run().engine().backend().layout();
    const std::uint32_t token = whole(1, view.stored);
    const auto slot = view.slots.at(0).find(token);
    if (!slot) refuse("asks for a token whose slot is gone");
    // Whoever has ended holds no block, and knows its slots still.
    const Table& table = view.tables.at(0);
    const std::uint32_t at = *slot / layout.block_size;
    const TableEntry entry = at < table.size() ? table[at] : TableEntry();
    if (!entry) refuse("asks for a token whose block is gone");
    return bytes_value(static_cast<double>(layout.vector_offset(
        LayerId(whole(2, layout.n_layers)), text(3) == "v" ? Side::V : Side::K,
        HeadId(whole(4, layout.n_kv_heads)), *entry, Slot(*slot % layout.block_size))));
}

}  // namespace kv
