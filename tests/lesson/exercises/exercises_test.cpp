// All exercises of the course: the printed instances give the printed answers, and a thousand
// random ones of each are graded right by the tests' own arithmetic and wrong when it is bent.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>
#include <sstream>

#include "core/lesson/exercises/grade.hpp"
#include "core/lesson/exercises/shelf.hpp"
#include "tests/lesson/exercises/oracle/oracle.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr u64 kSeeds = 1000;

std::vector<std::string> all_ids() {
    std::vector<std::string> ids;
    for (unsigned lesson = 1; lesson <= kLessons; ++lesson)
        for (const std::string& id : exercises_of(lesson)) ids.push_back(id);
    return ids;
}

// As the course prints them, units and all.
const std::map<std::string, std::string>& printed_answers() {
    static const std::map<std::string, std::string> answers{
        {"1.1", "6,112 and 127"},
        {"1.2", "142"},
        {"1.3", "1,539 and 514"},
        {"1.4", "1.574e11; attention"},
        {"2.1", "0.8808, 0.1192; 0.9366, 0.5317"},
        {"2.2", "5"},
        {"2.3", "8 x 1 x 38"},
        {"3.1", "token-major 20, head-major 12"},
        {"3.2", "240; 480"},
        {"3.3", "2,048; 256"},
        {"3.4", "1.5 and -50"},
        {"4.1", "128 KiB; 1 GiB; 16 GiB"},
        {"4.2", "983,040 B; 11.25 GiB"},
        {"4.3", "4,915; 78,640; 26"},
        {"4.4", "25,705; 3,213"},
        {"4.5", "480 KiB; 3.75 GiB"},
        {"4.6", "96 KiB; 192 MiB"},
        {"4.7", "72 MiB; 1,686,110,208 B; 3,072"},
        {"5.1", "2,098,176; 8,390,656"},
        {"5.2", "512; 188"},
        {"5.3", "5.5 s"},
        {"6.1", "7.81 ms; 13.7 %"},
        {"6.2", "23.9 ms, 669 tokens/s, 71.8 %"},
        {"6.3", "7, 6.3"},
        {"6.4", "1 and 8 FLOP/B; 295"},
        {"6.5", "2 ms; 33 %; 0.67 TB/s"},
        {"7.1", "0, 0, 2, 3, 5"},
        {"7.2", "72 KiB; 1.125 GiB; 9 GiB"},
        {"7.3", "refused, 4, 4, 8"},
        {"7.4", "70,272 B"},
        {"7.5", "0, 0, 1, 3, 7; 8x"},
        {"7.6", "4; 8; 8x; 32"},
        {"8.1", "logical 3, offset 5, physical 4, slot 69"},
        {"8.2", "15 blocks, 42 idle, 17.5 %, 9 blocks, 90 idle, 31.3 %"},
        {"8.3", "2 MiB; 12,288; 196,608"},
        {"8.4", "8.5 %; 99.4 %; 22 blocks"},
        {"8.5", "57 blocks; 285 MiB; 12 slots; 3.75 MiB"},
        {"9.1", "62; 8; 1,178 blocks; 5.75 GiB"},
        {"9.2", "5; 2"},
        {"9.3", "48"},
        {"10.1", "3 nodes; 7 tokens; 3 and 0"},
        {"10.2", "5,824; 3,776; 35.2 %"},
        {"10.3", "1, 2, 128 tokens"},
        {"11.1", "66 B; 1.94x; 3.1 %"},
        {"11.2", "80 B; 3.2x"},
        {"11.3", "2; 0"},
        {"11.4", "131,072; 258,111"},
        {"12.1", "128.5 MiB"},
        {"12.2", "3"},
        {"12.3", "8; 1004"},
        {"12.4", "6.4 %"},
        {"13.1", "21.0 ms; 9.5 ms; 0.157 ms"},
        {"13.2", "85.9 ms, 138 ms, fetch"},
        {"13.3", "307 ms, 138 ms, recompute"},
        {"14.1", "98.7 %"},
        {"14.2", "35.2 %"},
        {"14.3", "4,813 blocks, yes; 4,875 blocks, no"},
        {"14.4",
         "GQA: bytes per token; MQA: bytes per token; quantisation: bytes per token; window: "
         "tokens "
         "kept; H2O: tokens kept; paging: idle bytes; sharing: copies"},
        {"14.6", "295 FLOP/B; 296"},
        {"14.8", "15,258; 16,384"},
        {"14.11", "500,500; 1,000"},
        {"14.26", "77.8 s; 4,320"},
        {"16.1", "2.3125 GiB; 19.3 %"},
        {"16.2", "72 B; 4.5; 3.56"},
        {"16.3", "448 tokens; 14"},
        {"16.4", "1,000 MiB; 41.9 ms; 401 ms"}};
    return answers;
}

