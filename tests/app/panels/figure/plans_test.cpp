// Plans of lesson figures at the sizes of the window: everything lies inside, no words lie on
// others, counts of cells equal the numbers beside them, and nothing tells an open answer.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "app/panels/figure/table.hpp"
#include "core/lesson/figures/figures.hpp"
#include "tests/app/panels/figure/facts.hpp"

using namespace kv;
using figure::Kind;
using figure::Look;
using figure::Piece;
using figure::Plan;

namespace {

constexpr Vec2 kSizes[] = {{840, 560}, {1348, 960}, {1216, 560}, {980, 700}};

Plan plan_of(const FigureFacts& facts, bool revealed, Vec2 size = {1348, 960}, Text said = {}) {
    static const Texts texts;
    return figure::row_of(facts).plan(
        facts, {.size = size, .revealed = revealed, .said = std::move(said), .text = texts});
}

std::size_t count(const Plan& plan, std::string_view id, Look look, std::uint32_t key) {
    return static_cast<std::size_t>(std::count_if(
        plan.pieces.begin(), plan.pieces.end(),
        [&](const Piece& p) { return p.id.view() == id && p.look == look && p.from == key; }));
}

std::vector<std::string> words_of(const Plan& plan, std::string_view id) {
    std::vector<std::string> words;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == id && !p.words.empty()) words.emplace_back(p.words[0].text);
    return words;
}

bool overlaps(const Rect& a, const Rect& b) {
    constexpr float kTouch = 1;
    return a.x + kTouch < b.right() && b.x + kTouch < a.right() && a.y + kTouch < b.bottom() &&
           b.y + kTouch < a.bottom();
}

// About as wide as it is painted: letters of Inter take half of their size, those in mono 0.6.
Rect written(const Piece& piece) {
    float width = 0;
    for (const figure::Word& word : piece.words) {
        const bool mono = word.font == figure::Font::Mono || word.font == figure::Font::MonoBold;
        width += static_cast<float>(word.text.size()) * word.size * (mono ? 0.6f : 0.5f) + word.gap;
    }
    width = std::min(width, piece.rect.w);
    const float x = piece.edge == figure::Edge::Left    ? piece.rect.x
                    : piece.edge == figure::Edge::Right ? piece.rect.right() - width
                                                        : piece.rect.center().x - width / 2;
    const float high = std::min(piece.rect.h, piece.words[0].size);
    return {x, piece.rect.center().y - high / 2, width, high};
}

// All of it lies inside the room, and no words lie on others.
void check_room(const Plan& plan, Vec2 size) {
    const Rect room{-1, -1, size.x + 2, size.y + 2};
    List<const Piece*> said;
    for (const Piece& p : plan.pieces) {
        INFO(p.id.view() << " at " << p.rect.x << ", " << p.rect.y << ", " << p.rect.w << ", "
                         << p.rect.h);
        if (p.kind == Kind::Wire || p.kind == Kind::Span) {
            for (const Vec2 v : p.points) CHECK(room.contains(v));
        } else {
            CHECK((p.rect.w > 0 && p.rect.h > 0));
            CHECK((room.contains(p.rect.min()) && room.contains(p.rect.max())));
        }
        if (p.kind == Kind::Words) said.push_back(&p);
    }
    for (std::size_t i = 0; i < said.size(); ++i)
        for (std::size_t k = i + 1; k < said.size(); ++k) {
            const Piece &a = *said[i], &b = *said[k];
            // The asked element is written once more, when it is found.
            if (a.rect == b.rect || b.from > a.until || a.from > b.until) continue;
            INFO(a.id.view() << " and " << b.id.view() << ": " << a.words[0].text.view() << " / "
                             << b.words[0].text.view());
            CHECK_FALSE(overlaps(written(a), written(b)));
        }
}

}  // namespace

TEST_CASE("every figure has one name in both tables", "[figure]") {
    const auto drawn = figure::table();
    const auto asked = figure_sources();
    REQUIRE(drawn.size() == asked.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) CHECK(drawn[i].name == asked[i].name);
}

TEST_CASE("figures lie inside their room at every size, and no words lie on others", "[figure]") {
    for (const FigureFacts& facts : sample_figures())
        for (const Vec2 size : kSizes)
            for (const bool revealed : {false, true}) {
                const Plan plan = plan_of(facts, revealed, size);
                INFO(figure::row_of(facts).name << " " << size.x << " x " << size.y << " "
                                                << (revealed ? "revealed" : "open"));
                check_room(plan, size);
            }
}

