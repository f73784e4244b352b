#include "core/lesson/language/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/shown.hpp"
#include "core/lesson/language/functions.hpp"
#include "core/lesson/language/run_functions.hpp"

namespace kv {
namespace {

[[noreturn]] void refuse(const Expression& e, std::string rule) {
    throw ExpressionRefusal{e.at, std::move(rule)};
}

Number number_of(const Expression& e, const LessonValue& value) {
    const auto* number = value.plain<Number>();
    if (number == nullptr) refuse(e, "wants a number where it has " + std::string(kind_of(value)));
    return *number;
}

bool yes(const Expression& e, const LessonValue& value) {
    const auto* truth = value.plain<bool>();
    if (truth == nullptr) refuse(e, "wants yes or no where it has " + std::string(kind_of(value)));
    return *truth;
}

// A unit is the powers of bytes, seconds and FLOP in it: a product adds them up, FLOP/s * s is
// FLOP.
Dimension product_of(Dimension a, Dimension b) {
    return {
        .bytes = a.bytes + b.bytes, .seconds = a.seconds + b.seconds, .flops = a.flops + b.flops};
}
Dimension quotient_of(Dimension a, Dimension b) {
    return {
        .bytes = a.bytes - b.bytes, .seconds = a.seconds - b.seconds, .flops = a.flops - b.flops};
}

LessonValue arithmetic(const Expression& e, Number a, Number b) {
    if (e.name == "*") return Number{a.value * b.value, product_of(a.unit, b.unit)};
    const bool divides = e.name == "/" || e.name == "//" || e.name == "%";
    if (divides && b.value == 0) refuse(e, "divides by 0");
    if (e.name == "/") return Number{a.value / b.value, quotient_of(a.unit, b.unit)};
    if (e.name == "//") return Number{std::floor(a.value / b.value), quotient_of(a.unit, b.unit)};
    if (!(a.unit == b.unit))
        refuse(e, "puts " + std::string(kind_of(a)) + " and " + std::string(kind_of(b)) +
                      " together with \"" + e.name + "\"");
    if (e.name == "%") return Number{std::fmod(a.value, b.value), a.unit};
    return Number{e.name == "+" ? a.value + b.value : a.value - b.value, a.unit};
}

LessonValue order(const Expression& e, Number a, Number b) {
    if (!(a.unit == b.unit))
        refuse(e, "compares " + std::string(kind_of(a)) + " with " + std::string(kind_of(b)));
    if (e.name == "<") return a.value < b.value;
    if (e.name == "<=") return a.value <= b.value;
    if (e.name == ">") return a.value > b.value;
    return a.value >= b.value;
}

}  // namespace

Evaluator::Evaluator(const StepRuns& step, Moment moment)
    : Evaluator(step, false, moment == Moment::Opens ? step.main.opens : step.main.ends) {}

Evaluator::Evaluator(const StepRuns& step, bool other, std::uint64_t moment)
    : step_(step), other_(other), moment_(moment) {
    if (side().run != nullptr) now_ = side().run->trace().at(moment_);
}

std::uint32_t Evaluator::iteration() const {
    return now_.in_iteration && now_.iteration > 0 ? now_.iteration - 1 : now_.iteration;
}

LessonValue Evaluator::value(const Expression& e) const {
    switch (e.kind) {
        case Expression::Kind::Literal:
            return e.literal;
        case Expression::Kind::Name:
            return name(e);
        case Expression::Kind::Member:
            return member(e);
        case Expression::Kind::Index:
            return element(e);
        case Expression::Kind::Call:
            return call(e);
        case Expression::Kind::Unary:
            return unary(e);
        case Expression::Kind::Binary:
            return binary(e);
        case Expression::Kind::List:
            break;
    }
    LessonList list;
    for (const ExpressionPtr& part : e.parts) list.push_back(value(*part));
    return list;
}

LessonValue Evaluator::name(const Expression& e) const {
    if (recording() != nullptr) {
        if (auto found = recording_name(*recording(), moment_, side().asked, e.name)) return *found;
        refuse(e, "has the name \"" + shown(e.name) + "\", which no recording has");
    }
    if (!has_run()) refuse(e, "asks for \"" + shown(e.name) + "\" where no scene runs");
    if (auto found = run_name(run(), now_, iteration(), e.name)) return *found;
    refuse(e, "has the name \"" + shown(e.name) + "\", which neither the run nor a request has");
}

LessonValue Evaluator::member(const Expression& e) const {
    const LessonValue of = value(*e.parts[0]);
    if (const auto* shape = of.shared<ModelShape>()) {
        if (auto found = shape_member(*shape, e.name)) return *found;
        refuse(e, "asks a model's shape for \"" + shown(e.name) + "\", which it does not have");
    }
    const auto* record = of.shared<LessonRecord>();
    if (record == nullptr)
        refuse(e, "asks " + std::string(kind_of(of)) + " for its member \"" + shown(e.name) + "\"");
    const auto found = record->find(e.name);
    if (found == record->end()) {
        std::string names;
        for (const auto& [name, unused] : *record) names += (names.empty() ? "" : " ") + name;
        refuse(e, "asks for the member \"" + shown(e.name) + "\", and there are " + shown(names));
    }
    return found->second;
}

LessonValue Evaluator::element(const Expression& e) const {
    const LessonValue of = value(*e.parts[0]);
    const auto* list = of.shared<LessonList>();
    if (list == nullptr) refuse(e, "asks " + std::string(kind_of(of)) + " for an element");
    double place = number_of(e, value(*e.parts[1])).value;
    if (place < 0) place += static_cast<double>(list->size());
    if (place < 0 || place >= static_cast<double>(list->size()) || place != std::floor(place))
        refuse(e, "asks for element " + *value_shown(count_value(place)) + " of " +
                      std::to_string(list->size()));
    return (*list)[static_cast<std::size_t>(place)];
}

LessonValue Evaluator::unary(const Expression& e) const {
    const LessonValue of = value(*e.parts[0]);
    if (e.name == "not") return !yes(e, of);
    const Number number = number_of(e, of);
    return Number{-number.value, number.unit};
}

LessonValue Evaluator::binary(const Expression& e) const {
    const LessonValue a = value(*e.parts[0]);
    if (e.name == "and") return yes(e, a) && yes(e, value(*e.parts[1]));
    if (e.name == "or") return yes(e, a) || yes(e, value(*e.parts[1]));
    const LessonValue b = value(*e.parts[1]);
    if (e.name == "==" || e.name == "!=") {
        const auto *x = a.plain<Number>(), *y = b.plain<Number>();
        if (kind_of(a) != kind_of(b) || (x != nullptr && !(x->unit == y->unit)))
            refuse(e, "compares " + std::string(kind_of(a)) + " with " + std::string(kind_of(b)));
        return same_value(a, b) == (e.name == "==");
    }
    const Number x = number_of(e, a), y = number_of(e, b);
    if (e.name[0] == '<' || e.name[0] == '>') return order(e, x, y);
    return arithmetic(e, x, y);
}

LessonValue Evaluator::call(const Expression& e) const {
    // Functions that look at the run take their arguments unevaluated, as before(e) does, so they
    // are asked first.
    if (auto seen = RunFunctions(*this, e).call()) return *seen;
    const LessonFunction* function = find_function(e.name);
    const bool asks_recording = recording() != nullptr && e.name == "whatif";
    if (function == nullptr && !asks_recording)
        refuse(e, "calls \"" + shown(e.name) + "\", which is no function");
    std::vector<LessonArguments::Given> given;
    for (std::size_t i = 0; i < e.parts.size(); ++i)
        given.push_back({e.labels[i], value(*e.parts[i])});
    LessonArguments arguments(e.name, std::move(given), e.at);
    try {
        LessonValue result =
            asks_recording ? recording_point(*recording(), arguments) : function->call(arguments);
        arguments.done();
        return result;
    } catch (const Error& error) {
        refuse(e, "cannot be computed: " + std::string(error.what()));
    }
}

}  // namespace kv
