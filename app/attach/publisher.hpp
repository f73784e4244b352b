#pragma once
// Publishes batches as vLLM's publisher does: PUB for what happens now, ROUTER for what was. Who
// has one calls step() now and then; nothing blocks, and a subscriber that does not read loses
// batches, as it would there.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/attach/link.hpp"
#include "core/trace/server/batch.hpp"

namespace kv {

struct PublishPlan {
    Address events = {};
    std::optional<Address> replay = {};
    std::string topic = {};
    std::size_t most_unsent_bytes = 64U << 20U;  // of one subscriber; then it loses batches
};

class Publisher {
public:
    explicit Publisher(const PublishPlan& plan);  // kv::Error (World) when it cannot listen

    void publish(const ServerBatch& batch);
    void publish_payload(std::string payload);  // of a batch, as bytes
    void step(double seconds);  // takes who comes, writes what waits; at most that long

    std::size_t subscribers() const;
    std::uint64_t published() const { return next_; }
    std::uint16_t events_port() const { return port_of(events_); }
    std::uint16_t replay_port() const { return port_of(replay_); }
    void hang_up();  // on everybody, who may come again

private:
    struct Subscriber {
        explicit Subscriber(Socket socket) : link(WireRole::Pub, std::move(socket)) {}
        WireLink link;
        std::vector<std::string> topics = {};
    };
    void take_subscriptions(Subscriber& subscriber);
    void answer(WireLink& link);

    PublishPlan plan_;
    Socket events_, replay_;
    std::deque<Subscriber> subscribers_;
    std::deque<WireLink> askers_;
    std::deque<std::pair<std::uint64_t, std::string>> kept_;  // for replay
    std::uint64_t next_ = 0;
};

}  // namespace kv
