#include "core/cost/family/reading.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Kind = FamilyExpression::Kind;

constexpr const char* kAsItWasPublished = "use the file as it was published";
// Every whole number up to here is exact in a double.
constexpr double kMostExact = 9007199254740992.0;
constexpr double kLargestField = 2147483648.0;
constexpr int kDeepest = 64;  // rules within rules; more is a rule that needs itself

std::string value_of(double number) {
    return std::floor(number) == number && std::fabs(number) < kMostExact
               ? with_commas(static_cast<u64>(std::fabs(number))).insert(0, number < 0 ? "-" : "")
               : significant(number, 6);
}

std::string quoted(const std::string& word) {
    return "\"" + shown(word) + "\"";
}

bool compare(const std::string& op, double a, double b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    return op == "<" ? a < b : a > b;
}

bool is_comparison(const std::string& op) {
    return op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=";
}

}  // namespace

void FamilyReading::at_layer(u64 layer) {
    layer_ = static_cast<double>(layer);
    known_.clear();
}

void FamilyReading::refuse(std::string rule, std::string advice) {
    if (!refusal_) refusal_ = FamilyRefusal{std::move(rule), std::move(advice)};
}

const ConfigValue* FamilyReading::find(std::string_view name) const {
    const auto found = config_.find(name);
    if (found != config_.end()) return &found->second;
    const auto usual = defaults_.find(name);
    return usual == defaults_.end() ? nullptr : &usual->second;
}

FamilyReading::Found FamilyReading::field(std::string_view name) {
    const ConfigValue* value = find(name);
    if (!value || std::holds_alternative<ConfigNull>(*value)) {
        missing_ = name;
        return {};
    }
    if (const double* number = std::get_if<double>(value)) {
        if (*number < 0 || *number > kLargestField) {
            refuse(std::string(name) + " is " + value_of(*number) +
                       ", which is not a number from 0 to 2,147,483,648",
                   kAsItWasPublished);
            return 0.0;
        }
        return *number;
    }
    if (const auto* word = std::get_if<std::string>(value)) return *word;
    refuse(std::string(name) + " is a list where one number belongs", kAsItWasPublished);
    return 0.0;
}

FamilyReading::Found FamilyReading::evaluate_name(const std::string& name, std::string_view own) {
    if (name == "i") return layer_;
    const auto rule = rules_.find(name);
    if (rule == rules_.end() || name == own) return field(name);
    const auto known = known_.find(name);
    if (known != known_.end()) return known->second;
    KV_ASSERT(++depth_ < kDeepest);
    Found found = evaluate(*rule->second, name);
    --depth_;
    known_.emplace(name, found);
    return found;
}

FamilyReading::Found FamilyReading::evaluate_call(const FamilyExpression& e, std::string_view own) {
    const auto& parts = e.parts;
    if (e.word == "if") {
        KV_ASSERT(parts.size() == 3);
        return evaluate(*parts[number(*parts[0], own) != 0 ? 1 : 2], own);
    }
    if (e.word == "has") {
        const ConfigValue* value = find(parts.at(0)->word);
        return value && !std::holds_alternative<ConfigNull>(*value) ? 1.0 : 0.0;
    }
    if (e.word == "own") {
        return field("per_layer_config." + std::to_string(static_cast<u64>(layer_)) + "." +
                     parts.at(0)->word);
    }
    if (e.word == "at" || e.word == "holds" || e.word == "length") {
        const ConfigValue* value = find(parts.at(0)->word);
        if (!value || std::holds_alternative<ConfigNull>(*value)) {
            missing_ = parts[0]->word;
            return e.word == "holds" ? Found(0.0) : Found();
        }
        const auto* list = std::get_if<std::vector<ConfigScalar>>(value);
        const auto* letters = std::get_if<std::string>(value);
        if (e.word == "length") {
            return static_cast<double>(list ? list->size() : letters ? letters->size() : 0);
        }
        const double wanted = number(*parts.at(1), own);
        if (e.word == "holds" && !list) {
            refuse(parts[0]->word + " is no list", kAsItWasPublished);
            return 0.0;
        }
        if (e.word == "holds") {
            const bool there =
                list && std::find(list->begin(), list->end(), ConfigScalar(wanted)) != list->end();
            return there ? 1.0 : 0.0;
        }
        const auto index = static_cast<std::size_t>(wanted);
        if (letters) return index < letters->size() ? Found(letters->substr(index, 1)) : Found();
        if (!list) return field(parts[0]->word);  // one number for every layer
        if (index >= list->size()) return {};
        if (const double* entry = std::get_if<double>(&(*list)[index])) return *entry;
        return std::get<std::string>((*list)[index]);
    }
    if (e.word == "count") {
        const ConfigValue* value = find(parts.at(0)->word);
        const auto* list = value ? std::get_if<std::vector<ConfigScalar>>(value) : nullptr;
        const ConfigScalar wanted = parts.at(1)->word;
        return list ? static_cast<double>(std::count(list->begin(), list->end(), wanted)) : 0.0;
    }
    if (e.word == "in") {
        const Found what = evaluate(*parts.at(0), own);
        for (std::size_t i = 1; i < parts.size(); ++i) {
            if (evaluate(*parts[i], own) == what) return 1.0;
        }
        return 0.0;
    }
    if (e.word == "floor" || e.word == "ceil") {
        Found inner = evaluate(*parts.at(0), own);
        const double* value = std::get_if<double>(&inner);
        if (!value) return inner;
        return e.word == "floor" ? std::floor(*value) : std::ceil(*value);
    }
    KV_ASSERT(e.word == "min" || e.word == "max");
    const double a = number(*parts.at(0), own), b = number(*parts.at(1), own);
    return e.word == "min" ? std::min(a, b) : std::max(a, b);
}

