// Plans of the figures about what is lost: what stands at each key, what is as long as its number
// says, and what waits for the reveal.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "app/panels/figure/table.hpp"
#include "tests/app/panels/figure/lossy_facts.hpp"

using namespace kv;
using figure::Look;
using figure::Piece;
using figure::Plan;

namespace {

Plan lossy_plan(const FigureFacts& facts, bool revealed) {
    static const Texts texts;
    return figure::row_of(facts).plan(
        facts, {.size = {1348, 960}, .revealed = revealed, .said = {}, .text = texts});
}

List<Piece> pieces_at(const Plan& plan, std::uint32_t key, std::string_view id) {
    List<Piece> found;
    for (const Piece& p : plan.pieces)
        if (p.shows_at(key) && p.id.view() == id) found.push_back(p);
    return found;
}

std::vector<std::string> words_at(const Plan& plan, std::uint32_t key, std::string_view id) {
    std::vector<std::string> words;
    for (const Piece& p : pieces_at(plan, key, id))
        for (const figure::Word& word : p.words) words.emplace_back(word.text);
    return words;
}

bool near(double a, double b) {
    return std::abs(a - b) < 0.005;
}

}  // namespace

TEST_CASE("each value of the slider has its own codes, and the errors of both panels one scale",
          "[figure]") {
    const Plan plan = lossy_plan(outlier_facts(), true);
    using Words = std::vector<std::string>;
    CHECK(words_at(plan, 1, "code") == Words{"2", "-4", "1", "7"});
    CHECK(words_at(plan, 2, "code") == Words{"0", "0", "0", "7"});
    // The other group keeps its codes, and stands there once.
    auto grouped = words_at(plan, 2, "code.second");
    std::sort(grouped.begin(), grouped.end());
    CHECK(grouped == Words{"-7", "0", "4", "7"});
    CHECK(words_at(plan, 1, "slider.value") == Words{"2.00"});
    CHECK(words_at(plan, 2, "distinct") == Words{"1"});
    CHECK(words_at(plan, 2, "rms") == Words{"0.66"});
    CHECK(words_at(plan, 2, "bits") == Words{"8 bits"});
    CHECK(words_at(plan, 2, "scale") == Words{"scale 2.000"});
    // An error of 1 above, one of 0.25 above and below.
    List<float> above, below;
    for (const Piece& p : pieces_at(plan, 2, "error")) above.push_back(p.rect.h);
    for (const Piece& p : pieces_at(plan, 2, "error.second")) below.push_back(p.rect.h);
    std::sort(above.begin(), above.end());
    std::sort(below.begin(), below.end());
    REQUIRE(above.size() == 3);
    CHECK(near(above[0] / above[2], 0.25));
    CHECK(near(below.back(), above[0]));
    CHECK(words_at(plan, 1, "vanish.said").empty());
    CHECK(words_at(plan, 2, "vanish.said")[0] == "14.00");
}

TEST_CASE("the slider is locked while its question is open", "[figure]") {
    OutlierFacts facts = outlier_facts();
    const Plan open = lossy_plan(facts, false);
    for (const Piece& p : open.pieces) CHECK(p.from <= facts.open);
    CHECK(words_at(open, 1, "vanish.said").empty());
    CHECK(figure::keys_of(facts).last == 1);
    CHECK(figure::keys_of(facts).end == 2);
    CHECK_FALSE(words_at(open, 1, "code.second").empty());
    facts.second_revealed = true;
    CHECK(words_at(lossy_plan(facts, false), 1, "code.second").empty());
    CHECK_FALSE(words_at(lossy_plan(facts, true), 1, "code.second").empty());
}

TEST_CASE("the area of a strip is its memory, so its mean height are the bits of a number",
          "[figure]") {
    const ResidualFacts facts = residual_facts();
    const Plan plan = lossy_plan(facts, true);
    for (std::uint32_t key = 1; key <= facts.ticks.size(); ++key)
        for (const bool values : {false, true}) {
            double area = 0, width = 0, high = 0;
            for (const char* id : {values ? "coded.v" : "coded.k", values ? "waits.v" : "waits.k"})
                for (const Piece& p : pieces_at(plan, key, id)) {
                    area += double{p.rect.w} * p.rect.h, width += p.rect.w;
                    if (std::string_view(id).starts_with("waits")) high = p.rect.h;
                }
            if (high == 0) continue;  // all of them are coded
            INFO("key " << key << (values ? " values" : " keys"));
            CHECK(std::abs(16 * area / (width * high) - facts.ticks[key - 1].bits[values]) < 0.05);
        }
    CHECK(words_at(plan, 3, "bits.k")[0] == "5.6");
    CHECK(words_at(plan, 3, "bits.v")[0] == "8.2");
    const Plan open = lossy_plan(facts, false);
    for (const Piece& p : open.pieces) CHECK(p.from <= facts.open);
    for (std::uint32_t key = 1; key <= facts.open; ++key) {
        CHECK(words_at(open, key, "bits.k").size() == 2);  // the number and its unit
        CHECK(pieces_at(open, key, "asked").size() == 2);
    }
    // The curve goes on with the length, and its edge at 128 is one.
    CHECK(pieces_at(plan, 1, "curve.k").size() == 0);
    CHECK(pieces_at(plan, 2, "curve.k").size() == 3);
    CHECK(pieces_at(plan, 3, "curve.k").size() == 4);
}

