// What a figure says in words and what it draws are the same thing, at the moment that it says.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/panels/figure/table.hpp"
#include "core/lesson/figures/figures.hpp"
#include "tests/app/panels/figure/facts.hpp"

using namespace kv;
using figure::Look;
using figure::Piece;
using figure::Plan;

namespace {

Plan drawn(const FigureFacts& facts, bool revealed) {
    static const Texts texts;
    return figure::row_of(facts).plan(
        facts, {.size = {1348, 960}, .revealed = revealed, .said = {}, .text = texts});
}

List<const Piece*> pieces(const Plan& plan, std::string_view id) {
    List<const Piece*> found;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == id) found.push_back(&p);
    return found;
}

std::vector<std::string> said(const Plan& plan, std::string_view id) {
    std::vector<std::string> words;
    for (const Piece* p : pieces(plan, id)) words.emplace_back(p->words.at(0).text);
    return words;
}

std::string how(const FigureFacts& facts) {
    std::string all;
    for (const Piece& p : drawn(facts, false).pieces)
        for (const figure::Word& word : p.words) all += std::string(word.text) + "\n";
    return all;
}

}  // namespace

TEST_CASE("every token of a text still stands there beside the answer", "[figure]") {
    TextFacts facts = text_facts();
    facts.positions = FigureWhen::Revealed;
    for (const std::uint32_t block_size : {4u, 0u}) {
        facts.block_size = block_size;
        const std::uint32_t answer = figure::keys_of(facts).end;
        REQUIRE(answer == facts.end + 1);
        const auto count_at = [plan = drawn(facts, true)](std::uint32_t key) {
            return std::count_if(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) {
                const auto id = p.id.view();
                return p.shows_at(key) &&
                       (id == "fresh" || id == "kept" || id == "waits" || id == "empty");
            });
        };
        CHECK(count_at(facts.end) > 0);
        CHECK(count_at(answer) == count_at(facts.end));
    }
}

TEST_CASE("a text speaks of the numbers over its tokens where there are some", "[figure]") {
    TextFacts facts = text_facts();
    facts.block_size = 0;
    CHECK(how(facts).find("the number above it") != std::string::npos);
    facts.positions = FigureWhen::Never;
    CHECK(how(facts).find("number") == std::string::npos);
}

TEST_CASE("the pass over the prompt has a bar, also where bars are fewer than passes", "[figure]") {
    PassesFacts facts = passes_facts();
    facts.prompt = 100, facts.fresh = 500, facts.then = 0;
    const Plan plan = drawn(facts, true);
    const auto without = pieces(plan, "bar.without"), with = pieces(plan, "bar.with");
    REQUIRE(without.size() == 200);
    REQUIRE(with.size() == 200);
    CHECK(without[0]->rect.h == with[0]->rect.h);  // one scale: both read the prompt once
    for (std::size_t i = 1; i < with.size(); ++i) CHECK(with[i]->rect.h < with[0]->rect.h / 10);
}

TEST_CASE("seven per cent are not ten", "[figure]") {
    const BarsFacts facts{.title = "t",
                          .how = "h",
                          .bars = {{"40 GB", "40,000,000,000 B", 40e9},
                                   {"40 GiB", "42,949,672,960 B", 42'949'672'960.0}},
                          .open = 1};
    CHECK(said(drawn(facts, true), "ratio") == std::vector<std::string>{"1.07"});
}

TEST_CASE("an open amount does not end at the limit", "[figure]") {
    const BarsFacts facts{.title = "t",
                          .how = "h",
                          .bars = {{"one", "9", 9}, {"all", "19", 19}},
                          .open = 1,
                          .limit = BarsFacts::Bar{"the pool", "16", 16}};
    const Plan plan = drawn(facts, false);
    const float limit = pieces(plan, "limit").at(0)->points.at(0).x;
    CHECK(pieces(plan, "asked").at(0)->rect.right() > limit + 10);
}

TEST_CASE("blocks say which moment they are of, and who was refused", "[figure]") {
    BlocksFacts facts = blocks_facts();
    REQUIRE_FALSE(facts.open.requests.empty());
    const auto starts = [&](std::string_view words) {
        return said(drawn(facts, false), "pool").at(0).starts_with(words);
    };
    CHECK(starts("The pool after step"));
    facts.open.in_step = true;
    CHECK(starts("The pool within step"));
    BlocksFacts::Request& first = facts.open.requests[0];
    first.has_ended = true;
    CHECK(said(drawn(facts, false), "request").at(0) == "has ended");
    first.was_refused = true;
    CHECK(said(drawn(facts, false), "request").at(0) == "was refused");
}

TEST_CASE("how many tokens a node has more is drawn over the lock, not under it",
          "[figure][pool]") {
    RadixFacts facts = radix_facts();
    for (RadixFacts::Tree* tree : {&facts.before, &facts.after})
        for (RadixFacts::Node& node : tree->nodes) node.words.assign(80, "word");
    const Plan plan = drawn(facts, true);
    const auto locks = pieces(plan, "node.locked");
    REQUIRE_FALSE(locks.empty());
    for (const Piece* lock : locks)
        CHECK(std::any_of(lock + 1, plan.pieces.data() + plan.pieces.size(), [&](const Piece& p) {
            return p.id.view() == "more" && lock->rect.contains(p.rect.center());
        }));
}

TEST_CASE("rows of a sum that is not judged have their own names below the player", "[figure]") {
    TwoSumsFacts facts = two_sums_facts();
    facts.right_name = "MHA", facts.wrong_name = "MQA", facts.judged = false;
    const Plan plan = drawn(facts, true);
    const auto has = [&](std::string_view name) {
        return std::any_of(plan.key_names.begin(), plan.key_names.end(),
                           [&](const Text& t) { return t.view() == name; });
    };
    CHECK(has("MHA"));
    CHECK(has("MQA"));
    CHECK_FALSE(has("wrong row"));
}
