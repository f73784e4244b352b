#pragma once
// A publisher and a client of ours on this machine's loopback, moved by one thread in turns.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/attach/client.hpp"
#include "app/attach/publisher.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv::test {

inline constexpr const char* kLoopback = "127.0.0.1";

struct Bench {
    std::vector<std::unique_ptr<Publisher>> publishers;
    std::unique_ptr<AttachClient> client;
    Tank tank{TankSettings{}};
    std::vector<StreamMark> marks;

    // Ports that the system chose.
    Publisher& publisher(bool with_replay, const std::string& topic = {}) {
        PublishPlan plan{.events = {kLoopback, 0}, .topic = topic};
        if (with_replay) plan.replay = Address{kLoopback, 0};
        publishers.push_back(std::make_unique<Publisher>(plan));
        return *publishers.back();
    }
    // The same place again, for a server that begins anew.
    Publisher& publisher_at(const Publisher& old, bool with_replay) {
        PublishPlan plan{.events = {kLoopback, old.events_port()}};
        if (with_replay) plan.replay = Address{kLoopback, old.replay_port()};
        for (auto& one : publishers)
            if (one.get() == &old) one.reset();
        publishers.push_back(std::make_unique<Publisher>(plan));
        return *publishers.back();
    }
    void attach(const Publisher& to, bool with_replay, const std::string& topic = {}) {
        AttachPlan plan{.events = {kLoopback, to.events_port()}, .topic = topic};
        if (with_replay) plan.replay = Address{kLoopback, to.replay_port()};
        client = std::make_unique<AttachClient>(plan);
    }

    void turn() {
        for (auto& one : publishers)
            if (one) one->step(0);
        if (!client) return;
        for (const TankEntry& entry : client->wait(0.002)) {
            tank.apply(entry);
            if (const auto* mark = std::get_if<StreamMark>(&entry)) marks.push_back(*mark);
        }
    }
    // Whether it comes to that in as many turns as take a few seconds when nothing comes.
    bool until(const std::function<bool()>& there) {
        for (int turns = 0; turns < 5000; ++turns) {
            if (there()) return true;
            turn();
        }
        return there();
    }
    bool until_sequence(std::uint64_t sequence, std::int64_t rank = 0) {
        return until([&] {
            const auto found = tank.ranks().find(rank);
            return found != tank.ranks().end() && found->second.last_sequence == sequence;
        });
    }
    bool was_marked(MarkKind kind) const {
        for (const StreamMark& mark : marks)
            if (mark.kind == kind) return true;
        return false;
    }
};

}  // namespace kv::test
