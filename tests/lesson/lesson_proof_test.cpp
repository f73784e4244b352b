// What a lesson calls proof(): every step of its run computed once more.
#include <catch2/catch_test_macros.hpp>

#include "core/lesson/language/run.hpp"
#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;

namespace {

LessonProof proof_of(const std::string& settings, const std::string& commands) {
    const SmallLessonModel model;
    const std::string scene = R"({"version": 1, "name": "change", "seed": 7,
        "settings": {"backend": "reference", "block_size": 4, "pool": "32blocks", )" +
                              settings + R"(},
        "requests": [
            {"id": "A", "tokens": [3, 9, 2, 7, 5, 6, 4, 8, 3, 7, 2, 9], "max_new": 4},
            {"id": "B", "arrive": 8, "tokens": [5, 6, 4, 8, 3, 7, 2, 9, 3, 9, 2, 7], "max_new": 4}],
        "commands": [)" + commands +
                              "]}";
    return LessonRun(model, parse_scene(scene, "change"), "change").proof();
}

}  // namespace

// B comes when A is gone and keys are stored in another codec.
TEST_CASE("a lesson proves its run in the pool that a change of codec has made", "[lesson]") {
    const std::string change = R"({"at": 7, "command": "set k_codec int8"})";
    CHECK(proof_of(R"("evict": "none")", change).full.max_abs_difference == 0);
    const LessonProof behind_mask = proof_of(R"("evict": "window:4")", change);
    CHECK(behind_mask.masked.checked);
    CHECK(behind_mask.masked.max_abs_difference == 0);
    CHECK(behind_mask.full.max_abs_difference > 0);
}

TEST_CASE("a lesson proves what each head of Quest read behind that head's own mask", "[lesson]") {
    const LessonProof proof = proof_of(R"("evict": "quest:1")", "");
    CHECK(proof.masked.checked);
    CHECK(proof.masked.max_abs_difference == 0);
    CHECK(proof.full.max_abs_difference > 0);
}
