#include "core/cost/model/derivation.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool continues_name(char c) {
    return starts_name(c) || c == '_' || (c >= '0' && c <= '9');
}

}  // namespace

u64 Derived::whole() const {
    KV_ASSERT(std::holds_alternative<u64>(value));
    return std::get<u64>(value);
}

double Derived::real() const {
    KV_ASSERT(!std::holds_alternative<bool>(value));
    if (const u64* number = std::get_if<u64>(&value)) return static_cast<double>(*number);
    return std::get<double>(value);
}

bool Derived::yes() const {
    KV_ASSERT(std::holds_alternative<bool>(value));
    return std::get<bool>(value);
}

Operand whole_operand(std::string name, u64 value, std::string unit, std::string meaning) {
    return {std::move(name), Value{value}, std::move(unit), std::move(meaning)};
}

Operand real_operand(std::string name, double value, std::string unit, std::string meaning) {
    return {std::move(name), Value{value}, std::move(unit), std::move(meaning)};
}

Operand operand_of(const Derived& result) {
    return {result.name, result.value, result.unit, result.meaning};
}

Derived given(std::string name, Value value, std::string unit, std::string meaning) {
    const std::string operand = "given_" + name;
    Derived result{std::move(name), operand, value, unit, meaning, {}};
    result.operands.push_back({operand, value, std::move(unit), std::move(meaning)});
    return result;
}

std::string value_text(const Value& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const u64* number = std::get_if<u64>(&value)) return std::to_string(*number);
    return round_trip(std::get<double>(value));
}

std::string spelled_out(const Derived& result) {
    const std::string& text = result.expression;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (!starts_name(text[at])) {
            out += text[at++];
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && continues_name(text[end])) ++end;
        const std::string_view name = std::string_view(text).substr(at, end - at);
        const auto operand = std::find_if(result.operands.begin(), result.operands.end(),
                                          [name](const Operand& o) { return o.name == name; });
        out += operand == result.operands.end() ? std::string(name) : value_text(operand->value);
        at = end;
    }
    return out;
}

const Derived* find_result(const std::vector<Derived>& results, std::string_view name) {
    const auto found = std::find_if(results.begin(), results.end(),
                                    [name](const Derived& r) { return r.name == name; });
    return found == results.end() ? nullptr : &*found;
}

}  // namespace kv
