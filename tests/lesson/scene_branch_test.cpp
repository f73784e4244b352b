#include <catch2/catch_test_macros.hpp>

#include "core/lesson/scene/branch.hpp"
#include "core/lesson/scene/play.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

namespace {

Scene two_requests() {
    return parse_scene(R"({"version":1,"seed":5,"settings":{"backend":"reference","block_size":4,
        "pool":"12blocks","max_batch_tokens":16},
        "requests":[{"id":"A","tokens":[3,4,5,6,7],"max_new":8,"temperature":1},
                    {"id":"B","arrive":2,"tokens":[9,8,7],"max_new":6}],
        "commands":[{"at":6,"command":"set max_running 1"}]})",
                       "test");
}

void play(Engine& engine, const Scene& scene) {
    ScenePlay play(engine, request_specs(scene, nullptr, 61, "test"), scene.commands);
    while (!play.done()) play.advance();
}

// Of an event, all but what a clock measured.
std::vector<std::string> story(const Trace& trace, std::uint64_t end) {
    std::vector<std::string> lines;
    trace.each(0, end, [&](std::uint64_t, const Event& event) {
        lines.push_back(std::string(name_of(event.what)) + " " + std::to_string(event.iteration) +
                        " " + std::to_string(event.request ? event.request->value : 99) + " " +
                        std::string(name_of(event.reason.why)) + " " +
                        std::to_string(event.reason.a));
    });
    return lines;
}

}  // namespace

TEST_CASE("a branch has the same past, and another future", "[scene][I27]") {
    const EngineOn on;
    const Scene scene = two_requests();
    Engine original(on.parts(), scene.settings);
    play(original, scene);
    const Scene branch = branch_of(scene, 4, {StopRequest{"A"}});
    REQUIRE(branch.commands.size() == 2);
    CHECK(branch.commands[0].at == 4);
    Engine other(on.parts(), branch.settings);
    play(other, branch);
    const std::uint64_t cut = *original.trace().end_of_iteration(4);
    CHECK(cut == *original.trace().end_of_iteration(4));
    CHECK(story(original.trace(), cut) == story(other.trace(), cut));
    const auto& before = original.trace().end().requests[0].tokens;
    const auto& after = other.trace().end().requests[0].tokens;
    REQUIRE(after.size() == 5 + 4);  // A had made four tokens when it was stopped
    REQUIRE(before.size() > after.size());
    for (std::size_t i = 0; i < after.size(); ++i) CHECK(before[i] == after[i]);
}

TEST_CASE("a scene is played the same way every time", "[scene][I26]") {
    const EngineOn on;
    const Scene scene = two_requests();
    Engine first(on.parts(), scene.settings), second(on.parts(), scene.settings);
    play(first, scene);
    play(second, scene);
    CHECK(first.state_hash() == second.state_hash());
    CHECK(story(first.trace(), first.trace().size()) ==
          story(second.trace(), second.trace().size()));
}
