// What lesson figures show, against counts made by hand and against the functions of the language.
#include "core/lesson/figures/figures.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Counts = std::vector<std::uint32_t>;

namespace {

std::string with_figure(const std::string& line) {
    return with(kStep, "shows: C040\n", "shows: C040\nfigure: " + line + "\n");
}

// The facts of a step that has that line.
template <class Facts>
Facts facts_of(const std::string& line) {
    Stand stand;
    const Lesson lesson = stand.lesson(with_figure(line));
    return std::get<Facts>(*stand.player.shown_step(lesson, lesson.steps[0]).figure);
}

std::string refusal_of(const std::string& line) {
    Stand stand;
    return stand.refusal(with_figure(line));
}

}  // namespace

TEST_CASE("every figure has a name, parameters and a word of help", "[lesson][figure]") {
    for (const FigureSource& one : figure_sources()) {
        CHECK(find_figure(one.name) == &one);
        CHECK_FALSE(one.parameters.empty());
        CHECK_FALSE(one.help.empty());
    }
    CHECK(find_figure("nothing") == nullptr);
}

TEST_CASE("a step is computed whole without a cache, and by its newest token with one",
          "[lesson][figure]") {
    // A prompt of five tokens, and one more in each step.
    const auto facts = facts_of<WithoutCacheFacts>("without_cache steps=3, asked=6");
    CHECK(facts.prompt == 5);
    CHECK(Counts(facts.without.begin(), facts.without.begin() + 4) == Counts{5, 6, 7, 8});
    CHECK(Counts(facts.with.begin(), facts.with.begin() + 4) == Counts{5, 1, 1, 1});
    CHECK(facts.steps == 3);
    CHECK(facts.asked == 6);
    CHECK(facts.cache == FigureWhen::Now);
    // Without a tokenizer a token is its number; the prompt is 3 to 7.
    REQUIRE(facts.words.size() == 13);
    CHECK(facts.words[0] == "3");
    CHECK(facts.words[4] == "7");
}

TEST_CASE("under the causal mask a change goes to later tokens, and to one layer more each time",
          "[lesson][figure]") {
    const auto edited = facts_of<ChangedFacts>("changed edit=2");
    REQUIRE(edited.n_layers() > 1);
    for (std::uint32_t t = 0; t < edited.words.size(); ++t) {
        // A key of the first layer is made of its own token alone.
        CHECK((edited.change[0][t] > 0) == (t == 2));
        CHECK((edited.change[1][t] > 0) == (t >= 2));
    }
    const auto grown = facts_of<ChangedFacts>("changed");
    CHECK(grown.is_new);
    for (const auto& layer : grown.change)
        for (const double change : layer) CHECK(change == 0);
    const auto open = facts_of<ChangedFacts>("changed rule=\"none\"");
    for (const double change : open.change[0]) CHECK(change == 0);
    for (const double change : open.change[1]) CHECK(change > 0);
}

