// The course as it ships: every lesson is played, every number computed, every expectation tested.
#include <catch2/catch_test_macros.hpp>

#include "app/session/shipped_models.hpp"
#include "core/lesson/lesson_shelf.hpp"

using namespace kv;

namespace {

const std::string kRoot = KVARIUM_SOURCE_DIR;

}  // namespace

TEST_CASE("every lesson that ships is true", "[lesson][course]") {
    ShippedModels models([](const std::string& name) { return kRoot + "/assets/models/" + name; });
    LessonPlayer player(models, [](const std::string& name) {
        return kRoot + "/assets/scenes/" + name + ".kvscene";
    });
    const LessonShelf shelf = read_shelf(kRoot + "/lessons");
    const LessonReport report = check_shelf(shelf, player, nullptr);
    CHECK(report.broken == std::vector<std::string>{});
    CHECK(report.lessons == shelf.lessons.size());
    CHECK(report.steps > 0);
}
