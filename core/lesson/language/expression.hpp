#pragma once
// The small language in which lessons ask for numbers:
//
//   A.stored * bytes.per_token == 26.5KiB and pool.free > 0
//   kv_bytes(preset("llama-2-7b"), tokens=4096, batch=8)
//   before(pool.free) - pool.free
//
// Literals are numbers (with a unit glued on: 24GiB 2TB/s 989TFLOP/s 5ms; or hexadecimal: 0x1f),
// texts in double quotes, yes and no; lists stand in brackets. Operators, weakest first: or, and,
// not, == != < <= > >=, + -, * / // %, unary minus, .member and [index]; "//" divides and rounds
// down. Parsing knows no names: what a name or a function means is the evaluator's business.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/language/value.hpp"

namespace kv {

struct Expression {
    enum class Kind { Literal, Name, Member, Index, Call, List, Unary, Binary };
    Kind kind = Kind::Literal;
    LessonValue literal;
    std::string name;  // of a name, member, function or operator
    std::vector<std::shared_ptr<const Expression>> parts;
    std::vector<std::string> labels;  // of a call's arguments; empty for those without a name
    std::size_t at = 0;               // byte in the text, for refusals
};
using ExpressionPtr = std::shared_ptr<const Expression>;

// A rule that an expression breaks, as the end of a sentence: "has no \")\" for the \"(\" ...".
struct ExpressionRefusal {
    std::size_t at = 0;
    std::string rule;
};

// Throws ExpressionRefusal.
ExpressionPtr parse_expression(std::string_view text);

}  // namespace kv
