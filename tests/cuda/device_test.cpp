#include "cuda/device/device.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace {

using kv::DeviceInfo;
using kv::DeviceQuery;
using Outcome = kv::DeviceQuery::Outcome;

DeviceInfo example_card() {
    return {.name = "Example H",
            .memory_bytes = std::uint64_t{80} << 30,
            .l2_bytes = 50u << 20,
            .multiprocessors = 132,
            .compute_capability = {9, 0},
            .core_clock_hz = 1'980'000'000,
            .memory_clock_hz = 2'619'000'000,
            .bus_width_bits = 5120};
}

std::string sentence(Outcome outcome) {
    DeviceQuery query;
    query.outcome = outcome;
    return kv::device_sentence(query, "unknown error");
}

}  // namespace

TEST_CASE("the bandwidth of a card follows from its clock and its bus", "[device]") {
    // 2,619 MHz x 2 transfers x 5,120 bits / 8 = 3,352,320,000,000 bytes per second
    CHECK(kv::theoretical_bytes_per_second(example_card()) == 3'352'320'000'000.0);
    DeviceInfo silent = example_card();
    silent.memory_clock_hz.reset();
    CHECK_FALSE(kv::theoretical_bytes_per_second(silent));
}

TEST_CASE("a card is described in one line", "[device]") {
    CHECK(
        example_card().line() ==
        "Example H, 80 GiB, 132 multiprocessors, compute capability 9.0, 3.352 TB/s by its clocks");
    DeviceInfo silent = example_card();
    silent.bus_width_bits.reset();
    CHECK(silent.line() == "Example H, 80 GiB, 132 multiprocessors, compute capability 9.0");
}

TEST_CASE("every outcome without a card names the engine that works instead", "[device]") {
    CHECK(sentence(Outcome::NoDevice) ==
          "No GPU found. The CPU engine runs the same steps with the same numbers.");
    CHECK(sentence(Outcome::NoDriver) ==
          "No GPU driver found. The CPU engine runs the same steps with the same numbers.");
    CHECK(sentence(Outcome::NotBuilt) ==
          "This program was built without CUDA. The CPU engine runs the same steps with the same "
          "numbers.");
    CHECK(sentence(Outcome::Unusable) ==
          "The GPU driver is installed but cannot be used: it says \"unknown error\". The CPU "
          "engine runs the same steps with the same numbers.");
}

TEST_CASE("a driver that is too old is named with both versions", "[device]") {
    DeviceQuery query;
    query.outcome = Outcome::DriverTooOld;
    query.driver = {12, 2};
    query.runtime = {13, 0};
    CHECK(kv::device_sentence(query) ==
          "The GPU driver is too old: it serves CUDA 12.2 and this program needs 13.0. Update the "
          "driver; until then the CPU engine runs the same steps with the same numbers.");
}

TEST_CASE("found cards are counted and listed", "[device]") {
    DeviceQuery query;
    query.outcome = Outcome::Found;
    query.devices = {example_card()};
    CHECK(kv::device_sentence(query) == "One GPU found: " + example_card().line() + ".");
    query.devices.push_back(example_card());
    CHECK(kv::device_sentence(query) ==
          "2 GPUs found: " + example_card().line() + "; " + example_card().line() + ".");
}

TEST_CASE("asking this machine gives an answer that fits together, twice the same", "[device]") {
    const DeviceQuery query = kv::query_devices();
    INFO(query.sentence);
    CHECK((query.outcome == Outcome::Found) == !query.devices.empty());
    CHECK((query.outcome == Outcome::NotBuilt) == !query.runtime.has_value());
    CHECK_FALSE(query.sentence.empty());
    for (const DeviceInfo& device : query.devices) {
        CHECK_FALSE(device.name.empty());
        CHECK(device.memory_bytes > 0);
        CHECK(device.multiprocessors > 0);
        CHECK(device.compute_capability.major >= 5);
    }
    if (query.outcome == Outcome::NoDriver) CHECK_FALSE(query.driver);
    CHECK(kv::query_devices().sentence == query.sentence);
}
