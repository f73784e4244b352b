#include "app/panels/whatif/words.hpp"

#include <cmath>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

std::string host_bytes_words(const WeighedRecording& weighed) {
    return pool_bytes_words(weighed.ask.host_bytes);
}

std::string points_of(double share) {
    return fixed(std::abs(100 * share), 1);
}

Text gives_words(const Texts& text, const WhatIfCheck& check) {
    const std::string hit = with_commas(check.ours.hit);
    if (check.equal()) return fill(text["whatif.gives.same"_t], {{"hit", hit}});
    const char* way =
        text[check.difference() < 0 ? "whatif.gives.below"_t : "whatif.gives.above"_t];
    return fill(text["whatif.gives.differs"_t],
                {{"hit", hit}, {"points", points_of(check.difference())}, {"way", way}});
}

Text memory_words(const Texts& text, const WeighedRecording& weighed, const WhatIfRow& row) {
    if (row.without_end) return Text("–");
    const std::string pool = pool_bytes_words(row.point.bytes);
    if (row.line != WhatIfLine::Host) return Text(pool);
    return fill(text["whatif.memory.both"_t],
                {{"pool", pool}, {"host", host_bytes_words(weighed)}});
}

Text modelled_words(const Texts& text, const std::optional<FirstTokenSeconds>& times,
                    double FirstTokenSeconds::*which) {
    if (!times) return Text("–");
    return fill(text["whatif.ms"_t], {{"n", ms_words((*times).*which)}});
}

}  // namespace

Text recorded_words(const Texts& text, const WeighedRecording& weighed) {
    const WhatIfSummary& summary = weighed.summary;
    const std::string requests = with_commas(summary.requests);
    const std::string tokens = with_commas(summary.without_end.outcome.asked_tokens);
    if (weighed.kind == RecordingKind::PublicTrace)
        return fill(text["whatif.record.trace"_t],
                    {{"format", weighed.format}, {"requests", requests}, {"tokens", tokens}});
    return fill(text["whatif.record.server"_t], {{"time", duration_words(text, summary.seconds)},
                                                 {"requests", requests},
                                                 {"tokens", tokens},
                                                 {"batches", with_commas(weighed.batches)}});
}

Text answer_words(const Texts& text, const WeighedRecording& weighed) {
    const WhatIfCurve* codec = weighed.curve(WhatIfLine::Codec);
    const WhatIfPoint* smaller =
        weighed.knows_today() && codec && codec->here ? &*codec->here : nullptr;
    return whatif_answer(text, weighed.summary, smaller);
}

Text check_words(const Texts& text, const WeighedRecording& weighed) {
    const auto check = check_of(weighed.summary);
    if (!check) return Text(text["whatif.badge.none"_t]);
    if (check->equal()) return Text(text["whatif.badge.equal"_t]);
    const char* way =
        text[check->difference() < 0 ? "whatif.gives.below"_t : "whatif.gives.above"_t];
    return fill(text["whatif.badge.off"_t],
                {{"points", points_of(check->difference())}, {"way", way}});
}

Text name_of_line(const Texts& text, const WeighedRecording& weighed, WhatIfLine line) {
    const WhatIfCurve* curve = weighed.curve(line);
    const WhatIfPoint* here = curve && curve->here ? &*curve->here : nullptr;
    const std::string blocks = here ? with_commas(here->blocks) : std::string();
    switch (line) {
        case WhatIfLine::Recorded:
            break;
        case WhatIfLine::Codec:
            return fill(text["whatif.codec"_t],
                        {{"codec", codec_name(weighed.ask.codec)}, {"blocks", blocks}});
        case WhatIfLine::Host:
            return fill(text["whatif.host"_t],
                        {{"size", host_bytes_words(weighed)},
                         {"blocks", here ? with_commas(here->setting.host_blocks) : blocks}});
        case WhatIfLine::BlockSize:
            return fill(text["whatif.block_size"_t],
                        {{"size", std::to_string(2 * weighed.block_size)}, {"blocks", blocks}});
    }
    return fill(text["whatif.as_recorded"_t], {{"size", std::to_string(weighed.block_size)}});
}

Text short_name_of_line(const Texts& text, const WeighedRecording& weighed, WhatIfLine line) {
    switch (line) {
        case WhatIfLine::Recorded:
            break;
        case WhatIfLine::Codec:
            return Text(codec_name(weighed.ask.codec));
        case WhatIfLine::Host:
            return fill(text["whatif.short.host"_t], {{"size", host_bytes_words(weighed)}});
        case WhatIfLine::BlockSize:
            return fill(text["whatif.short.block"_t],
                        {{"n", std::to_string(2 * weighed.block_size)}});
    }
    return Text(text["whatif.short.recorded"_t]);
}

