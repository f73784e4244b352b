#include "app/session/run_session.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

const Tokenizer* tokenizer_in(const LoadedModel& model) {
    return model.tokenizer ? &*model.tokenizer : nullptr;
}

EngineParts parts_of(const LoadedModel& model) {
    return {.config = model.config(),
            .make_backend =
                [&model](const std::string& name, const PoolSpec& pool) {
                    return open_backend(model.config(), model.loaded.weights, name, pool);
                },
            .tokenizer = tokenizer_in(model),
            .model_id = model.loaded.sha256};
}

}  // namespace

RunSession::RunSession(std::shared_ptr<const LoadedModel> model, Scene scene,
                       const std::string& place)
    : model_(std::move(model)),
      scene_(std::move(scene)),
      engine_(parts_of(*model_), scene_.settings),
      play_(engine_,
            request_specs(scene_, tokenizer_in(*model_), model_->config().vocab_size, place),
            scene_.commands) {
    go(trace().size());
}

bool RunSession::run_ahead() {
    if (play_.done()) return false;
    play_.advance();
    return true;
}

// A short way forward is walked event by event; any other way begins at a keyframe.
void RunSession::go(std::uint64_t moment) {
    constexpr std::uint64_t kShort = 512;
    if (moment >= moment_ && moment - moment_ <= kShort)
        trace().each(moment_, moment,
                     [&](std::uint64_t, const Event& event) { apply(now_, event); });
    else
        now_ = trace().at(moment);
    moment_ = moment;
}

// What lies behind the last step of the trace belongs to a step that has not been run yet.
bool RunSession::trace_ends_a_step() const {
    return trace().size() > 0 &&
           std::holds_alternative<IterationFinished>(trace().event(trace().size() - 1).what);
}

bool RunSession::forward(Granularity step) {
    auto next = trace().next(moment_, step);
    while ((!next || (*next == trace().size() && !trace_ends_a_step())) && run_ahead())
        next = trace().next(moment_, step);
    if (!next) return false;
    go(*next);
    return true;
}

bool RunSession::back(Granularity step) {
    const auto previous = trace().previous(moment_, step);
    if (!previous) return false;
    go(*previous);
    return true;
}

void RunSession::to_moment(std::uint64_t moment) {
    KV_ASSERT(moment <= trace().size());
    go(moment);
}

void RunSession::to_iteration(std::uint32_t iteration) {
    while (!play_.done() && play_.next_iteration() <= iteration) run_ahead();
    go(trace().end_of_iteration(iteration).value_or(trace().size()));
}

void RunSession::to_end() {
    while (run_ahead()) {
    }
    go(trace().size());
}

bool RunSession::to_next(const Trace::Wanted& wanted) {
    std::uint64_t from = moment_;
    for (;;) {
        if (const auto found = trace().find(from, wanted)) {
            go(*found + 1);
            return true;
        }
        from = trace().size();
        if (!run_ahead()) return false;
    }
}

bool RunSession::to_previous(const Trace::Wanted& wanted) {
    if (moment_ == 0) return false;
    const auto found = trace().find_back(moment_ - 1, wanted);
    if (!found) return false;
    go(*found + 1);
    return true;
}

std::optional<std::string> RunSession::command(const EngineCommand& command) {
    if (moment_ != trace().size())
        return "This moment lies in the past; go to the last step, or branch here.";
    auto refusal = engine_.apply(command);
    go(trace().size());
    return refusal;
}

const std::string& RunSession::word(std::uint32_t token) {
    const auto known = words_.find(token);
    if (known != words_.end()) return known->second;
    std::string text = "#" + std::to_string(token);
    if (model_->tokenizer) {
        const std::string plain = model_->tokenizer->is_special(token)
                                      ? model_->tokenizer->token_text(token).value_or("")
                                      : model_->tokenizer->decode({token}, SpecialTokens::Written);
        if (!plain.empty()) text = shown(plain);
    }
    return words_.emplace(token, std::move(text)).first->second;
}

const MetricSeries& RunSession::series() {
    series_.catch_up(trace());
    return series_;
}

}  // namespace kv
