// The row of attaching: what a second of a busy server costs the thread that receives, from the
// bytes of the connection to the tank, while a million blocks are cached.

#include "bench/cpu/model.hpp"
#include "bench/row.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "core/attach/stream/message.hpp"
#include "core/attach/wire/peer.hpp"
#include "core/base/error.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "core/trace/server/hash.hpp"

namespace kv::bench {
namespace {

constexpr std::uint64_t kCached = 1'000'000, kEventsASecond = 10'000, kEventsABatch = 20;
constexpr std::uint64_t kBlocksOfOneStored = 8, kChain = 64;  // of an event; of a prompt
constexpr std::int64_t kTokensOfBlock = 16;

// A server in balance: each event stores the next blocks of a prompt, or removes the oldest.
class BusyServer {
public:
    ServerBatch batch() {
        ServerBatch out{.time_s = time_s_ += 0.002};
        for (std::uint64_t i = 0; i < kEventsABatch / 2; ++i) {
            out.events.emplace_back(store());
            if (next_ - oldest_ > kCached) out.events.emplace_back(remove());
        }
        return out;
    }

private:
    ServerStored store() {
        ServerStored event{.block_size = kTokensOfBlock};
        if (next_ % kChain != 0) event.parent = server_hash(next_ - 1);
        for (std::uint64_t i = 0; i < kBlocksOfOneStored; ++i)
            event.hashes.push_back(server_hash(next_++));
        event.tokens.assign(kBlocksOfOneStored * kTokensOfBlock, 1000);
        return event;
    }
    ServerRemoved remove() {
        ServerRemoved event;
        for (std::uint64_t i = 0; i < kBlocksOfOneStored; ++i)
            event.hashes.push_back(server_hash(oldest_++));
        return event;
    }

    std::uint64_t next_ = 0, oldest_ = 0;
    double time_s_ = 0;
};

std::string handshake_of_a_publisher() {
    WirePeer peer(WireRole::Pub);
    std::string bytes(peer.output());
    write_frame(bytes, FrameKind::Command, ready_command("PUB"));
    return bytes;
}

class Receiver {
public:
    Receiver() : peer_(WireRole::Sub), tank_(TankSettings{}) {
        static_cast<void>(peer_.feed(handshake_of_a_publisher()));
    }
    void take(std::string_view bytes) {
        if (!peer_.feed(bytes).empty()) lost();
        while (auto message = peer_.take_message()) {
            auto batch = published_batch(std::move(*message));
            if (!batch || batch->sequence != next_++) lost();
            auto read = read_batch_msgpack(batch->payload);
            auto* good = std::get_if<MsgpackBatch>(&read);
            if (good == nullptr) lost();
            tank_.apply(BatchEntry{.sequence = batch->sequence, .batch = std::move(good->batch)});
        }
    }
    const Tank& tank() const { return tank_; }

private:
    [[noreturn]] static void lost() {
        throw Error{ErrorCode::Check, "A batch was lost between two of our own; run the tests."};
    }
    WirePeer peer_;
    Tank tank_;
    std::uint64_t next_ = 0;
};

std::string bytes_of(const ServerBatch& batch, std::uint64_t sequence) {
    WirePeer peer(WireRole::Pub);
    const std::size_t greeting = peer.output().size();
    peer.send(published_message("kv", sequence, batch_msgpack(batch)));
    return std::string(peer.output().substr(greeting));
}

}  // namespace

Result measure_attach(const Programs&, std::size_t samples) {
    BusyServer server;
    Receiver receiver;
    std::uint64_t sequence = 0;
    while (receiver.tank().ranks().empty() ||
           receiver.tank().ranks().at(0).blocks_removed < kBlocksOfOneStored)
        receiver.take(bytes_of(server.batch(), sequence)), ++sequence;

    std::vector<double> second_ms, picture_ms, asked_ms;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        std::vector<std::string> second;
        for (std::uint64_t n = 0; n < kEventsASecond; n += kEventsABatch)
            second.push_back(bytes_of(server.batch(), sequence++));
        second_ms.push_back(1e3 * seconds_of([&] {
                                for (const std::string& bytes : second) receiver.take(bytes);
                            }));
        picture_ms.push_back(
            1e3 * seconds_of([&] { static_cast<void>(tank_picture_of(receiver.tank(), {}, {})); }));
        asked_ms.push_back(1000);
    }
    constexpr double kMiB = 1 << 20;
    Result result{
        .row = "attach",
        .what =
            "10,000 events of a server with a million cached blocks, from bytes to "
            "the tank, against the second in which they come",
        .figures = {{"10,000 events", "ms", spread_of(second_ms)},
                    {"a second", "ms", spread_of(asked_ms)},
                    {"a picture of it", "ms", spread_of(picture_ms)},
                    {"the tank", "MiB",
                     spread_of({static_cast<double>(receiver.tank().memory_bytes()) / kMiB})}},
        .ratio = {},
        .goal = 0.5,
        .noise = {},
        .renderer = {},
        .skipped = {}};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    return result;
}

}  // namespace kv::bench
