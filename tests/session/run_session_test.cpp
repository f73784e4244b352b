#include "app/session/run_session.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

const std::string kSource = kv::test::source_dir();

std::shared_ptr<const LoadedModel> sibling() {
    const std::string folder = kSource + "/assets/models/gqa";
    Checkpoint checkpoint = Checkpoint::open(folder);
    auto loaded = load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    REQUIRE(loaded.has_value());
    return std::make_shared<const LoadedModel>(
        LoadedModel{std::move(checkpoint), tokenizer_of(folder), std::move(*loaded)});
}

RunSession session(const std::string& name) {
    const std::string path = kSource + "/assets/scenes/" + name + ".kvscene";
    return RunSession(sibling(), read_scene(path), path);
}

}  // namespace

TEST_CASE("stepping forwards and back shows the same states", "[session][I27]") {
    RunSession run = session("paper-figure-8");
    for (const Granularity step :
         {Granularity::Iteration, Granularity::Token, Granularity::Layer, Granularity::Operation}) {
        CAPTURE(name_of(step));
        run.to_moment(0);
        std::vector<std::uint64_t> moments{run.moment()};
        std::vector<Snapshot> states{run.now()};
        while (run.forward(step)) {
            REQUIRE(run.moment() > moments.back());
            moments.push_back(run.moment());
            states.push_back(run.now());
            REQUIRE(run.now() == run.trace().at(run.moment()));
        }
        CHECK(run.at_end());
        for (std::size_t i = moments.size() - 1; i > 0; --i) {
            REQUIRE(run.moment() == moments[i]);
            REQUIRE(run.now() == states[i]);
            REQUIRE(run.back(step));
        }
        CHECK(run.at_start());
        CHECK_FALSE(run.back(step));
    }
}

TEST_CASE("a run that nobody asked for does not run ahead", "[session]") {
    RunSession run = session("first");
    CHECK(run.now().iteration == 0);
    CHECK(run.engine().iteration() == 0);
    CHECK(run.forward(Granularity::Iteration));
    CHECK(run.engine().iteration() == 1);
    CHECK(run.now().iteration == 1);
    run.to_iteration(4);
    CHECK(run.now().iteration == 4);
    CHECK(run.engine().iteration() == 4);
    run.to_iteration(2);
    CHECK(run.now().iteration == 2);
    run.to_end();
    CHECK(run.at_end());
    CHECK(run.now().requests[0].finish == Finish::Length);
}

TEST_CASE("the next event of a kind is found, ahead of the engine too", "[session]") {
    RunSession run = session("paper-figure-8");
    const auto copied = [](const Event& event) {
        return std::holds_alternative<BlockCopied>(event.what);
    };
    const auto to_next = [&] {
        std::uint64_t from = run.moment();
        Moved moved = run.try_to_next(copied, from);
        for (; moved == Moved::NeedsMore; moved = run.try_to_next(copied, from)) {
            run.start_ahead([] {});
            while (!run.settle(1)) {
            }
        }
        return moved == Moved::Yes;
    };
    REQUIRE(to_next());
    CHECK(run.now().iteration == 2);
    CHECK(run.now().counters.block_copies == 1);
    CHECK_FALSE(to_next());
    run.to_end();
    REQUIRE(run.to_previous(copied));
    CHECK(run.now().counters.block_copies == 1);
    CHECK(run.now().iteration == 2);
}

TEST_CASE("a token is shown as a person reads it", "[session]") {
    RunSession run = session("first");
    CHECK(run.word(0) == "<s>");
    const auto& tokens = run.trace().end().requests;
    CHECK(tokens.empty());
    run.forward(Granularity::Iteration);
    CHECK(run.word(run.now().requests[0].tokens[1]) == "Greta");
    CHECK(run.word(run.now().requests[0].tokens[2]) == " put");
    CHECK(run.word(60'000) == "#60000");
}

TEST_CASE("commands are for the present", "[session]") {
    RunSession run = session("first");
    run.to_iteration(2);
    CHECK_FALSE(run.command(SetSetting{"max_running", "3"}).has_value());
    CHECK(run.now().settings.at("max_running") == "3");
    run.back(Granularity::Iteration);
    CHECK(run.command(SetSetting{"max_running", "4"}).has_value());
    CHECK(run.trace().end().settings.at("max_running") == "3");
}
