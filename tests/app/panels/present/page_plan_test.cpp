#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/panels/present/page/figure_plan.hpp"
#include "app/panels/present/page/plan.hpp"
#include "app/panels/present/page/sides.hpp"

using namespace kv;

namespace {

// Words of so many letters: a letter is half as wide as high.
struct Words {
    int headline = 30, prose = 120, choice = 2;
};
float lines(float letters, float size, float words, float width) {
    return std::ceil(letters * size * 0.5f * words / width);
}
PageNeeds needs_of(const Words& w, std::size_t n_choices) {
    PageNeeds needs;
    const auto letters = [](int n) { return static_cast<float>(n); };
    needs.headline = [=](float words, float width) {
        return lines(letters(w.headline), 60, words, width) * 74 * words;
    };
    needs.prose = [=](float words, float width) {
        return lines(letters(w.prose), 33, words, width) * 46 * words;
    };
    needs.choice_lines = [=](float size, float words, float each) {
        const float room = each - 200 * words;
        return room < size * words ? 99
                                   : static_cast<int>(lines(letters(w.choice), size, words, room));
    };
    needs.n_choices = n_choices, needs.asks = n_choices > 0;
    return needs;
}

}  // namespace

TEST_CASE("a question stands as it was designed", "[present_page]") {
    // Two lines of prose under one of the headline, four short choices.
    const PagePlan plan = plan_page({0, 0, 1920, 1080}, 1, 40, needs_of({30, 200, 2}, 4));
    CHECK(plan.unit == 1);
    CHECK(plan.words == 1);
    CHECK(plan.picture.x == 48);
    CHECK(plan.picture.y == 60);
    CHECK(plan.foot.h == 72);
    REQUIRE(plan.choices.size() == 4);
    CHECK(plan.choices[0].h == 124);
    CHECK(plan.choice_size == 56);
    CHECK(plan.choices[3].right() == 1872);
    CHECK(plan.choices[0].bottom() + 66 < plan.foot.y + 12);
    CHECK(plan.headline.h == 74);
    CHECK(plan.picture.h > 400);
}

TEST_CASE("the picture yields before the words become smaller", "[present_page]") {
    const Words long_text{40, 500, 2};
    const PagePlan plan = plan_page({0, 0, 1920, 1080}, 1, 40, needs_of(long_text, 4));
    CHECK(plan.words == 1);
    const PagePlan large = plan_page({0, 0, 1920, 1080}, 1.5f, 40, needs_of(long_text, 4));
    CHECK(large.words == 1.5f);
    CHECK(large.picture.h < plan.picture.h);
    const PagePlan largest = plan_page({0, 0, 1920, 1080}, 3, 80, needs_of(long_text, 4));
    CHECK_FALSE(largest.has_picture());
    CHECK(largest.words < 3);
    CHECK(largest.words > 1);
}

TEST_CASE("nothing of a page overlaps, at any size and scale", "[present_page]") {
    for (const Rect room : {Rect{0, 0, 1280, 720}, Rect{0, 0, 1920, 1080}, Rect{0, 0, 2560, 1440},
                            Rect{0, 0, 1024, 768}, Rect{10, 20, 800, 1400}})
        for (const float scale : {0.8f, 1.0f, 2.0f, 3.0f})
            for (const std::size_t n : {0u, 2u, 3u, 4u, 6u, 9u})
                for (const int prose : {0, 100, 600, 2000})
                    for (const int choice : {2, 30, 70}) {
                        const float bar = 40 * std::min(scale, 2.0f);
                        const PagePlan plan =
                            plan_page(room, scale, bar, needs_of({50, prose, choice}, n));
                        INFO(room.w << "x" << room.h << " at " << scale << ", " << n
                                    << " choices of " << choice << ", prose of " << prose);
                        float y = room.y + bar;
                        const auto stands_below = [&](const Rect& part) {
                            CHECK(part.y >= y - 1);
                            y = part.bottom();
                        };
                        if (plan.has_picture()) stands_below(plan.picture);
                        stands_below(plan.headline);
                        stands_below(plan.prose);
                        if (n > 0) {
                            CHECK(plan.choices.size() == n);
                            CHECK(plan.choices.front().y >= y - 1);
                            y = plan.choices.back().bottom();
                            CHECK(plan.choices.back().right() <= room.right());
                        }
                        stands_below(plan.foot);
                        CHECK(plan.foot.bottom() <= room.bottom());
                    }
}

TEST_CASE("words beside a figure are read at the back of a room", "[present_page]") {
    // A whole paragraph, a question of two lines, and four choices of a few words.
    for (const Rect room : {Rect{0, 0, 1280, 720}, Rect{0, 0, 1920, 1080}, Rect{0, 0, 2560, 1440}})
        for (const std::size_t n : {0u, 2u, 4u})
            for (const int prose : {0, 200, 500})
                for (const int choice : {2, 24, 36}) {
                    const float bar = 40 * room.h / 1080;
                    const auto plan =
                        plan_page_in_columns(room, 1, bar, needs_of({60, prose, choice}, n));
                    INFO(room.w << "x" << room.h << ", " << n << " choices of " << choice
                                << ", prose of " << prose);
                    REQUIRE(plan);
                    CHECK(plan->in_column);
                    CHECK(PageType::kProse * plan->words >= 18 * room.h / 720 - 0.01f);
                    CHECK(plan->choice_size * plan->words >= 18 * room.h / 720 - 0.01f);
                    // The figure has its part of the page, and the column ends before it.
                    CHECK(plan->picture.w >= room.w * 0.4f);
                    CHECK(plan->picture.h >= room.h * 0.75f);
                    CHECK(plan->headline.right() < plan->rule);
                    CHECK(plan->rule < plan->picture.x);
                    CHECK(plan->picture.right() <= room.right());
                    CHECK(plan->headline.y >= room.y + bar);
                    CHECK(plan->prose.y >= plan->headline.bottom());
                    float y = plan->prose.bottom();
                    for (const Rect& box : plan->choices) {
                        CHECK(box.y > y);
                        CHECK(box.right() < plan->rule);
                        y = box.bottom();
                    }
                    CHECK(plan->foot.y >= y);
                    CHECK(plan->foot.y >= plan->picture.bottom());
                    CHECK(plan->foot.bottom() <= room.bottom());
                }
}

