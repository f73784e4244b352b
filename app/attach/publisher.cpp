#include "app/attach/publisher.hpp"

#include <algorithm>

#include "core/attach/stream/message.hpp"
#include "core/trace/server/batch_msgpack.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostSubscribers = 256, kMostTopics = 64;
constexpr std::size_t kStepsKept = 10'000;  // as vLLM keeps

bool wants(const std::vector<std::string>& topics, const std::string& topic) {
    return std::any_of(topics.begin(), topics.end(), [&](const std::string& beginning) {
        return topic.compare(0, beginning.size(), beginning) == 0;
    });
}

template <class List>
void accept_into(const Socket& listener, List& list) {
    while (list.size() < kMostSubscribers) {
        Socket socket = accept_from(listener);
        if (!socket) return;
        if constexpr (std::is_same_v<typename List::value_type, WireLink>)
            list.emplace_back(WireRole::Router, std::move(socket));
        else
            list.emplace_back(std::move(socket));
    }
}

}  // namespace

Publisher::Publisher(const PublishPlan& plan) : plan_(plan), events_(listen_at(plan.events)) {
    if (plan.replay) replay_ = listen_at(*plan.replay);
}

void Publisher::publish(const ServerBatch& batch) {
    publish_payload(batch_msgpack(batch));
}

void Publisher::publish_payload(std::string payload) {
    const WireMessage message = published_message(plan_.topic, next_, payload);
    for (Subscriber& one : subscribers_)
        if (one.link.is_ready() && wants(one.topics, plan_.topic) &&
            one.link.unsent_bytes() < plan_.most_unsent_bytes)
            one.link.send(message);
    kept_.emplace_back(next_++, std::move(payload));
    if (kept_.size() > kStepsKept) kept_.pop_front();
    for (Subscriber& one : subscribers_) one.link.flush();
}

std::size_t Publisher::subscribers() const {
    return static_cast<std::size_t>(std::count_if(
        subscribers_.begin(), subscribers_.end(),
        [](const Subscriber& one) { return one.link.is_ready() && !one.topics.empty(); }));
}

void Publisher::hang_up() {
    subscribers_.clear();
    askers_.clear();
}

void Publisher::step(double seconds) {
    std::vector<Waiting> waits;
    const double before = steady_now_s();
    const auto add = [&](WireLink& link) {
        link.step(before);
        add_waiting(waits, link);
    };
    for (Subscriber& one : subscribers_) add(one.link);
    for (WireLink& link : askers_) add(link);
    waits.push_back({.descriptor = events_.descriptor(), .to_read = true});
    if (replay_) waits.push_back({.descriptor = replay_.descriptor(), .to_read = true});
    wait_for(waits, seconds);

    const double now = steady_now_s();
    for (const Waiting& seen : waits)
        if (seen.link != nullptr) seen.link->ready(seen, now);
    for (Subscriber& one : subscribers_) take_subscriptions(one);
    for (WireLink& link : askers_) answer(link);
    subscribers_.erase(std::remove_if(subscribers_.begin(), subscribers_.end(),
                                      [](const Subscriber& one) { return one.link.is_over(); }),
                       subscribers_.end());
    askers_.erase(std::remove_if(askers_.begin(), askers_.end(),
                                 [](const WireLink& link) { return link.is_over(); }),
                  askers_.end());
    accept_into(events_, subscribers_);
    if (replay_) accept_into(replay_, askers_);
}

// A one and how the topic begins; a zero takes it back.
void Publisher::take_subscriptions(Subscriber& subscriber) {
    while (const auto message = subscriber.link.take_message()) {
        if (message->size() != 1 || message->front().empty()) continue;
        const std::string topic = message->front().substr(1);
        std::vector<std::string>& topics = subscriber.topics;
        if (message->front()[0] == 1 && topics.size() < kMostTopics) topics.push_back(topic);
        const auto known = std::find(topics.begin(), topics.end(), topic);
        if (message->front()[0] == 0 && known != topics.end()) topics.erase(known);
    }
}

void Publisher::answer(WireLink& link) {
    while (const auto message = link.take_message()) {
        const auto from = replay_question(*message);
        if (!from) continue;
        for (const auto& [sequence, payload] : kept_)
            if (sequence >= *from) link.send(replayed_message(plan_.topic, sequence, payload));
        link.send(replayed_message("", kEndOfReplay, ""));
    }
    link.flush();
}

}  // namespace kv
