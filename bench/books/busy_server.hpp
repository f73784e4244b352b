#pragma once
// A production server made of events alone, in balance: each event stores the next blocks of a
// prompt or removes the oldest ones; and who listens to it, from the bytes of the connection on.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/attach/history/tank_history.hpp"
#include "core/attach/wire/peer.hpp"
#include "core/trace/server/batch.hpp"

namespace kv::bench {

class BusyServer {
public:
    static constexpr std::uint64_t kEventsASecond = 10'000, kEventsABatch = 20;
    static constexpr std::uint64_t kBlocksOfEvent = 8, kChain = 64;  // of a prompt
    static constexpr std::int64_t kTokensOfBlock = 16;

    explicit BusyServer(std::uint64_t cached) : cached_(cached) {}

    ServerBatch batch();
    std::string payload();                           // the next batch in msgpack
    std::string framed(const std::string& payload);  // as it comes over the connection
    std::string bytes() { return framed(payload()); }
    bool is_in_balance() const { return oldest_ > 0; }  // it has begun to remove

private:
    ServerStored store();
    ServerRemoved remove();

    std::uint64_t cached_, next_ = 0, oldest_ = 0, sequence_ = 0;
    double time_s_ = 0;
};

// Bytes in, entries into a tank and its past; what is lost on the way is an error.
class BusyReceiver {
public:
    explicit BusyReceiver(const TankSettings& settings = {}, std::uint64_t history_bytes = 0);
    void take(std::string_view bytes);
    const Tank& tank() const { return history_ ? history_->end() : tank_; }

private:
    WirePeer peer_;
    Tank tank_;
    std::optional<TankHistory> history_;
    std::uint64_t next_ = 0;
};

// Until the server has as many blocks as it ever has.
void fill(BusyServer& server, BusyReceiver& receiver);

}  // namespace kv::bench