TEST_CASE("a figure of bytes asks the layout, one of heads the cost model", "[lesson][figure]") {
    const auto map = facts_of<ByteMapFacts>("byte_map token=1, dim=2, address=\"revealed\"");
    CHECK(map.token_major.layer_bytes() == 96);  // 3 x 2 x 4 x 2 B, twice
    CHECK(map.token_major.slot_stride(Side::K) == 16);
    CHECK(map.head_major.head_stride(Side::K) == 24);
    CHECK(map.address == FigureWhen::Revealed);

    const auto wiring = facts_of<WiringFacts>(
        "wiring models=[model], real=preset(\"llama-2-70b\"), real_when=\"now\", head=31");
    REQUIRE(wiring.models.size() == 1);
    CHECK(wiring.models[0].n_heads % wiring.models[0].n_kv_heads == 0);
    REQUIRE(wiring.real);
    CHECK(wiring.real->bytes_per_token == 327'680);  // 2 x 80 x 8 x 128 x 2 B
    CHECK(wiring.head == 31u);
    CHECK_THAT(refusal_of("wiring models=[preset(\"llama-2-70b\")]"),
               ContainsSubstring("wants at most 16 query heads"));
}

TEST_CASE("who attends before it stores changes every row but the first, from the second layer on",
          "[lesson][figure]") {
    const auto late = facts_of<ChangedFacts>("changed rule=\"late\"");
    CHECK(late.is_late);
    CHECK_FALSE(late.is_new);
    REQUIRE(late.n_layers() >= 2);
    for (const double change : late.change[0]) CHECK(change == 0);
    CHECK(late.change[1][0] == 0);
    for (std::size_t t = 1; t < late.change[1].size(); ++t) CHECK(late.change[1][t] > 0);
    CHECK_THAT(refusal_of("changed rule=\"late\", edit=1"), ContainsSubstring("edits no token"));
}

TEST_CASE("two sums work out their results and say where they part", "[lesson][figure]") {
    const std::string terms =
        "two_sums title=\"t\", how=\"h\", names=[\"K and V\", \"layers\", "
        "\"KV heads | query heads | heads\", \"head_dim\", \"BF16\", \"tokens\"], ";
    const auto sums = facts_of<TwoSumsFacts>(
        terms + "right=[2, 32, 8, 128, 2B, 8192], wrong=[2, 32, 32, 128, 2B, 8192], room=24GiB");
    CHECK(sums.right.amount == 1'073'741'824);
    CHECK(sums.right.said == "1 GiB");
    CHECK(sums.right.exact == "1,073,741,824 B");
    CHECK(sums.wrong.amount == 4'294'967'296);
    CHECK(sums.right.fit == 24);
    CHECK(sums.wrong.fit == 6);
    CHECK(sums.terms[2].wrong_name == "query heads");
    CHECK(sums.terms[2].called == "heads");
    for (std::size_t i = 0; i < sums.terms.size(); ++i) CHECK(sums.terms[i].parts() == (i == 2));
    // A term that one sum lacks is a hole there and no factor.
    const auto lacking = facts_of<TwoSumsFacts>(
        terms + "right=[2, 32, 8, 128, 2B, 4], wrong=[2, 32, \"\", 128, 2B, 4]");
    CHECK(lacking.right.amount == 8 * lacking.wrong.amount);
    CHECK(lacking.terms[2].wrong.empty());
    const std::string two = "two_sums title=\"t\", how=\"h\", names=[\"a\", \"b\"], ";
    const auto over = facts_of<TwoSumsFacts>(two + "right=[12, 4], wrong=[12, 3], sign=\"over\"");
    CHECK(over.right.amount == 3);
    CHECK(over.wrong.amount == 4);
    const auto less = facts_of<TwoSumsFacts>(two + "right=[12, 4], wrong=[9, 4], sign=\"less\"");
    CHECK(less.right.amount == 8);
    CHECK(less.wrong.amount == 5);
    // A fraction is written as one, and not rounded as a count or as bytes would be.
    const auto parts = facts_of<TwoSumsFacts>(two + "right=[2, 4097 / 2], wrong=[2, 4B / 8B]");
    CHECK(parts.terms[1].right == "2,048.5");
    CHECK(parts.terms[1].wrong == "0.5");
    const auto bytes = facts_of<TwoSumsFacts>(two + "right=[2, 2B], wrong=[2, 4B / 8]");
    CHECK(bytes.terms[1].wrong == "0.5 B");
    CHECK(bytes.wrong.amount == 1);
    for (const auto& [rest, why] :
         {std::pair{"right=[1, 2], wrong=[1, 2]", "do not part"},
          {"right=[1], wrong=[1, 2]", "a term of each sum"},
          {"right=[1, \"\"], wrong=[1, \"\"]", "neither sum has"},
          {"right=[1, 2B], wrong=[1, 2]", "different units"},
          {"right=[0, 2], wrong=[1, 2]", "above zero"},
          {"right=[1, 2], wrong=[1, 3], room=1GiB", "only for sums of bytes"},
          {"right=[1, 2B], wrong=[1, 3B], room=1GiB", "1 to 64 requests"},
          {"right=[1, 2], wrong=[1, 3], sign=\"plus\"", "not times, over or less"},
          {"right=[1, 2], wrong=[1, 0], sign=\"over\"", "divides by zero"},
          {"right=[1, 2], wrong=[1, 3], open=\"none\"", "wrong, right, both or all"},
          {"right=[1, 2], wrong=[1, 3], lines=[[\"x\", 1, \"up\"]]", "neither the"}})
        CHECK_THAT(refusal_of(two + rest), ContainsSubstring(why));
}

TEST_CASE("layers keep what their kind keeps, and the ghost keeps all", "[lesson][figure]") {
    const std::string line =
        "layers title=\"t\", how=\"h\", ghost_name=\"g\", tokens=[500, 2000], model=";
    // A token takes 2 x 1 x 4 x 2 B = 16 bytes a layer.
    const auto mixed =
        facts_of<LayersFacts>(line + "with_window(shape(6, 1, 4), 1000, full_every=3)");
    REQUIRE(mixed.moments.size() == 2);
    CHECK(mixed.moments[0].total == 6 * 500 * 16);
    CHECK(mixed.moments[1].total == (2 * 2000 + 4 * 1000) * 16);
    CHECK(mixed.moments[1].ghost == 6 * 2000 * 16);
    CHECK(mixed.moments[1].held ==
          std::vector<std::uint64_t>{16000, 16000, 32000, 16000, 16000, 32000});
    REQUIRE(mixed.groups.size() == 2);
    CHECK(mixed.groups[0].count == 4);
    CHECK(mixed.groups[0].window == 1000);
    // A state has one size, and the same one at any length.
    const auto states = facts_of<LayersFacts>(line + "with_states(shape(4, 1, 4), 4), state=1000B");
    CHECK(states.moments[0].total == 3 * 1000 + 500 * 16);
    CHECK(states.moments[1].total == 3 * 1000 + 2000 * 16);
    // 61 x (512 + 64) x 2 B = 70,272 B a token, against keys and values for each head.
    const auto latent = facts_of<LayersFacts>(
        line + "preset(\"deepseek-v3\"), ghost=shape(61, 128, 192, value_dim=128)");
    CHECK(latent.moments[0].total == 500 * 70'272);
    CHECK(latent.moments[0].ghost == 500ULL * 61 * 128 * (192 + 128) * 2);
    CHECK_THAT(refusal_of(line + "preset(\"deepseek-v3\"), ghost=shape(60, 8, 128)"),
               ContainsSubstring("a ghost with as many"));
    CHECK_THAT(refusal_of("layers title=\"t\", how=\"h\", ghost_name=\"g\", tokens=[9, 9], "
                          "model=shape(4, 1, 4)"),
               ContainsSubstring("each longer than the one before"));
}

TEST_CASE("a text is stored by its first step, then token by token, in the blocks of its table",
          "[lesson][figure]") {
    // Five tokens of prompt; blocks of four.
    const auto text = facts_of<TextFacts>("text open=1, end=5, blocks=\"now\"");
    CHECK(text.words.size() == 10);  // the prompt, and what five steps drew
    CHECK(text.stored(0) == 0);
    CHECK(text.stored(1) == 5);
    CHECK(text.stored(5) == 9);
    CHECK(text.block_size == 4);
    CHECK(text.table.size() == 3);  // nine tokens in blocks of four
    CHECK(facts_of<TextFacts>("text open=2").end == 2);
    CHECK(facts_of<TextFacts>("text open=2").table.empty());
    CHECK_THAT(refusal_of("text open=3, end=2"), ContainsSubstring("wants open up to end"));
    CHECK_THAT(refusal_of("text open=900"), ContainsSubstring("wants open up to end"));
}

TEST_CASE("a token leaves a key and a value in each layer and KV head", "[lesson][figure]") {
    const auto wide = facts_of<VectorsFacts>(
        "vectors model=shape(layers=4, kv_heads=2, head_dim=16), total=\"revealed\"");
    CHECK(wide.kept() == 16);
    CHECK(wide.bytes == 512);  // 16 vectors of 16 numbers, two bytes each
    CHECK(wide.layer_bytes == 128);
    CHECK(wide.total == FigureWhen::Revealed);
    const auto apart = facts_of<VectorsFacts>(
        "vectors model=shape(layers=1, kv_heads=2, head_dim=16, value_dim=8)");
    CHECK(apart.bytes == 96);  // 2 x (16 + 8) x 2
    CHECK(facts_of<VectorsFacts>("vectors").kept() > 0);
    CHECK_THAT(refusal_of("vectors model=preset(\"llama-2-70b\")"),
               ContainsSubstring("at most 8 layers"));
}

TEST_CASE("passes are counted as by hand", "[lesson][figure]") {
    const auto passes = facts_of<PassesFacts>("passes prompt=200, new=4");
    CHECK(passes.without == 200 + 201 + 202 + 203);
    CHECK(passes.with == 203);
    CHECK_THAT(refusal_of("passes prompt=1, new=8, then=4"), ContainsSubstring("a longer answer"));
}

TEST_CASE("a row of attention shares its weights out again when a key joins", "[lesson][figure]") {
    const auto row = facts_of<AttendRowFacts>(
        "attend_row query=[2, 0, 0, 0], keys=[[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]], "
        "values=[[1, 0], [0, 1], [1, 1]], open=2");
    CHECK(row.keys[0].dot == 2);
    CHECK(row.keys[0].score == 1);
    CHECK(row.keys[1].score == 0);
    const double e = 2.718281828459045;
    CHECK(std::abs(row.before.weights[0] - e / (e + 1)) < 1e-12);
    CHECK(std::abs(row.after.weights[2] - e / (2 * e + 1)) < 1e-12);
    CHECK(std::abs(row.after.output[0] - 2 * e / (2 * e + 1)) < 1e-12);
    CHECK_THAT(refusal_of("attend_row query=[1], keys=[[1, 2]], values=[[1]]"),
               ContainsSubstring("keys as long as the query"));
}

TEST_CASE("sixteen bits fall into three fields", "[lesson][figure]") {
    const auto bits = facts_of<BitsFacts>("bits bits=0xC0E0");
    CHECK(bits.sign() == 1);
    CHECK(bits.exponent() == 129);
    CHECK(bits.fraction() == 96);
    CHECK(bits.number == -7);  // -(1 + 96/128) x 4
    CHECK_THAT(refusal_of("bits bits=0"), ContainsSubstring("a one before its fraction"));
}

TEST_CASE("amounts keep their units, and only those of one unit stand together",
          "[lesson][figure]") {
    const std::string words = "title=\"t\", how=\"h\", ";
    const auto bars = facts_of<BarsFacts>("bars " + words +
                                          "names=[\"a\", \"b\"], values=[1KiB, 3KiB], open=1, "
                                          "limit=2KiB, limit_name=\"room\"");
    CHECK(bars.bars[1].said == "3 KiB");
    CHECK(bars.bars[1].amount == 3072);
    CHECK(bars.open == 1);
    REQUIRE(bars.limit);
    CHECK(bars.limit->amount == 2048);
    CHECK_THAT(refusal_of("bars " + words + "names=[\"a\", \"b\"], values=[1KiB, 3]"),
               ContainsSubstring("amounts of one unit"));
    CHECK_THAT(refusal_of("bars " + words + "names=[\"a\"], values=[1, 3]"),
               ContainsSubstring("a value for each"));
    const auto factors = facts_of<FactorsFacts>(
        "factors " + words + "names=[\"sides\", \"layers\", \"bytes\"], values=[2, 4, 16B]");
    CHECK(factors.factors[1].product == "8");
    CHECK(factors.factors[2].product == "128 B");
    const auto series =
        facts_of<SeriesFacts>("series " + words + "word=\"step\", names=[\"a\"], values=[[1, 2]]");
    CHECK(series.rows[0].values == std::vector<double>{1, 2});
    CHECK_THAT(
        refusal_of("series " + words + "word=\"step\", names=[\"a\", \"b\"], values=[[1], [1, 2]]"),
        ContainsSubstring("no list longer than the first"));
}

TEST_CASE("block tables are those of the run where the step opens and where it ends",
          "[lesson][figure]") {
    // Five tokens in blocks of four after the first step.
    const auto facts = facts_of<BlocksFacts>("blocks");
    CHECK(facts.block_size == 4);
    REQUIRE(facts.open.requests.size() == 1);
    CHECK(facts.open.requests[0].stored == 5);
    CHECK(facts.open.requests[0].table.size() == 2);
    CHECK(facts.open.blocks.size() == 8);
    std::uint32_t filled = 0;
    for (const auto& block : facts.open.blocks) filled += block.filled;
    CHECK(filled == 5);
    CHECK(facts.end.step >= facts.open.step);
}

TEST_CASE("layers in turn add up, a layer ahead hides all but the slower of the two",
          "[lesson][figure]") {
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
    const auto lanes = facts_of<LanesFacts>("lanes layers=6, copy=3ms, compute=2ms, slower=5ms");
    CHECK(near(lanes.in_turn.end, 0.030));
    CHECK(near(lanes.in_turn.stalled(), 0.018));
    CHECK(near(lanes.ahead.end, 0.020));        // 6 x 3 + 2
    CHECK(near(lanes.ahead.stalled(), 0.008));  // 3 + 5 x 1
    REQUIRE(lanes.slower);
    CHECK(near(lanes.slower->end, 0.032));  // 6 x 5 + 2
    // Where computing takes longer, only the first copy is waited for.
    const auto quick = facts_of<LanesFacts>("lanes layers=4, copy=1ms, compute=3ms, whole=\"now\"");
    CHECK(near(quick.ahead.end, 0.013));
    CHECK(near(quick.ahead.stalled(), 0.001));
    CHECK(near(quick.in_turn.end, 0.016));
    // Sent as a whole: 4 x 3 + 4 x 1; layer by layer the link waits for the next layer each time.
    const auto apart = facts_of<LanesFacts>("lanes layers=4, copy=1ms, compute=3ms, sends=yes");
    CHECK(near(apart.in_turn.end, 0.016));
    CHECK(near(apart.ahead.end, 0.013));
    CHECK(near(apart.ahead.copies[1].from, 0.006));
    // Over a slow link only the first computation is waited for.
    const auto slow = facts_of<LanesFacts>("lanes layers=4, copy=5ms, compute=2ms, sends=yes");
    CHECK(near(slow.ahead.end, 0.022));
    CHECK_THAT(refusal_of("lanes layers=99, copy=1ms, compute=1ms"),
               ContainsSubstring("at most 64"));
    const auto roof = facts_of<RooflineFacts>(
        "roofline card=\"H100\", flops=989TFLOP/s, bandwidth=3.35TB/s, names=[\"a\"], "
        "values=[intensity(preset(\"llama-3-8b\"))]");
    CHECK(std::abs(roof.ridge() - 295.2) < 0.1);
    CHECK(roof.points[0].intensity == 4);
    CHECK_THAT(refusal_of("roofline card=\"x\", flops=1TFLOP/s, bandwidth=1TB/s, names=[\"a\"], "
                          "values=[2]"),
               ContainsSubstring("FLOP for each byte"));
}

TEST_CASE("the signals of a server are those of its run", "[lesson][figure]") {
    // Five tokens, then eight new ones in blocks of four; the pool has eight of them.
    const auto facts = facts_of<ServiceFacts>("service part=1, window=2");
    REQUIRE(facts.servers.size() == 1);
    CHECK(facts.step == 0.001);
    const auto& curves = facts.servers[0].curves;
    CHECK(facts.open == 1);
    REQUIRE(curves[ServiceFacts::Usage].size() == facts.end);
    CHECK(curves[ServiceFacts::Usage][0] == 2.0 / 8);  // five tokens in two blocks
    CHECK(curves[ServiceFacts::Running][0] == 1.0);
    CHECK(curves[ServiceFacts::Waiting][0] == 0.0);
    CHECK(curves[ServiceFacts::HitRate][0] == 0.0);       // looked up, and nothing was there
    CHECK(curves[ServiceFacts::FirstToken][0] == 0.001);  // one step after it came
    CHECK(curves[ServiceFacts::Preempted][0] == 0.0);
    CHECK_THAT(refusal_of("service names=[\"left\", \"right\"]"),
               ContainsSubstring("a name for each of 1 servers"));
    CHECK_THAT(refusal_of("service window=0"), ContainsSubstring("at least one step"));
    CHECK_THAT(refusal_of("service part=0"), ContainsSubstring("parts of the time"));
}

TEST_CASE("a batch is what each step computes", "[lesson][figure]") {
    using State = BatchFacts::State;
    const auto facts = facts_of<BatchFacts>("batch last=8");
    REQUIRE(facts.rows.size() == 1);
    CHECK(facts.rows[0].name == "A");
    CHECK((facts.first == 1 && facts.open == 1 && facts.end == 8));
    // A prompt of five, seven more steps for eight tokens.
    CHECK(facts.rows[0].cells[0] == BatchFacts::Cell{State::Reads, 5});
    for (const std::size_t c : {1u, 7u}) CHECK(facts.rows[0].cells[c].state == State::Writes);
    CHECK(facts.tokens(0) == 5);
    CHECK(facts.tokens(7) == 1);
    CHECK_THAT(refusal_of("batch first=3"), ContainsSubstring("from one before the step opens"));
    CHECK_THAT(refusal_of("batch last=99"), ContainsSubstring("steps of the run"));
}

TEST_CASE("what is wrong with a figure is said with file and line", "[lesson][figure]") {
    const auto read = [](const std::string& line) -> std::string {
        try {
            parse_lesson(kFront + with_figure(line), "x/lesson.md");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    // Nine lines of front matter, a blank one, the heading, a blank one, four directives.
    CHECK_THAT(read("graph steps=8"), ContainsSubstring("x/lesson.md:17: ") &&
                                          ContainsSubstring("has the figure \"graph\"") &&
                                          ContainsSubstring("without_cache, byte_map"));
    CHECK_THAT(read("without_cache steps=)"), ContainsSubstring("x/lesson.md:17: "));
    const std::string compared =
        with(with_figure("without_cache"), "at: 1\n", "at: 1\nlayout: compare\n");
    CHECK_THAT(
        [&] {
            try {
                parse_lesson(kFront + compared, "x/lesson.md");
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string();
        }(),
        ContainsSubstring("has a figure in the layout compare; write layout: learn"));
    CHECK_THAT(refusal_of("without_cache pace=8"), ContainsSubstring(":17: the figure"));
    CHECK_THAT(refusal_of("without_cache steps=900"), ContainsSubstring("wants steps from 1 on"));
    CHECK_THAT(refusal_of("without_cache cache=\"later\""),
               ContainsSubstring("not now, revealed or never"));
    CHECK_THAT(refusal_of("byte_map head_dim=60"), ContainsSubstring("numbers a side"));
    CHECK_THAT(refusal_of("byte_map token=3"), ContainsSubstring("an element that is not there"));
    CHECK_THAT(refusal_of("changed edit=99"), ContainsSubstring("edits a token"));
}

namespace {

// A key of the demo model: layer 2, KV head 0, rounded to hundredths.
const std::string kRealKey =
    "key=[0.04, 0.44, 0.26, 0.66, -2.14, 0.76, 2.42, 1.92, 0.87, 0.63, 0.29, -1.34, 2.21, -0.94, "
    "1.8, -1.83]";

std::string rounded(double value, int digits) {
    double unit = 1;
    for (int i = 0; i < digits; ++i) unit *= 10;
    return std::to_string(std::lround(value * unit));
}

}  // namespace

TEST_CASE("one large channel squeezes the codes of the others", "[lesson][figure]") {
    const auto facts =
        facts_of<OutlierFacts>("outlier " + kRealKey + ", channel=6, from=2, to=40, by=2, open=16");
    REQUIRE(facts.ticks.size() == 20);
    CHECK(facts.open == 8);
    const OutlierFacts::At& at = facts.ticks[7];
    CHECK(at.value == 16);
    using Codes = std::vector<std::int32_t>;
    // 16 / 7 = 2.286: whoever is below half of it is zero.
    CHECK(rounded(at.whole.scales[0], 3) == "2286");
    CHECK(at.whole.codes == Codes{0, 0, 0, 0, -1, 0, 7, 1, 0, 0, 0, -1, 1, 0, 1, -1});
    CHECK(at.whole.distinct == 3);
    CHECK(rounded(at.whole.rms, 2) == "57");
    // 0.66 / 7, 16 / 7, 1.34 / 7, 2.21 / 7.
    REQUIRE(at.second.scales.size() == 4);
    CHECK(rounded(at.second.scales[0], 3) == "94");
    CHECK(rounded(at.second.scales[1], 3) == "2286");
    CHECK(rounded(at.second.scales[2], 3) == "191");
    CHECK(rounded(at.second.scales[3], 3) == "316");
    CHECK(at.second.codes == Codes{0, 5, 3, 7, -1, 0, 7, 1, 5, 3, 2, -7, 7, -3, 6, -6});
    CHECK(at.second.distinct == 11);
    CHECK(rounded(at.second.rms, 2) == "23");
    CHECK(facts.whole_bits == 5);   // 4 + 16 / 16
    CHECK(facts.second_bits == 8);  // 4 + 16 / 4
    // 2 x 7 x 2.21: at 30 one of them is still there, at 32 none is.
    CHECK(rounded(facts.vanishes_at, 2) == "3094");
    CHECK(facts.ticks[14].whole.distinct == 2);
    CHECK(facts.ticks[15].whole.distinct == 1);
    // A wrong number of channels, a channel that is not there, too many steps.
    const std::string slider = ", from=2, to=40, by=2";
    CHECK_THAT(refusal_of("outlier key=[1, 2, 3], channel=0" + slider),
               ContainsSubstring("wants a key of 4, 8 or 16 channels"));
    CHECK_THAT(refusal_of("outlier " + kRealKey + ", channel=16" + slider),
               ContainsSubstring("has no such channel"));
    CHECK_THAT(refusal_of("outlier " + kRealKey + ", channel=6, from=2, to=40, by=1"),
               ContainsSubstring("in at most 24 steps"));
    CHECK_THAT(refusal_of("outlier " + kRealKey + ", channel=6, group=3" + slider),
               ContainsSubstring("groups of equal size"));
    CHECK_THAT(refusal_of("outlier " + kRealKey + ", channel=6, second=\"x\"" + slider),
               ContainsSubstring("neither groups nor turned"));
}

TEST_CASE("a turn spreads an outlier over all channels and keeps the length", "[lesson][figure]") {
    const auto alone = facts_of<OutlierFacts>(
        "outlier key=[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], channel=6, from=16, to=16, "
        "by=1, second=\"turned\"");
    for (const double x : alone.ticks[0].second.values) CHECK(std::abs(std::abs(x) - 4) < 1e-12);
    const auto real = facts_of<OutlierFacts>("outlier " + kRealKey +
                                             ", channel=6, from=16, to=16, by=1, "
                                             "second=\"turned\"");
    double before = 0, after = 0;
    for (const double x : real.ticks[0].whole.values) before += x * x;
    for (const double x : real.ticks[0].second.values) after += x * x;
    CHECK(std::abs(before - after) < 1e-9);
    CHECK(real.ticks[0].second.rms < real.ticks[0].whole.rms);
    CHECK(real.second_bits == real.whole_bits);
}

TEST_CASE("of a growing text KIVI keeps the newest tokens in sixteen bits", "[lesson][figure]") {
    const auto facts =
        facts_of<ResidualFacts>("residual lengths=[64, 128, 256, 320, 4096], open=3");
    CHECK(facts.coded_bits == 3);  // two of code, one of scale and zero
    CHECK(facts.plain_bits == 16);
    const auto& ticks = facts.ticks;
    CHECK((ticks[0].coded[0] == 0 && ticks[0].coded[1] == 0 && ticks[0].bits[0] == 16));
    // Keys leave all at once, values one by one.
    CHECK((ticks[1].coded[0] == 128 && ticks[1].coded[1] == 0));
    CHECK((ticks[1].bits[0] == 3 && ticks[1].bits[1] == 16));
    CHECK((ticks[2].coded[0] == 256 && ticks[2].coded[1] == 128));
    CHECK(std::abs(ticks[3].bits[0] - (64 * 16 + 256 * 3) / 320.0) < 1e-12);
    CHECK(std::abs(ticks[3].bits[1] - (128 * 16 + 192 * 3) / 320.0) < 1e-12);
    CHECK(ticks[4].bits[0] == 3);
    // The edge at 128 is on the curve with both of its sides.
    const auto at = [&](std::uint64_t tokens) {
        for (const auto& one : facts.curve)
            if (one.tokens == tokens) return one.bits[0];
        return 0.0;
    };
    CHECK((at(127) == 16 && at(128) == 3));
    CHECK(facts_of<ResidualFacts>("residual codec=\"int4:kivi\", lengths=[128]").coded_bits == 5);
    CHECK_THAT(refusal_of("residual codec=\"int4\", lengths=[128]"),
               ContainsSubstring("wants int2:kivi or int4:kivi"));
    CHECK_THAT(refusal_of("residual lengths=[128, 64]"), ContainsSubstring("rising"));
}

TEST_CASE("the bytes of a vector are codes, scales and zeros", "[lesson][figure]") {
    const auto facts = facts_of<FieldsFacts>(
        "fields numbers=128, names=[\"a\", \"b\", \"c\", \"d\"], "
        "codecs=[\"bf16\", \"int8\", \"int4:g64\", \"int2:kivi\"], open=2");
    const auto& rows = facts.rows;
    CHECK((rows[0].codes == 256 && rows[0].scales == 0 && rows[0].zeros == 0));
    CHECK((rows[1].codes == 128 && rows[1].scales == 2 && rows[1].zeros == 0));
    CHECK((rows[2].codes == 64 && rows[2].scales == 4 && rows[2].zeros == 4));
    CHECK((rows[3].codes == 32 && rows[3].scales == 8 && rows[3].zeros == 8));
    CHECK(facts.bits(rows[1]) == 8.125);
    CHECK(facts.bits(rows[3]) == 3);
    CHECK_THAT(refusal_of("fields numbers=128, names=[\"a\"], codecs=[]"),
               ContainsSubstring("a codec for each"));
}

TEST_CASE("a head shares out its weight anew among the tokens that a window leaves",
          "[lesson][figure]") {
    const std::string rest =
        "losses=[1, 3.25, published(\"1.5\", \"paper\")], texts=200, "
        "spread=0.03, open=2";
    const auto facts = facts_of<SinkFacts>(
        "sink tokens=6, layer=0, head=0, evict=[\"none\", \"window:3\", \"streaming:1+2\"], " +
        rest);
    const auto& strips = facts.strips;
    using Kept = std::vector<bool>;
    CHECK(strips[0].kept == Kept{true, true, true, true, true, true});
    CHECK(strips[1].kept == Kept{false, false, false, true, true, true});
    // The cache holds three, and the query sees its own token as well.
    CHECK(strips[2].kept == Kept{true, false, false, true, true, true});
    CHECK((strips[2].sinks == 1 && strips[2].recent == 2));
    // The keys of the first layer depend on their own token alone, so its weights under a mask are
    // those of the whole text, divided by what is left of them; where positions are ranks, the keys
    // that moved are others.
    for (const SinkFacts::Strip& strip : strips) {
        double left = 0, sum = 0;
        for (std::size_t t = 0; t < 6; ++t) left += strip.kept[t] ? strips[0].weights[t] : 0;
        for (std::size_t t = 0; t < 6; ++t) {
            sum += strip.weights[t];
            const double whole = strip.kept[t] ? strips[0].weights[t] / left : 0;
            if (strip.sinks == 0) CHECK(std::abs(strip.weights[t] - whole) < 1e-5);
            if (!strip.kept[t]) CHECK(strip.weights[t] == 0);
        }
        CHECK(std::abs(sum - 1) < 1e-5);
    }
    CHECK(strips[1].loss_said == "3.250");
    CHECK(strips[2].loss_said == "1.5");
    CHECK_THAT(refusal_of("sink tokens=6, layer=0, head=0, evict=[\"none\", \"h2o:2+2\", "
                          "\"none\"], " +
                          rest),
               ContainsSubstring("wants none, window:N or streaming:S+N"));
    CHECK_THAT(refusal_of("sink tokens=600, layer=0, head=0, evict=[\"none\"], losses=[1], "
                          "texts=1, spread=1"),
               ContainsSubstring("wants 2 to"));
}

TEST_CASE("the smallest score that is not protected goes", "[lesson][figure]") {
    const std::string scores = "heavy scores=[3.2, 0.8, 0.5, 1.1, 0.3, 0.2], ";
    CHECK(facts_of<HeavyFacts>(scores + "keep=5, newest=2").dropped == Counts{2});
    CHECK(facts_of<HeavyFacts>(scores + "keep=5, newest=0").dropped == Counts{5});
    CHECK(facts_of<HeavyFacts>(scores + "keep=3, newest=1").dropped == Counts{1, 2, 4});
    CHECK_THAT(refusal_of(scores + "keep=6, newest=2"), ContainsSubstring("fewer than there are"));
    CHECK_THAT(refusal_of("observed layer=0, kv_head=0"),
               ContainsSubstring("a run whose policy is snapkv"));
    CHECK_THAT(refusal_of("bounds layer=0, head=0"),
               ContainsSubstring("a run whose policy is quest"));
    CHECK(facts_of<RanksFacts>("ranks sinks=4, first=500, end=506").kept() == 10);
    CHECK_THAT(refusal_of("ranks sinks=4, first=4, end=6"), ContainsSubstring("a gap"));
}