FamilyReading::Found FamilyReading::evaluate_binary(const FamilyExpression& e,
                                                    std::string_view own) {
    const Found left = evaluate(*e.parts[0], own);
    if (e.word == "|") {
        return std::holds_alternative<std::monostate>(left) ? evaluate(*e.parts[1], own) : left;
    }
    const Found right = evaluate(*e.parts[1], own);
    if (e.word == "==" || e.word == "!=") {
        return (left == right) == (e.word == "==") ? 1.0 : 0.0;
    }
    const double* a = std::get_if<double>(&left);
    const double* b = std::get_if<double>(&right);
    if (!a || !b) {
        const auto* word = std::get_if<std::string>(a ? &right : &left);
        if (word) refuse(quoted(*word) + " stands where a number belongs", kAsItWasPublished);
        return {};
    }
    if (is_comparison(e.word)) return compare(e.word, *a, *b) ? 1.0 : 0.0;
    if (e.word == "+") return *a + *b;
    if (e.word == "-") return *a - *b;
    if (e.word == "*") return *a * *b;
    if (*b == 0) {
        const std::string& name = e.parts[1]->word;
        refuse((name.empty() ? "a divisor" : name) + " is 0, and something is divided by it",
               kAsItWasPublished);
        return 0.0;
    }
    return e.word == "/" ? *a / *b : std::fmod(*a, *b);
}

FamilyReading::Found FamilyReading::evaluate(const FamilyExpression& e, std::string_view own) {
    switch (e.kind) {
        case Kind::Number:
            return e.number;
        case Kind::Text:
            return e.word;
        case Kind::Name:
            return evaluate_name(e.word, own);
        case Kind::Call:
            return evaluate_call(e, own);
        case Kind::Binary:
            return evaluate_binary(e, own);
    }
    KV_ASSERT(false);
    return {};
}

double FamilyReading::number(const FamilyExpression& e, std::string_view own) {
    const Found found = evaluate(e, own);
    if (const double* value = std::get_if<double>(&found)) return *value;
    if (const auto* word = std::get_if<std::string>(&found)) {
        refuse(quoted(*word) + " stands where a number belongs", kAsItWasPublished);
    } else {
        refuse(missing_ + " is missing", kAsItWasPublished);
    }
    return 0;
}

u64 FamilyReading::whole(std::string_view rule) {
    const std::string name(rule);
    const double value = number(FamilyExpression{Kind::Name, 0, name, {}}, "");
    if (refusal_) return 0;
    if (value < 0 || value > kMostExact || std::floor(value) != value) {
        refuse(name + " comes to " + value_of(value) +
                   ", which is not a whole number that can be counted",
               kAsItWasPublished);
        return 0;
    }
    return static_cast<u64>(value);
}

std::optional<u64> FamilyReading::given_length(std::string_view field) const {
    const auto found = config_.find(field);
    if (found == config_.end()) return std::nullopt;
    const auto* list = std::get_if<std::vector<ConfigScalar>>(&found->second);
    return list ? std::optional<u64>(list->size()) : std::nullopt;
}

std::string FamilyReading::text(std::string_view rule) {
    const Found found = evaluate_name(std::string(rule), "");
    if (const auto* word = std::get_if<std::string>(&found)) return *word;
    if (const double* value = std::get_if<double>(&found)) return value_of(*value);
    return "";
}