TEST_CASE("a step shows as many cells as it computes, and its sum is theirs", "[figure]") {
    const WithoutCacheFacts facts = without_cache_facts();
    const Plan plan = plan_of(facts, false);
    std::uint32_t so_far = 0;
    const auto counts = words_of(plan, "count"), sums = words_of(plan, "sum");
    REQUIRE(counts.size() == 2 * facts.steps);
    for (std::uint32_t r = 0; r < facts.steps; ++r) {
        const std::size_t fresh = count(plan, "without.cell", Look::Fresh, r + 1);
        const std::size_t again = count(plan, "without.cell", Look::Again, r + 1);
        CHECK(fresh + again == facts.without[r]);
        CHECK(fresh == (r == 0 ? facts.prompt : 1));
        CHECK(count(plan, "with.cell", Look::Fresh, r + 1) == facts.with[r]);
        CHECK(count(plan, "with.cell", Look::Kept, r + 1) == facts.without[r] - facts.with[r]);
        CHECK(counts[r] == std::to_string(facts.without[r]));
        CHECK(sums[r] == std::to_string(so_far += facts.without[r]));
    }
    CHECK(so_far == 124);                                    // 12 + 13 + ... + 19
    CHECK(sums.back() == std::to_string(facts.steps + 11));  // 12 and seven times 1
}

TEST_CASE("the bars of both blocks have one scale", "[figure]") {
    const Plan plan = plan_of(without_cache_facts(), false);
    List<float> widths;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "bar") widths.push_back(p.rect.w);
    REQUIRE(widths.size() == 16);
    // After eight steps 124 positions above and 19 below.
    CHECK(std::abs(widths[15] / widths[7] - 19.0f / 124.0f) < 0.01f);
}

TEST_CASE("what is asked comes with the reveal, and as keys behind those before it", "[figure]") {
    WithoutCacheFacts facts = without_cache_facts();
    facts.asked = 20, facts.cache = FigureWhen::Never;
    const figure::Keys keys = figure::keys_of(facts);
    CHECK((keys.first == 1 && keys.opens == 8 && keys.last == 8 && keys.end == 20));
    const auto tells = [](const Plan& plan, const std::string& value) {
        return std::any_of(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) {
            return !p.names && std::any_of(p.words.begin(), p.words.end(),
                                           [&](const auto& w) { return w.text.view() == value; });
        });
    };
    CHECK_FALSE(tells(plan_of(facts, false), "31"));
    CHECK(tells(plan_of(facts, true), "31"));  // 12 of the prompt and 19 written ones
    CHECK(words_of(plan_of(facts, true, {1348, 960}, "32"), "answer") ==
          std::vector<std::string>{"Step 20 computes 31 positions; you said 32."});

    facts.asked = 8, facts.cache = FigureWhen::Revealed;
    CHECK(figure::keys_of(facts).end == 16);
    CHECK(count(plan_of(facts, false), "with.cell", Look::Fresh, 9) == 0);
    CHECK(count(plan_of(facts, true), "with.cell", Look::Fresh, 9) == 12);
}

TEST_CASE("each byte has its address in both orders, and the sum leads to the asked one",
          "[figure]") {
    ByteMapFacts facts = byte_map_facts();
    const Plan plan = plan_of(facts, false);
    // K is 0 to 47, V 48 to 95, twice; the asked number is written once more where it is found.
    auto addresses = words_of(plan, "address");
    CHECK(addresses.size() == 2 * (96 + 2));
    CHECK(std::count(addresses.begin(), addresses.end(), "95") == 2);
    CHECK(std::count(addresses.begin(), addresses.end(), "96") == 0);
    // K of token 1, head 0, dim 2: 1 x 16 + 0 x 8 + 2 x 2, and 0 x 24 + 1 x 8 + 2 x 2.
    CHECK(words_of(plan, "address.sum") == std::vector<std::string>{"20", "12"});
    const auto terms = words_of(plan, "term");
    CHECK(terms == std::vector<std::string>{"0", "1 × 16 B", "0 × 8 B", "2 × 2 B", "0", "0 × 24 B",
                                            "1 × 8 B", "2 × 2 B"});
    // A term of zero has no arrow and stays in the sum.
    CHECK(std::count_if(plan.pieces.begin(), plan.pieces.end(),
                        [](const Piece& p) { return p.kind == Kind::Span; }) == 4);

    // One token's key is one run where its heads lie together, and one for each head elsewhere.
    facts.places = FigureWhen::Revealed;
    const auto runs = [](const Plan& p) {
        return std::count_if(p.pieces.begin(), p.pieces.end(),
                             [](const Piece& piece) { return piece.id.view() == "place"; });
    };
    CHECK(runs(plan_of(facts, false)) == 0);
    CHECK(runs(plan_of(facts, true)) == 1 + 2);
    CHECK(figure::keys_of(facts).end == figure::keys_of(facts).last + 1);
    facts.places = FigureWhen::Never;

    facts.address = FigureWhen::Revealed;
    const Plan open = plan_of(facts, false);
    CHECK(words_of(open, "address.sum").empty());
    addresses = words_of(open, "address");
    CHECK(addresses.size() == 2 * 8);  // of the first vector alone
    CHECK(std::count(addresses.begin(), addresses.end(), "20") == 0);
}

