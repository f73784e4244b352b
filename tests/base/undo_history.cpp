#include "core/base/undo_history.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using kv::UndoHistory;

namespace {

std::string or_none(const std::optional<std::string>& value) {
    return value.value_or("none");
}

}  // namespace

TEST_CASE("undo leads back through the values, and redo the same way forward", "[history]") {
    UndoHistory<std::string> history;
    CHECK(history.before() == nullptr);
    CHECK(or_none(history.back("a")) == "none");
    history.remember("a");  // it is b now
    history.remember("b");  // it is c now
    CHECK(history.steps_back() == 2);
    REQUIRE(history.before() != nullptr);
    CHECK(*history.before() == "b");
    CHECK(or_none(history.back("c")) == "b");
    CHECK(or_none(history.back("b")) == "a");
    CHECK_FALSE(history.can_undo());
    CHECK(or_none(history.back("a")) == "none");
    CHECK(or_none(history.forward("a")) == "b");
    CHECK(or_none(history.forward("b")) == "c");
    CHECK_FALSE(history.can_redo());
    CHECK(or_none(history.forward("c")) == "none");
    CHECK(or_none(history.back("c")) == "b");
}

TEST_CASE("a change after an undo leaves nothing to do again", "[history]") {
    UndoHistory<std::string> history;
    history.remember("a");
    history.back("b");
    CHECK(history.can_redo());
    history.remember("a");  // it is d now
    CHECK_FALSE(history.can_redo());
    CHECK(or_none(history.back("d")) == "a");
}

TEST_CASE("of more changes than are kept the oldest are forgotten", "[history]") {
    UndoHistory<std::string> history;
    const std::size_t depth = UndoHistory<std::string>::kDepth;
    for (std::size_t i = 0; i < depth + 3; ++i) history.remember(std::to_string(i));
    std::string last;
    std::size_t steps = 0;
    for (auto value = history.back("now"); value; value = history.back(*value))
        last = *value, ++steps;
    CHECK(steps == depth);
    CHECK(last == "3");
}
