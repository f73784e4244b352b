// Facts of a run, or of its text computed once more.

#include <cmath>

#include "core/lesson/figures/ask.hpp"
#include "core/lesson/language/mask_experiment.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// All tokens of a request: the prompt, and what the whole run adds to it.
std::vector<std::uint32_t> text_of(const FigureAsk& ask, const std::string& request) {
    std::vector<std::uint32_t> tokens = ask.counts(request + ".tokens");
    const auto now = tokens.size();
    const std::vector<std::uint32_t> fresh =
        ask.counts("without(\"" + request + "\", \"nothing\").new_tokens");
    const auto prompt =
        static_cast<std::size_t>(ask.value(request + ".prompt").plain<Number>()->value);
    for (std::size_t i = now - prompt; i < fresh.size(); ++i) tokens.push_back(fresh[i]);
    return tokens;
}

LayerRows rows_of(const FigureAsk& ask, const std::vector<std::uint32_t>& tokens, MaskRule rule) {
    constexpr std::uint32_t kBlock = 16;
    const auto blocks = static_cast<std::uint32_t>(ceil_div(tokens.size(), kBlock));
    const LessonModel& model = ask.run().model();
    const auto backend = model.open(
        "reference", {.n_blocks = blocks, .block_size = kBlock, .k = Codec::F32, .v = Codec::F32});
    return layer_rows(*backend, model.config(), tokens, rule);
}

// The length of the difference, divided by that of what was there before.
double relative_change(std::span<const float> was, std::span<const float> is) {
    double moved = 0, length = 0;
    for (std::size_t i = 0; i < was.size(); ++i) {
        const double old = was[i], by = static_cast<double>(is[i]) - old;
        moved += by * by, length += old * old;
    }
    return moved == 0 ? 0 : std::sqrt(moved / length);
}

}  // namespace

FigureFacts ask_without_cache(const FigureAsk& ask) {
    const std::string request = ask.given.text_or("request", "A");
    const u64 last = ask.run().last_iteration();
    WithoutCacheFacts facts;
    facts.without = ask.counts("without(\"" + request + "\", \"nothing\").projected");
    facts.with = ask.counts("without(\"" + request + "\", \"kv\").projected");
    facts.prompt =
        static_cast<std::uint32_t>(ask.value(request + ".prompt").plain<Number>()->value);
    facts.words = ask.words(text_of(ask, request));
    const u64 most = std::min<u64>(facts.without.size(), facts.with.size());
    const u64 steps = ask.given.whole_or("steps", std::min<u64>(most, 8));
    const u64 asked = ask.given.whole_or("asked", steps);
    if (steps == 0 || asked < steps || asked > most)
        ask.given.refuse("wants steps from 1 on, and asked from steps to " + std::to_string(most) +
                         "; the run has " + std::to_string(last));
    facts.steps = static_cast<std::uint32_t>(steps);
    facts.asked = static_cast<std::uint32_t>(asked);
    facts.cache = ask.when("cache", "now");
    return facts;
}

namespace {

BlocksFacts::State state_of(const Snapshot& now, std::uint64_t most) {
    BlocksFacts::State state;
    state.step = now.iteration, state.in_step = now.in_iteration;
    for (std::size_t i = 0; i < now.requests.size() && i < most; ++i) {
        const RequestView& request = now.requests[i];
        BlocksFacts::Request shown;
        shown.name = request.name, shown.stored = request.stored;
        shown.waits =
            request.state == RequestState::Waiting || request.state == RequestState::Preempted;
        shown.was_refused = request.state == RequestState::Refused;
        shown.has_ended = shown.was_refused || request.state == RequestState::Finished;
        if (!request.tables.empty())
            for (std::size_t e = 0; e < request.tables[0].size(); ++e) {
                const TableEntry entry = request.tables[0][e];
                shown.table.push_back(entry ? std::optional(entry->value) : std::nullopt);
            }
        state.requests.push_back(std::move(shown));
    }
    const SharedArray<BlockView>& blocks = now.lanes.at(0).blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b)
        state.blocks.push_back(
            {blocks[b].ref_count, blocks[b].filled, blocks[b].state() == BlockState::Cached});
    return state;
}

}  // namespace

