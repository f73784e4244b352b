// Figures whose amounts a lesson names itself, as expressions: bars, a product, numbers in a row,
// work on the roof of a machine.

#include <algorithm>

#include "core/base/numbers/text.hpp"
#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostBars = 12, kMostFactors = 8, kMostRows = 4, kMostColumns = 128;

std::string text_in(const FigureAsk& ask, const LessonValue& value) {
    const auto* text = value.plain<std::string>();
    if (text == nullptr) ask.given.refuse("wants names in quotes");
    return *text;
}

// A figure of a text of others is taken as it is printed.
Number number_in(const FigureAsk& ask, const LessonValue& value) {
    if (const auto* quoted = value.shared<QuotedFigure>()) {
        std::string why;
        const std::optional<double> printed = parse_decimal(quoted->text, why);
        if (!printed || *printed < 0) ask.given.refuse("wants printed figures that are numbers");
        return {*printed, kCount};
    }
    const auto* number = value.plain<Number>();
    if (number == nullptr || !(number->value >= 0))
        ask.given.refuse("wants numbers that are not below zero");
    return *number;
}

std::string said_of(const FigureAsk& ask, const LessonValue& value, const std::string& format) {
    const auto* quoted = value.shared<QuotedFigure>();
    const auto said = quoted ? std::optional(quoted->text) : value_shown(value, format);
    if (!said) ask.given.refuse("has numbers that cannot be written as " + format);
    return *said;
}

// One of the `names` of a figure with the one of its `values` that stands at the same place.
struct NamedAmount {
    std::string name;
    LessonValue value;
};

std::vector<NamedAmount> named_amounts(const FigureAsk& ask, std::size_t most) {
    std::vector<NamedAmount> all;
    for (const LessonValue& name : ask.given.list("names"))
        all.push_back({.name = text_in(ask, name), .value = {}});
    const LessonList& values = ask.given.list("values");
    if (all.empty() || all.size() > most || all.size() != values.size())
        ask.given.refuse("wants 1 to " + std::to_string(most) + " names, and a value for each");
    for (std::size_t i = 0; i < all.size(); ++i) all[i].value = values[i];
    return all;
}

// So many of them are drawn before the reveal; all where the lesson does not say.
std::uint32_t open_of(const FigureAsk& ask, std::size_t all) {
    const u64 open = ask.given.whole_or("open", all);
    if (open > all) ask.given.refuse("opens with more than there is");
    return static_cast<std::uint32_t>(open);
}

}  // namespace

// roofline card="a card", flops=312TFLOP/s, bandwidth=2TB/s, names=["attention"],
// values=[intensity(preset("llama-3-8b"))]: two rates of a machine, and the work that is put under
// its roof. How often each byte is used comes from core/cost/time, by intensity() of the language.
FigureFacts ask_roofline(const FigureAsk& ask) {
    RooflineFacts facts{.card = ask.given.text("card"),
                        .flop_rate = ask.given.number("flops", kFlopRate),
                        .byte_rate = ask.given.number("bandwidth", kByteRate)};
    for (const NamedAmount& work : named_amounts(ask, kMostBars)) {
        const Number intensity = number_in(ask, work.value);
        if (!(intensity.unit == kIntensity) || !(intensity.value > 0))
            ask.given.refuse("wants FLOP for each byte");
        facts.points.push_back({.name = work.name, .intensity = intensity.value});
    }
    facts.open = open_of(ask, facts.points.size());
    return facts;
}

FigureFacts ask_bars(const FigureAsk& ask) {
    BarsFacts facts{.title = ask.given.text("title"), .how = ask.given.text("how")};
    const std::string format = ask.given.text_or("format", "");
    const std::vector<NamedAmount> named = named_amounts(ask, kMostBars);
    const Dimension unit = number_in(ask, named.front().value).unit;
    for (const auto& [name, value] : named) {
        const Number number = number_in(ask, value);
        if (!(number.unit == unit)) ask.given.refuse("wants amounts of one unit");
        facts.bars.push_back(
            {.name = name, .said = said_of(ask, value, format), .amount = number.value});
    }
    facts.open = open_of(ask, facts.bars.size());
    if (ask.given.has("limit")) {
        const double limit = ask.given.number("limit", unit);
        facts.limit = BarsFacts::Bar{.name = ask.given.text("limit_name"),
                                     .said = said_of(ask, Number{limit, unit}, format),
                                     .amount = limit};
    }
    return facts;
}

FigureFacts ask_factors(const FigureAsk& ask) {
    FactorsFacts facts{.title = ask.given.text("title"), .how = ask.given.text("how")};
    const std::string format = ask.given.text_or("format", "");
    const std::vector<NamedAmount> named = named_amounts(ask, kMostFactors);
    Number product{1, kCount};
    for (const auto& [name, value] : named) {
        const Number factor = number_in(ask, value);
        product.value *= factor.value;
        product.unit = {.bytes = product.unit.bytes + factor.unit.bytes,
                        .seconds = product.unit.seconds + factor.unit.seconds,
                        .flops = product.unit.flops + factor.unit.flops};
        const bool is_last = facts.factors.size() + 1 == named.size();
        facts.factors.push_back({.name = name,
                                 .said = said_of(ask, value, ""),
                                 .product = said_of(ask, product, is_last ? format : "")});
    }
    facts.strong = static_cast<std::uint32_t>(ask.given.whole_or("strong", 0));
    if (facts.strong > facts.factors.size()) ask.given.refuse("has no such factor");
    facts.products = ask.when("products", "now");
    return facts;
}

FigureFacts ask_series(const FigureAsk& ask) {
    SeriesFacts facts{.title = ask.given.text("title"),
                      .how = ask.given.text("how"),
                      .word = ask.given.text("word"),
                      .first = ask.given.whole_or("first", 1)};
    const std::string format = ask.given.text_or("format", "");
    for (const NamedAmount& named : named_amounts(ask, kMostRows)) {
        const auto* list = named.value.shared<LessonList>();
        if (list == nullptr || list->empty() || list->size() > kMostColumns)
            ask.given.refuse("wants lists of 1 to " + std::to_string(kMostColumns) + " numbers");
        SeriesFacts::Row row{.name = named.name, .values = {}, .said = {}};
        for (const LessonValue& value : *list) {
            row.values.push_back(number_in(ask, value).value);
            row.said.push_back(said_of(ask, value, format));
        }
        if (!facts.rows.empty() && row.values.size() > facts.rows[0].values.size())
            ask.given.refuse("wants no list longer than the first");
        facts.rows.push_back(std::move(row));
    }
    facts.open = open_of(ask, facts.rows.size());
    facts.labels = ask.given.yes_or("labels", true);
    const std::size_t all = facts.rows[0].values.size();
    const u64 columns = ask.given.whole_or("columns", all);
    if (columns == 0 || columns > all) ask.given.refuse("opens with 1 column or more of its own");
    facts.columns = static_cast<std::uint32_t>(columns);
    return facts;
}

}  // namespace kv