TEST_CASE("a wire leads from each query head to the KV head that it reads", "[figure]") {
    const WiringFacts facts = wiring_facts();
    const Plan plan = plan_of(facts, false);
    std::size_t wires = 0, heads = 0;
    for (const Piece& p : plan.pieces) {
        wires += p.id.view() == "wire" ? 1 : 0;
        heads += p.id.view() == "kv.k" ? 1 : 0;
    }
    CHECK(wires == 3 * 8);
    CHECK(heads == 8 + 2 + 1);
    // Four query heads of 8/2 meet at one bus; its ends lead to the middle of the four.
    std::vector<Vec2> ends;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "wire" && p.from == 2) ends.push_back(p.points.back());
    REQUIRE(ends.size() == 8);
    CHECK(ends[0] == ends[3]);
    CHECK(ends[4] == ends[7]);
    CHECK(std::abs((ends[1].x + ends[2].x) / 2 - ends[0].x) < 0.01f);
    CHECK(std::all_of(ends.begin(), ends.end(), [&](Vec2 v) { return v.y == ends[0].y; }));
    // The full width is 2,048 B; a KV head is 256 B of it in every column.
    float widest = 0, one = 0;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() == "track") widest = p.rect.w;
        if (p.id.view() == "bar.k" && p.from == 3) one = p.rect.w;
    }
    CHECK(std::abs(2 * one / widest - 256.0f / 2048.0f) < 0.001f);

    CHECK(words_of(plan, "real.result").empty());
    const Plan revealed = plan_of(facts, true);
    CHECK(words_of(revealed, "real.result") == std::vector<std::string>{"327,680 B"});
    CHECK(words_of(revealed, "answer") ==
          std::vector<std::string>{"Query head 31: 31 // 8 = 3, so it reads KV head 3."});
}

TEST_CASE("the map is empty until it is revealed, and the wires follow the mask", "[figure]") {
    const ChangedFacts facts = changed_facts();
    const Plan open = plan_of(facts, false), revealed = plan_of(facts, true);
    const auto moved = [](const Plan& plan, std::uint32_t key) {
        return count(plan, "moved", Look::Changed, key);
    };
    CHECK(moved(open, 1) + moved(open, 2) == 0);
    CHECK(moved(revealed, 1) == 1);  // its own token
    CHECK(moved(revealed, 2) == 3);  // tokens 2 to 4
    // Of 25 cells a token may read 15: its own and those before it.
    CHECK(std::count_if(open.pieces.begin(), open.pieces.end(),
                        [](const Piece& p) { return p.id.view() == "mask.read"; }) == 15);
    std::size_t wires = 0;
    for (const Piece& p : revealed.pieces)
        if (p.id.view() == "carries") {
            ++wires;
            CHECK(p.points[0].x <= p.points[1].x);
        }
    CHECK(wires == 1 + 3);  // straight down, and from token 2 to three
}

TEST_CASE("of a slip nothing but its row is there before its name is known", "[figure]") {
    TwoSumsFacts facts = two_sums_facts();
    facts.open = TwoSumsFacts::Open::Wrong;
    const Plan open = plan_of(facts, false), revealed = plan_of(facts, true);
    for (const char* word :
         {"query heads", "KV heads", "right sum", "wrong sum", "1 GiB", "num_attention_heads"})
        for (const Piece& p : open.pieces)
            for (const figure::Word& w : p.words) CHECK(w.text.find(word) == Text::npos);
    // Neither a colour nor a shape tells which factor it is.
    CHECK(std::none_of(open.pieces.begin(), open.pieces.end(), [](const Piece& p) {
        return p.loss || p.look == Look::Wrong || p.look == Look::WrongResult;
    }));
    CHECK(std::count_if(open.pieces.begin(), open.pieces.end(), [](const Piece& p) {
              return p.id.view() == "factor" && p.kind == Kind::Box;
          }) == 6);
    std::vector<float> widths;
    for (const Piece& p : open.pieces)
        if (p.id.view() == "factor" && p.kind == Kind::Box) widths.push_back(p.rect.w);
    CHECK(std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()) == widths.end());
    CHECK(words_of(revealed, "fit") == std::vector<std::string>{"24", "6"});
    CHECK(std::count_if(revealed.pieces.begin(), revealed.pieces.end(),
                        [](const Piece& p) { return p.id.view() == "turned_away"; }) == 18);
    // A request of the wrong sum is four of the right one long.
    float held = 0, claimed = 0;
    for (const Piece& p : revealed.pieces) {
        if (p.id.view() == "bar.held") held = p.rect.w;
        if (p.id.view() == "bar.claimed") claimed = p.rect.w;
    }
    CHECK(std::abs(claimed / held - 3) < 0.001f);
}