FamilyReading::Shown FamilyReading::show_name(const FamilyExpression& e, std::string_view own,
                                              std::vector<Operand>& operands) {
    const auto rule = rules_.find(e.word);
    if (rule != rules_.end() && e.word != own) return show(*rule->second, e.word, operands);
    const double value = number(e, own);
    if (e.word == "i") return {value_of(value), Shown::Binds::Tight, value};
    std::string name = e.word;
    std::replace(name.begin(), name.end(), '.', '_');
    const bool known = std::any_of(operands.begin(), operands.end(),
                                   [&](const Operand& o) { return o.name == name; });
    if (!known) {
        const bool given = config_.find(e.word) != config_.end();
        const std::string meaning =
            given ? e.word + " of the config" : e.word + ", as its class has it by default";
        if (std::floor(value) == value) {
            operands.push_back(whole_operand(name, static_cast<u64>(value), "", meaning));
        } else {
            operands.push_back(real_operand(name, value, "", meaning));
        }
    }
    return {name, Shown::Binds::Tight, value};
}

FamilyReading::Shown FamilyReading::show_call(const FamilyExpression& e, std::string_view own,
                                              std::vector<Operand>& operands) {
    if (e.word == "if") return show(*e.parts[number(*e.parts[0], own) != 0 ? 1 : 2], own, operands);
    const double value = number(e, own);
    const bool shown_whole =
        e.word == "floor" || e.word == "ceil" || e.word == "min" || e.word == "max";
    if (!shown_whole) return {value_text(static_cast<u64>(value)), Shown::Binds::Tight, value};
    Shown result{e.word + "(", Shown::Binds::Tight, value};
    for (std::size_t i = 0; i < e.parts.size(); ++i) {
        result.text += (i == 0 ? "" : ", ") + show(*e.parts[i], own, operands).text;
    }
    result.text += ")";
    return result;
}

FamilyReading::Shown FamilyReading::show_sum(const FamilyExpression& e, std::string_view own,
                                             std::vector<Operand>& operands) {
    const double left = number(*e.parts[0], own), right = number(*e.parts[1], own);
    if (right == 0) return show(*e.parts[0], own, operands);
    if (left == 0 && e.word == "+") return show(*e.parts[1], own, operands);
    const Shown a = show(*e.parts[0], own, operands), b = show(*e.parts[1], own, operands);
    const bool closed = e.word == "-" && b.binds == Shown::Binds::Sum;
    return {a.text + " " + e.word + " " + (closed ? "(" + b.text + ")" : b.text), Shown::Binds::Sum,
            e.word == "+" ? left + right : left - right};
}

FamilyReading::Shown FamilyReading::show_product(const FamilyExpression& e, std::string_view own,
                                                 std::vector<Operand>& operands) {
    const double value = number(e, own);
    if (value == 0) return {"0", Shown::Binds::Tight, 0};
    Shown a = show(*e.parts[0], own, operands), b = show(*e.parts[1], own, operands);
    if (e.word == "*" && a.text == "1") return b;
    if (b.text == "1") return a;
    const auto closed = [](const Shown& s, bool right_of_division) {
        const bool loose =
            s.binds == Shown::Binds::Sum || (right_of_division && s.binds == Shown::Binds::Product);
        return loose ? "(" + s.text + ")" : s.text;
    };
    return {closed(a, false) + " " + e.word + " " + closed(b, e.word == "/"), Shown::Binds::Product,
            value};
}

FamilyReading::Shown FamilyReading::show(const FamilyExpression& e, std::string_view own,
                                         std::vector<Operand>& operands) {
    if (e.kind == Kind::Name) return show_name(e, own, operands);
    if (e.kind == Kind::Call) return show_call(e, own, operands);
    if (e.kind == Kind::Binary && e.word == "|") {
        const bool left = !std::holds_alternative<std::monostate>(evaluate(*e.parts[0], own));
        return show(*e.parts[left ? 0 : 1], own, operands);
    }
    if (e.kind == Kind::Binary && (e.word == "+" || e.word == "-")) {
        return show_sum(e, own, operands);
    }
    if (e.kind == Kind::Binary && (e.word == "*" || e.word == "/")) {
        return show_product(e, own, operands);
    }
    const double value = number(e, own);
    return {value_text(static_cast<u64>(value)), Shown::Binds::Tight, value};
}

Derived FamilyReading::derived(std::string_view rule, const std::string& name,
                               const std::string& meaning) {
    Derived result{name, "", Value{whole(rule)}, "", meaning, {}};
    if (refusal_) return result;
    result.expression =
        show(FamilyExpression{Kind::Name, 0, std::string(rule), {}}, "", result.operands).text;
    return result;
}

}  // namespace kv
