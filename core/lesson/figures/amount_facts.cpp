// Figures whose amounts a lesson names itself, as expressions: bars, a product, numbers in a row.

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

struct NamedAmounts {
    std::vector<std::string> names;
    LessonList values;
};

NamedAmounts named_amounts(const FigureAsk& ask, std::size_t most) {
    NamedAmounts all;
    for (const LessonValue& name : ask.given.list("names")) all.names.push_back(text_in(ask, name));
    all.values = ask.given.list("values");
    if (all.names.empty() || all.names.size() > most || all.names.size() != all.values.size())
        ask.given.refuse("wants 1 to " + std::to_string(most) + " names, and a value for each");
    return all;
}

std::uint32_t open_of(const FigureAsk& ask, std::size_t all) {
    const u64 open = ask.given.whole_or("open", all);
    if (open > all) ask.given.refuse("opens with more than there is");
    return static_cast<std::uint32_t>(open);
}

}  // namespace

namespace {

LanesFacts::Run in_turn(std::uint32_t layers, double copy, double compute, bool whole) {
    LanesFacts::Run run;
    const double all = whole ? layers * copy : 0;
    for (std::uint32_t i = 0; i < layers; ++i) {
        const double from = whole ? i * copy : i * (copy + compute);
        const double at = whole ? all + i * compute : from + copy;
        run.copies.push_back({from, from + copy});
        run.computed.push_back({at, at + compute});
        if (!whole) run.stalls.push_back({from, at});
    }
    if (whole) run.stalls.push_back({0, all});
    run.end = run.computed.back().to;
    return run;
}

// The link never rests; a layer is computed when it is there and the one before it is done.
LanesFacts::Run a_layer_ahead(std::uint32_t layers, double copy, double compute) {
    LanesFacts::Run run;
    double done = 0;
    for (std::uint32_t i = 0; i < layers; ++i) {
        run.copies.push_back({i * copy, (i + 1) * copy});
        const double begins = std::max(done, run.copies.back().to);
        if (begins > done) run.stalls.push_back({done, begins});
        run.computed.push_back({begins, done = begins + compute});
    }
    run.end = done;
    return run;
}

// The other way round: a layer is sent once it is computed, together with the others or as soon as
// the link is free.
LanesFacts::Run sent(std::uint32_t layers, double copy, double compute, bool at_once) {
    LanesFacts::Run run;
    double link = at_once ? 0 : layers * compute;
    for (std::uint32_t i = 0; i < layers; ++i) {
        run.computed.push_back({i * compute, (i + 1) * compute});
        const double from = std::max(link, run.computed.back().to);
        run.copies.push_back({from, link = from + copy});
    }
    run.end = link;
    return run;
}

}  // namespace

double LanesFacts::Run::stalled() const {
    double sum = 0;
    for (const Span& stall : stalls) sum += stall.to - stall.from;
    return sum;
}

// slower: the same with copies of that length, behind the reveal.
FigureFacts ask_lanes(const FigureAsk& ask) {
    LanesFacts facts;
    const u64 layers = ask.given.whole("layers", 1);
    if (layers > 64) ask.given.refuse("wants at most 64 layers");
    facts.layers = static_cast<std::uint32_t>(layers);
    facts.copy = ask.given.number("copy", kSeconds);
    facts.compute = ask.given.number("compute", kSeconds);
    if (!(facts.copy > 0 && facts.compute > 0)) ask.given.refuse("wants times above zero");
    facts.whole = ask.when("whole", "never") != FigureWhen::Never;
    facts.when = ask.when("when", "now");
    const u64 blocks = ask.given.whole_or("blocks", 0);
    if (blocks > 64) ask.given.refuse("wants at most 64 blocks");
    facts.blocks = static_cast<std::uint32_t>(blocks);
    facts.sends = ask.given.yes_or("sends", false);
    if (facts.sends) {
        facts.in_turn = sent(facts.layers, facts.copy, facts.compute, false);
        facts.ahead = sent(facts.layers, facts.copy, facts.compute, true);
        return facts;
    }
    facts.in_turn = in_turn(facts.layers, facts.copy, facts.compute, facts.whole);
    facts.ahead = a_layer_ahead(facts.layers, facts.copy, facts.compute);
    if (const auto slower = ask.given.optional_number("slower", kSeconds)) {
        if (!(*slower > 0)) ask.given.refuse("wants times above zero");
        facts.slower_copy = *slower;
        facts.slower = a_layer_ahead(facts.layers, *slower, facts.compute);
    }
    return facts;
}

