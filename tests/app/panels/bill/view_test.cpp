// The lines of the bill: their numbers by hand, their units, and what they unfold into.
#include <catch2/catch_test_macros.hpp>

#include "app/panels/bill/calculator/unfold.hpp"
#include "app/panels/settings/plan.hpp"
#include "core/cost/model/presets.hpp"
#include "tests/app/panels/bill/sample.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::string value_of(const std::vector<BillRow>& rows, std::string_view result) {
    for (const BillRow& row : rows) {
        if (row.result == result) return row.value;
    }
    return "no such row";
}

std::vector<std::string> labels_of(const BillView& view) {
    const Texts text;
    std::vector<std::string> labels;
    for (const AttentionOption& option : view.attention)
        labels.push_back((option.current ? "*" : "") + attention_label(option, text));
    return labels;
}
using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("the bill of Llama 2 7B at 4,096 tokens", "[bill][C042][C044]") {
    const Texts text;
    BillInputs in = bill_of("llama-2-7b", 4096, 8);
    const auto rows = bill_rows(view_of(in), text);
    CHECK(value_of(rows, "bytes_per_token") == "512 KiB");
    CHECK(value_of(rows, "bytes_per_block") == "8 MiB");
    CHECK(value_of(rows, "request_bytes") == "2 GiB");
    CHECK(value_of(rows, "kv_bytes") == "16 GiB");
    CHECK(value_of(rows, "weight_bytes") == "12.55 GiB");
    CHECK(rows[0].detail == "K 256 KiB + V 256 KiB");
    CHECK(rows[4].detail == "6,738,415,616 parameters in FP16");

    in.units = UnitSystem::Decimal;
    const auto decimal = bill_rows(view_of(in), text);
    CHECK(value_of(decimal, "kv_bytes") == "17.18 GB");
    CHECK(value_of(decimal, "weight_bytes") == "13.48 GB");
}

TEST_CASE("a device that the weights fill has no room for a cache", "[bill][C058]") {
    const Texts text;
    const auto rows = bill_rows(view_of(bill_of("llama-2-70b", 4096, 1)), text);
    CHECK(rows[5].loss);
    CHECK(rows[6].loss);
    CHECK(rows[6].value == "0 B");
}

TEST_CASE("the further lines are there when they mean something", "[bill]") {
    const Texts text;
    BillInputs in = bill_of("llama-2-7b", 4096, 1);
    const auto rows = extra_rows(view_of(in), text);
    CHECK(value_of(rows, "crossover_tokens") == "25,705 tokens");
    CHECK(value_of(rows, "effective_bits") == "16 bits");
    CHECK(value_of(rows, "kv_share") == "13.7 %");
    set_tokens(in, 2048);
    CHECK(value_of(extra_rows(view_of(in), text), "first_token_s") == "27.9 ms");
    set_tokens(in, 16'777'216);  // more FLOP than 64 bits count
    CHECK(value_of(extra_rows(view_of(in), text), "first_token_s") == "no such row");
    set_window(in, 1024);
    CHECK(value_of(extra_rows(view_of(in), text), "crossover_tokens") == "no such row");
}

TEST_CASE("the attention switch offers the model's own heads, one, and all", "[bill][C086][C088]") {
    CHECK(labels_of(view_of(bill_of("llama-3-8b", 1, 1))) == Labels{"MHA 32", "*GQA 8", "MQA 1"});
    CHECK(labels_of(view_of(bill_of("llama-2-7b", 1, 1))) == Labels{"*MHA 32", "GQA 8", "MQA 1"});
    CHECK(labels_of(view_of(bill_of("gpt-3", 1, 1))) == Labels{"*MHA 96", "GQA 8", "MQA 1"});
    // 14 query heads: 7 is the largest number up to 8 that divides, but the model has groups
    // already.
    CHECK(labels_of(view_of(bill_of("qwen2.5-0.5b", 1, 1))) == Labels{"MHA 14", "*GQA 2", "MQA 1"});
    CHECK(labels_of(view_of(bill_of("deepseek-v3", 1, 1))) == Labels{"MHA 128", "*MLA", "MQA 1"});

    BillInputs in = bill_of("llama-3-8b", 1, 1);
    set_kv_heads(in, BillSide::Left, 4);
    CHECK(labels_of(view_of(in)) == Labels{"MHA 32", "GQA 8", "*GQA 4", "MQA 1"});
}

TEST_CASE("MHA, GQA and MQA of the 70B at 32,768 tokens", "[bill][C091][C090]") {
    const BillView view = view_of(bill_of("llama-2-70b", 32768, 1));
    REQUIRE(view.attention.size() == 3);
    CHECK(view.attention[0].kv_bytes == 80 * kGiB);
    CHECK(view.attention[1].kv_bytes == 10 * kGiB);
    CHECK(view.attention[2].kv_bytes == 10 * kGiB / 8);
}

TEST_CASE("the one vector of a latent cache has one format", "[bill]") {
    BillInputs in = bill_of("deepseek-v3", 100, 1);
    set_codec(in, BillSide::Left, Side::K, "int8");
    CHECK(in.left.codecs.v == codec_of("int8"));
    CHECK(view_of(in).whole("bytes_per_token") == 61 * 578);
}

