#include "core/lesson/language/evaluate.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/lesson/language/functions.hpp"

using namespace kv;

namespace {

// Without a run: what depends on its arguments alone.
std::string shown_of(const std::string& text, const std::string& format = {}) {
    const Evaluator nowhere(StepRuns{}, Evaluator::Moment::Ends);
    try {
        const auto shown = value_shown(nowhere.value(*parse_expression(text)), format);
        return shown.value_or("cannot be written so");
    } catch (const ExpressionRefusal& refusal) {
        return "refused: " + refusal.rule;
    }
}

}  // namespace

TEST_CASE("arithmetic keeps units and their order of binding", "[lesson][expression]") {
    CHECK(shown_of("2 + 3 * 4") == "14");
    CHECK(shown_of("(2 + 3) * 4") == "20");
    CHECK(shown_of("-2 + 5") == "3");
    CHECK(shown_of("7 // 2 + 7 % 2") == "4");
    CHECK(shown_of("1 + 1 == 2 and not 3 < 2 or no") == "yes");
    CHECK(shown_of("320KiB * 4096") == "1.25 GiB");
    CHECK(shown_of("4GB / 2TB/s") == "2 ms");
    CHECK(shown_of("989TFLOP/s / 3.35TB/s") == "295.2 FLOP/B");
    CHECK(shown_of("1GiB / 1MiB") == "1,024");
    CHECK(shown_of("[1, 2, 3][-1]") == "3");
    CHECK(shown_of("0x3B160") == "242,016");
}

TEST_CASE("values are written as they are asked for", "[lesson][expression]") {
    CHECK(shown_of("1 / 3", "%1") == "33.3 %");
    CHECK(shown_of("6112 / 127", "x") == "48.13x");
    CHECK(shown_of("2618818560B", "GiB") == "2.439 GiB");
    CHECK(shown_of("2618818560B", "GB") == "2.62 GB");
    CHECK(shown_of("2618818560B", "B") == "2,618,818,560 B");
    CHECK(shown_of("1234567", "raw") == "1234567");
    CHECK(shown_of("242016", "hex") == "0x3b160");
    CHECK(shown_of("157403463680", "sci") == "1.574e11");
    CHECK(shown_of("\"a word\"", "2") == "cannot be written so");
    CHECK(shown_of("[0.25, 0.5]", "2") == "0.25, 0.50");
    CHECK(shown_of("[]") == "none");
}

TEST_CASE("rows are marked in a map, and only rows that it has", "[lesson][expression]") {
    CHECK(shown_of("marks([1, 3], 4)") == "\u25A1\u25A0\u25A1\u25A0");
    CHECK(shown_of("marks([], 2)") == "\u25A1\u25A1");
    CHECK(shown_of("bars([0, 1, 4, 8], 8)") == " \u2581\u2584\u2588");
    CHECK(shown_of("bars([0.01], 8)") == "\u2581");
    CHECK(shown_of("bars([9], 8)") == "refused: bars() wants values from 0 to the height");
    CHECK(shown_of("bars([1], 0)") == "refused: bars() wants a height above 0");
    CHECK(shown_of("marks([4], 4)") == "refused: marks() wants rows below the number of them");
    CHECK(shown_of("marks([-1], 4)") == "refused: marks() wants rows below the number of them");
    CHECK(shown_of("marks([\"a\"], 4)") == "refused: marks() wants rows below the number of them");
}

TEST_CASE("a stack divides its cells as the shares divide the whole", "[lesson][expression]") {
    // 0.5, 0.75 and 0.875 of eight cells: four, six, seven; the eighth belongs to nobody.
    CHECK(shown_of("stack([0.5, 0.25, 0.125], 8)") ==
          "\u2588\u2588\u2588\u2588\u2593\u2593\u2592\u00B7");
    CHECK(shown_of("stack([0, 0, 0, 1], 2)") == "\u2591\u2591");
    CHECK(shown_of("stack([0.34, 0.33, 0.33], 3)") == "\u2588\u2593\u2592");
    CHECK(shown_of("stack([0.6, 0.6], 4)") ==
          "refused: stack() wants shares that are 1 together at most");
    CHECK(shown_of("stack([-0.1], 4)") ==
          "refused: stack() wants shares that are 1 together at most");
    CHECK(shown_of("stack([0, 0, 0, 0, 0], 4)") == "refused: stack() has no more than four shades");
}

