// The panels that are lists, as tables: requests, events, steps and settings.

#include <array>

#include "app/panels/tables/tables.hpp"
#include "app/panels/timeline/sentences.hpp"
#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

TableCell iteration_or_none(std::optional<std::uint32_t> iteration) {
    return iteration ? TableCell(std::uint64_t{*iteration}) : TableCell();
}

}  // namespace

DataTables requests_tables(const RunView& run, const Texts& text) {
    DataTable table{"requests",
                    "Requests",
                    {{"request"},
                     {"state"},
                     {"words"},
                     {"tokens"},
                     {"prompt tokens"},
                     {"new tokens"},
                     {"stored tokens"},
                     {"dropped tokens"},
                     {"blocks"},
                     {"reused tokens"},
                     {"preemptions"},
                     {"arrived", "step"},
                     {"admitted", "step"},
                     {"ended", "step"},
                     {"arrival to first token", "steps"}},
                    {}};
    for (const SeqId id : requests_in_order(run.now)) {
        const RequestView& r = run.now.requests[id.index()];
        table.add(r.name, std::string(name_of(r.state)), request_state_words(text, run.now, id),
                  std::uint64_t{r.tokens.size()}, std::uint64_t{r.n_prompt}, std::uint64_t{r.n_new},
                  std::uint64_t{held_in(run.lane(), id)}, std::uint64_t{dropped_in(run.lane(), id)},
                  blocks_held(run.lane(), id), std::uint64_t{r.cached_prompt},
                  std::uint64_t{r.preemptions}, std::uint64_t{r.arrived},
                  iteration_or_none(r.admitted), iteration_or_none(r.ended),
                  iteration_or_none(steps_to_first_token(r)));
    }
    return {table};
}

DataTables events_tables(const RunView& run, const RunHistory& history, const EventsUi& own,
                         const Texts& text) {
    DataTable table{"events",
                    "Events up to this step",
                    {{"event"}, {"step"}, {"name"}, {"request"}, {"what"}, {"reason"}},
                    {}};
    for (const RunMark& mark : history.marks()) {
        if (mark.event >= run.moment || own.hidden[static_cast<std::size_t>(mark.mark)]) continue;
        const EventSentence words = sentence_of(text, run, mark.event);
        table.add(mark.event, std::uint64_t{mark.iteration}, std::string(words.name),
                  words.request ? TableCell(name_of_request(run.now, *words.request)) : TableCell(),
                  words.what, words.why);
    }
    return {table};
}

DataTables transport_tables(const RunView& run, const RunHistory& history) {
    DataTable table{"lanes",
                    "What each request did when",
                    {{"request"}, {"first", "step"}, {"last", "step"}, {"phase"}},
                    {}};
    for (std::size_t i = 0; i < history.lanes().size(); ++i)
        for (const RunSpan& span : history.lanes()[i])
            table.add(name_of_request(run.now, SeqId(static_cast<std::uint32_t>(i))),
                      std::uint64_t{span.first}, std::uint64_t{span.last},
                      std::string(span.prefill ? "prefill" : "decode"));
    return {table};
}

DataTables prefix_tables(const RunView& run, PrefixMode mode) {
    PrefixForest forest;
    forest.follow(run.id, run.trace, run.lane(), run.moment);
    const auto all = [&](PrefixMode how) { return forest.rows(how, run.trace, 0, UINT64_MAX); };
    // A row of the tree has its first tokens alone; the chain has all of them, in the same order.
    const std::vector<PrefixRow> blocks = all(PrefixMode::Chain);
    auto block = blocks.begin();
    constexpr std::array<const char*, 4> kPlaces{"device", "host memory", "file", "given up"};
    DataTable table{"prefixes",
                    "What can be found again",
                    {{"first position"},
                     {"tokens"},
                     {"words"},
                     {"place"},
                     {"blocks or places"},
                     {"copies"},
                     {"held by"},
                     {"hash", "hex"}},
                    {}};
    for (const PrefixRow& row : all(mode)) {
        std::string words, ids, holders;
        for (std::uint64_t n = 0; n < row.n_tokens; n += block++->n_tokens)
            for (const std::uint32_t token : block->tokens) words += run.word(token);
        for (const std::uint32_t id : row.ids) ids += (ids.empty() ? "" : " ") + std::to_string(id);
        for (const SeqId holder : row.holders)
            holders += (holders.empty() ? "" : " ") + name_of_request(run.now, holder);
        table.add(row.first, row.n_tokens, words,
                  std::string(kPlaces[static_cast<std::size_t>(row.place)]), ids,
                  std::uint64_t{row.copies}, holders, hex_address(row.hash, 16));
    }
    return {table};
}