TEST_CASE("bytes of a vector have one scale, and what is asked has no bar", "[figure]") {
    const FieldsFacts facts = fields_facts();
    const Plan open = lossy_plan(facts, false), plan = lossy_plan(facts, true);
    CHECK(pieces_at(open, 9, "total").size() == 2);
    CHECK(pieces_at(open, 9, "asked").size() == 1);
    CHECK(words_at(plan, 9, "total") == std::vector<std::string>{"256 B", "130 B", "80 B"});
    CHECK(words_at(plan, 9, "bits")[2] == "5 bits a number");
    const auto codes = pieces_at(plan, 9, "codes");
    REQUIRE(codes.size() == 3);
    CHECK(near(codes[1].rect.w / codes[0].rect.w, 0.5));
    CHECK(pieces_at(plan, 9, "zeros").size() == 1);
}

TEST_CASE("each cache has a cell for every token, and the asked one neither bars nor a loss",
          "[figure]") {
    const SinkFacts facts = sink_facts();
    const Plan open = lossy_plan(facts, false), plan = lossy_plan(facts, true);
    CHECK(pieces_at(open, 9, "kept").size() == 12 + 8);
    CHECK(pieces_at(open, 9, "gone").size() == 4);
    CHECK(words_at(open, 9, "loss.said") == std::vector<std::string>{"1.000", "3.000"});
    CHECK(pieces_at(plan, 9, "kept").size() == 12 + 8 + 8);
    CHECK(pieces_at(plan, 9, "gone").size() == 4 + 4);
    // A loss is drawn up to the full cache's, and then what it is above that.
    const auto losses = pieces_at(plan, 9, "loss"), above = pieces_at(plan, 9, "loss.above");
    REQUIRE((losses.size() == 3 && above.size() == 2));
    CHECK(near(above[0].rect.w / losses[0].rect.w, 2));
    CHECK(near(above[1].rect.w / losses[0].rect.w, 0.5));
    // Bars of all strips have one scale.
    const auto bars = pieces_at(plan, 9, "weight");
    CHECK(near(bars[0].rect.h / bars[12].rect.h, 0.78 / 0.125));
    CHECK(figure::keys_of(facts).end == 3);
}

TEST_CASE("who goes comes with the reveal", "[figure]") {
    CHECK(pieces_at(lossy_plan(heavy_facts(), false), 3, "gone").empty());
    const Plan plan = lossy_plan(heavy_facts(), true);
    CHECK(pieces_at(plan, 2, "gone").empty());
    REQUIRE(pieces_at(plan, 3, "gone").size() == 1);
    const auto tokens = pieces_at(plan, 3, "token");
    CHECK(pieces_at(plan, 3, "gone")[0].rect.x == tokens[2].rect.x);
    const auto scores = pieces_at(plan, 1, "score");
    CHECK(near(scores[0].rect.h / scores[3].rect.h, 3.2 / 1.1));
}

TEST_CASE("a prompt has its window at once, and its scores and drops behind the reveal",
          "[figure]") {
    const Plan open = lossy_plan(observed_facts(), false),
               plan = lossy_plan(observed_facts(), true);
    CHECK(pieces_at(open, 3, "token").size() == 10);
    CHECK(pieces_at(open, 3, "looked").empty());
    CHECK(pieces_at(open, 3, "gone").empty());
    CHECK(pieces_at(plan, 1, "looked").empty());
    CHECK(pieces_at(plan, 2, "looked").size() == 8);
    CHECK(pieces_at(plan, 2, "token").size() == 10);
    CHECK(pieces_at(plan, 3, "token").size() == observed_facts().n_kept());
    CHECK(pieces_at(plan, 3, "gone").size() == 5);
    std::size_t strong = 0;
    for (const Piece& p : pieces_at(plan, 3, "token")) strong += p.look == Look::Strong ? 1 : 0;
    CHECK(strong == 2);
}

TEST_CASE("a block's largest score stands below its bound, and what is read comes with the reveal",
          "[figure]") {
    const Plan open = lossy_plan(bounds_facts(), false), plan = lossy_plan(bounds_facts(), true);
    CHECK(pieces_at(open, 3, "bound").size() == 4);
    CHECK(pieces_at(open, 3, "read").empty());
    CHECK(pieces_at(open, 3, "best").empty());
    CHECK(pieces_at(plan, 2, "read").size() == 2);
    CHECK(words_at(plan, 2, "read") == std::vector<std::string>{"1", "3"});
    CHECK(pieces_at(plan, 2, "best").empty());
    const auto bars = pieces_at(plan, 3, "bound"), best = pieces_at(plan, 3, "best");
    REQUIRE(best.size() == 4);
    CHECK(best[1].rect.center().y > bars[1].rect.y);
    CHECK(near(bars[1].rect.h / bars[0].rect.h, 3));
}

TEST_CASE("a gap of the text is closed in the cache, and the next query stands behind the last",
          "[figure]") {
    const Plan open = lossy_plan(ranks_facts(), false), plan = lossy_plan(ranks_facts(), true);
    CHECK(pieces_at(open, 1, "place").size() == 10);
    // Ranks would tell where the next query stands.
    CHECK(pieces_at(open, 2, "rank").empty());
    CHECK(pieces_at(plan, 1, "rank").empty());
    const auto ranks = pieces_at(plan, 2, "rank");
    REQUIRE(ranks.size() == 10);
    for (std::size_t i = 1; i < ranks.size(); ++i)
        CHECK(near(ranks[i].rect.x - ranks[i - 1].rect.x, ranks[1].rect.x - ranks[0].rect.x));
    CHECK(pieces_at(open, 3, "next").empty());
    CHECK(words_at(plan, 3, "next") == std::vector<std::string>{"506", "10"});
    CHECK(pieces_at(plan, 3, "asked").empty());
}
