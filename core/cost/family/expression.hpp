#pragma once
// The language in which the table of families says what a config means: whole numbers, texts and
// names, + - * / % and comparisons, `a | b` (a where the config has it, else b), and the functions
//     if(c, a, b)   in(text, 'a', 'b', ...)   has(field)   min   max   ceil   floor
//     at(list, index)   length(list)   count(list, 'a')   holds(list, number)
//     own(field)   what per_layer_config says of this layer's field
// `i` is the layer. A rule is "name = expression"; its own name within it is the config's field.
// Internal to the families.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct FamilyExpression;
using FamilyExpressionPtr = std::shared_ptr<const FamilyExpression>;

struct FamilyExpression {
    enum class Kind { Number, Text, Name, Call, Binary };
    Kind kind = Kind::Number;
    double number = 0;
    std::string word;  // the text, the name, the function, or the operator
    std::vector<FamilyExpressionPtr> parts;
};

// The text is part of the program: one that cannot be parsed is a bug.
FamilyExpressionPtr parse_family_expression(std::string_view text);

using FamilyRules = std::map<std::string, FamilyExpressionPtr, std::less<>>;

// One rule a line; empty lines and lines that start with # say nothing. Later rules of a name
// replace earlier ones.
void add_family_rules(std::string_view text, FamilyRules& rules);

}  // namespace kv
