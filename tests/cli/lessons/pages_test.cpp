// kvarium lessons --pages: lessons as Markdown, every number computed, links that lead somewhere.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

constexpr const char* kScene =
    R"({"version":1,"settings":{"block_size":4,"pool":"8blocks"},
        "requests":[{"id":"A","tokens":[3,4,5,6,7],"max_new":3}]})";

constexpr const char* kFirst = R"(---
number: 1
title: Small *things*
minutes: 5
objective: Count <blocks>.
source small: A. Text, "On | blocks"
leaves out: Much.
---

## one: One & only

scene: run.kvscene
at: 1
shows: C001
expect: yes

[Request A](request:A) stores {A.stored} tokens; twice that is {A.stored * 2}. See [the other](lesson:2), [its step](lesson:2:two), [a stage](panel:stage), [a word](term:block), [a text](source:small).

- {7} items
- a_b

| x | y |
| one | {A.blocks} |

> predict: How many blocks?
> choice: 2
> choice: 3
> answer: A.blocks
> unit: blocks
> why: Five over four, rounded up.

### Then

Elsewhere {published("9 %", "small")} or {misprint("8 %")}.

$ kvarium calc --list

### Teacher

Say {A.blocks} aloud.
)";

constexpr const char* kSecond = R"(---
number: 2
title: Next
minutes: 6
prerequisites: 1
objective: o
leaves out: More.
---

## two: Two

scene: run.kvscene
at: 1
shows: C001
figure: text open=1
code: decode_loop
expect: yes

Nothing to predict.

### Then

And then {1 + 1}.
)";

struct Pages {
    ScratchFolder folder;
    std::string lessons = folder.file("lessons"), site = folder.file("site");

    Pages() {
        for (const auto& [name, text] : {std::pair{"01-small", kFirst}, {"02-next", kSecond}}) {
            const fs::path at = fs::path(lessons) / name;
            fs::create_directories(at);
            std::ofstream(at / "lesson.md") << text;
            std::ofstream(at / "run.kvscene") << kScene;
        }
    }
    Ran write() const { return run_cli({"lessons", "--pages", site, "--folder", lessons}); }
    std::string page(const std::string& name) const { return read_text(site + "/" + name + ".md"); }
};

}  // namespace

TEST_CASE("a lesson becomes a page with its numbers, its question and what comes behind it",
          "[pages]") {
    const Pages pages;
    const Ran ran = pages.write();
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    CHECK_THAT(ran.out, ContainsSubstring("7 pages are in "));
    const std::string page = pages.page("01-small");
    CHECK_THAT(page, ContainsSubstring("# 1. Small \\*things\\*\n\n5 minutes. For teachers: "
                                       "[what to say](teachers/01-small.md)."));
    CHECK_THAT(page, ContainsSubstring("- Count \\<blocks\\>.\n"));
    CHECK_THAT(page, ContainsSubstring("## 1. One & only { #one }\n"));
    // Five tokens after the first iteration; the expression stands behind a value, not behind a
    // number that was only written.
    CHECK_THAT(page,
               ContainsSubstring("Request A stores <span class=\"value\" "
                                 "title=\"A&#46;stored\">5</span> tokens; twice that is <span "
                                 "class=\"value\" title=\"A&#46;stored &#42; 2\">10</span>."));
    CHECK_THAT(page, ContainsSubstring("- <span class=\"value\">7</span> items\n- a\\_b\n\n"));
    CHECK_THAT(page, ContainsSubstring("| x | y |\n|---|---|\n| one | <span class=\"value\" "
                                       "title=\"A&#46;blocks\">2</span> |\n"));
    CHECK_THAT(page, ContainsSubstring("!!! question \"Predict\"\n\n    How many blocks?\n\n    1. "
                                       "3\n    2. 2\n\n    ??? success \"Answer\"\n\n        "
                                       "**2 blocks**.\n\n        Five over four, rounded up.\n"));
    CHECK_THAT(page, ContainsSubstring("        Elsewhere <span class=\"value\">9 %</span><sup>"
                                       "[small](#source-small)</sup> or <s title="));
    CHECK_THAT(page, ContainsSubstring("        ```\n        kvarium calc --list\n        ```\n"));
    CHECK_THAT(page, ContainsSubstring("- <span id=\"source-small\"></span>A. Text, \"On \\| "
                                       "blocks\"\n"));
    CHECK_THAT(page, ContainsSubstring("## What this lesson leaves out\n\nMuch.\n"));
    // Without a question what follows is not hidden.
    CHECK_THAT(pages.page("02-next"),
               ContainsSubstring("\nAnd then <span class=\"value\" title=\"1 &#43; 1\">2</span>."));
}