std::string joined(const OwnAnswer& answer) {
    std::string text;
    for (const std::string& value : answer) text += (text.empty() ? "" : "; ") + value;
    return text;
}

OwnAnswer own_answer(const Exercise& exercise) {
    static const OwnOracles oracles = all_oracles();
    if (exercise.choices.empty()) return oracles.at(exercise.id)(QuestionText(exercise.text));
    // One of several right statements is among the choices; the shortest has no words too many.
    std::istringstream statements(right_words().at(exercise.id));
    std::string right;
    for (std::string words; std::getline(statements, words, '|');)
        for (const std::string& choice : exercise.choices)
            if (choice.find(words) != std::string::npos &&
                (right.empty() || choice.size() < right.size()))
                right = choice;
    return {right};
}

// Off by more than any stated tolerance, and by at least one.
std::string bent(const ExercisePart& part, const std::string& value) {
    if (part.quantity == Quantity::Word) return "none of these";
    const double number = std::stod(value);
    return own(part.tolerance == 0 ? number + 1 : number * 1.06 + 1e-6);
}

}  // namespace

TEST_CASE("printed instances have the printed answers",
          "[exercises][C050][C051][C053][C080][C097][C098][C115]") {
    for (const auto& [id, answer] : printed_answers()) {
        const Exercise exercise = fixed_exercise(id);
        const Graded graded = grade(exercise, answer);
        CAPTURE(id, answer, exercise.text, expected_answer(exercise), graded.note);
        CHECK(graded.ok);
        CHECK_FALSE(graded.slip);
    }
}

TEST_CASE("printed instances agree with the tests' own arithmetic", "[exercises]") {
    for (const std::string& id : all_ids()) {
        const Exercise exercise = fixed_exercise(id);
        const std::string answer = joined(own_answer(exercise));
        CAPTURE(id, exercise.text, answer, expected_answer(exercise));
        CHECK(grade(exercise, answer).ok);
        CHECK(grade(exercise, expected_answer(exercise)).ok);
    }
}

TEST_CASE("a thousand random instances of every exercise are graded right and wrong",
          "[exercises][C072][C158][C159][C160][heavy]") {
    for (const std::string& id : all_ids()) {
        for (u64 seed = 0; seed < kSeeds; ++seed) {
            const Exercise exercise = ask(id, seed);
            const OwnAnswer own_values = own_answer(exercise);
            CAPTURE(id, seed, exercise.text, joined(own_values), expected_answer(exercise));
            REQUIRE(own_values.size() == exercise.parts.size());
            const Graded graded = grade(exercise, joined(own_values));
            REQUIRE(graded.ok);
            REQUIRE_FALSE(graded.slip);
            REQUIRE(grade(exercise, expected_answer(exercise)).ok);
            for (std::size_t i = 0; i < own_values.size(); ++i) {
                OwnAnswer wrong = own_values;
                wrong[i] = bent(exercise.parts[i], wrong[i]);
                REQUIRE_FALSE(grade(exercise, joined(wrong)).ok);
            }
        }
    }
}

TEST_CASE("every named slip is wrong and answered with its name", "[exercises][heavy]") {
    for (const std::string& id : all_ids()) {
        for (u64 seed = 0; seed < 50; ++seed) {
            const Exercise exercise = ask(id, seed);
            const OwnAnswer right = own_answer(exercise);
            for (std::size_t i = 0; i < right.size(); ++i) {
                for (const Slip& slip : exercise.parts[i].slips) {
                    const bool is_word = exercise.parts[i].quantity == Quantity::Word;
                    OwnAnswer wrong = right;
                    const bool in_ms = exercise.parts[i].unit == "ms";
                    wrong[i] = is_word ? slip.word : own(in_ms ? 1000 * slip.value : slip.value);
                    const Graded graded = grade(exercise, joined(wrong));
                    CAPTURE(id, seed, exercise.text, joined(wrong), slip.name);
                    REQUIRE_FALSE(graded.ok);
                    REQUIRE(graded.slip);
                    // Two slips may lead to one value, and then the first is told.
                    const auto& slips = exercise.parts[i].slips;
                    const bool told = std::any_of(slips.begin(), slips.end(), [&](const Slip& s) {
                        return s.name == *graded.slip;
                    });
                    REQUIRE((told || *graded.slip == "the right values in another order"));
                }
            }
        }
    }
}