TEST_CASE("a factor that a sum lacks is an empty box, and its row runs through it", "[figure]") {
    const TwoSumsFacts facts = lacking_facts();
    const Plan plan = plan_of(facts, true);
    CHECK(words_of(plan, "lacks") == std::vector<std::string>{"left out"});
    // Six signs in the right row; in the wrong one the missing factor has none.
    CHECK(words_of(plan, "sign").size() == 6 + 5);
    // 47 requests are promised that do not fit, and the bar of the wrong sum is a 32nd.
    CHECK(words_of(plan, "fit") == std::vector<std::string>{"1", "48"});
    CHECK(std::count_if(plan.pieces.begin(), plan.pieces.end(),
                        [](const Piece& p) { return p.id.view() == "promised"; }) == 47);
    float whole = 0, lacks = 0;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() == "bar.held") whole = std::max(whole, p.rect.w);
        if (p.id.view() == "bar.lacks") lacks = p.rect.w;
    }
    CHECK(std::abs(lacks / whole - 31.0f / 32) < 0.001f);
    // Before its slip is known it is not there at all.
    TwoSumsFacts asked = facts;
    asked.open = TwoSumsFacts::Open::Wrong;
    const Plan open = plan_of(asked, false);
    CHECK(words_of(open, "factor").size() == 5);
    CHECK(words_of(open, "lacks").empty());
    for (const Piece& p : open.pieces) CHECK(p.look != Look::WrongLine);
    // Nor does a gap between boxes tell where it would stand.
    std::vector<float> gaps;
    float right = -1;
    for (const Piece& p : open.pieces) {
        if (p.id.view() != "factor" || p.kind != Kind::Box) continue;
        if (right >= 0) gaps.push_back(std::round(p.rect.x - right));
        right = p.rect.right();
    }
    REQUIRE(gaps.size() == 4);
    CHECK(std::adjacent_find(gaps.begin(), gaps.end(), std::not_equal_to<>()) == gaps.end());
}

TEST_CASE("where both sums are right nothing is drawn as wrong, and the hole closes", "[figure]") {
    TwoSumsFacts facts = two_sums_facts();
    facts.judged = false, facts.open = TwoSumsFacts::Open::Both;
    const Plan open = plan_of(facts, false), revealed = plan_of(facts, true);
    for (const Plan* plan : {&open, &revealed})
        for (const Piece& p : plan->pieces) {
            CHECK_FALSE(p.loss);
            CHECK((p.look != Look::Wrong && p.look != Look::WrongResult));
        }
    // Both results stand, and what makes them differ does not.
    CHECK(words_of(open, "result.said") == std::vector<std::string>{"1 GiB", "4 GiB"});
    CHECK(words_of(open, "factor").size() == 5);
    CHECK(words_of(open, "hole") == std::vector<std::string>{"?"});
    const figure::Keys keys = figure::keys_of(facts);
    for (const Piece& p : revealed.pieces) {
        if (p.id.view() == "hole") CHECK_FALSE(p.shows_at(keys.end));
        if (p.id.view() == "wrong") CHECK(p.from > keys.last);
    }
}

TEST_CASE("lanes have one axis, and what they show adds up to their end", "[figure]") {
    const LanesFacts facts = lanes_facts();
    const Plan plan = plan_of(facts, true);
    // Three runs: their ends in milliseconds, and what is computed and stalled.
    CHECK(words_of(plan, "end") == std::vector<std::string>{"30 ms", "20 ms", "32 ms"});
    CHECK(words_of(plan, "waits")[1] == "12 ms computed, 8 ms stalled");
    float per_ms = 0, compute = 0;
    double stalled = 0;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() == "compute") compute = p.rect.w + 1.5f, per_ms = compute / 2;
        if (p.id.view() == "stall") stalled += p.rect.w + 1.5f;
    }
    REQUIRE(per_ms > 0);
    CHECK(std::abs(stalled / per_ms - (18 + 8 + 0)) < 1);
    // A copy has a cell for the keys and one for the values of each block.
    CHECK(std::count_if(plan.pieces.begin(), plan.pieces.end(), [](const Piece& p) {
              return p.id.view() == "copied" && p.look == Look::Key;
          }) == 3 * 6 * 12);
    // The slower link comes with the reveal, layer by layer.
    CHECK(words_of(plan_of(facts, false), "end") == std::vector<std::string>{"30 ms", "20 ms"});
    const figure::Keys keys = figure::keys_of(facts);
    CHECK(keys.last == 6);
    CHECK(keys.end == 12);
}

