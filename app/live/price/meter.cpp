#include "app/live/price/meter.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/measure/coding_errors.hpp"

namespace kv {
namespace {

EngineParts parts_of(const LoadedModel& model) {
    return {.config = model.config(),
            .make_backend =
                [&model](const std::string& name, const PoolSpec& pool) {
                    return open_backend(model.config(), model.loaded.weights, name, pool);
                },
            .tokenizer = nullptr,
            .model_id = model.loaded.sha256};
}

std::uint64_t tokens_of(const PriceAsk& ask) {
    std::uint64_t n = 0;
    for (const PricePassage& p : ask.passages) n += p.text.prompt.size() + p.text.told.size();
    return n;
}

// How much of it is behind each piece of work, for a bar that only grows.
class Pieces {
public:
    Pieces(double pieces, Progress tell) : pieces_(pieces), tell_(std::move(tell)) {}
    Progress piece(double weight) {
        const double from = done_;
        done_ += weight;
        return [this, from, weight](double done) {
            return tell_(std::min(1.0, (from + weight * done) / pieces_));
        };
    }

private:
    double pieces_, done_ = 0;
    Progress tell_;
};

std::optional<std::vector<QualityTruth>> tell_truths(const PriceAsk& ask, Pieces& work) {
    std::vector<QualityTruth> truths;
    for (const PricePassage& passage : ask.passages) {
        const auto n = static_cast<double>(passage.text.prompt.size() + passage.text.told.size());
        auto truth = tell_truth(parts_of(*ask.model), ask.base, passage.text, work.piece(n));
        if (!truth) return std::nullopt;
        truths.push_back(std::move(*truth));
    }
    return truths;
}

void add_errors(PriceNumbers& numbers, const PriceAsk& ask, const EngineSettings& settings) {
    const std::vector<Codec> codecs{settings.k_codec, settings.v_codec};
    CodingErrors k, v;
    bool has_k = true, has_v = true;
    for (const PricePassage& passage : ask.passages) {
        const auto errors = coding_errors(parts_of(*ask.model), settings, passage.text, codecs);
        if (errors[0]) k += *errors[0];
        if (errors[1]) v += *errors[1];
        has_k = has_k && errors[0], has_v = has_v && errors[1];
    }
    if (has_k) numbers.k_error = k.k.relative_rms();
    if (has_v) numbers.v_error = v.v.relative_rms();
}

}  // namespace

std::string PriceAsk::place() const {
    std::string text = model->loaded.sha256;
    for (const SettingRow& row : engine_setting_rows()) text += "/" + row.write(base);
    for (const PricePassage& passage : passages) {
        text += "/";
        for (const auto& tokens : {passage.text.prompt, passage.text.told}) {
            for (const std::uint32_t token : tokens) text += std::to_string(token) + ",";
            text += ";";
        }
    }
    return text;
}

PriceAnswer measure_price(const PriceAsk& ask, const PriceCombination& what,
                          const std::vector<QualityTruth>& truths, const Progress& go_on) {
    const auto n_all = static_cast<double>(tokens_of(ask));
    try {
        EngineSettings settings = with_combination(ask.base, what, ask.model->config());
        PriceNumbers numbers;
        std::vector<QualityRow> rows;
        double before = 0;
        for (std::size_t i = 0; i < ask.passages.size(); ++i) {
            const PricePassage& passage = ask.passages[i];
            const std::uint64_t n = passage.text.prompt.size() + passage.text.told.size();
            const auto part = [&](double done) {
                return go_on((before + done * static_cast<double>(n)) / n_all);
            };
            const auto result = measure_against(truths[i], parts_of(*ask.model),
                                                settings_for_text(settings, n), passage.text, part);
            if (!result) return {};
            before += static_cast<double>(n);
            numbers.held_bytes = std::max(numbers.held_bytes, result->held_bytes);
            numbers.peak_bytes = std::max(numbers.peak_bytes, result->peak_bytes);
            for (const std::uint32_t needle : passage.needles) {
                ++numbers.needles;
                numbers.found += result->rows[needle].recalled ? 1 : 0;
            }
            rows.insert(rows.end(), result->rows.begin(), result->rows.end());
        }
        const QualityMeans means = means_of(rows);
        numbers.nll = means.nll, numbers.nll_full = means.nll_full, numbers.kl = means.kl;
        numbers.flips = means.flips, numbers.mass_lost = means.mass_lost;
        add_errors(numbers, ask, settings);
        return {numbers, {}};
    } catch (const Error& refused) {
        return {std::nullopt, said_of(refused)};
    }
}

struct PriceMeter::Shared {
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
    std::mutex lock;
    std::vector<std::pair<std::string, PriceAnswer>> ready;  // locked
    std::string at_work;                                     // locked: a combination
};

PriceMeter::~PriceMeter() {
    next_.reset();
    if (shared_) shared_->stop = true;
    if (working_.valid()) working_.wait();
}

void PriceMeter::start(PriceAsk ask) {
    const std::string place = ask.place();
    auto& list = ask.list;
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const PriceCombination& c) { return find(place, c) != nullptr; }),
               list.end());
    if (working_.valid()) {
        shared_->stop = true;
        next_ = std::move(ask);
        return;
    }
    launch(std::move(ask));
}