// One move in place is two roundings of one size, which add like the sides of a right angle: the
// root of two, about, as long as the rounding is all that is lost.
TEST_CASE("keys that are turned in place drift, those that are turned once do not",
          "[lesson][expression]") {
    for (const std::string codec : {"fp16", "bf16"}) {
        INFO(codec);
        const auto drift = [&](const std::string& moves) {
            return "rope_drift(" + moves + ", \"" + codec + "\")";
        };
        const std::string ratio = drift("1") + ".in_place / " + drift("1") + ".when_read";
        CHECK(shown_of(ratio + " > 1.2 and " + ratio + " < 1.5") == "yes");
        CHECK(shown_of(drift("1000") + ".in_place > 5 * " + drift("100") + ".in_place") == "yes");
        CHECK(shown_of(drift("1000") + ".when_read < 1.1 * " + drift("1") + ".when_read") == "yes");
    }
    // Half a unit of the last of 8 and of 11 bits is the most that one rounding takes.
    CHECK(shown_of("rope_drift(1, \"bf16\").when_read < 1 / 256") == "yes");
    CHECK(shown_of("rope_drift(1, \"fp16\").when_read < 1 / 2048") == "yes");
    CHECK(shown_of("rope_drift(1000, \"f32\").in_place < 0.0001") == "yes");
    CHECK(shown_of("rope_drift(10001, \"f32\")") ==
          "refused: rope_drift() wants at most 10,000 moves");
}

TEST_CASE("layers that keep different amounts are priced layer by layer", "[lesson]") {
    // A token takes 2 x 1 x 4 x 2 B = 16 bytes a layer; two of six layers keep all 100 tokens.
    CHECK(shown_of("kv_bytes(with_window(shape(6, 1, 4), 10, full_every=3), 100) == 3840B") ==
          "yes");
    CHECK(shown_of("kv_bytes(with_window(shape(6, 1, 4), 10), 100) == 960B") == "yes");
    CHECK(shown_of("kv_bytes(with_states(shape(6, 1, 4), 3), 100) == 3200B") == "yes");
    // Up to the length of the window nothing differs.
    CHECK(shown_of("kv_bytes(with_window(shape(6, 1, 4), 10, full_every=3), 10) == 960B") == "yes");
    CHECK(shown_of("with_window(shape(6, 1, 4), 10, full_every=0)").starts_with("refused"));
}

TEST_CASE("a list can be marked on a line of places, and a drift told move by move", "[lesson]") {
    CHECK(shown_of("marked([0, 2, 9], 4) == [1, 0, 1, 0]") == "yes");
    CHECK(shown_of("marked([], 2) == [0, 0]") == "yes");
    CHECK(shown_of("marked([1], 10001)").starts_with("refused"));
    CHECK(shown_of("rope_drifts(3, \"int4\").in_place[2] == rope_drift(3, \"int4\").in_place") ==
          "yes");
    CHECK(shown_of("len(rope_drifts(3, \"int4\").when_read)") == "3");
    CHECK(shown_of("rope_drifts(129, \"int4\")").starts_with("refused"));
}

TEST_CASE("what does not go together is refused", "[lesson][expression]") {
    CHECK(shown_of("1KiB + 1") == "refused: puts bytes and a number together with \"+\"");
    CHECK(shown_of("1s < 1B") == "refused: compares seconds with bytes");
    CHECK(shown_of("1 / 0") == "refused: divides by 0");
    CHECK(shown_of("[1][1]") == "refused: asks for element 1 of 1");
    CHECK(shown_of("nobody()") == "refused: calls \"nobody\", which is no function");
    CHECK(shown_of("A.stored") == "refused: asks for \"A\" where no scene runs");
    CHECK(shown_of("blocks_for(900)") == "refused: blocks_for() lacks its argument block_size");
    CHECK(shown_of("blocks_for(900, 16, 3)") ==
          "refused: blocks_for() has more arguments than it takes");
    CHECK(shown_of("blocks_for(900, 16, of=3)") == "refused: blocks_for() has no argument of");
    CHECK(shown_of("preset(\"gpt-9\")") == "refused: preset() knows no preset \"gpt-9\"");
    CHECK(shown_of(std::string(5000, '-') + "1") == "refused: is longer than anybody can read");
    CHECK(shown_of(std::string(70, '(') + "1") ==
          "refused: is nested deeper than anybody can read");
    CHECK(shown_of("budget(card=80, weights=1GB)") == "refused: budget() wants bytes for card");
}

