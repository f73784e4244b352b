#pragma once
// A question of the course with everything that is needed to ask and to grade it. The text states
// every parameter, what is to be given, in which order and how exactly; the right answers come from
// an oracle (an engine counter, the pool, a policy, the cost model), never from a table of texts.
//
// A question may ask for several values. Each is a part with its own unit, its own tolerance and
// its own slips: wrong values that people arrive at in a known way, with the name of that way.

#include <cstdint>
#include <string>
#include <vector>

namespace kv {

enum class Quantity : std::uint8_t { Count, Number, Bytes, Seconds, Percent, Times, Flop, Word };

struct Slip {
    std::string name;  // "K only"
    double value = 0;
    std::string word = {};  // instead of the value, where a word is asked for
};

struct ExercisePart {
    std::string name;  // "the logical block": stands in the text, and may stand before an answer
    Quantity quantity = Quantity::Count;
    std::string unit;                // of a number that stands alone: "blocks", "B", "ms", "%"
    double value = 0;                // in blocks, bytes, seconds, per cent, FLOP
    std::vector<std::string> words;  // that are right, the usual one first; for Quantity::Word
    double tolerance = 0;            // relative; 0 is exact
    // A random instance may have 0, 1 or the value of another part here.
    bool any_value = false;
    std::vector<Slip> slips;
};

struct Exercise {
    std::string id;  // "8.1": the order of the lesson's table
    unsigned lesson = 0;
    std::string text;
    std::vector<std::string> choices;  // the answer is one of these; empty where it is not
    std::vector<ExercisePart> parts;
    std::string hint;
};

std::string unit_of(const Exercise& exercise);  // of its parts, each once: "blocks, %"
// A text that is graded right, for all of it and for one value.
std::string expected_answer(const Exercise& exercise);
std::string expected_value(const ExercisePart& part);
// What somebody writes who makes that slip.
std::string slip_value(const ExercisePart& part, const Slip& slip);

// Whether a random instance is not worth asking: an answer of 0 or 1, two parts of one unit with
// one value, or a slip that gives the right answer.
bool is_degenerate(const Exercise& exercise);

// Relative closeness for values with a tolerance, equality for exact ones.
bool is_right(const ExercisePart& part, double value);

}  // namespace kv