Text name_of_row(const Texts& text, const WeighedRecording& weighed, const WhatIfRow& row) {
    if (row.without_end) return Text(text["whatif.row.never"_t]);
    switch (row.line) {
        case WhatIfLine::Recorded:
            break;
        case WhatIfLine::Codec:
            return fill(text["whatif.row.codec"_t], {{"codec", codec_name(weighed.ask.codec)}});
        case WhatIfLine::Host:
            return fill(text["whatif.row.host"_t], {{"size", host_bytes_words(weighed)}});
        case WhatIfLine::BlockSize:
            return fill(text["whatif.row.block"_t],
                        {{"n", std::to_string(2 * weighed.block_size)}});
    }
    if (!weighed.knows_today()) {
        const auto share = static_cast<double>(row.point.pool) /
                           static_cast<double>(std::max<u64>(1, weighed.summary.distinct));
        return fill(text["whatif.row.share"_t], {{"n", fixed(100 * share, 0)}});
    }
    if (row.factor != 1) return fill(text["whatif.row.pool"_t], {{"n", times_words(row.factor)}});
    return Text(text[weighed.summary.today.from == TodayFrom::MostCached ? "whatif.row.guess"_t
                                                                         : "whatif.row.today"_t]);
}

std::vector<Text> point_heads(const Texts& text, const WeighedRecording& weighed) {
    const bool has_time = weighed.summary.seconds > 0;
    return {Text(text["whatif.column.what"_t]),
            Text(text["whatif.column.memory"_t]),
            Text(text["whatif.column.blocks"_t]),
            Text(text["whatif.column.hit_rate"_t]),
            Text(text["whatif.column.change"_t]),
            Text(text["whatif.column.hit"_t]),
            Text(text[has_time ? "whatif.column.again"_t : "whatif.column.again_all"_t]),
            Text(text[has_time ? "whatif.column.removed"_t : "whatif.column.removed_all"_t]),
            Text(text["whatif.column.median"_t]),
            Text(text["whatif.p95"_t])};
}

std::string a_second_words(double n) {
    return n < 9.95 ? fixed(n, 1) : with_commas(static_cast<u64>(std::llround(n)));
}

WhatIfTableRow point_row(const Texts& text, const WeighedRecording& weighed, const WhatIfRow& row) {
    const bool is_base = row.line == WhatIfLine::Recorded && row.factor == 1 && !row.without_end;
    WhatIfTableRow of =
        choice_row(text, weighed, name_of_row(text, weighed, row), row.point, is_base);
    of.cells[1] = {memory_words(text, weighed, row)};
    if (row.without_end) of.cells[2] = {Text("–")};
    return of;
}

WhatIfTableRow choice_row(const Texts& text, const WeighedRecording& weighed, const Text& name,
                          const std::optional<WhatIfPoint>& point, bool is_base) {
    WhatIfTableRow of{{{name}}, is_base};
    if (!point) {
        of.cells.resize(point_heads(text, weighed).size(), {Text("–")});
        return of;
    }
    const PoolOutcome& outcome = point->outcome;
    const double change = outcome.hit_rate() - weighed.base().outcome.hit_rate();
    const auto& times = point->first_token;
    of.cells.insert(of.cells.end(),
                    {{Text(pool_bytes_words(point->bytes))},
                     {Text(with_commas(point->blocks))},
                     {Text(share_words(outcome.hit_rate()))},
                     {is_base ? Text() : Text(points_words(100 * change))},
                     {Text(with_commas(outcome.hit_tokens))},
                     {Text(a_second_words(weighed.per_second(outcome.again_tokens))), true},
                     {Text(a_second_words(weighed.per_second(outcome.blocks_reclaimed)))},
                     {modelled_words(text, times, &FirstTokenSeconds::median), false, true},
                     {modelled_words(text, times, &FirstTokenSeconds::p95), false, true}});
    return of;
}

std::vector<WhatIfFact> recorded_facts(const Texts& text, const WeighedRecording& weighed) {
    std::vector<WhatIfFact> facts;
    if (const auto check = check_of(weighed.summary))
        facts.push_back(
            {Text(text[check->with_counters ? "whatif.counters"_t : "whatif.counters.events"_t]),
             fill(text["whatif.counters.value"_t], {{"hit", with_commas(check->theirs.hit)},
                                                    {"asked", with_commas(check->theirs.asked)}})});
    facts.push_back(
        {Text(text["whatif.tokens"_t]),
         Text(text[weighed.has_tokens ? "whatif.tokens.there"_t : "whatif.tokens.left_out"_t])});
    return facts;
}

std::vector<WhatIfFact> replayed_facts(const Texts& text, const WeighedRecording& weighed,
                                       WhatIfView view) {
    std::vector<WhatIfFact> facts;
    if (const auto check = check_of(weighed.summary))
        facts.push_back({Text(text["whatif.gives"_t]), gives_words(text, *check)});
    facts.push_back(
        {Text(text["whatif.order"_t]),
         Text(text[view == WhatIfView::Order ? "whatif.order.each"_t : "whatif.order.lru"_t])});
    facts.push_back({Text(text["whatif.one_by_one"_t]), Text(text["whatif.one_by_one.value"_t])});
    return facts;
}

}  // namespace kv
