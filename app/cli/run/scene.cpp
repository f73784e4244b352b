#include <algorithm>
#include <cmath>

#include "app/cli/run/play.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/session/siblings.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/engine/measure/run_proof.hpp"
#include "core/lesson/scene/play.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "core/trace/metrics.hpp"

namespace kv {
namespace {

// Adds the block tables as they are now.
void add_tables(const Engine& engine, SeqId id, RequestResult& out) {
    bool dropped = false;
    for (std::uint32_t lane = 0; lane < engine.lanes().n_lanes(); ++lane) {
        const SlotMap& slots = engine.cache().slots(id, LaneId(lane));
        out.tables.push_back(engine.cache().table(id, LaneId(lane)));
        out.kept.push_back(slots.kept(out.stored));
        dropped = dropped || !slots.is_plain();
    }
    if (!dropped) out.kept.clear();
}

RequestResult result_of(const Engine& engine, const Request& r, SeqId id) {
    RequestResult out;
    out.id = r.spec.name;
    out.state = std::string(name_of(r.state));
    if (r.finish) out.finish = std::string(name_of(*r.finish));
    out.prompt = r.prompt;
    out.forced = r.spec.forced;
    out.output = r.new_tokens;
    out.text = r.finish ? r.words : r.text.text();
    out.cached_prompt = r.cached_prompt;
    out.preemptions = r.preemptions;
    const bool alive = !r.finish;
    out.stored = alive ? engine.cache().stored(id) : r.stored;
    out.tables = r.tables;
    out.kept = r.kept;
    if (alive) add_tables(engine, id, out);
    if (r.first_token) out.first_token_us = r.first_token_us - r.arrived_us;
    if (r.new_tokens.size() > 1)
        out.per_token_us =
            (r.last_token_us - r.first_token_us) / static_cast<double>(r.new_tokens.size() - 1);
    out.logits = r.logits;
    out.forced_nll = r.forced_nll;
    if (r.state == RequestState::Refused) {
        const auto why = engine.trace().find(0, [&](const Event& event) {
            return event.request == id && std::holds_alternative<RequestFinished>(event.what);
        });
        out.refused_because = text_of(engine.trace().event(*why).reason, [&](SeqId other) {
            return engine.requests()[other.index()].spec.name;
        });
    }
    return out;
}

// Every event, as a file that the window opens again (docs/trace-format.md).
void write_events(const RunInput& input, const Engine& engine, const std::string& sha256) {
    std::string text;
    export_trace(engine.trace(), {.with_times = input.with_times, .model = sha256},
                 [&](std::string_view lines) { text += lines; });
    write_output(input.events, text);
}

void write_metrics(const RunInput& input, const Engine& engine) {
    MetricSeries series;
    series.catch_up(engine.trace());
    write_output(input.metrics, metrics_csv(series.samples(), input.with_times));
}

// What a run leaves behind, but for its proof.
void take_results(const RunInput& input, const Engine& engine, RunResult& result) {
    for (std::uint32_t i = 0; i < engine.requests().size(); ++i)
        result.requests.push_back(result_of(engine, engine.requests()[i], SeqId(i)));
    // A run to its end is looked at before its last blocks went back; a step as it is.
    result.held = input.until_step ? engine.held() : engine.last_held();
    result.state_hash =
        result.held.state_hash.empty() ? engine.state_hash() : result.held.state_hash;
    result.lanes = engine.lanes();
    result.counters = engine.trace().end().counters;
    result.settings = engine.settings();
    result.layout = engine.backend().layout();
    result.work = engine.work();
    result.last_work = engine.last_work();
    result.last_iteration = engine.iteration();
}

void take_proof(const RunProof& proof, RunResult& result) {
    result.proof = proof.full();
    result.has_dropped = proof.has_dropped();
    if (proof.has_dropped()) result.masked = proof.masked();
}

}  // namespace

void refuse_infinite(std::span<const float> logits, const RunInput& input, std::uint32_t step) {
    if (std::all_of(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); })) return;
    throw Error(ErrorCode::World, shown(input.checkpoint.folder()) + ": the logits of step " +
                                      std::to_string(step) +
                                      " are not finite, because the weights are too large for "
                                      "float. Use weights as they were published.");
}

void play_scene(const RunInput& input, const Weights& weights, const SayProgress& progress,
                RunResult& result) {
    const auto open = [&](const std::string& name, const PoolSpec& pool) {
        return open_backend(input.checkpoint.config(), weights, name, pool);
    };
    std::optional<RunProof> proof;
    if (input.prove) proof.emplace(open);
    std::uint32_t iteration = 0;
    EngineParts parts{.config = input.checkpoint.config(),
                      .make_backend =
                          [&](const std::string& name, const PoolSpec& pool) {
                              if (proof) proof->start_anew();
                              return open(name, pool);
                          },
                      .tokenizer = input.tokenizer ? &*input.tokenizer : nullptr,
                      .model_id = result.sha256,
                      .keep_logits = input.keep_logits,
                      .keep_seen = input.prove};
    parts.on_logits = [&](SeqId id, const SeenTokens& seen, std::span<const float> logits) {
        refuse_infinite(logits, input, iteration);
        if (proof) proof->check(id, seen, logits, iteration);
    };
    parts.find_drafter = siblings_of(input.checkpoint);
    Engine engine(std::move(parts), input.scene.settings);
    if (proof) proof->follow(engine);
    ScenePlay play(engine, input.requests, input.scene.commands);
    std::optional<RunPublisher> publisher;
    if (input.publish) publisher.emplace(*input.publish);
    const auto is_over = [&] {
        return play.done() || (input.until_step && play.next_iteration() > *input.until_step);
    };
    while (!is_over() && !was_interrupted()) {
        iteration = play.next_iteration();
        play.advance();
        if (publisher) publisher->follow(engine.trace());
        progress("iteration " + std::to_string(engine.iteration()));
    }
    result.interrupted = !is_over();
    if (result.interrupted) return;
    if (publisher) publisher->stay(progress, input.quiet);
    take_results(input, engine, result);
    result.refusals = play.refusals();
    if (proof) take_proof(*proof, result);
    if (input.events) write_events(input, engine, result.sha256);
    if (input.metrics) write_metrics(input, engine);
}

}  // namespace kv
