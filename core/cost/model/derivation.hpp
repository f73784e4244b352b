#pragma once
// A number together with the way it was obtained: an expression over named operands, each with its
// value, unit and meaning. An operand that bears the name of another result of the same list is
// that result, so any number can be unfolded down to the shape of the model.
//
// The invariant: the expression, evaluated with the operands, is the value. Expressions use + - * /
// with the usual precedence, <=, parentheses, and the functions ceil, floor, min and max; "/"
// never rounds.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

using Value = std::variant<bool, u64, double>;

struct Operand {
    std::string name;  // as it appears in the expression, snake_case
    Value value;
    std::string unit;  // "B", "tokens", "FLOP/s", or "" for a plain count
    std::string meaning;
};

struct Derived {
    std::string name;
    std::string expression;  // over the names of the operands
    Value value;
    std::string unit;
    std::string meaning;
    std::vector<Operand> operands;

    u64 whole() const;  // a bug when the value is not a whole number
    double real() const;
    bool yes() const;
};

Operand whole_operand(std::string name, u64 value, std::string unit, std::string meaning);
Operand real_operand(std::string name, double value, std::string unit, std::string meaning);
Operand operand_of(const Derived& result);  // a result as an operand of the next one

// A value that was handed in, as a result of its own, so that it can be unfolded like the others.
Derived given(std::string name, Value value, std::string unit, std::string meaning);

std::string value_text(const Value& value);  // "524288", "0.13745", "true": reads back exactly
// "2 * 32 * 8": the expression with numbers for names.
std::string spelled_out(const Derived& result);

const Derived* find_result(const std::vector<Derived>& results, std::string_view name);

}  // namespace kv
