#include "tests/gates/leaks.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/places.hpp"

using kv::gates::check_leaks;
using kv::gates::text_file;
using Findings = std::vector<std::string>;

namespace {

Findings leaks_of(std::string_view line) {
    return check_leaks({text_file("docs/planted.md", line)});
}

}  // namespace

TEST_CASE("no file of the tree names a machine", "[gates]") {
    CHECK(check_leaks(kv::gates::read_tree(kv::test::source_dir())) == Findings{});
}

// The planted words are glued together here so that the gate does not find this file.
TEST_CASE("a home folder, a package host, an account and a folder beside the tree are refused",
          "[gates]") {
    CHECK(leaks_of(std::string("cd /ho") + "me/ann/kvarium") ==
          Findings{std::string("docs/planted.md:1: names a machine:  /ho") + "me/"});
    CHECK(leaks_of(std::string("see .") + "./shared/notes.md").size() == 1);
    CHECK(leaks_of(std::string("pip --index") + "-url x").size() == 1);
    CHECK(leaks_of(std::string("http:/") + "/10.0.0.7/simple").size() == 1);
    CHECK(leaks_of(std::string("https:/") + "/py" + "pi.org/simple").size() == 1);
    CHECK(leaks_of(std::string("https:/") + "/ann:secret@example.org").size() == 1);
}

TEST_CASE("ordinary paths and links are left alone", "[gates]") {
    CHECK(leaks_of("#include \"app/shell/home/x.hpp\"").empty());
    CHECK(leaks_of("https://arxiv.org/abs/2309.06180").empty());
    CHECK(leaks_of("set(KVARIUM_FONTS_DIR /usr/share/fonts)").empty());
    CHECK(leaks_of("$HOME/.cache/kvarium").empty());
}
