// The bytes of a slot as they were at any moment, within a budget.
#include "core/trace/payloads.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <tuple>

#include "core/base/error.hpp"
#include "tests/trace/random_event.hpp"

using namespace kv;

namespace {

std::span<const unsigned char> bytes(const std::string& text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}
std::string text(std::span<const unsigned char> bytes) {
    return {bytes.begin(), bytes.end()};
}
void record(PayloadLog& log, std::uint64_t n, std::uint32_t slot, const std::string& what) {
    log.record(n, LaneId(0), BlockId(3), Slot(slot), bytes(what));
}
PayloadLog::Found find(const PayloadLog& log, std::uint64_t moment, std::uint32_t slot) {
    return log.find(moment, LaneId(0), BlockId(3), Slot(slot));
}

}  // namespace

TEST_CASE("a slot shows the last write before the moment", "[trace]") {
    PayloadLog log(1 << 20);
    CHECK(find(log, 5, 0).state == PayloadLog::State::NeverWritten);
    record(log, 4, 0, "four");
    record(log, 4, 1, "beside");
    record(log, 9, 0, "nine");
    CHECK(find(log, 4, 0).state ==
          PayloadLog::State::NeverWritten);  // event 4 has not happened yet
    CHECK(text(find(log, 5, 0).bytes) == "four");
    CHECK(text(find(log, 9, 0).bytes) == "four");
    CHECK(text(find(log, 10, 0).bytes) == "nine");
    CHECK(text(find(log, 1'000'000, 1).bytes) == "beside");
    CHECK(find(log, 10, 2).state == PayloadLog::State::NeverWritten);
    CHECK(log.find(10, LaneId(1), BlockId(3), Slot(0)).state == PayloadLog::State::NeverWritten);
    CHECK(log.dropped_before() == 0);
    CHECK_THROWS_AS(record(log, 8, 0, "backwards"), BrokenAssert);
}

TEST_CASE("the oldest writes are dropped first, and only they", "[trace]") {
    PayloadLog log(32'768);
    const std::string kilobyte(1024, 'x');
    for (std::uint64_t n = 0; n < 100; ++n)
        record(log, n, static_cast<std::uint32_t>(n % 50), kilobyte + std::to_string(n));
    CHECK(log.memory_bytes() <= 32'768);
    const std::uint64_t from = log.dropped_before();
    CHECK(log.size() == 100 - from);
    CHECK(log.size() > 15);  // the budget is used, not thrown away
    for (std::uint64_t n = 0; n < 100; ++n) {
        const auto found = find(log, n + 1, static_cast<std::uint32_t>(n % 50));
        if (n >= from)
            CHECK(text(found.bytes) == kilobyte + std::to_string(n));
        else
            CHECK(found.state == PayloadLog::State::Forgotten);
    }
}

TEST_CASE("a write larger than the budget is forgotten at once", "[trace]") {
    PayloadLog log(10'000);
    record(log, 1, 0, std::string(20'000, 'y'));
    CHECK(find(log, 2, 0).state == PayloadLog::State::Forgotten);
    CHECK(log.dropped_before() == 2);
    CHECK(log.memory_bytes() <= 10'000);
    record(log, 2, 0, "small");
    CHECK(text(find(log, 3, 0).bytes) == "small");
}

TEST_CASE("random writes and questions agree with a plain list of writes", "[trace]") {
    test::Dice dice(31, 0);
    for (const std::uint64_t budget : {std::uint64_t{1} << 24, std::uint64_t{20'000}}) {
        PayloadLog log(budget);
        using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
        std::map<Key, std::vector<std::pair<std::uint64_t, std::string>>> model;
        std::uint64_t n = 0;
        for (int step = 0; step < 3000; ++step) {
            n += dice.below(3);
            const Key key{dice.below(3), dice.below(4), dice.below(5)};
            std::string what(dice.below(30), 'a');
            for (char& c : what) c = static_cast<char>(dice.bits());
            log.record(n, LaneId(std::get<0>(key)), BlockId(std::get<1>(key)),
                       Slot(std::get<2>(key)), bytes(what));
            model[key].emplace_back(n, what);
            REQUIRE(log.memory_bytes() <= budget);

            const Key asked{dice.below(3), dice.below(4), dice.below(5)};
            const std::uint64_t moment = dice.below(static_cast<std::uint32_t>(n + 2));
            const auto found = log.find(moment, LaneId(std::get<0>(asked)),
                                        BlockId(std::get<1>(asked)), Slot(std::get<2>(asked)));
            const std::pair<std::uint64_t, std::string>* wanted = nullptr;
            for (const auto& write : model[asked])
                if (write.first < moment) wanted = &write;
            if (found.state == PayloadLog::State::Known) {
                REQUIRE(wanted != nullptr);
                REQUIRE(text(found.bytes) == wanted->second);
            } else if (wanted != nullptr) {
                REQUIRE(found.state == PayloadLog::State::Forgotten);
                REQUIRE(wanted->first < log.dropped_before());
            }
        }
        CHECK((log.dropped_before() == 0) == (budget > 1'000'000));
    }
}