TEST_CASE("every function of the language says how it is called", "[lesson][expression]") {
    std::size_t n = 0;
    each_function([&](const LessonFunction& row) {
        ++n;
        CAPTURE(row.name);
        CHECK(find_function(row.name) == &row);
        CHECK_FALSE(row.arguments.empty());
        CHECK_FALSE(row.help.empty());
    });
    CHECK(n > 40);
}

// The numbers of the first table of exercises, from the spec of the course.
TEST_CASE("the cost model answers in the words of lessons", "[lesson][expression]") {
    CHECK(shown_of("positions_without_cache(64, 64)") == "6,112");
    CHECK(shown_of("positions_with_cache(64, 64)") == "127");
    CHECK(shown_of("kv_bytes(preset(\"llama-2-7b\"), tokens=4096)") == "2 GiB");
    CHECK(shown_of("kv_bytes(preset(\"llama-2-7b\"), 4096, batch=8)") == "16 GiB");
    CHECK(shown_of("bytes_per_token(shape(48, 40, 128))", "B") == "983,040 B");
    CHECK(shown_of("bytes_per_token(latent(61, 512, 64))", "B") == "70,272 B");
    CHECK(shown_of("crossover_tokens(preset(\"llama-2-7b\"))") == "25,705");
    CHECK(shown_of("attention_crossover(preset(\"llama-2-7b\"))") == "24,704");
    CHECK(shown_of("smallest_batch_above(preset(\"llama-2-7b\"), 4096)") == "7");
    CHECK(shown_of("attend([2, 0, 0, 0], [[2, 0, 0, 0], [0, 2, 0, 0]], [[1, 0], [0, 1]]).weights",
                   "4") == "0.8808, 0.1192");
    CHECK(shown_of("offset(1, 0, 2, tokens=3, kv_heads=2, head_dim=4)", "B") == "20 B");
    CHECK(shown_of("offset(1, 0, 2, tokens=3, kv_heads=2, head_dim=4, order=\"head_major\")",
                   "B") == "12 B");
    CHECK(shown_of("bf16(0xC248)") == "-50");
    CHECK(shown_of("kv_head(17, 48, 6)") == "2");
    CHECK(shown_of("full_hit(64, 16)") == "48");
    CHECK(shown_of("tree([[1,2,3,4,5,6], [1,2,3,9]], block_size=1).tokens") == "7");
    CHECK(shown_of("tree([[1,2,3,4,5,6], [1,2,3,9]], block_size=1).hits[1]") == "3");
    CHECK(shown_of("tree([[1,2,3,4,5,6], [1,2,3,9]], block_size=4).hits[1]") == "0");
    CHECK(shown_of("vector_bytes(64, codec=\"int8\").total", "B") == "66 B");
    CHECK(shown_of("transfer(100 * 5MiB, 25GB/s)") == "21 ms");
}

// Two KV heads of four bf16 elements, sixteen tokens: a vector has 8 bytes. Token-major: a token's
// keys are 16 bytes in one sector, a head's span all 256 bytes. Head-major: a token's keys lie 128
// bytes apart, a head's fill 128 bytes.
TEST_CASE("another layout moves the sectors of appends and of reads against each other",
          "[lesson][C034]") {
    const std::string shape = "tokens=16, kv_heads=2, head_dim=4";
    const auto touched = [&](const std::string& order, const std::string& job) {
        return shown_of("sectors(" + shape + ", order=\"" + order + "\")." + job);
    };
    CHECK(touched("token_major", "append") == "1");
    CHECK(touched("head_major", "append") == "2");
    CHECK(touched("token_major", "append_runs") == "1");
    CHECK(touched("head_major", "append_runs") == "2");
    CHECK(touched("token_major", "read") == "8");
    CHECK(touched("head_major", "read") == "4");
}
