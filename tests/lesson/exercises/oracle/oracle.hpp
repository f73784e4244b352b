#pragma once
// The tests' own answers, in plain arithmetic from the text alone: no function of the program is
// called, so that it can be wrong without the tests being wrong alike.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/lesson/exercises/reader.hpp"

namespace kv::test {

// One text for each value that is asked for, in order and in the units that stand alone.
using OwnAnswer = std::vector<std::string>;
using OwnOracle = std::function<OwnAnswer(const QuestionText&)>;
using OwnOracles = std::map<std::string, OwnOracle>;

OwnOracles oracles_of_1_to_4();
OwnOracles oracles_of_5_to_7();
OwnOracles oracles_of_8_to_10();
OwnOracles oracles_of_11_to_13();
OwnOracles oracles_of_14();
OwnOracles oracles_of_16();
OwnOracles all_oracles();

// The whole numbers from `first` to `last`, added one by one.
double sum_of(double first, double last);
std::string own(double value);  // as many digits as it takes

// Of a choice: words that only the right one has.
const std::map<std::string, std::string>& right_words();

}  // namespace kv::test