TEST_CASE("the column of a figure is as narrow as its words let it be", "[present_page]") {
    const Rect room{0, 0, 1920, 1080};
    const auto few = plan_page_in_columns(room, 1, 40, needs_of({30, 100, 2}, 0));
    REQUIRE(few);
    CHECK(few->words == 1);
    CHECK(few->headline.w == 657);  // 36 hundredths of 1,824
    const auto many = plan_page_in_columns(room, 1, 40, needs_of({60, 600, 30}, 4));
    REQUIRE(many);
    CHECK(many->words < 1);
    CHECK(many->headline.w > few->headline.w);
    // Code takes all that headline and choices leave.
    PageNeeds code = needs_of({30, 100, 2}, 2);
    code.prose_fills = true;
    const auto filled = plan_page_in_columns(room, 1, 40, code);
    REQUIRE(filled);
    CHECK(filled->choices.back().bottom() <= filled->picture.bottom());
    CHECK(filled->choices.back().bottom() > filled->picture.bottom() - 4);
    CHECK(filled->prose.h > 400);
    // Letters of three times the size take the page.
    CHECK_FALSE(plan_page_in_columns(room, 3, 80, needs_of({60, 500, 30}, 4)));
}

TEST_CASE("dashed boxes fill one after the other", "[present_page]") {
    CHECK(boxes_filled(0, 3, false) == 1);
    CHECK(boxes_filled(0.24, 3, false) == 1);
    CHECK(boxes_filled(0.25, 3, false) == 2);
    CHECK(boxes_filled(0.5, 3, false) == 3);
    CHECK(boxes_filled(9, 3, false) == 3);
    CHECK(boxes_filled(0, 3, true) == 3);
}

TEST_CASE("the walk shows what is given and dashes what answers it", "[present_page]") {
    const Texts text;
    const ShownWalk walk{37, 16, {91, 17, 44, 203}};
    const auto said = [](const FigurePlan& plan) {
        std::string all;
        for (const FigureBox& box : plan.boxes) all += std::string(box.value.view()) + " ";
        return all;
    };
    const Rect room{48, 60, 1824, 440};
    const FigurePlan question = plan_walk(room, 1, walk, 0, text);
    CHECK(said(question) == "37 16 ? ? 91 17 44 203 ? ");
    std::size_t dashed = 0;
    for (const FigureBox& box : question.boxes) {
        dashed += box.dashed;
        CHECK(box.dashed == (box.value == "?"));
        CHECK_FALSE(box.marked);  // no row is favoured
        CHECK(box.box.x >= room.x);
        CHECK(box.box.right() <= room.right());
        CHECK(box.box.bottom() <= room.bottom());
    }
    CHECK(dashed == kWalkUnknowns);
    // 37 = 2 * 16 + 5, and row 2 holds 44.
    CHECK(said(plan_walk(room, 1, walk, 1, text)) == "37 16 2 ? 91 17 44 203 ? ");
    CHECK(said(plan_walk(room, 1, walk, 2, text)) == "37 16 2 5 91 17 44 203 ? ");
    const FigurePlan answer = plan_walk(room, 1, walk, 3, text);
    CHECK(said(answer) == "37 16 2 5 91 17 44 203 44 ");
    for (const FigureBox& box : answer.boxes)
        if (box.look == FigureLook::Entry) CHECK(box.marked == (box.value == "44"));
}

TEST_CASE("what a question builds on stands before a box that waits", "[present_page]") {
    const Texts text;
    ShownPrediction asked;
    asked.givens = {{"tokens", "900"}, {"slots in a block", "16"}};
    asked.answer = "57", asked.unit = "blocks";
    FigurePlan plan = plan_givens({0, 0, 1824, 200}, 1, asked, 0, text);
    REQUIRE(plan.boxes.size() == 3);
    CHECK(plan.boxes[1].value == "16");
    CHECK(plan.boxes[2].value == "?");
    CHECK(plan.boxes[2].label == "blocks");
    CHECK(plan.boxes[2].dashed);
    plan = plan_givens({0, 0, 1824, 200}, 1, asked, 1, text);
    CHECK(plan.boxes[2].value == "57");
    CHECK_FALSE(plan.boxes[2].dashed);
}

TEST_CASE("two sides are equally wide", "[present_page]") {
    const SidesPlan plan = plan_sides({48, 60, 1824, 440}, 1);
    CHECK(plan.left.picture.w == plan.right.picture.w);
    CHECK(plan.left.picture.right() < plan.divide_x);
    CHECK(plan.divide_x < plan.right.picture.x);
    CHECK(plan.right.picture.right() == 1872);
}