FigureFacts ask_roofline(const FigureAsk& ask) {
    constexpr Dimension kFlopRate{0, -1, 1}, kByteRate{1, -1, 0}, kIntensity{-1, 0, 1};
    RooflineFacts facts;
    facts.card = ask.given.text("card");
    facts.flop_rate = ask.given.number("flops", kFlopRate);
    facts.byte_rate = ask.given.number("bandwidth", kByteRate);
    const NamedAmounts named = named_amounts(ask, kMostBars);
    for (std::size_t i = 0; i < named.names.size(); ++i) {
        const Number number = number_in(ask, named.values[i]);
        if (!(number.unit == kIntensity) || !(number.value > 0))
            ask.given.refuse("wants FLOP for each byte");
        facts.points.push_back({named.names[i], number.value});
    }
    facts.open = open_of(ask, facts.points.size());
    return facts;
}

FigureFacts ask_bars(const FigureAsk& ask) {
    BarsFacts facts;
    facts.title = ask.given.text("title"), facts.how = ask.given.text("how");
    const std::string format = ask.given.text_or("format", "");
    const NamedAmounts named = named_amounts(ask, kMostBars);
    const Dimension unit = number_in(ask, named.values[0]).unit;
    for (std::size_t i = 0; i < named.names.size(); ++i) {
        const Number number = number_in(ask, named.values[i]);
        if (!(number.unit == unit)) ask.given.refuse("wants amounts of one unit");
        facts.bars.push_back({named.names[i], said_of(ask, named.values[i], format), number.value});
    }
    facts.open = open_of(ask, facts.bars.size());
    if (ask.given.has("limit")) {
        const double limit = ask.given.number("limit", unit);
        facts.limit = BarsFacts::Bar{ask.given.text("limit_name"),
                                     said_of(ask, Number{limit, unit}, format), limit};
    }
    return facts;
}

FigureFacts ask_factors(const FigureAsk& ask) {
    FactorsFacts facts;
    facts.title = ask.given.text("title"), facts.how = ask.given.text("how");
    const std::string format = ask.given.text_or("format", "");
    const NamedAmounts named = named_amounts(ask, kMostFactors);
    Number product{1, kCount};
    for (std::size_t i = 0; i < named.names.size(); ++i) {
        const Number factor = number_in(ask, named.values[i]);
        product = {
            product.value * factor.value,
            {product.unit.bytes + factor.unit.bytes, product.unit.seconds + factor.unit.seconds,
             product.unit.flops + factor.unit.flops}};
        const bool is_last = i + 1 == named.names.size();
        facts.factors.push_back({named.names[i], said_of(ask, named.values[i], ""),
                                 said_of(ask, product, is_last ? format : "")});
    }
    facts.strong = static_cast<std::uint32_t>(ask.given.whole_or("strong", 0));
    if (facts.strong > facts.factors.size()) ask.given.refuse("has no such factor");
    facts.products = ask.when("products", "now");
    return facts;
}

FigureFacts ask_series(const FigureAsk& ask) {
    SeriesFacts facts;
    facts.title = ask.given.text("title"), facts.how = ask.given.text("how");
    facts.word = ask.given.text("word"), facts.first = ask.given.whole_or("first", 1);
    const std::string format = ask.given.text_or("format", "");
    const NamedAmounts named = named_amounts(ask, kMostRows);
    for (std::size_t i = 0; i < named.names.size(); ++i) {
        const auto* list = named.values[i].shared<LessonList>();
        if (list == nullptr || list->empty() || list->size() > kMostColumns)
            ask.given.refuse("wants lists of 1 to " + std::to_string(kMostColumns) + " numbers");
        SeriesFacts::Row row{named.names[i], {}, {}};
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