TEST_CASE("numbers too large to count are a sentence and no bill", "[bill]") {
    const BillInputs in = bill_of("gpt-3", 16'777'216, 1'048'576);
    std::string why;
    CHECK_FALSE(view_bill(in, BillSide::Left, why));
    CHECK(why.find("64 bits") != std::string::npos);
}

TEST_CASE("each side of Compare is priced for itself", "[bill]") {
    BillInputs in = default_bill();
    std::string why;
    const auto right = view_bill(in, BillSide::Right, why);
    REQUIRE(right);
    CHECK(right->own.name == "llama-2-7b");
    CHECK(right->attention[0].current);
}

TEST_CASE("codec switches know their four formats and name the others", "[bill]") {
    CHECK(chosen_codec(codec_of("bf16")) == 0);
    CHECK(chosen_codec(codec_of("fp8_e4m3")) == 1);
    CHECK(chosen_codec(codec_of("int4")) == 3);
    CHECK_FALSE(chosen_codec(codec_of("int4:g32")));
    CHECK(codec_label(codec_of("int4:g32")) == "INT4:G32");
    CHECK(codec_label(codec_of("fp8_e4m3")) == "FP8");
}

TEST_CASE("an expression is printed with signs, commas and the operands' numbers", "[bill]") {
    const BillView view = view_of(bill_of("llama-2-7b", 4096, 8));
    CHECK(pretty_expression(view.at("kv_bytes")) == "batch × tokens × bytes_per_token");
    CHECK(pretty_numbers(view.at("kv_bytes")) == "8 × 4,096 × 524,288");
    CHECK(pretty_expression(view.at("fits")) == "weight_bytes + kv_bytes ≤ device_bytes");
    CHECK(value_text(Value{3.35e12}, "B/s") == "3.35 TB/s");
    CHECK(value_text(Value{u64{4096}}, "tokens") == "4,096 tokens");
    CHECK(bytes_all_ways(17'179'869'184) == "17,179,869,184 B = 16 GiB = 17.18 GB");
    CHECK(bytes_all_ways(96) == "96 B");
}

TEST_CASE("a number unfolds into its operands, and an operand into its own", "[bill]") {
    const BillView view = view_of(bill_of("llama-2-7b", 4096, 8));
    const auto closed = unfold(view, "kv_bytes");
    REQUIRE(closed.size() == 6);  // expression, numbers, total, three operands
    CHECK(closed[2].text == "= 17,179,869,184 B = 16 GiB = 17.18 GB");
    CHECK(closed[3].factor == BillFactor::Requests);
    CHECK(closed[4].path.empty());
    CHECK(closed[5].path == "kv_bytes/bytes_per_token");
    CHECK_FALSE(closed[5].open);

    const auto deeper = unfold(view, "kv_bytes/bytes_per_token");
    REQUIRE(deeper.size() == 13);  // and below it three lines and four operands
    CHECK(deeper[5].open);
    CHECK(deeper[6].depth == 1);
    CHECK(deeper[7].text == "= 2 × 32 × 32 × 128 × 2");
}

TEST_CASE("every result of every preset unfolds to the end", "[bill]") {
    for (const std::string_view name : preset_names()) {
        const BillView view = view_of(bill_of(name, 1000, 3));
        for (const Derived& result : view.results) {
            for (const UnfoldLine& line : unfold(view, result.name)) {
                INFO(name << " " << result.name << " " << line.text);
                CHECK_FALSE(line.text.empty());
                if (!line.path.empty()) CHECK(unfold(view, line.path).size() > 3);
            }
        }
    }
}

TEST_CASE("pressing a line opens it, and pressing it again goes back to where one was", "[bill]") {
    using Path = std::optional<std::string>;
    CHECK(toggled({}, "kv_bytes") == Path("kv_bytes"));
    CHECK(toggled(Path("kv_bytes"), "kv_bytes/bytes_per_token") ==
          Path("kv_bytes/bytes_per_token"));
    CHECK(toggled(Path("kv_bytes/bytes_per_token"), "kv_bytes/bytes_per_token") ==
          Path("kv_bytes"));
    CHECK(toggled(Path("kv_bytes/bytes_per_token"), "kv_bytes") == Path());
    CHECK(toggled(Path("kv_bytes"), "weight_bytes") == Path("weight_bytes"));
    CHECK(is_open(Path("kv_bytes/x"), "kv_bytes"));
    CHECK_FALSE(is_open(Path("kv_bytes_2"), "kv_bytes"));
}

TEST_CASE("Settings offers four page sizes and keeps another one", "[bill]") {
    CHECK(page_choices(16).chosen == 2);
    CHECK(page_choices(16).sizes.size() == 4);
    const PageChoices odd = page_choices(64);
    CHECK(odd.labels == std::vector<std::string>{"4", "8", "16", "32", "64"});
    CHECK(odd.chosen == 4);
    CHECK(page_choices(6).chosen == 1);
}

TEST_CASE("the window's slider moves over powers of two", "[bill]") {
    CHECK(window_of_power(12) == 4096);
    CHECK(power_of_window(4096) == 12);
    CHECK(power_of_window(5000) == 12);
    CHECK(power_of_window(1) == 4);
    CHECK(window_of_power(40) == 131'072);
    CHECK(first_window(8192) == 4096);
    CHECK(first_window(5000) == 4096);
    CHECK(first_window(1) == 16);
}
