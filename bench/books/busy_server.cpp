#include "bench/books/busy_server.hpp"

#include <utility>

#include "core/attach/stream/message.hpp"
#include "core/base/error.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "core/trace/server/hash.hpp"

namespace kv::bench {
namespace {

std::string busy_handshake() {
    WirePeer peer(WireRole::Pub);
    std::string bytes(peer.output());
    write_frame(bytes, FrameKind::Command, ready_command("PUB"));
    return bytes;
}

[[noreturn]] void lost_a_batch() {
    throw Error{ErrorCode::Check, "A batch was lost between two of our own; run the tests."};
}

}  // namespace

ServerBatch BusyServer::batch() {
    constexpr double kBatch_s = static_cast<double>(kEventsABatch) / kEventsASecond;
    ServerBatch out{.time_s = time_s_ += kBatch_s};
    while (out.events.size() < kEventsABatch)
        if (next_ - oldest_ > cached_)
            out.events.emplace_back(remove());
        else
            out.events.emplace_back(store());
    return out;
}

std::string BusyServer::payload() {
    return batch_msgpack(batch());
}

std::string BusyServer::framed(const std::string& payload) {
    WirePeer peer(WireRole::Pub);
    const std::size_t greeting = peer.output().size();
    peer.send(published_message("kv", sequence_++, payload));
    return std::string(peer.output().substr(greeting));
}

ServerStored BusyServer::store() {
    ServerStored event{.block_size = kTokensOfBlock};
    if (next_ % kChain != 0) event.parent = server_hash(next_ - 1);
    for (std::uint64_t i = 0; i < kBlocksOfEvent; ++i) event.hashes.push_back(server_hash(next_++));
    event.tokens.assign(kBlocksOfEvent * kTokensOfBlock, 1000);
    return event;
}

ServerRemoved BusyServer::remove() {
    ServerRemoved event;
    for (std::uint64_t i = 0; i < kBlocksOfEvent; ++i)
        event.hashes.push_back(server_hash(oldest_++));
    return event;
}

BusyReceiver::BusyReceiver(const TankSettings& settings, std::uint64_t history_bytes)
    : peer_(WireRole::Sub), tank_(settings) {
    if (history_bytes > 0) history_.emplace(settings, history_bytes);
    static_cast<void>(peer_.feed(busy_handshake()));
}

void BusyReceiver::take(std::string_view bytes) {
    if (!peer_.feed(bytes).empty()) lost_a_batch();
    while (auto message = peer_.take_message()) {
        auto batch = published_batch(std::move(*message));
        if (!batch || batch->sequence != next_++) lost_a_batch();
        auto read = read_batch_msgpack(batch->payload);
        auto* good = std::get_if<MsgpackBatch>(&read);
        if (good == nullptr) lost_a_batch();
        BatchEntry entry{.sequence = batch->sequence, .batch = std::move(good->batch)};
        if (history_)
            history_->add(std::move(entry));
        else
            tank_.apply(entry);
    }
}

void fill(BusyServer& server, BusyReceiver& receiver) {
    while (!server.is_in_balance()) receiver.take(server.bytes());
}

}  // namespace kv::bench
