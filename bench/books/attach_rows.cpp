// The rows of attaching: what a busy server costs the thread that receives, what a picture of its
// cache costs, and whether memory grows.

#include <algorithm>

#include "bench/allocations.hpp"
#include "bench/books/busy_server.hpp"
#include "bench/cpu/model.hpp"
#include "bench/row.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "core/base/error.hpp"
#include "core/trace/server/batch_msgpack.hpp"

namespace kv::bench {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr double kTankMiB = 1 << 20;

Figure attach_figure(std::string name, std::string unit, std::vector<double> samples) {
    return {std::move(name), std::move(unit), spread_of(std::move(samples))};
}

double attach_ms(const std::function<void()>& work) {
    return 1e3 * seconds_of(work);
}

void set_attach_ratio(Result& result, double goal) {
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = goal;
}

double read_alone(const std::vector<std::string>& payloads) {
    std::size_t events = 0;
    const double ms = attach_ms([&] {
        for (const std::string& payload : payloads) {
            const auto read = read_batch_msgpack(payload);
            if (const auto* good = std::get_if<MsgpackBatch>(&read))
                events += good->batch.events.size();
        }
    });
    if (events != BusyServer::kEventsASecond)
        throw Error{ErrorCode::Check, "A batch of our own was not read; run the tests."};
    return ms;
}

// A number of each block, one after the other as they lie in memory: what any picture that looks at
// all of them takes at least.
double look_at_each(const Tank& tank) {
    double newest_s = 0;
    const double ms = attach_ms([&] {
        tank.tree().each([&](BlockRef, const TankBlock& block) {
            if (block.cached()) newest_s = std::max(newest_s, block.used_s);
        });
    });
    if (newest_s <= 0) throw Error{ErrorCode::Check, "A full cache has no blocks; run the tests."};
    return ms;
}

}  // namespace

Result measure_attach(const Programs&, std::size_t samples) {
    BusyServer server(kMillion);
    BusyReceiver receiver;
    fill(server, receiver);
    std::vector<double> second_ms, asked_ms(samples, 1000);
    for (std::size_t sample = 0; sample < samples; ++sample) {
        std::vector<std::string> second;
        for (std::uint64_t n = 0; n < BusyServer::kEventsASecond; n += BusyServer::kEventsABatch)
            second.push_back(server.bytes());
        second_ms.push_back(attach_ms([&] {
            for (const std::string& bytes : second) receiver.take(bytes);
        }));
    }
    Result result;
    result.row = "attach";
    result.what =
        "10,000 events of a server with a million cached blocks, from bytes to the tank, against "
        "the second in which they come";
    result.figures = {
        attach_figure("10,000 events", "ms", second_ms), attach_figure("a second", "ms", asked_ms),
        attach_figure("the tank", "MiB",
                      {static_cast<double>(receiver.tank().memory_bytes()) / kTankMiB})};
    set_attach_ratio(result, 0.5);
    return result;
}

Result measure_attach_books(const Programs&, std::size_t samples) {
    BusyServer server(kMillion);
    BusyReceiver receiver;
    fill(server, receiver);
    std::vector<double> books_ms, read_ms;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        std::vector<std::string> payloads, second;
        for (std::uint64_t n = 0; n < BusyServer::kEventsASecond; n += BusyServer::kEventsABatch) {
            payloads.push_back(server.payload());
            second.push_back(server.framed(payloads.back()));
        }
        read_ms.push_back(read_alone(payloads));
        books_ms.push_back(attach_ms([&] {
            for (const std::string& bytes : second) receiver.take(bytes);
        }));
    }
    Result result;
    result.row = "attach_books";
    result.what =
        "10,000 events from bytes to a tank of a million cached blocks, against reading their "
        "msgpack alone";
    result.figures = {attach_figure("10,000 events", "ms", books_ms),
                      attach_figure("reading msgpack alone", "ms", read_ms)};
    set_attach_ratio(result, 6);
    return result;
}

Result measure_attach_picture(const Programs&, std::size_t samples) {
    BusyServer server(kMillion);
    BusyReceiver receiver;
    fill(server, receiver);
    // As many again, so that what was removed is remembered.
    for (std::uint64_t n = 0; n < 2 * kMillion / BusyServer::kBlocksOfEvent;
         n += BusyServer::kEventsABatch)
        receiver.take(server.bytes());
    std::vector<double> picture_ms, used_ms, look_ms;
    const auto picture = [&](PoolOrder order) {
        return attach_ms(
            [&] { static_cast<void>(tank_picture_of(receiver.tank(), {.order = order}, {})); });
    };
    for (std::size_t sample = 0; sample < samples; ++sample) {
        look_ms.push_back(look_at_each(receiver.tank()));
        picture_ms.push_back(picture(PoolOrder::Prefix));
        used_ms.push_back(picture(PoolOrder::LastUse));
    }
    Result result;
    result.row = "attach_picture";
    result.what =
        "a picture of a million cached and a million remembered blocks, against looking at each "
        "block once";
    result.figures = {attach_figure("a picture", "ms", picture_ms),
                      attach_figure("looking at each block", "ms", look_ms),
                      attach_figure("a picture by last use", "ms", used_ms)};
    set_attach_ratio(result, 10);
    return result;
}

Result measure_attach_memory(const Programs&, std::size_t) {
    constexpr std::uint64_t kEvents = 600'000, kCached = 50'000, kHistory = 8U << 20U;
    const double at_start = allocated_mib();
    BusyServer server(kCached);
    BusyReceiver receiver({.most_blocks = 2 * kCached}, kHistory);
    std::uint64_t events = 0;
    const auto memory_after = [&](std::uint64_t n) {
        for (; events < n; events += BusyServer::kEventsABatch) receiver.take(server.bytes());
        return allocated_mib() - at_start;
    };
    const double before = memory_after(kEvents / 10), after = memory_after(kEvents);
    Result result;
    result.row = "attach_memory";
    result.what =
        "memory of a tank and its past, within a budget, after 600,000 events of a server in "
        "balance, against after a tenth of them";
    result.figures = {attach_figure("after 600,000 events", "MiB", {after}),
                      attach_figure("after 60,000 events", "MiB", {before})};
    set_attach_ratio(result, 1.1);
    return result;
}

}  // namespace kv::bench
