#pragma once
// Measures what codecs and policies cost on a text, on a thread of its own. One text at a time:
// asking for another one stops the one under way, and nobody waits for it. What was measured once
// is kept by what it was measured of, and is not measured again.
//
// The thread shares one small struct with the window, and everything in it has its lock; the model
// and the text are its own or never change.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/live/price/list.hpp"
#include "app/live/price/text.hpp"
#include "app/panels/view/price.hpp"
#include "app/session/loaded_model.hpp"
#include "core/base/background/later.hpp"

namespace kv {

struct PriceAsk {
    std::shared_ptr<const LoadedModel> model;
    EngineSettings base;
    std::vector<PricePassage> passages;
    std::vector<PriceCombination> list;
    // Names the passages and the model: results of one place belong together.
    std::string place() const;
};

struct PriceAnswer {
    std::optional<PriceNumbers> numbers;  // none: refused
    Said why = {};
};

class PriceMeter {
public:
    // `wake` is called on the thread when there is something new.
    explicit PriceMeter(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~PriceMeter();
    PriceMeter(const PriceMeter&) = delete;
    PriceMeter& operator=(const PriceMeter&) = delete;

    // Whatever of the list is not known yet. Never blocks.
    void start(PriceAsk ask);
    void cancel();  // what is measured stays
    // Takes over what is ready, waiting at most that long; throws what went wrong on the thread.
    void settle(double seconds = 0);
    bool busy() const { return working_.valid() || next_; }
    double progress() const;
    // The place that is being measured; nothing while none is, or while it is being stopped.
    std::optional<std::string> place() const;

    const PriceAnswer* find(const std::string& place, const PriceCombination& what) const;
    // The one of the list that is at work.
    bool at_work(const std::string& place, const PriceCombination& what) const;

private:
    struct Shared;
    void launch(PriceAsk ask);
    void take();

    std::function<void()> wake_;
    std::shared_ptr<Shared> shared_;
    Later<bool> working_;
    std::string place_;                         // of the one at work
    std::optional<PriceAsk> next_;              // begins once the one at work has stopped
    std::map<std::string, PriceAnswer> known_;  // by place and combination
};

// What the thread does, without it: for tests and for whoever has the time.
PriceAnswer measure_price(const PriceAsk& ask, const PriceCombination& what,
                          const std::vector<QualityTruth>& truths, const Progress& go_on);

}  // namespace kv
