// What lesson files name, the window has: panels, layouts and scenes. The files' own check cannot
// know, since it stands below the window.

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "app/cli/terminal/places.hpp"
#include "app/frame/state/layout.hpp"
#include "app/frame/state/panel_table.hpp"
#include "core/base/error.hpp"
#include "core/lesson/course/shelf.hpp"

using namespace kv;

namespace {

// Of every step, what `look` makes of its links.
template <class Look>
void each_link(const LessonShelf& shelf, Look look) {
    for (const Lesson& lesson : shelf.lessons)
        for (const LessonStep& step : lesson.steps)
            for (const Prose* prose : {&step.text, &step.then, &step.notes})
                for (const ProseBlock& block : *prose)
                    for (const auto& cell : block.cells)
                        for (const ProseSpan& span : cell)
                            if (span.link) look(lesson, step, *span.link);
}

bool is_in(const LayoutNode& node, PanelId panel) {
    for (const PanelId tab : node.dock.tabs)
        if (tab == panel) return true;
    for (const LayoutNode& child : node.children)
        if (is_in(child, panel)) return true;
    return false;
}

bool has_scene(const Lesson& lesson, const std::string& name) {
    const auto beside = std::filesystem::path(lesson.file).parent_path() / name;
    if (std::filesystem::exists(beside)) return true;
    try {
        return std::filesystem::exists(scene_file(name));
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

TEST_CASE("every panel, layout and scene that a lesson names is there", "[lesson][links]") {
    const LessonShelf shelf = read_shelf(lessons_folder().string());
    std::size_t looked_at = 0;
    const auto shows = [](const LessonStep& step, PanelId panel) {
        for (const Vec2 window : {Vec2{1920, 1080}, {1280, 720}, {900, 600}})
            if (!is_in(layout_with_lesson(*layout_named(step.layout), window, {&panel, 1}), panel))
                return false;
        return true;
    };
    for (const Lesson& lesson : shelf.lessons)
        for (const LessonStep& step : lesson.steps) {
            CAPTURE(lesson.number, step.id);
            CHECK(layout_named(step.layout).has_value());
            for (const std::string& panel : step.panels) {
                CAPTURE(panel);
                const PanelRow* info = find_panel(panel);
                REQUIRE(info != nullptr);
                CHECK(shows(step, info->id));
                ++looked_at;
            }
        }
    each_link(shelf, [&](const Lesson& lesson, const LessonStep& step, const LessonLink& link) {
        CAPTURE(lesson.number, step.id, link.name);
        if (link.kind == LinkKind::Panel) CHECK(find_panel(link.name) != nullptr);
        if (link.kind == LinkKind::Scene) CHECK(has_scene(lesson, link.name));
        ++looked_at;
    });
    CHECK(looked_at > 200);
}