TEST_CASE("code of a step is folded on its page, with what runs in the picture and where ours lies",
          "[pages]") {
    const Pages pages;
    REQUIRE(pages.write().code == 0);
    const std::string page = pages.page("02-next");
    // The figure opens at step 1: five tokens are fresh, and all of them are kept.
    CHECK_THAT(page, ContainsSubstring("??? abstract \"Code: The loop that writes an answer\"\n\n"
                                       "    ```python hl_lines=\"10 11 12\"\n    def answer("));
    CHECK_THAT(page, ContainsSubstring("    | 10 | `len(fresh) = 5` |\n"
                                       "    | 11 | `len(cache) = 5` |\n"));
    CHECK_THAT(page, ContainsSubstring("    ```cpp title=\"core/engine/run/engine.cpp:"));
    CHECK_THAT(page, ContainsSubstring("    void Engine::keep_nothing("));
    CHECK(pages.page("01-small").find("abstract") == std::string::npos);
}

TEST_CASE("links of a page lead to pages, and the others are words", "[pages]") {
    const Pages pages;
    REQUIRE(pages.write().code == 0);
    CHECK_THAT(pages.page("01-small"),
               ContainsSubstring("See [the other](02-next.md), [its step](02-next.md#two), "
                                 "[a stage](panels.md#stage), [a word](glossary.md), "
                                 "[a text](#source-small)."));
    CHECK_THAT(pages.page("02-next"),
               ContainsSubstring("6 minutes, after [lesson 1](01-small.md)"));
    CHECK_THAT(pages.page("index"), ContainsSubstring("| 2 | [Next](02-next.md) | 6 | 1 |\n"));
    CHECK_THAT(pages.page("panels"), ContainsSubstring("## Stage (stage) { #stage }\n"));
    CHECK_THAT(pages.page("glossary"), ContainsSubstring("| `block` | `page`, `KV block` |"));
}

TEST_CASE("who teaches gets answers, what to say, and the key", "[pages]") {
    const Pages pages;
    REQUIRE(pages.write().code == 0);
    const std::string page = pages.page("teachers/01-small");
    CHECK_THAT(page, ContainsSubstring("### 1. [One & only](../01-small.md#one)\n\n`kvarium "
                                       "--lesson 1 --step 1`\n"));
    CHECK_THAT(page, ContainsSubstring("Answer: **2 blocks**."));
    CHECK_THAT(page, ContainsSubstring("**Say.** Say <span class=\"value\" "
                                       "title=\"A&#46;blocks\">2</span> aloud."));
    CHECK_THAT(page, ContainsSubstring("## Answer key\n") && ContainsSubstring("\n| 1.1 | "));
}

TEST_CASE("a page shows the figures that lie beside it, small where they repeat", "[pages]") {
    const Pages pages;
    const std::string pictures = pages.site + "/pictures";
    fs::create_directories(pictures);
    const Ran drawn = run_cli({"shot", "--all", "figures", "--lesson", "9", "--step", "9",
                               "--out-dir", pictures, "--quiet"});
    if (drawn.code == 4) SKIP(drawn.err);
    REQUIRE(drawn.code == 0);
    for (const char* theme : {"dark", "light"})
        for (const char* part : {"", "-then"})
            fs::copy_file(pictures + "/09-09-figures." + theme + ".png",
                          pictures + "/01-01-one" + part + "." + theme + ".png");
    REQUIRE(pages.write().code == 0);
    const std::string page = pages.page("01-small");
    CHECK_THAT(page, ContainsSubstring("[![Block tables, and the pool they name."));
    CHECK_THAT(page, ContainsSubstring("](pictures/01-01-one.dark.png#only-dark){ loading=lazy }]"
                                       "(pictures/01-01-one.dark.png){ .figure .only-dark }\n"));
    CHECK_THAT(page, ContainsSubstring("(pictures/01-01-one-then.light.png){ .figure .again "
                                       ".only-light }\n"));
    CHECK_THAT(pages.page("02-next"), !ContainsSubstring("pictures/"));
}

TEST_CASE("pages that cannot be written are refused in one sentence", "[pages]") {
    const ScratchFolder folder;
    const std::string file = folder.write("file", "");
    const Ran ran = run_cli({"lessons", "--pages", file + "/inside"});
    CHECK(ran.code == 1);
    CHECK(ran.out.empty());
    INFO(ran.err);
    CHECK(count_lines(ran.err) == 1);
}