void PriceMeter::launch(PriceAsk ask) {
    if (ask.list.empty()) return;
    place_ = ask.place();
    shared_ = std::make_shared<Shared>();
    working_ = later([shared = shared_, wake = wake_, ask = std::move(ask)] {
        const auto tell = [&](double done) {
            const bool seen =
                static_cast<int>(done * 100) != static_cast<int>(shared->progress * 100);
            shared->progress = done;
            if (seen && wake) wake();
            return !shared->stop;
        };
        const auto n = static_cast<double>(tokens_of(ask));
        Pieces work(n * static_cast<double>(ask.list.size() + 1), tell);
        const auto truths = tell_truths(ask, work);
        for (const PriceCombination& what : ask.list) {
            if (!truths || shared->stop) break;
            {
                const std::lock_guard guard(shared->lock);
                shared->at_work = what.key();
            }
            PriceAnswer answer = measure_price(ask, what, *truths, work.piece(n));
            if (!answer.numbers && answer.why.empty()) break;  // stopped
            const std::lock_guard guard(shared->lock);
            shared->ready.emplace_back(what.key(), std::move(answer));
        }
        if (wake) wake();
        return true;
    });
}

void PriceMeter::cancel() {
    next_.reset();
    if (working_.valid()) shared_->stop = true;
}

void PriceMeter::take() {
    if (!shared_) return;
    const std::lock_guard guard(shared_->lock);
    for (auto& [key, answer] : shared_->ready) known_[place_ + "\n" + key] = std::move(answer);
    shared_->ready.clear();
}

void PriceMeter::settle(double seconds) {
    while (working_.is_ready(seconds)) {
        take();
        auto done = std::exchange(working_, {});
        shared_.reset();
        if (auto next = std::exchange(next_, std::nullopt)) start(std::move(*next));
        done.get();
    }
    take();
}

double PriceMeter::progress() const {
    return shared_ ? shared_->progress.load() : 0;
}

std::optional<std::string> PriceMeter::place() const {
    if (next_) return next_->place();
    return working_.valid() && !shared_->stop ? std::optional(place_) : std::nullopt;
}

const PriceAnswer* PriceMeter::find(const std::string& place, const PriceCombination& what) const {
    const auto found = known_.find(place + "\n" + what.key());
    return found == known_.end() ? nullptr : &found->second;
}

bool PriceMeter::at_work(const std::string& place, const PriceCombination& what) const {
    if (!working_.valid() || shared_->stop || place != place_) return false;
    const std::lock_guard guard(shared_->lock);
    return shared_->at_work == what.key();
}

}  // namespace kv
