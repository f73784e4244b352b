// An array whose copies share their pieces behaves as a plain vector that is copied whole.
#include "core/trace/shared_array.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/trace/random_event.hpp"

using kv::SharedArray;

namespace {

using Small = SharedArray<std::uint32_t, 4>;

bool equal(const Small& array, const std::vector<std::uint32_t>& model) {
    if (array.size() != model.size()) return false;
    for (std::size_t i = 0; i < model.size(); ++i)
        if (array[i] != model[i]) return false;
    return array.empty() == model.empty() && (model.empty() || array.back() == model.back());
}

}  // namespace

TEST_CASE("a copy is not touched by what is written to the other one", "[trace]") {
    Small a(9, 5);
    const Small b = a;
    a.edit(8) = 6;
    a.push_back(7);
    CHECK(equal(a, {5, 5, 5, 5, 5, 5, 5, 5, 6, 7}));
    CHECK(equal(b, {5, 5, 5, 5, 5, 5, 5, 5, 5}));
    CHECK_FALSE(a == b);
}

TEST_CASE("what was popped does not come back and does not count in a comparison", "[trace]") {
    Small a(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
    const Small kept = a;
    a.pop_back();
    a.pop_back();
    CHECK(a == Small(std::vector<std::uint32_t>{1, 2, 3, 4}));
    a.push_back(9);
    CHECK(equal(a, {1, 2, 3, 4, 9}));
    CHECK(equal(kept, {1, 2, 3, 4, 5, 6}));
    a.clear();
    CHECK(a == Small());
    CHECK_THROWS_AS(a.back(), kv::BrokenAssert);
    CHECK_THROWS_AS(kept[6], kv::BrokenAssert);
}

TEST_CASE("random operations on several copies do what they do to vectors", "[trace]") {
    kv::test::Dice dice(11, 0);
    std::vector<Small> arrays(3);
    std::vector<std::vector<std::uint32_t>> models(3);
    for (int step = 0; step < 20'000; ++step) {
        const std::uint32_t at = dice.below(3);
        Small& array = arrays[at];
        auto& model = models[at];
        const std::uint32_t value = dice.below(50), choice = dice.below(100);
        if (choice < 40) {
            array.push_back(value);
            model.push_back(value);
        } else if (choice < 70 && !model.empty()) {
            array.pop_back();
            model.pop_back();
        } else if (choice < 90 && !model.empty()) {
            const std::uint32_t i = dice.below(static_cast<std::uint32_t>(model.size()));
            array.edit(i) = value;
            model[i] = value;
        } else if (choice < 99) {
            const std::uint32_t from = dice.below(3);
            array = Small(arrays[from]);
            model = std::vector<std::uint32_t>(models[from]);
        } else {
            array = Small(value, 3);
            model.assign(value, 3);
        }
        for (std::size_t i = 0; i < 3; ++i) {
            REQUIRE(equal(arrays[i], models[i]));
            REQUIRE((arrays[0] == arrays[i]) == (models[0] == models[i]));
        }
    }
}

TEST_CASE("the differences of two arrays are the places at which they differ", "[trace]") {
    kv::test::Dice dice(12, 0);
    Small a;
    for (int round = 0; round < 2'000; ++round) {
        Small b = a;
        for (std::uint32_t n = dice.below(4); n > 0; --n) {
            if (dice.below(3) == 0)
                b.push_back(dice.below(5));
            else if (b.size() > 20 || (dice.below(3) == 0 && !b.empty()))
                b.pop_back();
            else if (!b.empty())
                b.edit(dice.below(static_cast<std::uint32_t>(b.size()))) = dice.below(5);
        }
        std::vector<std::size_t> said, expected;
        Small::each_difference(a, b, [&](std::size_t i) { said.push_back(i); });
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
            if (i >= a.size() || i >= b.size() || a[i] != b[i]) expected.push_back(i);
        REQUIRE(said == expected);
        std::vector<std::uint32_t> elements, by_index;
        b.each([&](std::size_t i, std::uint32_t value) {
            CHECK(i == elements.size());
            elements.push_back(value);
        });
        for (std::size_t i = 0; i < b.size(); ++i) by_index.push_back(b[i]);
        REQUIRE(elements == by_index);
        a = b;
    }
}
