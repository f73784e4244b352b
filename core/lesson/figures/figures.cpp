#include "core/lesson/figures/figures.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr auto kFigures = std::to_array<FigureSource>({
    {"without_cache", "request, steps, asked, cache", "steps with and without a cache",
     ask_without_cache},
    {"byte_map", "tokens, kv_heads, head_dim, codec, token, head, dim, address, places",
     "every byte of a small layer in both orders", ask_byte_map},
    {"wiring", "models, codec, real, real_when, head", "which query head reads which KV head",
     ask_wiring},
    {"changed", "request, edit, rule", "which keys change when the text does", ask_changed},
    {"two_sums",
     "title, how, names, right, wrong, sign, format, room, lines, open, judged, right_name, "
     "wrong_name, right_says, wrong_says",
     "two sums, and where they part", ask_two_sums},
    {"text", "request, open, end, blocks, other, positions",
     "tokens, and which of them are stored where", ask_text},
    {"vectors", "model, codec, queries, total", "what one token keeps, layer by layer",
     ask_vectors},
    {"passes", "prompt, new, then, last, cache, sums", "positions of each pass of an answer",
     ask_passes},
    {"attend_row", "query, keys, values, open", "one row of attention by hand", ask_attend_row},
    {"bits", "bits, value", "sixteen bits as a number", ask_bits},
    {"sectors", "tokens, kv_heads, head_dim, codec, other", "sectors that two jobs touch",
     ask_sectors},
    {"bars", "title, how, names, values, format, open, limit, limit_name", "amounts on one scale",
     ask_bars},
    {"factors", "title, how, names, values, format, strong, products",
     "a product, factor by factor", ask_factors},
    {"series", "title, how, word, first, names, values, format, open, columns, labels",
     "numbers in a row, as columns", ask_series},
    {"blocks", "requests", "block tables over the pool", ask_blocks},
    {"lanes", "layers, copy, compute, blocks, whole, sends, when, slower",
     "layers fetched in turn and ahead", ask_lanes},
    {"roofline", "card, flops, bandwidth, names, values, open", "work on the roof of a machine",
     ask_roofline},
    {"arena", "rules, requests, pool, block_size, max_length, step, until, open, end_of",
     "one memory under several rules, step by step", ask_arena},
    {"outlier", "key, channel, from, to, by, open, codec, group, second, second_when, vanishing",
     "one channel grows and squeezes the codes of the others", ask_outlier},
    {"residual", "codec, dim, lengths, open", "tokens that KIVI codes and those that wait",
     ask_residual},
    {"fields", "numbers, names, codecs, open", "codes and scales of a vector in several codecs",
     ask_fields},
    {"sink", "request, tokens, layer, head, evict, losses, texts, spread, open",
     "where one head looks with several caches", ask_sink},
    {"heavy", "scores, keep, newest", "scores of tokens, and which of them goes", ask_heavy},
    {"observed", "request, layer, kv_head, first, end",
     "what the end of a prompt looks at, and what stays", ask_observed},
    {"ranks", "sinks, first, end", "kept tokens by their place in the text and in the cache",
     ask_ranks},
    {"service", "names, part, window", "the signals of a server, or of two under one load",
     ask_service},
    {"batch", "first, last", "who computes how many tokens in which step", ask_batch},
    {"layers", "title, how, model, ghost, ghost_name, state, tokens, codec, open",
     "what each layer keeps as a text grows", ask_layers},
    {"shares", "rules, workload, requests, pool, seed, open, source",
     "where the slots of a pool are on average, rule by rule", ask_shares},
    {"radix", "before, after, request, open, first",
     "prefixes as a tree, before and after a request", ask_radix},
    {"walk", "position, block_size, table, way", "a token's way through a block table", ask_walk},
    {"last_block", "tokens, block_sizes, open", "how full the last block of a request is",
     ask_last_block},
    {"bounds", "request, layer, head", "which blocks a query head reads, and by which bounds",
     ask_bounds},
    {"hashes", "requests, open", "full blocks and the chain of their hashes", ask_hashes},
    {"stretches", "title, how, names, lengths, requests, texts",
     "texts made of stretches, each stored once", ask_stretches},
    {"stages", "stored", "the stages of a step, and which of them touch the cache", ask_stages},
    {"two_texts", "request, names", "what two runs with one past have written", ask_two_texts},
});
static_assert(kFigures.size() == std::variant_size_v<AnyFigureFacts>);

}  // namespace

std::span<const FigureSource> figure_sources() {
    return kFigures;
}

const FigureSource* find_figure(std::string_view name) {
    const auto found = std::find_if(kFigures.begin(), kFigures.end(),
                                    [&](const FigureSource& f) { return f.name == name; });
    return found == kFigures.end() ? nullptr : &*found;
}

FigureFacts figure_facts(const Evaluator& at, const Expression& call) {
    const FigureSource* source = find_figure(call.name);
    if (source == nullptr) throw ExpressionRefusal{call.at, "names no figure"};
    std::vector<LessonArguments::Given> given;
    for (std::size_t i = 0; i < call.parts.size(); ++i)
        given.push_back({call.labels[i], at.value(*call.parts[i]), false});
    LessonArguments arguments(call.name, std::move(given), call.at);
    FigureFacts facts = source->ask({at, arguments});
    arguments.done();
    return facts;
}

std::vector<std::uint32_t> FigureAsk::counts(const std::string& expression) const {
    const LessonValue all = value(expression);
    const auto* list = all.shared<LessonList>();
    KV_ASSERT(list != nullptr);
    std::vector<std::uint32_t> counts;
    for (const LessonValue& one : *list)
        counts.push_back(static_cast<std::uint32_t>(one.plain<Number>()->value));
    return counts;
}

const LessonRun& FigureAsk::run() const {
    if (!at.has_run()) given.refuse("shows a run, and the step has none; name a scene");
    return at.run();
}

std::vector<std::string> FigureAsk::words(const std::vector<std::uint32_t>& tokens) const {
    const Tokenizer* tokenizer = run().model().tokenizer();
    std::vector<std::string> words;
    for (const std::uint32_t token : tokens) {
        std::string word =
            tokenizer == nullptr ? "" : tokenizer->decode({token}, SpecialTokens::Written);
        word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
        words.push_back(word.empty() ? std::to_string(token) : std::move(word));
    }
    return words;
}

FigureWhen FigureAsk::when(const std::string& name, const std::string& otherwise) const {
    const std::string word = given.text_or(name, otherwise);
    if (word == "now") return FigureWhen::Now;
    if (word == "revealed") return FigureWhen::Revealed;
    if (word != "never")
        given.refuse("has the moment \"" + shown(word) + "\", not now, revealed or never");
    return FigureWhen::Never;
}

FigureFacts::FigureFacts() = default;
FigureFacts::FigureFacts(const FigureFacts&) = default;
FigureFacts::FigureFacts(FigureFacts&&) noexcept = default;
FigureFacts& FigureFacts::operator=(const FigureFacts&) = default;
FigureFacts& FigureFacts::operator=(FigureFacts&&) noexcept = default;
FigureFacts::~FigureFacts() = default;

}  // namespace kv
