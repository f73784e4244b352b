// What the window shows is what the command line says and what the events add up to: the same scene
// at the same step, read three ways, none of which knows of the others.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <sstream>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;
using Json = nlohmann::json;

namespace {

struct Shown {
    std::string scene;
    int step;
};

std::string scene_file(const std::string& name) {
    return kv::test::source_dir() + "/assets/scenes/" + name + ".kvscene";
}

std::string number(const Json& value) {
    return with_commas(value.get<std::uint64_t>());
}

// The words of a panel in the order in which they are written.
class Panel {
public:
    Panel(const Json& plan, const std::string& id) {
        for (const Json& label : plan.at("labels"))
            if (label.at("id").get<std::string>().rfind(id, 0) == 0)
                words_.push_back(label.at("label"));
    }
    bool says(const std::string& words) const {
        return std::find(words_.begin(), words_.end(), words) != words_.end();
    }
    std::string after(const std::string& words) const {
        const auto found = std::find(words_.begin(), words_.end(), words);
        return found == words_.end() || found + 1 == words_.end() ? "" : *(found + 1);
    }
    const std::vector<std::string>& words() const { return words_; }

private:
    std::vector<std::string> words_;
};

// Blocks that somebody holds, added up from the file of events.
struct Added {
    std::map<std::uint32_t, int> holders;
    std::uint64_t looked_up = 0, found = 0, computed = 0;

    void add(const Json& event) {
        const std::string name = event.at("event");
        if (name == "BlockAllocated" || name == "BlockShared") ++holders[event.at("block")];
        if (name == "BlockFreed") --holders[event.at("block")];
        if (name == "BlockCopied") --holders[event.at("from")], ++holders[event.at("to")];
        if (name == "RequestAdmitted")
            looked_up += event.at("looked_up").get<int>(), found += event.at("found").get<int>();
        if (name == "TokensScheduled") computed += event.at("count").get<int>();
    }
    std::uint64_t used() const {
        std::uint64_t n = 0;
        for (const auto& [block, count] : holders) n += count > 0;
        return n;
    }
};

Json plan_of(const Shown& shown, const ScratchFolder& folder) {
    const std::string file = folder.file("plan.json");
    const Ran ran =
        run_cli({"shot", "--scene", scene_file(shown.scene), "--step", std::to_string(shown.step),
                 "--layout", "explore", "--size", "1920x1080", "--plan", file});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(read_text(file));
}

}  // namespace

TEST_CASE("the numbers on the screen are those of the run and of its events",
          "[shot][run][heavy]") {
    const ScratchFolder folder;
    for (const Shown& shown : {Shown{"explore", 112},
                               {"explore", 61},
                               {"learn", 39},
                               {"paper-figure-8", 2},
                               {"two-models", 10},
                               {"compare", 6}}) {
        CAPTURE(shown.scene, shown.step);
        const Json plan = plan_of(shown, folder);
        const std::string events = folder.file("events.jsonl");
        const Ran ran =
            run_cli({"run", "--scene", scene_file(shown.scene), "--until-step",
                     std::to_string(shown.step), "--events", events, "--no-times", "--json"});
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        const Json run = Json::parse(ran.out);
        Added added;
        std::istringstream lines(read_text(events));
        for (std::string line; std::getline(lines, line);) added.add(Json::parse(line));

        const Json &pool = run.at("pool"), &bytes = run.at("bytes"), &counters = run.at("counters");
        const Panel stage(plan, "explore/stage"), equation(plan, "explore/equation"),
            charts(plan, "explore/charts"), requests(plan, "explore/requests");

        CHECK(stage.says(number(pool.at("used")) + " used"));
        CHECK(stage.says(number(pool.at("cached")) + " cached"));
        CHECK(stage.says(number(pool.at("free")) + " free"));
        CHECK(pool.at("used") == added.used());

        CHECK(equation.after("= live") == number(bytes.at("formula")) + " B");
        CHECK(equation.after("measured in the pool") == number(bytes.at("live")) + " B");
        CHECK(equation.after("= allocated: " + number(pool.at("used")) + " × " +
                             number(pool.at("bytes_per_block"))) ==
              number(bytes.at("allocated")) + " B");

        // Where a policy drops tokens, their chart stands in the place of the computed ones.
        const bool drops = counters.at("tokens_dropped") > 0;
        CHECK(charts.says(number(counters.at(drops ? "tokens_dropped" : "positions_projected")) +
                          " in all"));
        CHECK(counters.at("positions_projected") == added.computed);
        if (counters.at("prefix_queries") > 0)
            CHECK(charts.says(number(counters.at("prefix_hits")) + " / " +
                              number(counters.at("prefix_queries"))));
        CHECK(counters.at("prefix_queries") == added.looked_up);
        CHECK(counters.at("prefix_hits") == added.found);
        const auto per_token = bytes.at("per_token").get<std::uint64_t>();
        const auto read = bytes.at("read_last_step").get<std::uint64_t>();
        CHECK(charts.says(with_commas(read / per_token) + " × " + with_commas(per_token) + " B"));

        std::size_t n_running = 0;
        for (const Json& request : run.at("requests")) {
            if (request.at("state") != "running") continue;
            ++n_running;
            const std::vector<std::string>& words = requests.words();
            const std::string name = request.at("id");
            const auto tag = std::find(words.begin(), words.end(), name);
            if (tag == words.end()) continue;  // scrolled out of sight
            REQUIRE(words.end() - tag > 3);
            CHECK(*(tag + 2) == number(request.at("stored_tokens")));
            const Json& table = request.at("block_table");
            CHECK(*(tag + 3) == with_commas(static_cast<std::uint64_t>(std::count_if(
                                    table.begin(), table.end(),
                                    [](const Json& block) { return !block.is_null(); }))));
        }
        CHECK(n_running > 0);
    }
}
