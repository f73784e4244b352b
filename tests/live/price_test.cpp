// What forgetting costs, measured beside a run: the list, the texts, the thread, and the sheet that
// the panel sees.

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <string>
#include <thread>

#include "app/live/live_run.hpp"
#include "app/live/price/desk.hpp"
#include "core/base/error.hpp"
#include "tests/live/desk.hpp"
#include "tests/live/shipped_model.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

PriceAsk small_ask(std::vector<PriceCombination> list, std::size_t passages = 1) {
    PriceAsk ask{
        shipped_gqa(), {}, read_passages(fixed_text(), *shipped_gqa()->tokenizer), std::move(list)};
    ask.passages.resize(passages);
    return ask;
}

const PriceRow& row_named(const PriceSheet& sheet, const std::string& codec,
                          const std::string& policy) {
    for (const PriceRow& row : sheet.rows)
        if (row.k_codec == codec && row.evict.substr(0, row.evict.find(':')) == policy) return row;
    FAIL(codec << " " << policy);
    return sheet.rows.front();
}

}  // namespace

TEST_CASE("the fixed text has six needles far from their questions", "[price]") {
    const auto passages = read_passages(fixed_text(), *shipped_gqa()->tokenizer);
    REQUIRE(passages.size() == 6);
    for (const PricePassage& passage : passages) {
        const auto& [prompt, told] = passage.text;
        CHECK(prompt.size() == 143);  // 144 with the question mark, which is told
        REQUIRE(passage.needles == std::vector<std::uint32_t>{1});
        // The same answer stands in the prompt, at least 80 tokens before the question mark.
        const auto last = std::find(prompt.rbegin(), prompt.rend(), told[1]);
        REQUIRE(last != prompt.rend());
        CHECK(last - prompt.rbegin() >= 79);
        // Pieces are the tokens that the whole has.
        const std::string said = shipped_gqa()->tokenizer->decode(told, SpecialTokens::Skipped);
        CHECK(shipped_gqa()->tokenizer->encode(said, Additions::None).ids == told);
    }
}

TEST_CASE("a text that is not as it should be is refused with its line", "[price]") {
    const Tokenizer& words = *shipped_gqa()->tokenizer;
    CHECK(read_passages("# nothing\n\n", words).empty());
    CHECK_THROWS_MATCHES(read_passages("Tom likes\n", words), Error,
                         MessageMatches(ContainsSubstring("Line 1")));
    CHECK_THROWS_MATCHES(read_passages("Tom likes\n tea[.\n", words), Error,
                         MessageMatches(ContainsSubstring("bracket")));
    CHECK_THROWS_MATCHES(read_passages("Tom likes\n\n tea.\n", words), Error,
                         MessageMatches(ContainsSubstring("Line 2")));
}

// A third of 143 is 47.67, in whole fours 44.
TEST_CASE("the list has codecs, policies at one budget, and the run", "[price]") {
    CHECK(price_budget(143) == 44);
    CHECK(price_budget(3) == 8);
    EngineSettings run;
    const ModelConfig& config = shipped_gqa()->config();
    const auto list = price_list(config, run, 143);
    REQUIRE(list.size() == 15);  // 8 codecs, 7 policies; the run is one of them
    CHECK(list[1].of_run);
    CHECK(list[6].k_codec == "int4:g16");  // heads have 16 channels
    CHECK(list[9].evict == "streaming:4+40");
    CHECK(list[10].evict == "h2o:22+22");
    for (const PriceCombination& what : list)
        CHECK_NOTHROW(with_combination(price_base(run), what, config));
    REQUIRE(find_setting("k_codec")->read(run, "int8").empty());
    CHECK(price_list(config, run, 143).size() == 16);
    CHECK(price_list(config, run, 143).back().of_run);
}

TEST_CASE("words become a combination, or a sentence", "[price]") {
    CHECK(price_combination("int4").v_codec == "int4");
    CHECK(price_combination("int8 int4 window:48").key() == "int8 int4 window:48 usual");
    CHECK(price_combination("tova:16").k_codec == "bf16");
    for (const char* wrong : {"", "int9", "int4 int4 int4", "window:0", "window:8 int4"})
        CHECK_THROWS_AS(price_combination(wrong), Error);
}

