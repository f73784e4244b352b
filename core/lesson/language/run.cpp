#include "core/lesson/language/run.hpp"

#include <algorithm>
#include <utility>

#include "core/base/background/give_way.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"
#include "core/engine/measure/run_proof.hpp"
#include "core/lesson/scene/play.hpp"

namespace kv {
namespace {

std::vector<RequestSpec> specs_of(const LessonModel& model, const Scene& scene,
                                  const std::string& place) {
    return request_specs(scene, model.tokenizer(), model.config().vocab_size, place);
}

std::optional<PrefixTreeFacts> prefixes_of(const Engine& engine) {
    const RadixTree* tree = engine.cache().prefix_tree();
    if (tree == nullptr) return std::nullopt;
    PrefixTreeFacts facts{tree->state().clock, tree->nodes(), {}};
    for (const RadixPlaceInLine& place : tree->state().line) facts.line.push_back(place.node);
    return facts;
}

}  // namespace

LessonRun::LessonRun(const LessonModel& model, Scene scene, const std::string& place,
                     std::optional<std::uint32_t> last, StateHashes hashes)
    : model_(model), scene_(std::move(scene)), place_(place) {
    engine_ = std::make_unique<Engine>(parts(), scene_.settings);
    ScenePlay play(*engine_, specs_of(model_, scene_, place_), scene_.commands);
    while (!play.done() && (!last || play.next_iteration() <= *last)) {
        play.advance();
        facts_[engine_->iteration()] = {engine_->work(), engine_->last_work(),
                                        hashes == StateHashes::Kept ? engine_->state_hash() : "",
                                        prefixes_of(*engine_)};
        give_way();
    }
    refusals_ = play.refusals();
}

LessonRun::~LessonRun() = default;

// No clock: what is measured would differ from one run to the next, and nothing else does.
EngineParts LessonRun::parts() const {
    return {.config = model_.config(),
            .make_backend = [this](const std::string& name,
                                   const PoolSpec& pool) { return model_.open(name, pool); },
            .tokenizer = model_.tokenizer(),
            .model_id = model_.sha256(),
            .keep_logits = true,
            .payload_bytes = 0,
            .clock_us = [] { return 0.0; },
            .find_drafter = model_.drafters()};
}

const IterationFacts* LessonRun::facts(std::uint32_t iteration) const {
    const auto after = facts_.upper_bound(iteration);
    return after == facts_.begin() ? nullptr : &std::prev(after)->second;
}

std::uint32_t LessonRun::iteration_of(std::uint64_t prefix_clock) const {
    for (const auto& [iteration, facts] : facts_)
        if (facts.prefixes && facts.prefixes->clock >= prefix_clock) return iteration;
    return last_iteration();
}

std::optional<std::uint64_t> LessonRun::moment_after(std::uint32_t iteration) const {
    return trace().end_of_iteration(iteration);
}

const LessonProof& LessonRun::proof() const {
    if (proof_) return *proof_;
    EngineParts parts = this->parts();
    RunProof proof(parts.make_backend);
    parts.make_backend = [&](const std::string& name, const PoolSpec& pool) {
        proof.start_anew();
        return model_.open(name, pool);
    };
    std::uint32_t iteration = 0;
    parts.keep_seen = true;
    parts.on_logits = [&](SeqId id, const SeenTokens& seen, std::span<const float> logits) {
        proof.check(id, seen, logits, iteration);
    };
    Engine engine(std::move(parts), scene_.settings);
    proof.follow(engine);
    ScenePlay play(engine, specs_of(model_, scene_, place_), scene_.commands);
    while (!play.done()) {
        iteration = play.next_iteration();
        play.advance();
    }
    proof_ = LessonProof{proof.full(), proof.masked()};
    return *proof_;
}

QualityText LessonRun::judged_text(const std::string& request) const {
    const auto& requests = engine_->requests();
    const auto found = std::find_if(requests.begin(), requests.end(),
                                    [&](const Request& r) { return r.spec.name == request; });
    if (found == requests.end() || found->spec.forced.empty())
        throw Error(ErrorCode::World, shown(place_) + ": request " + shown(request) +
                                          " has no forced tokens to be judged by; give it some "
                                          "with force.");
    return {found->prompt, found->spec.forced};
}

const QualityTruth& LessonRun::truth_of(const std::string& request, const QualityText& text,
                                        const EngineSettings& settings) const {
    auto truth = truths_.find(request);
    if (truth == truths_.end())
        truth = truths_.emplace(request, *tell_truth(parts(), settings, text)).first;
    return truth->second;
}

std::vector<QualityRow> LessonRun::quality(const std::string& request,
                                           const EngineSettings& settings) const {
    const QualityText text = judged_text(request);
    const EngineSettings whole = settings_for_text(settings, text.prompt.size() + text.told.size());
    std::vector<QualityRow>& rows = measured_[request + scene_settings(whole).dump()];
    if (rows.empty())
        rows = measure_against(truth_of(request, text, whole), parts(), whole, text)->rows;
    return rows;
}

std::vector<QualityRow> LessonRun::coarse_quality(const std::string& request, unsigned bits) const {
    const QualityText text = judged_text(request);
    EngineSettings whole =
        settings_for_text(scene_.settings, text.prompt.size() + text.told.size());
    whole.k_codec = whole.v_codec = Codec::F32;
    whole.evict = "none";
    whole.positions.reset();
    EngineParts parts = this->parts();
    parts.make_backend = [&](const std::string& name, const PoolSpec& pool) {
        return model_.open_coarse(bits, name, pool);
    };
    std::vector<QualityRow>& rows = measured_[request + " coarse " + std::to_string(bits)];
    if (rows.empty())
        rows = measure_against(truth_of(request, text, whole), parts, whole, text)->rows;
    return rows;
}

PolicySight LessonRun::sight_of(const std::vector<std::uint32_t>& tokens,
                                const EngineSettings& settings) const {
    KV_ASSERT(tokens.size() > 1);
    PolicySight sight;
    const Engine* running = nullptr;
    EngineParts parts = this->parts();
    parts.keep_seen = true;
    parts.on_logits = [&](SeqId id, const SeenTokens& known, std::span<const float>) {
        const TokenKeeper* keeper = running->keeper(id);
        if (keeper != nullptr && known.tokens.size() == tokens.size()) sight.seen = keeper->seen();
    };
    Engine engine(std::move(parts), settings_for_text(settings, tokens.size() + 1));
    running = &engine;
    RequestSpec spec;
    spec.name = "text";
    spec.prompt = {tokens[0]};
    spec.forced.assign(tokens.begin() + 1, tokens.end());
    spec.max_new = 1;
    engine.submit(std::move(spec));
    while (!engine.done()) engine.advance();
    sight.lanes = engine.sight_lanes(), sight.key_rotation = engine.key_rotation();
    return sight;
}

}  // namespace kv
