#include "app/live/looks/told_pair.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "app/panels/view/facts.hpp"
#include "app/session/backends.hpp"
#include "app/session/run_session.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/engine/measure/generation.hpp"

namespace kv {
namespace {

using Tokens = std::vector<std::uint32_t>;

const SceneRequest* request_in(const Scene& scene, const std::string& name) {
    const auto found =
        std::find_if(scene.requests.begin(), scene.requests.end(),
                     [&](const SceneRequest& request) { return request.id == name; });
    return found == scene.requests.end() ? nullptr : &*found;
}

RequestSpec spec_in(const ToldAsk::Side& side, const ToldAsk& ask) {
    const LoadedModel& model = *side.model;
    const std::vector<RequestSpec> specs =
        request_specs(side.scene, model.tokenizer ? &*model.tokenizer : nullptr,
                      model.config().vocab_size, ask.place);
    return *std::find_if(specs.begin(), specs.end(),
                         [&](const RequestSpec& spec) { return spec.name == ask.request; });
}

// What the scene forces upon the request anyway, and then what the full cache finds most probable.
std::optional<Tokens> full_answer(const ToldAsk& ask, const LookSpec& spec,
                                  const RequestSpec& asked, const std::function<bool()>& go_on) {
    const LoadedModel& model = *ask.sides[0].model;
    GenerationRequest request;
    request.prompt = asked.prompt;
    request.forced = asked.forced;
    if (request.forced.size() >= ask.most) {
        request.forced.resize(ask.most);
        return request.forced;
    }
    request.max_new = ask.most - static_cast<std::uint32_t>(request.forced.size());
    request.stop_tokens = model.config().eos;
    PoolSpec pool = spec.pool;
    pool.k = pool.v = Codec::F32;
    pool.rotation = Rotation::None;
    pool.n_blocks = static_cast<std::uint32_t>(ceil_div(stored_slots(request), pool.block_size));
    const auto backend = open_backend(model.config(), model.loaded.weights, spec.backend, pool);
    Generation generation(*backend, model.config(), std::move(request));
    while (generation.advance())
        if (!go_on()) return std::nullopt;
    Tokens answer = generation.request().forced;
    const Tokens& sampled = generation.new_tokens();
    answer.insert(answer.end(), sampled.begin(), sampled.end());
    return answer;
}

// The rows of logits that a side judged the answer by, and what each of its tokens saw.
struct Heard {
    std::vector<std::vector<float>> logits;
    std::optional<SeenInPool> sight;
};

std::optional<Heard> hear(const ToldAsk::Side& side, const ToldAsk& ask, std::size_t prompt,
                          const Tokens& answer, const std::function<bool()>& go_on) {
    Scene scene = side.scene;
    for (SceneRequest& request : scene.requests) {
        if (request.id != ask.request) continue;
        request.force.clear(), request.stop.clear();
        request.force_tokens = answer;
        request.max_new = 1;
    }
    RunSession session(side.model, std::move(scene), ask.place);
    Heard heard;
    heard.logits.resize(answer.size());
    std::size_t n_heard = 0;
    std::optional<SeqId> id;
    for (std::uint32_t step = 1; session.can_run_ahead() && n_heard < answer.size(); ++step) {
        if (!go_on()) return std::nullopt;
        session.to_iteration(step);
        if (!id) id = request_named(session.now(), ask.request);
        for (const JudgedRow& row : session.judged_rows()) {
            const std::size_t at = row.seen.size() - prompt;
            if (row.iteration != step || row.request != id || at >= answer.size()) continue;
            if (heard.logits[at].empty()) heard.logits[at] = row.logits, ++n_heard;
        }
    }
    if (n_heard < answer.size()) return std::nullopt;
    heard.sight = sight_of(session, ask.request);
    return heard;
}

}  // namespace

bool can_be_told(const Scene& scene, const std::string& request) {
    const SceneRequest* found = request_in(scene, request);
    return found != nullptr && !found->fork_of;
}

std::optional<FullText> tell_both(const ToldAsk& ask, const LookSpec& spec,
                                  const std::function<bool()>& go_on) {
    const RequestSpec asked = spec_in(ask.sides[0], ask);
    const auto answer = full_answer(ask, spec, asked, go_on);
    if (!answer) return std::nullopt;
    FullText text;
    text.request = ask.id, text.tokens = asked.prompt;
    text.tokens.insert(text.tokens.end(), answer->begin(), std::prev(answer->end()));
    for (std::size_t i = 0; i < answer->size(); ++i)
        text.rows.push_back(static_cast<std::uint32_t>(asked.prompt.size() + i - 1));
    std::array<std::optional<SeenInPool>, 2> sights;
    for (std::size_t i = 0; i < ask.sides.size(); ++i) {
        auto heard = hear(ask.sides[i], ask, asked.prompt.size(), *answer, go_on);
        if (!heard) return std::nullopt;
        text.sides[i] = std::move(heard->logits);
        sights[i] = std::move(heard->sight);
    }
    const bool same_model = ask.sides[0].model == ask.sides[1].model;
    text = look_at_text(*ask.sides[0].model, spec, std::move(text), sights, same_model);
    text.tokens.push_back(answer->back());
    text.n_forced = static_cast<std::uint32_t>(std::min(asked.forced.size(), answer->size()));
    return text;
}

}  // namespace kv
