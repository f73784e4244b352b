#include "tests/gates/words.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/places.hpp"

using kv::gates::check_words;
using kv::gates::text_file;
using Findings = std::vector<std::string>;

TEST_CASE("the window says nothing that is not in its table of words", "[gates]") {
    CHECK(check_words(kv::gates::read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("a sentence that is thrown as it stands is refused in the window's rooms", "[gates]") {
    constexpr const char* kThrown =
        "throw Error(ErrorCode::Usage,\n            \"There is no run.\");";
    CHECK(check_words({text_file("app/live/x.cpp", kThrown)}) ==
          Findings{"app/live/x.cpp:1: throws words of its own; throw Refused with an id of "
                   "app/shell/texts/refused.hpp"});
    for (const char* room :
         {"app/frame/x.cpp", "app/panels/bill/x.cpp", "app/widgets/x.hpp", "app/cli/window/x.cpp"})
        CHECK(check_words({text_file(room, kThrown)}).size() == 1);
    CHECK(check_words({text_file("app/frame/x.cpp", "throw Error(\n    code, why);")}).size() == 1);
    CHECK(check_words({text_file("app/frame/x.cpp", "n = Said::as_is(\"No run.\");")}).size() == 1);
    CHECK(check_words({text_file("app/cli/run/x.cpp", kThrown)}).empty());
    CHECK(check_words({text_file("core/cache/x.cpp", kThrown)}).empty());
    CHECK(check_words({text_file("app/live/x.cpp", "catch (const Error& e) {  // throw Error")})
              .empty());
}

TEST_CASE("an English table that is built on the spot is refused", "[gates]") {
    CHECK(check_words({text_file("app/cli/window/x.cpp", "film = Texts()[\"a.b\"_t];")}) ==
          Findings{"app/cli/window/x.cpp:1: builds the English table; say it with a Said, or take "
                   "the window's Texts"});
    CHECK(check_words({text_file("app/cli/shot/x.cpp", "film = Texts()[\"a.b\"_t];")}).empty());
}

TEST_CASE("a place that is not filled, and one that is not there, are refused", "[gates]") {
    const auto table = text_file(
        "app/shell/texts/refused.hpp",
        "    {\"refused.a\", \"Step {n} of {last}.\"},\n    {\"refused.b\", \"No run.\"},");
    const auto says = [&](const char* code) {
        return check_words({table, text_file("app/live/x.cpp", code)});
    };
    const std::string other = "throw Refused(\"refused.b\"_t);\n";
    CHECK(says((other + "throw Refused(\"refused.a\"_t, {{\"n\", text(1)},\n"
                        "                            {\"last\", \")\"}});")
                   .c_str()) == Findings{});
    CHECK(says((other + "x = Said(\"refused.a\"_t, {{\"n\", text(1)}});").c_str()) ==
          Findings{"app/live/x.cpp:2: refused.a leaves {last} open"});
    CHECK(says("throw Refused(\"refused.b\"_t, {{\"n\", n}});\nrefuse(\"refused.a\"_t);") ==
          Findings{"app/live/x.cpp:1: refused.b has no place {n}"});
    CHECK(says("refuse(\"refused.a\"_t);") ==
          Findings{"app/shell/texts/refused.hpp:2: nobody says refused.b"});
}
