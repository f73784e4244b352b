#include "app/session/run_session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/session/siblings.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kPayloadBytes = 64u << 20;
constexpr std::uint64_t kJudgedBytes = 32u << 20;

const Tokenizer* tokenizer_in(const LoadedModel& model) {
    return model.tokenizer ? &*model.tokenizer : nullptr;
}

std::uint64_t bytes_of(const JudgedRow& row) {
    return sizeof(JudgedRow) +
           (row.seen.size() + row.passes.size() + row.logits.size()) * sizeof(float);
}

std::vector<SharedScale> scales_of(const Backend& backend) {
    std::vector<SharedScale> scales;
    for (std::uint32_t layer = 0; layer < backend.layout().n_layers; ++layer)
        for (const Side side : {Side::K, Side::V})
            scales.push_back(backend.shared_scale(LayerId(layer), side));
    return scales;
}

// Whether a pool begins here: another one, or this one with its vectors stored otherwise.
bool begins_pool(const Event& event) {
    if (std::holds_alternative<PoolMade>(event.what)) return true;
    const auto* set = std::get_if<SettingChanged>(&event.what);
    return set != nullptr && (set->setting == "k_codec" || set->setting == "v_codec");
}

}  // namespace

EngineParts RunSession::parts() {
    const LoadedModel& model = *model_;
    return {
        .config = model.config(),
        .make_backend =
            [this, &model](const std::string& name, const PoolSpec& pool) {
                auto backend = open_backend(model.config(), model.loaded.weights, name, pool);
                note_pool(name, pool, backend->layout());
                return backend;
            },
        .tokenizer = tokenizer_in(model),
        .model_id = model.loaded.sha256,
        .payload_bytes = 0,
        .on_bytes =
            [this](std::uint64_t n, LaneId lane, BlockId block, Slot slot,
                   std::span<const unsigned char> bytes) {
                fresh_writes_.push_back({n, lane, block, slot, fresh_bytes_.size(), bytes.size()});
                fresh_bytes_.insert(fresh_bytes_.end(), bytes.begin(), bytes.end());
            },
        .keep_seen = true,
        .on_logits =
            [this](SeqId request, const SeenTokens& seen, std::span<const float> logits) {
                note_sight(request);
                fresh_rows_.push_back({computing_,
                                       request,
                                       {seen.tokens.begin(), seen.tokens.end()},
                                       {seen.passes.begin(), seen.passes.end()},
                                       {logits.begin(), logits.end()},
                                       seen.recoded});
            },
        .find_drafter = siblings_of(model.checkpoint)};
}

// Called on the engine's thread, before an event tells of the pool; of the first one while the
// engine is still being made.
void RunSession::note_pool(const std::string& backend, const PoolSpec& spec,
                           const KvLayout& layout) {
    const bool is_first = made_pools_.empty();
    if (!is_first) made_pools_.back().shared_scales = scales_of(engine_.backend());
    const EngineSettings& settings = is_first ? scene_.settings : engine_.settings();
    made_pools_.push_back({is_first ? 0 : engine_.trace().size(),
                           backend,
                           spec,
                           layout,
                           lanes_of(settings, layout),
                           {}});
}

