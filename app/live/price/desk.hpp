#pragma once
// What the panel Price shows of a run: its two texts, the list for each of them, and how far
// measuring is. It follows the run between two frames and asks the meter; the view is made anew
// only when something changed.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/live/price/meter.hpp"
#include "app/panels/view/price.hpp"
#include "app/session/run_session.hpp"

namespace kv {

class PriceDesk {
public:
    explicit PriceDesk(std::function<void()> wake) : meter_(std::move(wake)) {}

    // The run at hand and the request in focus; takes over what is measured.
    void follow(RunSession& run, std::uint64_t id, SeqId focused);
    // Throws kv::Error where nothing can be measured on that text.
    void measure(PriceText text);
    void add(const std::string& words);
    void cancel();
    void finish();  // waits until all that was asked for is measured
    bool busy() const { return meter_.busy(); }
    const PriceView& view() const { return view_; }

private:
    struct Desk {
        std::optional<PriceAsk> ask;
        std::string place;
        PriceSheet sheet;  // without rows
    };
    void lay_out(RunSession& run, PriceText text);
    void read_fixed(const LoadedModel& model, Desk& desk);
    void read_request(const RunSession& run, Desk& desk);
    void describe();

    PriceMeter meter_;
    std::array<Desk, kPriceTexts> desks_;
    std::vector<PriceCombination> added_;
    // What the desks were laid out for.
    std::uint64_t id_ = 0;
    SeqId focused_{0};
    std::size_t n_tokens_ = 0, n_added_ = 0;
    std::map<std::string, std::string> settings_;
    bool was_busy_ = false;
    PriceView view_;
};

}  // namespace kv
