#include "app/shell/commands.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "core/base/numbers/checked.hpp"

using namespace kv;

namespace {
// A value of the kind that the command takes, awkward on purpose.
std::vector<Argument> sample_arguments(ArgKind kind) {
    switch (kind) {
        case ArgKind::None:
            return {Argument{}};
        case ArgKind::Whole:
            return {u64{0}, u64{4096}, ~u64{0}};
        case ArgKind::Decimal:
            return {0.8, 1.25, 3.0, 0.1};
        case ArgKind::OptionalWord:
            return {Argument{}, std::string("/tmp/a b.png")};
        case ArgKind::Word:
            return {std::string("int4:g32"), std::string("a path/with blanks and = signs")};
    }
    return {};
}
}  // namespace

TEST_CASE("every command reads back as it was printed", "[commands]") {
    for (const CommandRow& info : command_table())
        for (const Argument& argument : sample_arguments(info.kind)) {
            const Command command{info.id, argument};
            std::string why;
            const auto back = parse_command(print(command), why);
            INFO(print(command) << ": " << why);
            REQUIRE(back);
            CHECK(*back == command);
        }
}

TEST_CASE("a command is found by its name and by its id", "[commands]") {
    for (const CommandRow& row : command_table()) {
        CHECK(find_command(row.name)->id == row.id);
        CHECK(row_of(row.id).name == row.name);
    }
    CHECK(row_of("run.play").owner == CommandOwner::Selection);
    CHECK(row_of("file.open_scene").owner == CommandOwner::Opener);
    CHECK(find_command("run.fly") == nullptr);
}

TEST_CASE("command names and keys are unique", "[commands]") {
    std::set<std::string> names, keys;
    for (const CommandRow& info : command_table()) {
        CHECK(names.insert(std::string(info.name)).second);
        for (const Chord& chord : {info.key, info.second_key})
            if (chord.key != 0) {
                INFO(info.name << " uses " << key_text(chord));
                CHECK(keys.insert(key_text(chord)).second);
            }
    }
}

TEST_CASE("keys are written as on the keyboard", "[commands]") {
    CHECK(key_text(find_command("palette.open")->key) == "Ctrl+P");
    CHECK(key_text(find_command("layout.explore")->key) == "F2");
    CHECK(key_text(find_command("help.keys")->key) == "?");
    CHECK(key_text(find_command("text.larger")->key) == "Ctrl++");
    CHECK(key_text(find_command("bill.copy")->key) == "Ctrl+Shift+C");
    CHECK(key_text({}).empty());
}

TEST_CASE("what is no command is refused by name", "[commands]") {
    std::string why;
    CHECK_FALSE(parse_command("", why));
    CHECK_FALSE(parse_command("bill.tokkens 5", why));
    CHECK(why == "`bill.tokkens` is not a command");
    CHECK_FALSE(parse_command("bill.tokens", why));
    CHECK(why.starts_with("`bill.tokens`: "));
    CHECK_FALSE(parse_command("bill.tokens -1", why));
    CHECK_FALSE(parse_command("bill.tokens 0x10", why));
    CHECK_FALSE(parse_command("text.scale nan", why));
    CHECK_FALSE(parse_command("text.scale 66666666666666666666666666", why));
    CHECK(why == "`text.scale`: is outside 0.000001 to 1,000,000");
    CHECK_FALSE(parse_command("text.scale 0.0000001", why));
    CHECK_FALSE(parse_command("layout.learn now", why));
    CHECK(why == "`layout.learn`: takes no value");
}

TEST_CASE("what is wrong with a command is said in any language", "[commands]") {
    Texts pseudo;
    pseudo.pseudo();
    const auto refused = [&](std::string_view text, std::string_view sentence) {
        INFO(text);
        Said why;
        CHECK_FALSE(parse_command(text, why));
        CHECK(why.english() == sentence);
        CHECK(why.in(pseudo).starts_with("[`"));
        CHECK(why.in(pseudo) != why.english());
    };
    refused("bill.tokkens 5", "`bill.tokkens` is not a command.");
    refused("layout.learn now", "`layout.learn`: takes no value.");
    refused("theme", "`theme`: needs a value.");
    refused("text.scale 0.0000001", "`text.scale`: is outside 0.000001 to 1,000,000.");
    refused("bill.tokens 1.5", "`bill.tokens`: is not a whole number.");
}

TEST_CASE("the sink hands over once, in order", "[commands]") {
    CommandSink sink;
    sink.push("bill.tokens", u64{5});
    sink.push("theme.next");
    const auto taken = sink.take();
    REQUIRE(taken.size() == 2);
    CHECK(print(taken[0]) == "bill.tokens 5");
    CHECK(print(taken[1]) == "theme.next");
    CHECK(sink.empty());
}

TEST_CASE("a command of other bytes than UTF-8 is refused", "[commands]") {
    for (const char* text : {"\xff", "run.add \xff", "file.open_scene a\xc3", "\xed\xa0\x80"}) {
        std::string why;
        CHECK_FALSE(parse_command(text, why));
        CHECK(why.find("no UTF-8") != std::string::npos);
    }
    std::string why;
    CHECK(parse_command("run.add Grüße", why));
}