TEST_CASE("a layer is as high as what it keeps, and what a full one would is around it",
          "[figure]") {
    const LayersFacts facts = layers_facts();
    const Plan plan = plan_of(facts, true);
    for (std::uint32_t key = 1; key <= 3; ++key) {
        const LayersFacts::Moment& moment = facts.moments[key - 1];
        float full = 0;
        std::vector<float> columns;
        std::size_t ghosts = 0;
        for (const Piece& p : plan.pieces) {
            if (!p.shows_at(key)) continue;
            if (p.id.view() == "column") columns.push_back(p.rect.h);
            if (p.id.view() == "ghost") ++ghosts;
        }
        REQUIRE(columns.size() == 6);
        full = columns[2];  // keeps all tokens
        CHECK(ghosts == (moment.tokens > 1000 ? 4u : 0u));
        for (std::size_t l = 0; l < 6; ++l)
            CHECK(std::abs(columns[l] / full - static_cast<float>(moment.held[l]) /
                                                   static_cast<float>(moment.held[2])) < 0.01f);
    }
    // The line bends where the windows are full: at a quarter of the second length.
    std::vector<const Piece*> line;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "line" && p.from == 2) line.push_back(&p);
    REQUIRE(line.size() == 2);
    const Vec2 a = line[0]->points[0], bend = line[0]->points[1], b = line[1]->points[1];
    CHECK(std::abs((bend.x - a.x) / (b.x - a.x) - 1.0f / 3) < 0.01f);  // 500, 1,000, 2,000
    CHECK(std::abs((bend.y - a.y) / (b.y - a.y) - 0.6f) < 0.01f);  // 30, 60 and 80 thousand bytes
    // What answers the question is not there before.
    CHECK(words_of(plan_of(facts, false), "said") ==
          std::vector<std::string>{"30000 B", "80000 B"});
}

TEST_CASE("a chart ends at now until it is revealed", "[figure]") {
    SeriesFacts facts = series_facts();
    facts.open = 2, facts.columns = 2;
    const auto columns = [](const Plan& plan) {
        return std::count_if(plan.pieces.begin(), plan.pieces.end(),
                             [](const Piece& p) { return p.id.view() == "column"; });
    };
    CHECK(columns(plan_of(facts, false)) == 4);
    CHECK(columns(plan_of(facts, true)) == 6);
    CHECK(figure::keys_of(facts).last == 2);
    CHECK(figure::keys_of(facts).end == 3);
}

TEST_CASE("a text shows each token once at every step, stored ones in their blocks", "[figure]") {
    const TextFacts facts = text_facts();
    const Plan plan = plan_of(facts, true);
    for (std::uint32_t step = 0; step <= facts.end; ++step) {
        std::size_t stored = 0, seen = 0, frames = 0, empty = 0;
        for (const Piece& p : plan.pieces) {
            if (!p.shows_at(step)) continue;
            const auto id = p.id.view();
            stored += id == "fresh" || id == "kept" ? 1 : 0;
            seen += id == "waits" || id == "fresh" || id == "kept" ? 1 : 0;
            frames += id == "block" ? 1 : 0;
            empty += id == "empty" ? 1 : 0;
        }
        INFO("step " << step);
        CHECK(stored == facts.stored(step));
        CHECK(seen == (step == 0 ? facts.prompt : facts.stored(step)));
        CHECK(frames == (facts.stored(step) + 3) / 4);
        CHECK(empty == 4 * frames - stored);
    }
    // Nothing of the steps behind the reveal stands in the open plan.
    for (const Piece& p : plan_of(facts, false).pieces) CHECK(p.from <= facts.open);
}

