#include "app/shell/texts/texts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("text ids are unique and no text is empty", "[texts]") {
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < kTextIds.size(); ++i) {
        INFO(kTextIds[i]);
        CHECK(ids.insert(kTextIds[i]).second);
        CHECK_FALSE(english(TextId{i}).empty());
    }
    CHECK(english("layout.learn"_t) == "Learn");
    CHECK(english("message.saved"_t).find("{path}") != std::string_view::npos);
}

TEST_CASE("places are filled by name, and unknown ones stay", "[texts]") {
    CHECK(fill("{n} tokens in {n} pages of {size}", {{"n", "3"}, {"size", "16"}}) ==
          "3 tokens in 3 pages of 16");
    CHECK(fill("{who} and {n", {{"n", "3"}}) == "{who} and {n");
    CHECK(fill("", {{"n", "3"}}).empty());
    CHECK(fill("100 %", {}) == "100 %");
}

TEST_CASE("a word behind a number agrees with it", "[texts]") {
    const auto said = [](const char* n) {
        return fill("{n} {n:block was|blocks were} removed", {{"n", n}});
    };
    CHECK(said("0") == "0 blocks were removed");
    CHECK(said("1") == "1 block was removed");
    CHECK(said("1,000") == "1,000 blocks were removed");
    CHECK(fill("{n:one} {m:a|b} {", {{"n", "2"}}) == "one {m:a|b} {");
}

TEST_CASE("whatever agrees in a text agrees with a place that the text has", "[texts]") {
    for (std::size_t i = 0; i < kTextIds.size(); ++i) {
        const std::string_view text = english(TextId{i});
        for (std::size_t open = text.find('{'); open != std::string_view::npos;
             open = text.find('{', open + 1)) {
            const std::string_view inside = text.substr(open + 1, text.find('}', open) - open - 1);
            const std::size_t colon = inside.find(':');
            if (colon == std::string_view::npos) continue;
            INFO(text);
            CHECK(inside.find('|') != std::string_view::npos);
            CHECK(text.find("{" + std::string(inside.substr(0, colon)) + "}") !=
                  std::string_view::npos);
        }
    }
}

TEST_CASE("a translation in other bytes than UTF-8 is refused by its line", "[texts]") {
    Texts texts;
    CHECK_THROWS_MATCHES(texts.translate("# a\nlayout.learn = Men\xFC\n", "de.txt"), Error,
                         MessageMatches(ContainsSubstring("de.txt, line 2: has bytes")));
    CHECK(std::string(texts["layout.learn"_t]) == "Learn");
}

TEST_CASE("a translation replaces what it names and leaves the rest", "[texts]") {
    Texts texts;
    texts.translate(
        "# a comment\n\nlayout.learn = Lernen\r\nmessage.saved = {path} ist gespeichert\n",
        "de.txt");
    CHECK(std::string(texts["layout.learn"_t]) == "Lernen");
    CHECK(fill(texts["message.saved"_t], {{"path", "a.png"}}) == "a.png ist gespeichert");
    CHECK(std::string(texts["layout.explore"_t]) == "Explore");
}

TEST_CASE("a translation names what the arithmetic says by its English words", "[texts]") {
    Texts texts;
    texts.translate("phrase:query heads = Abfrageköpfe\n", "de.txt");
    CHECK(texts.phrase("query heads") == "Abfrageköpfe");
    CHECK(texts.phrase("layers") == "layers");
    texts.pseudo();
    CHECK(texts.phrase("layers") == "[làyérs~~]");
    CHECK(texts.phrase("").empty());
    CHECK_THROWS_MATCHES(texts.translate("phrase:a = b\nphrase:a = c\n", "de.txt"), Error,
                         MessageMatches(ContainsSubstring("line 2: `phrase:a` is given twice")));
    CHECK_THROWS_MATCHES(texts.translate("phrase:{a} {a:step|steps} = Schritte\n", "de.txt"), Error,
                         MessageMatches(ContainsSubstring("needs the place {a}.")));
}

TEST_CASE("a broken translation is refused with its line and changes nothing", "[texts]") {
    const auto refuses = [](const char* file, const char* rule) {
        Texts texts;
        CHECK_THROWS_MATCHES(texts.translate(file, "de.txt"), Error,
                             MessageMatches(ContainsSubstring(rule)));
        CHECK(std::string(texts["layout.learn"_t]) == "Learn");
    };
    refuses("layout.learn = Lernen\nnonsense\n", "de.txt, line 2: expected `id = text`");
    refuses("layout.learn = Lernen\nlayout.lern = x\n", "line 2: no text is called `layout.lern`");
    refuses("layout.learn = a\nlayout.learn = b\n", "line 2: `layout.learn` is given twice");
    refuses("layout.learn = a\nmessage.saved = gespeichert\n",
            "line 2: `message.saved` needs the place {path}");
}

TEST_CASE("the pseudo-language is longer, accented and keeps its places", "[texts]") {
    Texts texts;
    texts.pseudo();
    const std::string saved = texts["message.saved"_t];
    CHECK(saved.find("{path}") != std::string::npos);
    CHECK(saved.find("Sàvéd") != std::string::npos);
    for (std::size_t i = 0; i < kTextIds.size(); ++i)
        CHECK(std::string_view(texts[TextId{i}]).size() >= english(TextId{i}).size() * 5 / 4);
}

TEST_CASE("a sentence is put into words in the language of whoever draws it", "[texts]") {
    const Said saved("message.saved"_t, {{"path", std::string("a/b.png")}});
    Texts german, pseudo;
    german.translate("message.saved = {path} ist gespeichert\n", "de.txt");
    pseudo.pseudo();
    CHECK(saved.in(german) == "a/b.png ist gespeichert");
    CHECK(saved.in(Texts()) == saved.english());
    CHECK(saved.in(pseudo) ==
          fill(pseudo["message.saved"_t], {{"path", "a/b.png"}}));  // the path is no word
    CHECK(Said().empty());
    CHECK(Said().in(pseudo).empty());
    CHECK_FALSE(saved.empty());
}

TEST_CASE("a refusal is an Error in English that keeps what it says", "[texts]") {
    Texts pseudo;
    pseudo.pseudo();
    try {
        throw Refused("refused.weights"_t, {{"file", "a.kvscene"}}, ErrorCode::World);
    } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with("a.kvscene: the scene was made with other"));
        CHECK(error.code() == ErrorCode::World);
        CHECK(std::string_view(error.where().file).ends_with("texts_test.cpp"));
        CHECK(said_of(error).in(pseudo).starts_with("[a.kvscene: thé scéné"));
    }
    CHECK(Refused("refused.no_run"_t).code() == ErrorCode::Usage);
}

TEST_CASE("what core says in a sentence is translated by its English words", "[texts]") {
    Texts german;
    german.translate(
        "phrase:is not a whole number = ist keine ganze Zahl\n"
        "phrase:The disk is full. = Die Platte ist voll.\n"
        "refused.command.value = Bei `{name}`: {why}.\n",
        "de.txt");
    const Said value("refused.command.value"_t,
                     {{"name", "bill.tokens"}, {"why", "is not a whole number"}});
    CHECK(value.english() == "`bill.tokens`: is not a whole number.");
    CHECK(value.in(german) == "Bei `bill.tokens`: ist keine ganze Zahl.");
    const Said full = said_of(Error(ErrorCode::World, "The disk is full."));
    CHECK(full.english() == "The disk is full.");
    CHECK(full.in(german) == "Die Platte ist voll.");
    CHECK(said_of(std::runtime_error("out of luck")).in(german) == "out of luck");
}
