// Wrong lines: exit 2 (or 1 for files), one sentence on standard error, nothing on standard output.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

using Words = std::vector<std::string>;

void check_one_sentence(const Words& words, int code, const std::string& part) {
    const Ran ran = run_cli(words);
    CAPTURE(words, ran.err);
    CHECK(ran.code == code);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
    CHECK(ran.err.size() > 20);
    const char last = ran.err.size() < 2 ? ' ' : ran.err[ran.err.size() - 2];
    CHECK((last == '.' || last == '?'));
    CHECK(ran.err.find(". ") == std::string::npos);  // one sentence
    CHECK_THAT(ran.err, ContainsSubstring(part));
}

Words with_preset(const Words& more) {
    Words words{"calc", "--preset", "llama-2-7b"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Words with_shape(const Words& more) {
    Words words{"calc", "--layers", "2", "--head-dim", "64"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

TEST_CASE("unknown options and commands are refused, near misses with a suggestion", "[usage]") {
    check_one_sentence({"calc", "--kvheads", "8"}, 2, "did you mean --kv-heads?");
    check_one_sentence({"calc", "--token", "8"}, 2, "did you mean --tokens?");
    check_one_sentence({"calc", "--frobnicate"}, 2, "--frobnicate is not an option");
    check_one_sentence({"calc", "-t", "5"}, 2, "-t is not an option");
    check_one_sentence({"clac"}, 2, "did you mean calc?");
    check_one_sentence({"calc", "--preset", "llama-2-7"}, 2, "did you mean llama-2-7b?");
    check_one_sentence({"calc", "--preset", "llama-2-7b", "4096"}, 2,
                       "4096 is one argument too many");
}

TEST_CASE("missing and empty values", "[usage]") {
    check_one_sentence(with_preset({"--tokens"}), 2, "--tokens needs a value");
    check_one_sentence(with_preset({"--tokens", "--json"}), 2, "--tokens needs a value");
    check_one_sentence(with_preset({"--tokens="}), 2, "--tokens has an empty value");
    check_one_sentence(with_preset({"--tokens", ""}), 2, "--tokens \"\" is empty");
    check_one_sentence(with_preset({"--out", "--json"}), 2, "--out needs a value");
    check_one_sentence(with_preset({"--out="}), 2, "--out has an empty value");
    check_one_sentence({"calc", "--preset", ""}, 2, "--preset \"\"");
    check_one_sentence({"calc", "--config", ""}, 2, "--config has an empty value");
    check_one_sentence(with_preset({"--json=yes"}), 2, "--json is a switch");
}

TEST_CASE("an option given twice", "[usage]") {
    check_one_sentence(with_preset({"--tokens", "1", "--tokens", "1"}), 2,
                       "--tokens stands 2 times");
    check_one_sentence(with_preset({"--tokens=1", "--tokens", "2"}), 2, "--tokens stands 2 times");
    check_one_sentence(with_preset({"--json", "--json"}), 2, "--json stands 2 times");
    check_one_sentence(with_preset({"--preset", "gpt-3"}), 2, "--preset stands 2 times");
    check_one_sentence(with_preset({"--out", "a", "--out", "b"}), 2, "--out stands 2 times");
}

TEST_CASE("options that exclude each other", "[usage]") {
    check_one_sentence(with_preset({"--config", "x.json"}), 2, "--preset and --config");
    check_one_sentence(with_preset({"--layers", "3"}), 2, "--preset and --layers");
    check_one_sentence(with_preset({"--head-dim", "64"}), 2, "--preset and --head-dim");
    check_one_sentence(with_preset({"--heads", "32"}), 2, "--preset and --heads");
    check_one_sentence({"calc", "--config", "x.json", "--layers", "3"}, 2, "--config and --layers");
    check_one_sentence(with_preset({"--codec", "int8", "--k-codec", "int8"}), 2,
                       "--codec and --k-codec");
    check_one_sentence(with_preset({"--codec", "int8", "--v-codec", "int8"}), 2,
                       "--codec and --v-codec");
    check_one_sentence({"calc", "--list", "--tokens", "4"}, 2, "--tokens");
}

TEST_CASE("an incomplete shape", "[usage]") {
    check_one_sentence({"calc"}, 2, "No model is named");
    check_one_sentence({"calc", "--tokens", "4"}, 2, "No model is named");
    check_one_sentence({"calc", "--layers", "2", "--kv-heads", "8"}, 2, "--head-dim is missing");
    check_one_sentence({"calc", "--layers", "2", "--head-dim", "8"}, 2, "--kv-heads is missing");
    check_one_sentence({"calc", "--kv-heads", "2", "--head-dim", "8"}, 2, "--layers is missing");
    check_one_sentence({"calc", "--heads", "8"}, 2, "--layers is missing");
}

TEST_CASE("block sizes that are none", "[usage]") {
    for (const char* value :
         {"0", "-1", "+1", "2147483648", "1025", "1e9", "1e1", "0x10", "", " 16", "16 ", "1_6",
          "1,6", "16.0", "nan", "inf", "\xd9\xa1\xd9\xa6", "one"}) {
        check_one_sentence(with_preset({"--block-size", value}), 2, "--block-size \"");
    }
    for (const char* value : {"1", "16", "1024", "007"}) {
        CHECK(run_cli(with_preset({"--block-size", value})).code == 0);
    }
}

TEST_CASE("head counts that do not go together", "[usage]") {
    check_one_sentence(with_shape({"--heads", "8", "--kv-heads", "3"}), 2,
                       "do not divide 8 query heads");
    check_one_sentence(with_shape({"--heads", "8", "--kv-heads", "0"}), 2, "--kv-heads \"0\"");
    check_one_sentence(with_shape({"--heads", "8", "--kv-heads", "9"}), 2,
                       "more than the 8 query heads");
    check_one_sentence({"calc", "--preset", "llama-2-70b", "--kv-heads", "6"}, 2,
                       "do not divide 64");
    check_one_sentence({"calc", "--preset", "deepseek-v3", "--kv-heads", "8"}, 2, "latent vector");
    check_one_sentence({"calc", "--preset", "deepseek-v3", "--window", "8"}, 2, "--window");
    CHECK(run_cli(with_shape({"--heads", "8", "--kv-heads", "2"})).code == 0);
}

TEST_CASE("sizes and rates that are none", "[usage]") {
    for (const char* value :
         {"0", "24", "0B", "0GiB", "-1GiB", "1.5", "GiB", "1.5B", "1e3GiB", "24 GiB x", "24gib?",
          "99999999TiB", "nanGiB", "0blocks", "-1blocks", "blocks", "4.5blocks"}) {
        check_one_sentence(with_preset({"--pool", value}), 2, "--pool \"");
    }
    check_one_sentence(with_preset({"--device-memory", "80"}), 2, "--device-memory");
    check_one_sentence(with_preset({"--weights", "0B"}), 2, "--weights");
    check_one_sentence(with_preset({"--bandwidth", "2TB"}), 2, "--bandwidth");
    check_one_sentence(with_preset({"--bandwidth", "0TB/s"}), 2, "--bandwidth");
    check_one_sentence(with_preset({"--flops", "989"}), 2, "--flops");
    for (const char* value : {"1.5GiB", "1GB", "1GiB", "384KiB", "999TiB", "48blocks"}) {
        CHECK(run_cli(with_preset({"--pool", value})).code == 0);
    }
}

TEST_CASE("seeds are read strictly although a price needs none", "[usage]") {
    check_one_sentence(with_preset({"--seed", "-1"}), 2, "--seed");
    check_one_sentence(with_preset({"--seed", "18446744073709551616"}), 2, "--seed");
    check_one_sentence(with_preset({"--seed", "x"}), 2, "--seed");
    CHECK(run_cli(with_preset({"--seed", "18446744073709551615"})).code == 0);
}

TEST_CASE("codecs that do not exist or do not fit", "[usage]") {
    for (const char* value : {"bf17", "int9", "int4:foo", "bf16:g32", "int8:kivi", "int4:g0", ""}) {
        check_one_sentence(with_preset({"--codec", value}), 2, "--codec \"");
    }
    check_one_sentence(with_preset({"--codec", "int4:g33"}), 2, "33 does not divide 128");
    check_one_sentence({"calc", "--preset", "deepseek-v3", "--k-codec", "int8"}, 2,
                       "share one codec");
}

TEST_CASE("numbers whose product does not fit", "[usage]") {
    const Ran ran = run_cli(with_preset({"--tokens", "1000000000000", "--batch", "1000000000"}));
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
}

TEST_CASE("a value from outside cannot break the line", "[usage]") {
    check_one_sentence({"calc", "--preset", "a\nb\x1b[31m"}, 2, "a\\nb\\x1b");
    check_one_sentence({"calc", "--preset", std::string(100'000, 'x')}, 2, "...");
    check_one_sentence({"calc", "--no\nsuch"}, 2, "--no\\nsuch");
}

TEST_CASE("what only goes with a comparison, and what does not go with one", "[usage]") {
    check_one_sentence({"calc", "--markdown"}, 2, "--markdown belongs to --compare");
    check_one_sentence({"calc", "--compare", "qwen3-8b", "--preset", "gpt-3"}, 2,
                       "--compare names its models itself");
    check_one_sentence({"calc", "--compare", "qwen3-8b", "gpt-4"}, 2, "is not a preset");
    check_one_sentence({"calc", "--compare", "qwen3-8b", "--markdown", "--json"}, 2, "choose one");
    check_one_sentence(with_preset({"--card", "h1000"}), 2, "is not a card");
    check_one_sentence(with_preset({"--stages", "33"}), 2, "is more than the 32 layers");
    check_one_sentence(with_preset({"--ranks", "0"}), 2, "--ranks");
}