TEST_CASE("the meter measures each combination once", "[price]") {
    PriceMeter meter({});
    const PriceCombination full{"f32", "f32"}, few{"int4", "int4"}, odd{"int4:g32", "int4:g32"};
    const PriceAsk ask = small_ask({full, few, odd});
    meter.start(ask);
    while (meter.busy()) meter.settle(100);
    const std::string place = ask.place();
    REQUIRE(meter.find(place, full));
    CHECK(meter.find(place, full)->numbers->kl == 0);
    CHECK(meter.find(place, few)->numbers->kl > 0);
    CHECK(meter.find(place, full)->numbers->needles == 1);
    // Heads of 16 channels have no groups of 32.
    CHECK(!meter.find(place, odd)->numbers);
    CHECK_THAT(meter.find(place, odd)->why.english(), ContainsSubstring("32"));
    meter.start(ask);
    CHECK(!meter.busy());
}

TEST_CASE("measuring is cancelled, replaced and left without waiting", "[price]") {
    std::atomic<int> woken{0};
    const PriceCombination one{"bf16", "bf16"}, two{"int8", "int8"};
    {
        PriceMeter meter([&] { ++woken; });
        const PriceAsk first = small_ask({one, two}, 6), second = small_ask({two}, 2);
        REQUIRE(first.place() != second.place());
        meter.start(first);
        CHECK(meter.place() == first.place());
        meter.start(second);  // replaces it
        CHECK(meter.place() == second.place());
        while (meter.busy()) meter.settle(100);
        CHECK(meter.find(second.place(), two)->numbers);
        CHECK(!meter.find(first.place(), two));
        meter.start(first);
        meter.cancel();
        CHECK(!meter.place());
        while (meter.busy()) meter.settle(100);
        CHECK(!meter.find(first.place(), two));
        meter.start(first);  // and goes while it works
    }
    CHECK(woken > 0);
}

TEST_CASE("the sheet of a run follows what is measured", "[price][live]") {
    Desk desk("first");
    CHECK(!desk.view().price->measuring);
    CHECK(!desk.view().price->of(PriceText::Fixed).any_measured());
    CHECK(desk.view().price->of(PriceText::Fixed).passages == 6);
    const PriceSheet& request = desk.view().price->of(PriceText::Request);
    CHECK(!request.request.empty());
    CHECK(request.told_tokens > 0);
    CHECK(request.needles == 0);

    desk.push("price.add int4:g32");
    desk.push("price.text request");
    desk.push("price.measure");
    desk.run.finish(desk.state);
    const PriceSheet& sheet = desk.view().price->of(PriceText::Request);
    CHECK(sheet.all_done());
    CHECK(!desk.state.run.measuring);
    CHECK(row_named(sheet, "f32", "none").numbers.kl == 0);
    const auto refused = std::count_if(sheet.rows.begin(), sheet.rows.end(), [](const auto& row) {
        return row.state == PriceRow::State::Refused;
    });
    CHECK(refused == 1);
    CHECK(sheet.rows.back().why.english().find("32") != std::string::npos);
    // The other text was not asked for.
    CHECK(!desk.view().price->of(PriceText::Fixed).any_measured());
}

TEST_CASE("frames go on while codecs are measured, and Esc stops it", "[price][live]") {
    Desk desk("first");
    desk.push("price.measure");
    double now = 0;
    desk.run.tick(desk.state, now);
    CHECK(desk.state.run.measuring);
    CHECK(desk.view().price->measuring == PriceText::Fixed);
    desk.push("price.cancel");
    desk.run.tick(desk.state, ++now);
    CHECK(!desk.view().price->measuring);
    for (int i = 0; i < 1000 && desk.state.run.measuring; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        desk.run.tick(desk.state, ++now);
    }
    CHECK(!desk.state.run.measuring);
    CHECK(!desk.view().price->of(PriceText::Fixed).all_done());
}

// The promise of issue and scene: numbers of the text that ships, on the models that ship.
TEST_CASE("on the fixed text needles are lost by the window and kept by attention",
          "[price][siblings][heavy]") {
    Desk desk("first");
    desk.state.only_panel = PanelId::Price;  // as a picture of the panel is made
    desk.run.finish(desk.state);
    const PriceSheet& sheet = desk.view().price->of(PriceText::Fixed);
    REQUIRE(sheet.all_done());
    CHECK(row_named(sheet, "bf16", "none").numbers.found == 6);
    CHECK(row_named(sheet, "bf16", "window").numbers.found == 0);
    CHECK(row_named(sheet, "bf16", "snapkv").numbers.found >= 4);
    CHECK(row_named(sheet, "bf16", "h2o").numbers.found >= 2);
    CHECK(row_named(sheet, "f32", "none").numbers.kl == 0);
    CHECK(row_named(sheet, "f32", "none").numbers.mass_lost == 0);
    CHECK(row_named(sheet, "bf16", "window").numbers.mass_lost > 0);
    CHECK(row_named(sheet, "int8", "none").numbers.k_error < 1.0 / 127);
}