TEST_CASE("of a token's vectors one layer is drawn while their number is asked", "[figure]") {
    VectorsFacts facts = vectors_facts();
    facts.total = FigureWhen::Revealed;
    const auto kept = [](const Plan& plan) {
        return std::count_if(plan.pieces.begin(), plan.pieces.end(), [](const Piece& p) {
            return p.id.view() == "key" || p.id.view() == "value";
        });
    };
    CHECK(kept(plan_of(facts, false)) == 4);
    CHECK(kept(plan_of(facts, true)) == 16);
    CHECK(words_of(plan_of(facts, false), "total").empty());
    CHECK(words_of(plan_of(facts, true), "total") ==
          std::vector<std::string>{"4 layers x 2 KV heads x 2 vectors = 16 vectors"});
}

TEST_CASE("bars of passes are as high as they say", "[figure]") {
    const Plan plan = plan_of(passes_facts(), true);
    std::vector<float> without, with;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() == "bar.without") without.push_back(p.rect.h);
        if (p.id.view() == "bar.with") with.push_back(p.rect.h);
    }
    REQUIRE(without.size() == 4);
    REQUIRE(with.size() == 4);
    CHECK(std::abs(without[0] / without[3] - 200.0f / 203.0f) < 0.01f);
    CHECK(with[1] < 0.02f * with[0]);
    CHECK(words_of(plan_of(passes_facts(), false), "sum.without").empty());
    CHECK(words_of(plan, "sum.without") == std::vector<std::string>{"806"});
}

TEST_CASE("each order touches the sectors that its layout says", "[figure]") {
    const auto told = words_of(plan_of(sectors_facts(), true), "sectors");
    // Keys of 8 bytes: an append writes 16 of them in one place or in two, a read takes every
    // second key of all eight sectors, or the first four sectors whole.
    CHECK(told == std::vector<std::string>{"1 sector", "8 sectors", "2 sectors", "4 sectors"});
    CHECK(words_of(plan_of(sectors_facts(), false), "sectors").size() == 2);
}

TEST_CASE("bars and columns are as long as their amounts, and what is asked has none", "[figure]") {
    const auto sizes = [](const Plan& plan, const char* id, bool wide) {
        std::vector<float> all;
        for (const Piece& p : plan.pieces)
            if (p.id.view() == id) all.push_back(wide ? p.rect.w : p.rect.h);
        return all;
    };
    const auto open = sizes(plan_of(bars_facts(), false), "bar", true),
               bars = sizes(plan_of(bars_facts(), true), "bar", true);
    CHECK(open.size() == 2);
    REQUIRE(bars.size() == 3);
    CHECK(std::abs(bars[1] / bars[0] - 0.25f) < 0.01f);
    CHECK(std::abs(bars[2] / bars[0] - 0.125f) < 0.01f);
    CHECK(sizes(plan_of(series_facts(), false), "column", false).size() == 3);
    const auto columns = sizes(plan_of(series_facts(), true), "column", false);
    REQUIRE(columns.size() == 6);
    CHECK(std::abs(columns[2] / columns[5] - 0.5f) < 0.01f);
}

TEST_CASE("two bars say how many times the one is the other, behind the reveal", "[figure]") {
    BarsFacts two = bars_facts();
    two.bars.pop_back();
    two.limit.reset();
    two.open = 1;
    CHECK(words_of(plan_of(two, false), "ratio").empty());
    CHECK(words_of(plan_of(two, true), "ratio") == std::vector<std::string>{"4"});
    CHECK(words_of(plan_of(bars_facts(), true), "ratio").empty());
    two.bars[1].amount = two.bars[0].amount;
    CHECK(words_of(plan_of(two, true), "ratio").empty());
}

TEST_CASE("a block has a band for each table that names it, and a column for each slot",
          "[figure]") {
    const Plan plan = plan_of(blocks_facts(), true);
    const auto slots = [&](std::uint32_t key, std::uint8_t hue) {
        return std::count_if(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) {
            return p.id.view() == "slot" && p.shows_at(key) && p.hue == hue;
        });
    };
    CHECK(slots(1, 0) == 10);  // A: two full blocks that B shares, and two slots of its own
    CHECK(slots(1, 1) == 9);
    CHECK(slots(2, 0) == 0);
    CHECK(slots(2, 1) == 10);
    CHECK(words_of(plan_of(blocks_facts(), false), "pool").size() == 1);
}

TEST_CASE("work stands on the roof: on its slope left of the ridge, flat behind it", "[figure]") {
    const Plan plan = plan_of(roofline_facts(), true);
    std::vector<Vec2> dots;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "dot") dots.push_back(p.rect.center());
    REQUIRE(dots.size() == 3);
    CHECK(dots[0].x < dots[1].x);
    CHECK(dots[0].y > dots[1].y);  // two octaves of work a byte, two of work a second
    float flat = 0;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "roof") flat = p.points.back().y;
    CHECK(std::abs(dots[2].y - flat) < 0.5f);
    std::size_t open = 0;
    for (const Piece& p : plan_of(roofline_facts(), false).pieces)
        open += p.id.view() == "dot" ? 1 : 0;
    CHECK(open == 2);
}

