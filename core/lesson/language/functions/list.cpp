// Lists, rounding, small arithmetic and quoted figures.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/lesson/language/functions.hpp"

namespace kv {
namespace {

using Args = LessonArguments;

LessonValue length(Args& a) {
    const LessonValue value = a.next();
    if (const auto* list = value.shared<LessonList>())
        return count_value(static_cast<double>(list->size()));
    if (const auto* text = value.plain<std::string>())
        return count_value(static_cast<double>(text->size()));
    a.refuse("wants a list or a text");
}

// Arguments, or the elements of the one list that was given.
std::vector<Number> all_numbers(Args& a) {
    std::vector<Number> out;
    const auto take = [&](const LessonValue& value) {
        if (value.plain<Number>() == nullptr) a.refuse("wants numbers");
        out.push_back(*value.plain<Number>());
        if (!(out.back().unit == out.front().unit)) a.refuse("wants numbers of one unit");
    };
    while (a.has_more()) {
        const LessonValue value = a.next();
        if (const auto* list = value.shared<LessonList>())
            for (const LessonValue& one : *list) take(one);
        else
            take(value);
    }
    return out;
}

LessonValue total(Args& a) {
    const auto all = all_numbers(a);
    Number sum{0, all.empty() ? kCount : all[0].unit};
    for (const Number& n : all) sum.value += n.value;
    return sum;
}
LessonValue largest(Args& a) {
    const auto all = all_numbers(a);
    if (all.empty()) a.refuse("wants something to choose from");
    return *std::max_element(all.begin(), all.end(),
                             [](Number x, Number y) { return x.value < y.value; });
}
LessonValue smallest(Args& a) {
    const auto all = all_numbers(a);
    if (all.empty()) a.refuse("wants something to choose from");
    return *std::min_element(all.begin(), all.end(),
                             [](Number x, Number y) { return x.value < y.value; });
}
LessonValue contains(Args& a) {
    const LessonList list = a.list("list");
    const LessonValue wanted = a.next();
    return std::any_of(list.begin(), list.end(),
                       [&](const LessonValue& v) { return same_value(v, wanted); });
}
LessonValue distinct(Args& a) {
    const LessonList list = a.list("list");
    LessonList out;
    for (const LessonValue& value : list)
        if (std::none_of(out.begin(), out.end(),
                         [&](const LessonValue& v) { return same_value(v, value); }))
            out.push_back(value);
    return out;
}
LessonValue part(Args& a) {
    const LessonList list = a.list("list");
    const u64 first = a.whole("first"), last = a.whole("end");
    if (first > last || last > list.size()) a.refuse("asks for places that the list does not have");
    return LessonList(list.begin() + static_cast<std::ptrdiff_t>(first),
                      list.begin() + static_cast<std::ptrdiff_t>(last));
}
LessonValue numbered(Args& a) {
    const u64 first = a.whole("first"), end = a.whole("end");
    if (end < first || end - first > 10'000) a.refuse("wants at most 10,000 numbers");
    LessonList list;
    for (u64 n = first; n < end; ++n) list.push_back(count_value(static_cast<double>(n)));
    return list;
}

LessonValue marked(Args& a) {
    const LessonList list = a.list("list");
    const u64 end = a.whole("end");
    if (end > 10'000) a.refuse("wants at most 10,000 numbers");
    LessonList out(end, count_value(0));
    for (const LessonValue& value : list) {
        const auto* number = value.plain<Number>();
        if (number == nullptr) a.refuse("wants a list of whole numbers");
        if (number->value >= 0 && number->value < static_cast<double>(end))
            out[static_cast<std::size_t>(number->value)] = count_value(1);
    }
    return out;
}

template <class Round>
LessonValue rounded(Args& a, Round round) {
    const LessonValue value = a.next();
    if (value.plain<Number>() == nullptr) a.refuse("wants a number");
    Number number = *value.plain<Number>();
    number.value = round(number.value);
    return number;
}
LessonValue up(Args& a) {
    return rounded(a, [](double x) { return std::ceil(x); });
}
LessonValue down(Args& a) {
    return rounded(a, [](double x) { return std::floor(x); });
}
LessonValue nearest(Args& a) {
    return rounded(a, [](double x) { return std::round(x); });
}
LessonValue magnitude(Args& a) {
    return rounded(a, [](double x) { return std::abs(x); });
}

// Within a share of the second, 0.001 for one in a thousand.
LessonValue near_to(Args& a) {
    const LessonValue x = a.next(), y = a.next();
    const double share = a.number("share");
    const auto *p = x.plain<Number>(), *q = y.plain<Number>();
    if (p == nullptr || q == nullptr || !(p->unit == q->unit))
        a.refuse("wants numbers of one unit");
    return std::abs(p->value - q->value) <= share * std::abs(q->value);
}

LessonValue choice(Args& a) {
    const LessonValue which = a.next(), yes = a.next(), no = a.next();
    if (which.plain<bool>() == nullptr) a.refuse("wants yes or no first");
    return *which.plain<bool>() ? yes : no;
}

LessonValue published(Args& a) {
    const std::string figure = a.text("figure");
    return QuotedFigure{figure, a.text("source"), false};
}
LessonValue misprint(Args& a) {
    return QuotedFigure{a.text("figure"), "", true};
}

LessonValue plain(Args& a) {
    const LessonValue value = a.next();
    if (value.plain<Number>() == nullptr) a.refuse("wants a number");
    return count_value(value.plain<Number>()->value);
}

constexpr auto kListRows = std::to_array<LessonFunction>({
    {"len", "list", "how many it holds", length},
    {"sum", "list or numbers", "of them", total},
    {"max", "list or numbers", "the largest", largest},
    {"min", "list or numbers", "the smallest", smallest},
    {"contains", "list, value", "whether the list has it", contains},
    {"distinct", "list", "each value once", distinct},
    {"slice", "list, first, end", "places first to end, without end", part},
    {"range", "first, end", "whole numbers from first to end, without end", numbered},
    {"marked", "list, end",
     "for each number from 0 to end, without end: 1 where the list has it, else 0", marked},
    {"ceil", "number", "rounded up", up},
    {"floor", "number", "rounded down", down},
    {"round", "number", "rounded to whole", nearest},
    {"abs", "number", "without its sign", magnitude},
    {"near", "a, b, share", "whether a is within that share of b", near_to},
    {"if", "condition, yes, no", "one of the two", choice},
    {"plain", "number", "the same without its unit", plain},
    {"published", "figure, source", "a figure of others, with the name of a source of this lesson",
     published},
    {"misprint", "figure", "a figure that texts print and that is not so", misprint},
});

}  // namespace

std::span<const LessonFunction> list_functions() {
    return kListRows;
}

const LessonFunction* find_function(std::string_view name) {
    const LessonFunction* found = nullptr;
    each_function([&](const LessonFunction& row) {
        if (row.name == name) found = &row;
    });
    return found;
}

void each_function(const std::function<void(const LessonFunction&)>& visit) {
    for (const auto rows :
         {cost_functions(), work_functions(), cache_functions(), codec_functions(), sim_functions(),
          list_functions(), strip_functions()})
        for (const LessonFunction& row : rows) visit(row);
}

}  // namespace kv
