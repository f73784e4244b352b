#include "app/frame/start/picture_plan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr PictureNeeds kNeeds{.page = 4, .n_rows = 5, .n_blocks = 12, .n_steps = 6};

bool inside(const Rect& a, const Rect& b) {
    return a.x >= b.x && a.right() <= b.right() && a.y >= b.y && a.bottom() <= b.bottom();
}

}  // namespace

TEST_CASE("rows, table, pool and steps stand in the room and in order", "[start]") {
    for (const Rect& room : {Rect{936, 102, 868, 946}, Rect{744, 54, 792, 814},
                             Rect{48, 190, 1184, 300}, Rect{48, 190, 1340, 420}}) {
        const PicturePlan plan = plan_picture(room, kNeeds);
        INFO(room.w << " x " << room.h);
        CHECK(plan.wide == (room.w > 2 * room.h));
        for (std::uint32_t row = 0; row < 5; ++row) {
            for (std::uint32_t i = 0; i < 4; ++i) CHECK(inside(plan.chip(row, i), room));
            CHECK(plan.chip(row, 3).right() <= plan.logical(row).x);
            CHECK(plan.logical(row).right() < plan.physical(row).x);
        }
        for (std::uint32_t block = 0; block < 12; ++block) {
            CHECK(inside(plan.cell(block), room));
            CHECK(plan.cell(block).bottom() <= plan.sum.y);
        }
        CHECK(plan.play.right() <= plan.track.x);
        if (plan.wide) {
            CHECK(plan.physical(0).right() < plan.cell(0).x);
        } else {
            CHECK(plan.chip(4, 0).bottom() <= plan.pool_head.y);
            CHECK(plan.sum.bottom() <= plan.play.y);
        }
    }
}

TEST_CASE("a key and a value go along the line, and rest in the middle of its last level piece",
          "[start]") {
    const std::vector<Vec2> way{{0, 0}, {10, 0}, {10, 20}, {4, 20}, {4, 24}};  // 40 long
    CHECK(point_on(way, 0) == Vec2{0, 0});
    CHECK(point_on(way, 0.25f) == Vec2{10, 0});
    CHECK(point_on(way, 0.5f) == Vec2{10, 10});
    CHECK(point_on(way, 1) == Vec2{4, 24});
    CHECK(point_on(way, 7) == Vec2{4, 24});
    CHECK(rest_on(way) == Vec2{7, 20});
    CHECK(point_on({}, 0.5f) == Vec2{});
}

TEST_CASE("the picture's scene stores its sentence in four pages that lie apart, then a fifth",
          "[start][scenes]") {
    PlayedRun played(scene_named("first-page"));
    played.session.to_iteration(1);
    const StoredNow prompt = stored_now(played.view());
    CHECK(prompt.first == 0);
    CHECK(prompt.n == 14);
    CHECK(prompt.places.size() == 14);
    CHECK(prompt.places[4].block == BlockId(2));

    played.session.to_iteration(2);
    const StoredNow answer = stored_now(played.view());
    CHECK(answer.first == 14);
    CHECK(answer.n == 1);
    REQUIRE(answer.places.size() == 1);
    CHECK(answer.places[0].block == BlockId(4));
    CHECK(answer.places[0].slot == Slot(2));
    CHECK(played.session.word(played.session.now().requests[0].tokens[14]) == " barn");

    const PicturePlan plan = plan_picture({936, 102, 868, 946}, kNeeds);
    const List<PictureLine> lines = lines_of(plan, *table_of(played.view().now, SeqId(0)));
    REQUIRE(lines.size() == 4);
    constexpr std::array kBlocks{7u, 2u, 9u, 4u};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(lines[i].block == BlockId(kBlocks[i]));
        CHECK(lines[i].points.front().y ==
              std::floor(plan.physical(static_cast<std::uint32_t>(i)).center().y));
        CHECK(lines[i].points.back().y == plan.cell(kBlocks[i]).y);
    }

    played.session.to_iteration(6);
    CHECK(stored_now(played.view()).places[0].block == BlockId(0));
    CHECK(played.session.now().requests[0].stored == 19);
    CHECK(played.session.now().requests[0].state == RequestState::Running);
    played.session.to_end();
    CHECK(played.session.now().iteration == 7);
}
