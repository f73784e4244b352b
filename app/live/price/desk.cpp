#include "app/live/price/desk.hpp"

#include <algorithm>

#include "app/shell/texts/said.hpp"

namespace kv {
namespace {

constexpr double kLong = 1e6;

std::size_t index_of(PriceText text) {
    return static_cast<std::size_t>(text);
}

PriceRow row_of(const PriceMeter& meter, const std::string& place, const PriceCombination& what) {
    PriceRow row{what.k_codec, what.v_codec, what.evict, what.of_run};
    if (const PriceAnswer* answer = meter.find(place, what)) {
        row.state = answer->numbers ? PriceRow::State::Measured : PriceRow::State::Refused;
        row.why = answer->why;
        row.numbers = answer->numbers.value_or(PriceNumbers{});
    } else if (meter.at_work(place, what)) {
        row.state = PriceRow::State::Measuring;
    }
    return row;
}

}  // namespace

void PriceDesk::follow(RunSession& run, std::uint64_t id, SeqId focused) {
    const auto& requests = run.trace().end().requests;
    const std::size_t n =
        focused.index() < requests.size() ? requests[focused.index()].tokens.size() : 0;
    const bool other =
        id != id_ || settings_ != run.written_settings() || n_added_ != added_.size();
    const bool other_request = other || focused != focused_ || n != n_tokens_;
    if (id != id_) meter_.cancel();
    id_ = id, focused_ = focused, n_tokens_ = n, n_added_ = added_.size();
    if (other) settings_ = run.written_settings();
    if (other) lay_out(run, PriceText::Fixed);
    if (other_request) lay_out(run, PriceText::Request);
    const bool busy = meter_.busy();
    meter_.settle();
    if (other_request || busy || was_busy_) describe();
    was_busy_ = busy;
}

void PriceDesk::lay_out(RunSession& run, PriceText text) {
    Desk& desk = desks_[index_of(text)];
    desk = {};
    const ModelConfig& config = run.model().config();
    desk.ask = PriceAsk{run.shared_model(), price_base(run.settings()), {}, {}};
    if (text == PriceText::Fixed)
        read_fixed(run.model(), desk);
    else
        read_request(run, desk);
    for (const PricePassage& passage : desk.ask->passages) {
        desk.sheet.prompt_tokens += static_cast<std::uint32_t>(passage.text.prompt.size());
        desk.sheet.told_tokens += static_cast<std::uint32_t>(passage.text.told.size());
        desk.sheet.needles += static_cast<std::uint32_t>(passage.needles.size());
    }
    const auto n = static_cast<std::uint32_t>(desk.ask->passages.size());
    desk.sheet.passages = n;
    desk.ask->list = price_list(config, run.settings(), desk.sheet.prompt_tokens / std::max(1u, n));
    desk.ask->list.insert(desk.ask->list.end(), added_.begin(), added_.end());
    desk.place = desk.ask->place();
}

void PriceDesk::read_fixed(const LoadedModel& model, Desk& desk) {
    if (model.tokenizer)
        desk.ask->passages = read_passages(fixed_text(), *model.tokenizer);
    else
        desk.sheet.cannot = Said("refused.price.no_tokenizer"_t);
}

void PriceDesk::read_request(const RunSession& run, Desk& desk) {
    const auto& requests = run.trace().end().requests;
    if (focused_.index() >= requests.size()) {
        desk.sheet.cannot = Said("refused.price.no_request"_t);
        return;
    }
    const RequestView& request = requests[focused_.index()];
    desk.sheet.request = request.name;
    QualityText text;
    for (std::size_t i = 0; i < request.tokens.size(); ++i)
        (i < request.n_prompt ? text.prompt : text.told).push_back(request.tokens[i]);
    if (text.prompt.empty() || text.told.empty())
        desk.sheet.cannot = Said("refused.price.silent"_t, {{"name", request.name}});
    else
        desk.ask->passages.push_back({std::move(text), {}});
}

void PriceDesk::measure(PriceText text) {
    const Desk& desk = desks_[index_of(text)];
    if (!desk.sheet.cannot.empty()) throw Refused(desk.sheet.cannot);
    if (!desk.ask) throw Refused("refused.no_run"_t);
    meter_.start(*desk.ask);
    was_busy_ = true;
}

void PriceDesk::add(const std::string& words) {
    PriceCombination what = price_combination(words);
    const auto same = [&](const PriceCombination& other) { return other.key() == what.key(); };
    const auto& list = desks_[index_of(PriceText::Fixed)].ask;
    if (list && std::any_of(list->list.begin(), list->list.end(), same))
        throw Refused("refused.price.known"_t, {{"words", words}});
    added_.push_back(std::move(what));
}

void PriceDesk::cancel() {
    meter_.cancel();
}

void PriceDesk::finish() {
    while (meter_.busy()) meter_.settle(kLong);
    describe();
}

void PriceDesk::describe() {
    const auto place = meter_.place();
    view_.measuring.reset();
    view_.progress = meter_.progress();
    for (const PriceText text : {PriceText::Fixed, PriceText::Request}) {
        const Desk& desk = desks_[index_of(text)];
        if (!desk.ask) continue;
        PriceSheet& sheet = view_.sheets[index_of(text)];
        sheet = desk.sheet;
        for (const PriceCombination& what : desk.ask->list)
            sheet.rows.push_back(row_of(meter_, desk.place, what));
        if (place == desk.place) view_.measuring = text;
    }
}

}  // namespace kv
