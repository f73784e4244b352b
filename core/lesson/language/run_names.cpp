// The facts of a run under the names that lessons use.

#include <algorithm>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/engine/settings/settings.hpp"
#include "core/lesson/language/evaluate.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

LessonRecord pool_record(const Snapshot& now) {
    if (now.lanes.empty()) return {};
    std::uint64_t used = 0, cached = 0, blocks = 0, live = 0, dead = 0;
    for (const LaneView& lane : now.lanes) {
        used += lane.used, cached += lane.cached, blocks += lane.blocks.size();
        live += lane.live, dead += lane.dead;
    }
    LessonList order;
    for (const BlockId block : free_list(now.lanes[0])) order.push_back(whole_value(block.value));
    const auto held = [](const SharedArray<PlaceView>& places) {
        std::uint64_t n = 0;
        places.each([&](std::size_t, const PlaceView& p) { n += p.state == PlaceState::Held; });
        return whole_value(n);
    };
    LessonRecord record{{"used", whole_value(used)},
                        {"cached", whole_value(cached)},
                        {"blocks", whole_value(blocks)},
                        {"free", whole_value(blocks - used - cached)},
                        {"live", whole_value(live)},
                        {"dead", whole_value(dead)},
                        {"slots", whole_value(used * now.block_size)},
                        {"idle", whole_value(used * now.block_size - live - dead)},
                        {"block_size", whole_value(now.block_size)},
                        {"host", held(now.host)},
                        {"file", held(now.file)}};
    if (!order.empty()) record["next"] = order[0];
    record["free_list"] = std::move(order);
    return record;
}

LessonRecord counters_record(const Counters& c) {
    return {{"iterations", whole_value(c.iterations)},
            {"prefix_queries", whole_value(c.prefix_queries)},
            {"prefix_hits", whole_value(c.prefix_hits)},
            {"blocks_allocated", whole_value(c.blocks_allocated)},
            {"blocks_reclaimed", whole_value(c.blocks_reclaimed)},
            {"block_copies", whole_value(c.block_copies)},
            {"bytes_copied", whole_bytes(c.bytes_copied)},
            {"preemptions", whole_value(c.preemptions)},
            {"tokens_recomputed", whole_value(c.tokens_recomputed)},
            {"blocks_offloaded", whole_value(c.blocks_offloaded)},
            {"blocks_loaded", whole_value(c.blocks_loaded)},
            {"prompt_tokens", whole_value(c.prompt_tokens)},
            {"new_tokens", whole_value(c.new_tokens)},
            {"tokens_dropped", whole_value(c.tokens_dropped)},
            {"slots_copied", whole_value(c.slots_copied)},
            {"drafts", whole_value(c.drafts)},
            {"draft_proposed", whole_value(c.draft_proposed())},
            {"draft_accepted", whole_value(c.draft_accepted)},
            {"draft_rejected", whole_value(c.draft_rejected())},
            {"draft_tokens", whole_value(c.draft_tokens)}};
}

LessonRecord work_record(const Work& w) {
    return {{"positions_projected", whole_value(w.positions_projected)},
            {"positions_forwarded", whole_value(w.positions_forwarded)},
            {"score_pairs", whole_value(w.score_pairs)},
            {"weight_bytes", whole_bytes(w.weight_bytes)},
            {"k_read", whole_bytes(w.k_bytes_read)},
            {"v_read", whole_bytes(w.v_bytes_read)},
            {"kv_read", whole_bytes(w.k_bytes_read + w.v_bytes_read)},
            {"kv_written", whole_bytes(w.k_bytes_written + w.v_bytes_written)},
            {"flops", whole_flops(w.flops.total())},
            {"attention_flops", whole_flops(w.flops.attention())},
            {"qkv_flops", whole_flops(w.flops.qkv)},
            {"o_flops", whole_flops(w.flops.o)},
            {"mlp_flops", whole_flops(w.flops.mlp)},
            {"kv_projection_flops", whole_flops(w.kv_projection_flops)}};
}

LessonRecord request_record(const LessonRun& run, const Snapshot& now, const RequestView& r) {
    LessonList tokens, fresh, table;
    std::vector<std::uint32_t> fresh_ids;
    r.tokens.each([&](std::size_t i, std::uint32_t token) {
        tokens.push_back(whole_value(token));
        if (i < r.n_prompt + r.n_forced) return;
        fresh.push_back(whole_value(token));
        fresh_ids.push_back(token);
    });
    std::uint64_t held = 0, holes = 0;
    for (const Table& lane : r.tables)
        lane.each([&](std::size_t, const TableEntry& e) { (e ? held : holes) += 1; });
    if (!r.tables.empty())
        r.tables[0].each([&](std::size_t, const TableEntry& entry) {
            table.push_back(entry ? whole_value(entry->value) : LessonValue("hole"));
        });
    const Tokenizer* words = run.model().tokenizer();
    LessonRecord record{
        {"stored", whole_value(r.stored)},
        {"blocks", whole_value(held)},
        {"holes", whole_value(holes)},
        {"table", table},
        {"tokens", tokens},
        {"prompt", whole_value(r.n_prompt)},
        {"forced", whole_value(r.n_forced)},
        {"new", whole_value(r.n_new)},
        {"max_new", whole_value(r.max_new)},
        {"new_tokens", fresh},
        {"text", words == nullptr
                     ? ""
                     : words->decode({fresh_ids.begin(), fresh_ids.end()}, SpecialTokens::Skipped)},
        {"state", std::string(name_of(r.state))},
        {"finish", r.finish ? std::string(name_of(*r.finish)) : ""},
        {"cached", whole_value(r.cached_prompt)},
        {"preemptions", whole_value(r.preemptions)},
        {"arrived", whole_value(r.arrived)},
        {"next_block", whole_value(r.stored / std::max(now.block_size, 1u))},
        {"next_offset", whole_value(r.stored % std::max(now.block_size, 1u))}};
    if (!r.slots.empty()) record["kept"] = counts_value(r.slots[0].kept(r.stored));
    if (r.waits)
        record["waits"] =
            text_of(*r.waits, [&](SeqId id) { return now.requests[id.index()].name; });
    return record;
}

