#include "tests/gates/arrows.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/places.hpp"

using kv::gates::check_arrows;
using kv::gates::check_core_subset;
using kv::gates::read_tree;
using kv::gates::text_file;
using Findings = std::vector<std::string>;

namespace {

Findings arrows_of(std::string path, std::string_view content) {
    return check_arrows({text_file(std::move(path), content)});
}

}  // namespace

TEST_CASE("every #include of the tree follows the arrows", "[gates]") {
    const auto tree = read_tree(kv::test::source_dir());
    REQUIRE(tree.size() > 50);  // an empty reading would pass as well
    CHECK(check_arrows(tree) == Findings{});
    CHECK(check_core_subset(tree) == Findings{});
}

TEST_CASE("a core file that includes imgui.h is refused with its line", "[gates]") {
    CHECK(arrows_of("core/base/planted.cpp", "#include <string>\n\n#include \"imgui.h\"\n") ==
          Findings{"core/base/planted.cpp:3: core/base may not include imgui.h"});
    CHECK(arrows_of("core/base/planted.cpp", "  #  include <imgui_internal.h>") ==
          Findings{"core/base/planted.cpp:1: core/base may not include imgui_internal.h"});
}

TEST_CASE("an arrow against the house's direction is refused", "[gates]") {
    CHECK(arrows_of("core/base/planted.hpp", "#include \"core/cost/model/shape.hpp\"") ==
          Findings{"core/base/planted.hpp:1: core/base may not include core/cost/model/shape.hpp"});
    CHECK(arrows_of("core/cost/planted.cpp", "#include \"app/shell/ui.hpp\"").size() == 1);
    CHECK(arrows_of("cuda/planted.cu", "#include \"app/shell/ui.hpp\"").size() == 1);
    CHECK(arrows_of("app/widgets/planted.cpp", "#include \"core/cost/model/shape.hpp\"").size() ==
          1);
    CHECK(arrows_of("app/shell/planted.cpp", "#include \"app/panels/bill/bill.hpp\"").size() == 1);
    CHECK(arrows_of("app/panels/planted.cpp", "#include \"cuda/device/device.hpp\"").size() == 1);
    CHECK(arrows_of("core/new_folder/planted.cpp", "#include \"core/base/ids.hpp\"").size() == 1);
}

TEST_CASE("an arrow of the house is allowed", "[gates]") {
    CHECK(arrows_of("core/base/a.cpp", "#include \"core/base/ids.hpp\"").empty());
    CHECK(arrows_of("core/model/a.cpp", "#include \"core/cost/model/shape.hpp\"").empty());
    CHECK(
        arrows_of("cuda/a.cu", "#include \"core/base/kv_hd.hpp\"\n#include <cuda_fp16.h>").empty());
    CHECK(arrows_of("app/cli/a.cpp", "#include \"cuda/device/device.hpp\"\n#include <CLI/CLI.hpp>")
              .empty());
    CHECK(arrows_of("tests/app/a.cpp", "#include \"app/shell/ui.hpp\"\n#include <glad/gl.h>")
              .empty());
    CHECK(arrows_of("core/base/a.cpp", "// #include \"imgui.h\"").empty());
}

TEST_CASE("a third-party header outside its folder is refused", "[gates]") {
    CHECK(arrows_of("app/panels/planted.cpp", "#include <GLFW/glfw3.h>") ==
          Findings{"app/panels/planted.cpp:1: app/panels may not include GLFW/glfw3.h"});
    CHECK(arrows_of("app/widgets/planted.cpp", "#include <glad/gl.h>").size() == 1);
    CHECK(arrows_of("app/frame/planted.cpp", "#include <CLI/CLI.hpp>").size() == 1);
    CHECK(arrows_of("core/cost/planted.cpp", "#include <cuda_runtime.h>").size() == 1);
    CHECK(arrows_of("core/base/planted.cpp", "#include <catch2/catch_test_macros.hpp>").size() ==
          1);
    CHECK(arrows_of("core/model/a.cpp", "#include \"core/base/files/json.hpp\"").empty());
    CHECK(arrows_of("core/model/planted.cpp", "#include <nlohmann/json.hpp>") ==
          Findings{"core/model/planted.cpp:1: core/model may not include nlohmann/json.hpp"});
    CHECK(arrows_of("core/model/planted.hpp", "#include \"core/base/files/json.hpp\"") ==
          Findings{"core/model/planted.hpp:1: nlohmann JSON stays out of headers; a .cpp file may "
                   "include core/base/files/json.hpp"});
}

TEST_CASE("an include of our own that is not rooted at the project is refused", "[gates]") {
    CHECK(arrows_of("core/base/planted.cpp", "#include \"units.hpp\"") ==
          Findings{"core/base/planted.cpp:1: includes of our own are rooted at the project: "
                   "units.hpp"});
    CHECK(arrows_of("core/base/planted.cpp", "#include \"../cost/shape.hpp\"").size() == 1);
}

TEST_CASE("core stays in the subset that compiles to WebAssembly", "[gates]") {
    const auto subset_of = [](std::string_view content) {
        return check_core_subset({text_file("core/base/planted.cpp", content)});
    };
    CHECK(subset_of("#include <ranges>") ==
          Findings{"core/base/planted.cpp:1: core may not use <ranges>"});
    CHECK(subset_of("int a;\nauto b = std::bit_cast<int>(1.0f);") ==
          Findings{"core/base/planted.cpp:2: core may not use std::bit_cast"});
    CHECK(subset_of("// std::jthread would be nice").empty());
    CHECK(check_core_subset({text_file("app/shell/a.cpp", "#include <source_location>")}).empty());
}