TEST_CASE("names of points lie free of the roof, of stems and of each other", "[figure]") {
    const auto runs_through = [](const Piece& line, const Rect& words) {
        for (std::size_t i = 0; i + 1 < line.points.size(); ++i)
            for (int t = 0; t <= 1000; ++t) {
                const Vec2 a = line.points[i], b = line.points[i + 1];
                const float share = static_cast<float>(t) / 1000;
                const Vec2 at{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
                if (at.x > words.x && at.x < words.right() && at.y > words.y &&
                    at.y < words.bottom())
                    return true;
            }
        return false;
    };
    RooflineFacts facts = roofline_facts();
    for (const double intensity : {0.2, 0.5, 1.0, 2.0, 4.0, 16.0, 100.0, 200.0, 400.0, 2000.0})
        for (const double times : {1.5, 2.0, 8.0})
            for (const Vec2 size : kSizes) {
                facts.points[0].intensity = intensity;
                facts.points[1].intensity = times * intensity;
                const Plan plan = plan_of(facts, true, size);
                INFO(intensity << " and " << times << " times that, " << size.x);
                check_room(plan, size);
                for (const Piece& name : plan.pieces)
                    for (const Piece& line : plan.pieces) {
                        if (name.id.view() != "point" || line.points.size() == 0) continue;
                        INFO(line.id.view());
                        CHECK_FALSE(runs_through(line, written(name)));
                    }
            }
}

TEST_CASE("signals of two servers have one axis a row, and end at the line of now", "[figure]") {
    const ServiceFacts facts = service_facts();
    const figure::Keys keys = figure::keys_of(facts);
    // Six of eight steps, two a key; behind the reveal the other two, then the differences.
    CHECK((keys.first == 1 && keys.opens == 3 && keys.last == 3 && keys.end == 5));
    const Plan open = plan_of(facts, false);
    std::vector<std::string> ends;  // of the axes
    for (const Piece& p : open.pieces)
        if (p.id.view() == "tick") ends.emplace_back(p.words[0].text);
    REQUIRE(ends.size() == 4 * ServiceFacts::kSignals);
    for (std::size_t row = 0; row < ServiceFacts::kSignals; ++row)
        for (const std::size_t i : {0u, 1u}) CHECK(ends[4 * row + i] == ends[4 * row + 2 + i]);
    CHECK(ends[0] == "100 %");
    CHECK(ends[8] == "40");  // the longest queue of either server
    // The value at the end of each key: 6 rows x 2 servers x 3 keys.
    const auto values = words_of(open, "value");
    REQUIRE(values.size() == 36);
    const std::size_t waiting = 2 * 6;  // the third row
    CHECK(values[waiting + 2] == "0");
    CHECK(values[waiting + 5] == "20");  // after six steps, not the 40 at the end
    CHECK(values[3 * 6 + 2] == "50 %");
    CHECK(values[3 * 6 + 3] == "-");  // nothing was looked up
    for (const Piece& p : open.pieces)
        for (const Vec2 v : p.kind == Kind::Curve ? p.points : List<Vec2>()) {
            CHECK((v.x >= p.rect.x && v.x <= p.rect.x + p.rect.w * 6 / 8 + 0.01f));
            CHECK((v.y >= p.rect.y && v.y <= p.rect.bottom()));
        }
    CHECK(words_of(plan_of(facts, true), "value").size() == 48);
}

TEST_CASE("which signal differs first is said behind the reveal alone", "[figure]") {
    const ServiceFacts facts = service_facts();
    CHECK(facts.apart(ServiceFacts::Waiting) == 5);  // 10 of 40 are a quarter
    CHECK(facts.apart(ServiceFacts::HitRate) == 2);  // a rate against none
    CHECK_FALSE(facts.apart(ServiceFacts::Usage));
    CHECK_FALSE(one_server_facts().apart(ServiceFacts::Waiting));
    for (const char* id : {"told", "first", "sentence"})
        for (const Piece& p : plan_of(facts, false).pieces) CHECK(p.id.view() != id);
    const Plan plan = plan_of(facts, true);
    CHECK(words_of(plan, "told") ==
          std::vector<std::string>{"hardly differs", "hardly differs", "differs from 0:03 on",
                                   "differs from 0:01 on", "hardly differs", "hardly differs"});
    CHECK(words_of(plan, "sentence") ==
          std::vector<std::string>{"Prefix hit rate differs first, at 0:01."});
    CHECK(words_of(plan_of(one_server_facts(), true), "sentence").empty());
}

TEST_CASE("a step's tokens are the sum of its column, and later steps come with the reveal",
          "[figure]") {
    const BatchFacts facts = batch_facts();
    const figure::Keys keys = figure::keys_of(facts);
    CHECK((keys.first == 1 && keys.opens == 2 && keys.last == 2 && keys.end == 4));
    const Plan open = plan_of(facts, false), all = plan_of(facts, true);
    CHECK(words_of(open, "cell") == std::vector<std::string>{"3", "1"});
    CHECK(words_of(open, "sum") == std::vector<std::string>{"3", "1"});
    CHECK(words_of(all, "sum") == std::vector<std::string>{"3", "1", "5", "1"});
    CHECK(words_of(all, "running") == std::vector<std::string>{"1", "1", "2", "1"});
    CHECK(words_of(open, "step") == std::vector<std::string>{"5", "6", "7", "8"});
    CHECK(count(open, "cell", Look::TurnedAway, 1) == 1);
    CHECK(count(all, "cell", Look::Strong, 3) == 1);
    CHECK(count(open, "cell", Look::Strong, 3) == 0);
}

TEST_CASE("what factors make together stands behind all of them while it is asked", "[figure]") {
    CHECK(words_of(plan_of(factors_facts(), false), "result").empty());
    CHECK(words_of(plan_of(factors_facts(), false), "product").empty());
    CHECK(words_of(plan_of(factors_facts(), true), "product") ==
          std::vector<std::string>{"8", "16 B"});
    CHECK(figure::keys_of(factors_facts()).last == 3);
    CHECK(figure::keys_of(factors_facts()).end == 4);
}

TEST_CASE("append adds one row to those that stand there, and attend reads them all", "[figure]") {
    const Plan plan = plan_of(stages_facts(), true);
    CHECK(count(plan, "row", Look::Kept, 0) == 15);
    CHECK(count(plan, "row.fresh", Look::Fresh, 4) == 1);
    CHECK(words_of(plan, "rows.count") ==
          std::vector<std::string>{"15 rows, positions 0 to 14", "16 rows, positions 0 to 15"});
    CHECK(words_of(plan, "append.said") ==
          std::vector<std::string>{"Append writes one row, 128 B."});
    CHECK(words_of(plan, "attend.said") ==
          std::vector<std::string>{"Attend reads all 16 rows, the new one included."});
    // Each key has one stage that is done now.
    const figure::Keys keys = figure::row_of(FigureFacts(stages_facts())).keys(stages_facts());
    for (std::uint32_t key = keys.first; key <= keys.end; ++key)
        CHECK(count(plan, "stage.now", Look::Strong, key) == 1);
}

TEST_CASE("two runs part at their first token that differs, and not before the reveal",
          "[figure]") {
    const Plan open = plan_of(two_texts_facts(), false);
    CHECK(words_of(open, "same") == std::vector<std::string>{"the", "the"});
    CHECK(words_of(open, "asked") == std::vector<std::string>(7, "?"));
    CHECK(words_of(open, "verdict").empty());
    const Plan plan = plan_of(two_texts_facts(), true);
    CHECK(words_of(plan, "same").size() == 4);
    CHECK(words_of(plan, "differs") == std::vector<std::string>{"is", "was", "in", "no", "more"});
    CHECK(count(plan, "parts", Look::None, 3) == 1);
    CHECK(words_of(plan, "verdict") ==
          std::vector<std::string>{"The first 2 tokens are the same. At token 3 the runs part."});
    TwoTextsFacts alike = two_texts_facts();
    alike.right = alike.left;
    CHECK(words_of(plan_of(alike, true), "verdict") ==
          std::vector<std::string>{"All 4 tokens are the same."});
}

TEST_CASE("tables of a figure hold what its picture shows, and no open answer", "[figure]") {
    for (const FigureFacts& facts : sample_figures()) {
        const auto open = figure::row_of(facts).tables(facts, false);
        const auto revealed = figure::row_of(facts).tables(facts, true);
        INFO(figure::row_of(facts).name);
        CHECK_FALSE(revealed.empty());
        for (const auto& all : {open, revealed})
            for (const DataTable& table : all)
                for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
    }
    WithoutCacheFacts facts = without_cache_facts();
    facts.asked = 20;
    CHECK(figure::row_of(facts).tables(facts, false)[0].rows.size() == 8);
    CHECK(figure::row_of(facts).tables(facts, true)[0].rows.size() == 20);
}
