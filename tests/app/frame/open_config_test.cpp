// A config of any family that is priced opens in the window's bill, and all its panels draw it;
// one that keeps states alone is refused in words.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <set>
#include <string>

#include "app/cli/screen/screen.hpp"
#include "core/base/files/json.hpp"
#include "tests/places.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::ScratchFolder;

TEST_CASE("every family opens in the bill, or is said to keep states alone",
          "[apply][bill][heavy]") {
    const ScratchFolder folder;
    const std::string config = (folder.path() / "config.json").string();
    std::ifstream rows(kv::test::source_dir() + "/tests/model/fixtures/model_caches.jsonl");
    Screen screen(open_null({1920, 1080}), AppState(), Texts());
    std::set<std::string> opened, refused;
    std::string line;
    for (int i = 0; std::getline(rows, line); ++i) {
        if (i % 5 != 0) continue;  // four of each family's twenty
        const nlohmann::json row = parsed_json(line);
        const std::string family = row["config"]["model_type"];
        std::ofstream(config) << row["config"].dump();
        INFO(family << ", row " << i);
        AppState& state = screen.frame().state();
        try {
            apply(state, {"file.open_config", config});
            opened.insert(family);
        } catch (const Error& error) {
            CHECK_THAT(error.what(), ContainsSubstring(config));
            refused.insert(family);
            continue;
        }
        for (const LayoutName layout : {LayoutName::Explore, LayoutName::Compare}) {
            state.layout = layout;
            screen.draw(false);
            screen.draw(false);
        }
        state.layout = LayoutName::Explore;
        for (const PanelId panel : {PanelId::Calculator, PanelId::Equation, PanelId::Roofline}) {
            state.only_panel = panel;
            state.rebuild_docks = true;
            screen.draw(false);
            screen.draw(false);
        }
        state.only_panel.reset();
        state.rebuild_docks = true;
    }
    CAPTURE(refused);
    CHECK(opened.size() > 50);
    CHECK(refused.size() < 8);
}