DataTables xray_tables(const RunView& run, const RunFocus& focus, const Xray& xray) {
    DataTable table{"tokens",
                    "What the policy keeps and drops",
                    {{"position"},
                     {"word"},
                     {"state"},
                     {"score"},
                     {"rank"},
                     {"threshold"},
                     {"attention now"},
                     {"attention in a full cache"},
                     {"why"}},
                    {}};
    const auto real = [](const std::optional<float>& value) {
        return value ? TableCell(static_cast<double>(*value)) : TableCell();
    };
    for (const XrayRow& row : xray.rows) {
        const bool told = row.drop != nullptr;
        table.add(
            std::uint64_t{row.position}, word_at(run, {focus.request, row.position}),
            std::string(row.dropped  ? "dropped"
                        : row.stored ? "kept"
                                     : "not computed"),
            told ? real(row.drop->score) : TableCell(),
            told && row.drop->rank ? TableCell(std::uint64_t{*row.drop->rank} + 1) : TableCell(),
            told ? real(row.drop->threshold) : TableCell(), row.seen, row.full, row.why);
    }
    DataTable costs{"costs", "What it costs at this step", {{"what"}, {"value"}}, {}};
    costs.add(std::string("tokens kept"), std::uint64_t{xray.kept});
    costs.add(std::string("tokens stored"), std::uint64_t{xray.stored});
    if (xray.mass_lost) costs.add(std::string("share of attention lost"), *xray.mass_lost);
    if (xray.kl) costs.add(std::string("KL from the full cache, nats"), *xray.kl);
    return {costs, table};
}

DataTables channels_tables(const ChannelMap& map, PreviewCodec codec) {
    DataTable table{
        "channels",
        "How large channels are, and how far off as " +
            std::string(kPreviewNames[static_cast<std::size_t>(codec)]),
        {{"side"}, {"KV head"}, {"channel"}, {"size, RMS"}, {"largest"}, {"error, RMS"}},
        {}};
    for (const Side kind : {Side::K, Side::V}) {
        const ChannelSide& side = map.of(kind);
        for (std::uint32_t i = 0; i < side.stats.size(); ++i)
            table.add(std::string(kind == Side::K ? "K" : "V"), std::uint64_t{i / side.dim},
                      std::uint64_t{i % side.dim}, side.stats[i].size, side.stats[i].largest,
                      side.stats[i].error);
    }
    return {table};
}

DataTables run_settings_tables(const RunView& run) {
    DataTable table{"settings", "Settings of the run", {{"setting"}, {"value"}}, {}};
    if (run.has_engine) table.add(std::string("model"), run.model_name);
    for (const auto& [name, value] : run.settings) table.add(name, value);
    if (!knows_bytes(run.layout)) return {table};
    DataTable costs{"costs", "What follows", {{"what"}, {"bytes", "B"}}, {}};
    costs.add(std::string("per token"), bytes_per_token(run.layout));
    costs.add(std::string("per block"), bytes_per_block(run.layout));
    costs.add(std::string("pool"), run.layout.pool_bytes());
    return {table, costs};
}

}  // namespace kv