// A command may change a setting on the way; a sentence about a moment means that moment's.
EngineSettings settings_at(const LessonRun& run, const Snapshot& now) {
    return with_words(run.engine().settings(), now.settings);
}

LessonRecord bytes_record(const LessonRun& run, const Snapshot& now) {
    const EngineSettings settings = settings_at(run, now);
    const ModelShape shape = shape_of(run.model().config());
    const CodecPair codecs{settings.k_codec, settings.v_codec};
    const u64 per_token = bytes_per_token(shape.cache, codecs);
    const u64 lanes = std::max<u64>(now.lanes.size(), 1);
    u64 live = 0, used = 0, blocks = 0;
    for (const LaneView& lane : now.lanes)
        live += lane.live, used += lane.used, blocks += lane.blocks.size();
    const u64 block = bytes_per_block(run.model().config(), settings);
    return {{"per_token", whole_bytes(per_token)},
            {"per_block", whole_bytes(block)},
            {"live", whole_bytes(live * per_token / lanes)},
            {"allocated", whole_bytes(used * block / lanes)},
            {"pool", whole_bytes(blocks * block / lanes)}};
}

// The time of that iteration by the time model: steps of a fixed length, and what they wait for.
double model_us_of(const LessonRun& run, std::uint32_t iteration) {
    const auto end = run.trace().end_of_iteration(iteration);
    if (!end) return 0;
    const auto found = run.trace().find_back(*end, [&](const Event& event) {
        return event.iteration == iteration &&
               std::holds_alternative<IterationFinished>(event.what);
    });
    return found ? std::get<IterationFinished>(run.trace().event(*found).what).model_us : 0;
}

}  // namespace

std::optional<LessonValue> shape_member(const ModelShape& shape, std::string_view name) {
    const auto is = [&](std::string_view what) { return name == what; };
    if (is("title")) return shape.title;
    if (is("n_layers")) return whole_value(shape.n_layers());
    if (is("n_heads")) return whole_value(shape.n_heads);
    if (is("n_kv_heads")) return whole_value(shape.cache.n_kv_heads);
    if (is("group_size")) return whole_value(shape.group_size());
    if (is("head_dim")) return whole_value(shape.cache.d_k);
    if (is("value_dim")) return whole_value(shape.cache.d_v);
    if (is("hidden_size")) return whole_value(shape.hidden_size);
    if (is("intermediate_size")) return whole_value(shape.intermediate_size);
    if (is("vocab_size")) return whole_value(shape.vocab_size);
    if (is("max_positions")) return whole_value(shape.max_positions);
    if (is("parameters")) return whole_value(parameter_count(shape));
    if (is("weight_bytes")) return whole_bytes(weight_bytes(shape));
    if (is("bytes_per_token")) return whole_bytes(bytes_per_token(shape.cache, {}));
    return std::nullopt;
}

std::optional<LessonValue> run_name(const LessonRun& run, const Snapshot& now,
                                    std::uint32_t iteration, std::string_view name) {
    for (std::size_t i = 0; i < now.requests.size(); ++i)
        if (now.requests[i].name == name) return request_record(run, now, now.requests[i]);
    if (name == "iteration") return whole_value(iteration);
    if (name == "running") return whole_value(now.running.size());
    if (name == "waiting") return whole_value(now.waiting.size());
    if (name == "requests") return whole_value(now.requests.size());
    if (name == "block_size") return whole_value(now.block_size);
    if (name == "pool") return pool_record(now);
    if (name == "counters") return counters_record(now.counters);
    if (name == "bytes") return bytes_record(run, now);
    if (name == "model") return shape_of(run.model().config());
    if (name == "work" || name == "last") {
        const IterationFacts* facts = run.facts(iteration);
        const Work none;
        if (facts == nullptr) return work_record(none);
        return work_record(name == "work" ? facts->work : facts->last);
    }
    if (name == "step_time") return seconds_value(model_us_of(run, iteration) * 1e-6);
    if (name == "settings") {
        LessonRecord record;
        const EngineSettings settings = settings_at(run, now);
        for (const SettingRow& row : engine_setting_rows())
            record[std::string(row.name)] = row.write(settings);
        return record;
    }
    return std::nullopt;
}

}  // namespace kv