TEST_CASE("an answer has the digits that its tolerance means", "[exercises]") {
    ExercisePart part;
    part.quantity = Quantity::Percent, part.unit = "%", part.tolerance = 0.01;
    const auto said = [&](double value) {
        part.value = value;
        return expected_value(part);
    };
    CHECK(said(8.54492) == "8.5 %");
    CHECK(said(35.1648) == "35.2 %");
    CHECK(said(99.4318) == "99.4 %");
    CHECK(said(0.8333) == "0.833 %");
    CHECK(said(0.1565) == "0.157 %");
    CHECK(said(669.31) == "669 %");
    part.tolerance = 0.001;
    CHECK(said(8.54492) == "8.54 %");
    // Whatever is said is right.
    for (part.tolerance = 0.05; part.tolerance > 1e-6; part.tolerance /= 3)
        for (double value = 0.0123456789; value < 1e5; value *= 3.7) {
            const double back = std::stod(said(value));
            CHECK(is_right(part, back));
        }
}

TEST_CASE("degenerate draws never appear", "[exercises][heavy]") {
    for (const std::string& id : all_ids()) {
        CAPTURE(id);
        std::set<std::string> texts;
        for (u64 seed = 0; seed < kSeeds; ++seed) {
            const Exercise exercise = ask(id, seed);
            texts.insert(exercise.choices.empty() ? exercise.text : exercise.choices[0]);
            CAPTURE(seed, exercise.text, expected_answer(exercise));
            REQUIRE_FALSE(is_degenerate(exercise));
            for (const ExercisePart& part : exercise.parts) {
                REQUIRE(part.tolerance <= 0.05);
                if (part.quantity == Quantity::Word || part.any_value) continue;
                REQUIRE(part.value != 0);
                REQUIRE(part.value != 1);
            }
        }
        CHECK(texts.size() >= 4);  // choices have an order at least
    }
}

TEST_CASE("the same seed asks the same, and another one something else", "[exercises]") {
    CHECK(ask("8.1", 3).text == ask("8.1", 3).text);
    CHECK(ask("8.1", 2).text != ask("8.1", 3).text);
    CHECK(ask("8.1", 3).text != ask("8.1", 4).text);
    // Whatever else is asked, and however large the seed.
    CHECK_NOTHROW(ask("14.25", ~u64{0}));
}

TEST_CASE("every lesson has exercises, and ids are places", "[exercises]") {
    const std::vector<std::size_t> counts{4, 3, 4, 7, 4, 5, 6, 5, 3, 3, 4, 4, 3, 26, 0, 4};
    for (unsigned lesson = 1; lesson <= kLessons; ++lesson) {
        const std::vector<std::string> ids = exercises_of(lesson);
        CHECK(ids.size() == counts[lesson - 1]);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            CHECK(ids[i] == std::to_string(lesson) + "." + std::to_string(i + 1));
            CHECK(fixed_exercise(ids[i]).lesson == lesson);
            CHECK_FALSE(fixed_exercise(ids[i]).hint.empty());
            CHECK(rejection_rule(ids[i]).ends_with('.'));
        }
    }
    CHECK(is_exercise("8.4"));
    for (const char* none : {"8.6", "0.1", "15.1", "8", "8.01", "", "8.1 "})
        CHECK_FALSE(is_exercise(none));
}

TEST_CASE("every text says how exactly, and a tolerance is the stated one", "[exercises]") {
    for (const std::string& id : all_ids()) {
        const Exercise exercise = fixed_exercise(id);
        CAPTURE(id, exercise.text);
        if (!exercise.choices.empty()) continue;
        for (const ExercisePart& part : exercise.parts) {
            CHECK(exercise.text.find(part.name) != std::string::npos);
            const bool exact = part.tolerance == 0 && part.quantity != Quantity::Word;
            if (exact) CHECK(exercise.text.find("exactly") != std::string::npos);
            if (part.tolerance == 0) continue;
            const std::string stated = "within " + own(100 * part.tolerance) + " %";
            CHECK(exercise.text.find(stated) != std::string::npos);
        }
    }
}