FigureFacts ask_blocks(const FigureAsk& ask) {
    constexpr std::size_t kMostBlocks = 32;
    const u64 most = ask.given.whole_or("requests", 8);
    const Snapshot opened = (static_cast<void>(ask.run()), ask.at.opened());
    if (opened.lanes.size() != 1 || opened.lanes[0].blocks.size() > kMostBlocks)
        ask.given.refuse("wants one pool of at most " + std::to_string(kMostBlocks) + " blocks");
    BlocksFacts facts{.block_size = opened.block_size,
                      .open = state_of(opened, most),
                      .end = state_of(ask.at.now(), most),
                      .copies = {}};
    const Trace& trace = ask.run().trace();
    const auto [first, last] = ask.at.events();
    trace.each(first, last, [&](std::uint64_t, const Event& event) {
        if (const auto* copied = std::get_if<BlockCopied>(&event.what))
            facts.copies.push_back({copied->from.value, copied->to.value});
    });
    return facts;
}

// open: the step at which the picture stands; end: the one behind the reveal.
FigureFacts ask_text(const FigureAsk& ask) {
    const std::string request = ask.given.text_or("request", "A");
    const std::vector<std::uint32_t> tokens = text_of(ask, request);
    const u64 last = ask.run().last_iteration();
    TextFacts facts;
    facts.prompt =
        static_cast<std::uint32_t>(ask.value(request + ".prompt").plain<Number>()->value);
    const u64 end = ask.given.whole_or("end", ask.given.whole("open")),
              open = ask.given.whole_or("open", end);
    if (open > end || end > last || facts.prompt + end > tokens.size())
        ask.given.refuse("wants open up to end, and end up to " + std::to_string(last) +
                         ", the run's last step");
    facts.open = static_cast<std::uint32_t>(open), facts.end = static_cast<std::uint32_t>(end);
    facts.words = ask.words({tokens.begin(), tokens.begin() + facts.prompt + facts.end});
    facts.positions = ask.when("positions", "now");
    if (ask.when("blocks", "never") == FigureWhen::Never) return facts;
    facts.block_size = static_cast<std::uint32_t>(ask.value("block_size").plain<Number>()->value);
    facts.other_block_size = static_cast<std::uint32_t>(ask.given.whole_or("other", 0));
    if (facts.other_block_size > 64) ask.given.refuse("wants other blocks of at most 64 slots");
    facts.table = ask.counts("at(" + std::to_string(end) + ", " + request + ".table)");
    return facts;
}

// edit=5: the token there is another one. Without it the last token is the one that is new.
FigureFacts ask_changed(const FigureAsk& ask) {
    const std::string request = ask.given.text_or("request", "A");
    const std::string rule = ask.given.text_or("rule", "causal");
    if (rule != "causal" && rule != "none" && rule != "late")
        ask.given.refuse("knows the rules causal, none and late");
    std::vector<std::uint32_t> is = ask.counts(request + ".tokens"), was = is;
    if (is.size() < 2) ask.given.refuse("wants a request of at least two tokens");
    const u64 edit = ask.given.whole_or("edit", is.size());
    if (edit > is.size()) ask.given.refuse("edits a token that is not there");
    ChangedFacts facts;
    facts.is_late = rule == "late";
    if (facts.is_late && edit < is.size()) ask.given.refuse("edits no token with the rule late");
    facts.is_causal = rule != "none", facts.is_new = !facts.is_late && edit == is.size();
    facts.position = static_cast<std::uint32_t>(facts.is_new ? is.size() - 1 : edit);
    if (facts.is_new)
        was.pop_back();
    else if (!facts.is_late)  // the same neighbour in the vocabulary as edited() takes
        is[edit] =
            static_cast<std::uint32_t>((is[edit] + 1) % ask.run().model().config().vocab_size);
    facts.words = ask.words(is), facts.old_words = ask.words(was);
    const MaskRule mask = facts.is_causal ? MaskRule::Causal : MaskRule::NoMask;
    const LayerRows before = rows_of(ask, was, mask),
                    after = rows_of(ask, is, facts.is_late ? MaskRule::NotItself : mask);
    for (std::uint32_t layer = 0; layer < after.n_layers; ++layer) {
        facts.change.emplace_back();
        for (std::uint32_t t = 0; t < before.n_tokens; ++t)
            facts.change.back().push_back(
                relative_change(before.row(layer, t), after.row(layer, t)));
    }
    return facts;
}

}  // namespace kv
