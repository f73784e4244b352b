// How answers are read: lists, labels, thousands, units, and what is refused.

#include "core/lesson/exercises/answer_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/grade.hpp"
#include "core/lesson/exercises/shelf.hpp"

using namespace kv;

namespace {

Exercise one(Quantity quantity, const char* unit, double value, double tolerance = 0) {
    ExercisePart part;
    part.name = "the value";
    part.quantity = quantity;
    part.unit = unit;
    part.value = value;
    part.tolerance = tolerance;
    Exercise exercise;
    exercise.parts.push_back(part);
    return exercise;
}

bool right(const Exercise& exercise, const std::string& answer) {
    const Graded graded = grade(exercise, answer);
    CAPTURE(answer, graded.note, graded.slip.value_or(""));
    return graded.ok;
}

std::string slip(const Exercise& exercise, const std::string& answer) {
    const Graded graded = grade(exercise, answer);
    CHECK_FALSE(graded.ok);
    return graded.slip.value_or(graded.note);
}

}  // namespace

TEST_CASE("bytes are read in every unit and exactly", "[exercises][answers]") {
    const Exercise e = one(Quantity::Bytes, "B", 131'072);
    for (const char* text :
         {"131072", "131,072", "131072 B", "131,072B", "128 KiB", "128KiB", "0.125 MiB",
          "131.072 kB", "0.131072 MB", "131072 bytes", "1.31072e5", " 128 KiB "})
        CHECK(right(e, text));
    for (const char* text : {"128", "128 MiB", "131073", "131071 B", "131 kB", "-131072", "0"})
        CHECK_FALSE(right(e, text));
    CHECK(slip(e, "128 kB") == "decimal for binary");
    CHECK(slip(e, "1048576") == "bits for bytes");
    CHECK(slip(e, "131 kB") == "rounded where the exact number is asked");
    CHECK(slip(e, "128 KB").find("kB for 1,000 bytes or KiB for 1,024") != std::string::npos);
    CHECK(slip(one(Quantity::Bytes, "B", 128'000), "128 KiB") == "binary for decimal");
}

TEST_CASE("large byte counts are not rounded", "[exercises][answers]") {
    const Exercise e = one(Quantity::Bytes, "B", 85'899'345'920.0);
    CHECK(right(e, "80 GiB"));
    CHECK(right(e, "85,899,345,920"));
    CHECK_FALSE(right(e, "85,899,345,921"));
    CHECK_FALSE(right(e, "85.9 GB"));
}

TEST_CASE("times, shares, ratios and work within their tolerance", "[exercises][answers]") {
    const Exercise time = one(Quantity::Seconds, "ms", 0.0209715, 0.01);
    for (const char* text : {"21.0 ms", "21", "0.021 s", "20,971.5 us", "20971 \u00b5s", "21ms"})
        CHECK(right(time, text));
    CHECK_FALSE(right(time, "21.3 ms"));
    CHECK(slip(time, "21 s") == "a unit of time off by 1,000");
    CHECK(slip(time, "0.021") == "a unit of time off by 1,000");

    const Exercise share = one(Quantity::Percent, "%", 98.684, 0.01);
    for (const char* text : {"98.7 %", "98.7%", "98.7", "98.7 percent"}) CHECK(right(share, text));
    CHECK(slip(share, "0.987") == "a fraction for a percentage");
    CHECK(slip(share, "1.316 %") == "the other part of the whole");

    const Exercise ratio = one(Quantity::Times, "x", 1.9394, 0.01);
    for (const char* text : {"1.94x", "1.94 x", "1.94", "1.94\u00d7", "1.94 times"})
        CHECK(right(ratio, text));

    const Exercise work = one(Quantity::Flop, "FLOP", 157'417'472'000.0, 0.01);
    for (const char* text : {"1.574e11", "157.4 GFLOP", "157,417,472,000", "1.574E+11 FLOP",
                             "157.4 GFLOPs", "0.1574 TFLOP"})
        CHECK(right(work, text));
    CHECK_FALSE(right(work, "1.6e11"));

    const Exercise rate = one(Quantity::Number, "tokens/s", 669, 0.01);
    CHECK(right(rate, "669 tokens/s"));
    CHECK_FALSE(right(rate, "669 tokens"));
}

TEST_CASE("counts take their own unit and no other", "[exercises][answers]") {
    const Exercise e = one(Quantity::Count, "blocks", 15);
    for (const char* text : {"15", "15 blocks", "15 block", "15 Blocks", "+15", "15.0"})
        CHECK(right(e, text));
    for (const char* text : {"15 tokens", "16", "14", "15.5", "fifteen", "", "   ", "0x0F", "1 5",
                             "15 blocks 15", "nan", "inf", "1e400", "--15", "15,", "1,5"})
        CHECK_FALSE(right(e, text));
    const Exercise many = one(Quantity::Count, "tokens", 1'234'567);
    CHECK(right(many, "1,234,567"));
    for (const char* text : {"1,23,4567", ",1234567", "1234,567", "1.234.567", "1,234,567,"})
        CHECK_FALSE(right(many, text));
}

TEST_CASE("lists in the ways that people write them", "[exercises][answers]") {
    const Exercise walk = fixed_exercise("8.1");  // 3, 5, 4, 69
    for (const char* text :
         {"3, 5, 4, 69", "3,5,4,69", "3; 5; 4; 69", "3\n5\n4\n69", "3, 5, 4 and 69",
          "[3, 5, 4, 69]", "(3, 5, 4, 69)", "logical 3, offset 5, physical 4, slot 69",
          "slot 69, offset 5, physical 4, logical 3", "slot 69; 3; 5; 4", "3, slot 69, 5, 4",
          "slot 69; logical block 3; 5; 4",
          "slot: 69; offset = 5; physical block: 4; logical block: 3"})
        CHECK(right(walk, text));
    for (const char* text : {"3 5 4 69", "3, 5, 4", "3, 5, 4, 69, 1", "block 3, 5, 4, 69",
                             "offset 3, offset 5, 4, 69", "slot 69, 5, 3, 4", "5, 3, 4, 69"})
        CHECK_FALSE(right(walk, text));
    CHECK(slip(walk, "5, 3, 4, 69") == "the right values in another order");
    CHECK(slip(walk, "3, 5, 4") == "Expected 4 values and read 3; put a semicolon between them.");

    const Exercise thousands = fixed_exercise("1.1");  // 6,112 and 127
    for (const char* text : {"6,112, 127", "6112,127", "6,112; 127", "6112 127;", "6,112 and 127"})
        CHECK((right(thousands, text) == (std::string(text) != "6112 127;")));
    CHECK(right(fixed_exercise("2.3"), "8x1x38"));
    CHECK(right(fixed_exercise("2.3"), "8 \u00d7 1 \u00d7 38"));
}

TEST_CASE("choices and words", "[exercises][answers]") {
    const Exercise choice = fixed_exercise("14.23");
    CHECK(right(choice, "the weights"));
    CHECK(right(choice, " The weights "));
    CHECK_FALSE(right(choice, "weights"));
    CHECK(slip(choice, "the cache") ==
          "the cache overtakes the weights at a certain length and batch");
    // A choice with commas and colons of its own is one answer.
    const Exercise commas = fixed_exercise("14.13");
    CHECK(right(commas, "2, layers, KV heads, head_dim, tokens, bytes of an element"));
    const Exercise resume = fixed_exercise("13.2");
    CHECK(right(resume, "85.9 ms; 138 ms; Fetch"));
    CHECK(slip(resume, "85.9 ms; 138 ms; recompute") == "the slower way");
}

TEST_CASE("the slips that the course names", "[exercises][answers][C097][C098][C115]") {
    CHECK(slip(fixed_exercise("4.1"), "64 KiB; 512 MiB; 8 GiB") == kKeysOnly);
    CHECK(slip(fixed_exercise("4.1"), "512 KiB; 4 GiB; 64 GiB") == kQueryHeads);
    CHECK(slip(fixed_exercise("4.3"), "4577; 73,232; 24") == kDecimal);
    CHECK(slip(fixed_exercise("14.8"), "16,000; 16,384") ==
          "decimal and binary mixed: GB over MiB");
    CHECK(slip(fixed_exercise("4.3"), "4,687; 75,000; 24") ==
          "decimal and binary mixed: GB over KiB");
    // Rounded as the question allows, 6,176,112,640 bytes are 5.75 GiB.
    CHECK(slip(fixed_exercise("9.1"), "62; 8; 1,178; 5.75 GB") == kDecimal);
    CHECK(slip(fixed_exercise("7.2"), "144 KiB; 2.25 GiB; 9 GiB") == kGroupSize);
    CHECK(slip(fixed_exercise("7.3"), "refused, 4, 8, 8") == kGroupSize);
    CHECK(slip(fixed_exercise("1.1"), "6,112; 128").starts_with("off by one step"));
    CHECK(slip(fixed_exercise("5.3"), "5.52 s").starts_with("off by one step"));
    CHECK(slip(fixed_exercise("11.4"), "131,072; 262,144") == "nominal: the scales left out");
    CHECK(slip(fixed_exercise("9.3"), "63") == "not rounded down to whole blocks");
}

TEST_CASE("an answer that is absurdly long or strange is only wrong", "[exercises][answers]") {
    const Exercise e = fixed_exercise("8.1");
    CHECK_FALSE(right(e, std::string(5000, '1')));
    CHECK_FALSE(right(e, std::string(1000, ',')));
    CHECK_FALSE(right(e, std::string(1000, 'x')));
    CHECK_FALSE(right(e, std::string("3, 5, 4, 69\0", 12)));
    CHECK_FALSE(right(e, "\xff\xfe, \xff, 4, 69"));
    CHECK_FALSE(right(e, "3, 5, 4, 1e30"));
}

TEST_CASE("an answer of several values is read from a field for each", "[exercises][answers]") {
    Exercise two = one(Quantity::Count, "blocks", 53);
    two.parts.push_back(one(Quantity::Percent, "%", 87.5).parts.front());
    using Fields = std::vector<std::string>;
    CHECK(answer_fields(two, "") == Fields{"", ""});
    CHECK(answer_fields(two, "53; ") == Fields{"53", ""});
    CHECK(answer_fields(two, "; 87.5 %") == Fields{"", "87.5 %"});
    CHECK(answer_fields(two, "53 and 87.5") == Fields{"53", "87.5"});  // said in one field before
    CHECK(answer_fields(two, "no idea") == Fields{"no idea", ""});
    CHECK(answer_fields(two, "1; 2; 3") == Fields{"1; 2; 3", ""});
    Exercise three = two;
    three.parts.push_back(three.parts.front());
    CHECK(answer_fields(three, "53; 87.5") == Fields{"53", "87.5", ""});
    for (const Fields& fields : {Fields{"53", ""}, Fields{"", "1,024"}, Fields{"6,112", "127"}})
        CHECK(answer_fields(two, answer_of_fields(fields)) == fields);

    CHECK(is_begun(two, "53; "));
    CHECK(is_begun(two, "; 3"));
    CHECK_FALSE(is_begun(two, "53; 87.5"));
    CHECK_FALSE(is_begun(two, "; "));
    CHECK_FALSE(is_begun(two, "53"));
    CHECK_FALSE(is_begun(one(Quantity::Count, "blocks", 53), "53"));

    CHECK(grade(two, "53; 87.5").right == std::vector{true, true});
    CHECK(grade(two, "53; 12").right == std::vector{true, false});
    CHECK(grade(two, "53").right.empty());
}

TEST_CASE("right answers of the course survive their fields", "[exercises][answers]") {
    for (unsigned lesson = 1; lesson <= kLessons; ++lesson)
        for (const std::string& id : exercises_of(lesson)) {
            const Exercise exercise = fixed_exercise(id);
            if (exercise.parts.size() < 2 || !exercise.choices.empty()) continue;
            const std::vector<std::string> fields =
                answer_fields(exercise, expected_answer(exercise));
            INFO(id << ": " << expected_answer(exercise));
            CHECK(fields.size() == exercise.parts.size());
            CHECK(grade(exercise, answer_of_fields(fields)).ok);
        }
}

TEST_CASE("a question names a unit unless its words have it, as a word", "[exercises]") {
    const Exercise asked = ExerciseWriter("A server rests.")
                               .seconds("the rest", "s", 3)
                               .count("the blocks", "blocks", 4)
                               .count("the tokens of a page", "tokens", 5)
                               .done();
    CHECK(asked.text ==
          "A server rests. Give the rest (s), the blocks and the tokens of a page, in this order; "
          "whole numbers exactly, the rest within 1 %.");
}
