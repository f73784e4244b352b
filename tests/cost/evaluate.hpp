#pragma once
// A small calculator for the expressions of derivations, written apart from the library: it is the
// oracle that every derivation really gives the value it claims.

#include <map>
#include <string>

#include "core/cost/model/derivation.hpp"

namespace kv::test {

using Names = std::map<std::string, long double>;

// + - * / <= ( ) ceil floor min max, names and numbers. Throws std::runtime_error on anything else.
long double evaluate(const std::string& expression, const Names& names);

Names names_of(const Derived& result);
long double number_of(const Value& value);  // true is 1

}  // namespace kv::test