// Called on the engine's thread: notes what the tokens of a request saw.
void RunSession::note_sight(SeqId request) {
    static const SeenLog kNothing;
    const TokenKeeper* keeper = engine_.keeper(request);
    const SeenLog& all = keeper == nullptr ? kNothing : keeper->seen();
    noted_.resize(std::max<std::size_t>(noted_.size(), request.index() + std::size_t{1}));
    Noted& noted = noted_[request.index()];
    // Where another pool has no policy, that is news as well.
    if (keeper == nullptr && noted.rows == 0) return;
    const std::size_t pool = made_pools_.size() - 1;
    const std::uint32_t life = keeper == nullptr ? 0 : keeper->life();
    if (noted.pool != pool || noted.life != life) noted = {pool, life, 0};
    const std::size_t first = std::min(noted.rows, all.size());
    const SeenLog rows(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
    fresh_sight_.push_back(
        {request, first, {pool, {rows, engine_.sight_lanes(), engine_.key_rotation()}}});
    noted.rows = all.size();
}

const SeenInPool* RunSession::sight(SeqId request, std::size_t pool) const {
    if (request.index() >= sights_.size()) return nullptr;
    const auto& all = sights_[request.index()];
    const auto last = std::find_if(all.rbegin(), all.rend(),
                                   [&](const SightInPool& each) { return each.pool <= pool; });
    return last == all.rend() || last->sight.seen.empty() ? nullptr : &last->sight;
}

RunSession::RunSession(std::shared_ptr<const LoadedModel> model, Scene scene,
                       const std::string& place)
    : model_(std::move(model)),
      scene_(std::move(scene)),
      engine_(parts(), scene_.settings),
      play_(engine_,
            request_specs(scene_, tokenizer_in(*model_), model_->config().vocab_size, place),
            scene_.commands),
      payloads_(kPayloadBytes) {
    for (const SettingRow& row : engine_setting_rows())
        begun_with_[std::string(row.name)] = row.write(scene_.settings);
    publish();
    go(trace_.size());
}

RunSession::~RunSession() {
    if (busy()) ahead_->done_within(Background::kForever);
}

const Engine& RunSession::engine() const {
    KV_ASSERT(!busy());
    return engine_;
}

// What the engine has done since the last time becomes what is seen.
void RunSession::publish() {
    const Trace& done = engine_.trace();
    // The same events have the same numbers: n of a write is one of this trace as well.
    done.each(trace_.size(), done.size(),
              [&](std::uint64_t, const Event& event) { trace_.append(event); });
    for (const Written& w : fresh_writes_)
        payloads_.record(w.n, w.lane, w.block, w.slot,
                         std::span(fresh_bytes_).subspan(w.first, w.size));
    fresh_writes_.clear(), fresh_bytes_.clear();
    for (JudgedRow& row : fresh_rows_) {
        judged_bytes_ += bytes_of(row);
        judged_.push_back(std::move(row));
    }
    fresh_rows_.clear();
    for (; judged_bytes_ > kJudgedBytes && judged_.size() > 1; judged_.pop_front())
        judged_bytes_ -= bytes_of(judged_.front());
    publish_pools();
    publish_sights();
    cursor_moved();
    play_done_ = play_.done();
    refusals_ = play_.refusals();
    series_.catch_up(trace_);
}

void RunSession::publish_pools() {
    made_pools_.back().shared_scales = scales_of(engine_.backend());
    for (std::size_t i = pools_.size(); i < made_pools_.size(); ++i)
        made_pools_[i].from =
            trace_.find(made_pools_[i].from, begins_pool).value_or(made_pools_[i].from);
    pools_ = made_pools_;
}

void RunSession::publish_sights() {
    for (FreshSight& fresh : fresh_sight_) {
        sights_.resize(
            std::max<std::size_t>(sights_.size(), fresh.request.index() + std::size_t{1}));
        auto& known = sights_[fresh.request.index()];
        SeenInPool& news = fresh.rows.sight;
        if (known.empty() || known.back().pool != fresh.rows.pool)
            known.push_back({fresh.rows.pool, {{}, news.lanes, news.key_rotation}});
        SeenLog& seen = known.back().sight.seen;
        seen.resize(fresh.first);
        std::move(news.seen.begin(), news.seen.end(), std::back_inserter(seen));
    }
    fresh_sight_.clear();
}

bool RunSession::run_ahead() {
    if (!settle(1e9) || !can_run_ahead()) return false;
    computing_ = play_.next_iteration();
    play_.advance();
    publish();
    return true;
}

void RunSession::start_ahead(std::function<void()> done) {
    KV_ASSERT(can_run_ahead());
    computing_ = play_.next_iteration();
    ahead_ = begin_background([this, done = std::move(done)] {
        play_.advance();
        if (done) done();
    });
}

bool RunSession::settle(double seconds) {
    if (!ahead_) return true;
    if (!ahead_->done_within(seconds)) return false;
    const std::unique_ptr<Background> done = std::move(ahead_);
    try {
        done->finish();
    } catch (...) {
        failed_ = true;
        publish();
        throw;
    }
    publish();
    return true;
}

// Before the first pool is told of, it is shown as it will be.
std::size_t RunSession::pool_at(std::uint64_t moment) const {
    const auto next = std::find_if(pools_.begin(), pools_.end(),
                                   [&](const Pool& pool) { return pool.from >= moment; });
    return next == pools_.begin() ? 0 : static_cast<std::size_t>(next - pools_.begin()) - 1;
}

std::size_t RunSession::pool_of_step() const {
    const auto starts = [](const Event& event) {
        return std::holds_alternative<IterationStarted>(event.what);
    };
    const auto last = moment() == 0 ? std::nullopt : trace_.find_back(moment() - 1, starts);
    return last ? pool_at(*last) : pool_;
}

const std::map<std::string, std::string>& RunSession::written_settings() const {
    return now().lanes.empty() ? begun_with_ : now().settings;
}

// The settings at the cursor are made anew from the scene's own and from the words that the trace
// has there, so a step back takes a change back.
void RunSession::cursor_moved() {
    pool_ = pool_at(moment());
    if (followed_ == written_settings()) return;
    followed_ = written_settings();
    settings_ = with_words(scene_.settings, followed_);
}

bool RunSession::may_grow_to(std::uint32_t iteration) const {
    return busy() || (can_run_ahead() && play_.next_iteration() <= iteration);
}

bool RunSession::forward(Granularity step) {
    for (;;) {
        const Moved moved = try_forward(step);
        if (moved != Moved::NeedsMore) return moved == Moved::Yes;
        run_ahead();
    }
}

void RunSession::to_iteration(std::uint32_t iteration) {
    while (try_to_iteration(iteration) == Moved::NeedsMore) run_ahead();
}

void RunSession::to_end() {
    while (try_to_end() == Moved::NeedsMore) run_ahead();
}

std::optional<std::string> RunSession::command(const EngineCommand& command) {
    if (busy()) return "The engine computes a step; wait until it is done.";
    if (moment() != trace_.size())
        return "This moment lies in the past; go to the last step, or branch here.";
    auto refusal = engine_.apply(command);
    publish();
    go(trace_.size());
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

}  // namespace kv
