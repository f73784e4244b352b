#include "app/attach/link.hpp"

#include <algorithm>
#include <utility>

namespace kv {
namespace {

constexpr std::size_t kReadAtOnce = 256U << 10U;

}  // namespace

WireLink::WireLink(WireRole role, Address address)
    : role_(role), address_(std::move(address)), buffer_(kReadAtOnce) {}

WireLink::WireLink(WireRole role, Socket accepted)
    : role_(role),
      socket_(std::move(accepted)),
      peer_(role),
      connected_(true),
      since_s_(steady_now_s()),
      buffer_(kReadAtOnce) {}

void WireLink::connect(double now_s) {
    peer_.emplace(role_);
    messages_.clear();
    connected_ = false;
    since_s_ = now_s;
    Connecting started = start_connecting(*address_, tries_);
    socket_ = std::move(started.socket);
    if (!socket_) end(std::move(started.problem), false, now_s);
}

void WireLink::step(double now_s) {
    if (!socket_ && address_ && now_s >= next_try_s_) connect(now_s);
    if (!socket_ || is_ready() || now_s - since_s_ < kGreetingPatience_s) return;
    const char* silent = peer_->has_spoken() ? "greets and then says nothing"
                                             : "says nothing, or stops in its greeting";
    end(connected_ ? silent : "does not answer", connected_, now_s);
}

double WireLink::next_step_s(double now_s) const {
    if (!socket_) return address_ ? next_try_s_ : now_s + kGreetingPatience_s;
    return is_ready() ? now_s + kGreetingPatience_s : since_s_ + kGreetingPatience_s;
}

std::optional<Waiting> WireLink::waiting() const {
    if (!socket_) return std::nullopt;
    const bool to_write = !connected_ || !peer_->output().empty();
    return Waiting{.descriptor = socket_.descriptor(), .to_read = connected_, .to_write = to_write};
}

void add_waiting(std::vector<Waiting>& waits, WireLink& link) {
    auto one = link.waiting();
    if (!one) return;
    one->link = &link;
    waits.push_back(*one);
}

void WireLink::ready(const Waiting& seen, double now_s) {
    if (!socket_) return;
    if (!connected_ && seen.can_write) {
        if (std::string problem = socket_problem(socket_); !problem.empty())
            return end(std::move(problem), false, now_s);
        connected_ = true;
    }
    if (!connected_) return;
    if (seen.can_read) read(now_s);
    if (socket_) flush();
}

void WireLink::read(double now_s) {
    const Transfer got = read_some(socket_, buffer_);
    behind_ = got.bytes == buffer_.size();
    if (got.flow == SocketFlow::Waits) return;
    const bool was_ready = peer_->ready();
    if (got.flow == SocketFlow::Ended)
        return end(was_ready ? "has closed the connection" : "closes the connection unheard", false,
                   now_s);
    std::string wrong = peer_->feed({buffer_.data(), got.bytes});
    while (auto message = peer_->take_message()) messages_.push_back(std::move(*message));
    if (!was_ready && peer_->ready()) {
        became_ready_ = true;
        tries_ = 0;
        pause_s_ = kFirstPause_s;
    }
    if (!wrong.empty()) end(std::move(wrong), true, now_s);
}

void WireLink::flush() {
    while (socket_ && connected_ && !peer_->output().empty()) {
        const Transfer sent = write_some(socket_, peer_->output());
        if (sent.flow != SocketFlow::Moved) return;  // an end is seen when it is read
        peer_->wrote(sent.bytes);
    }
}

void WireLink::end(std::string problem, bool protocol, double now_s) {
    socket_.close();
    connected_ = false;
    ended_ = true;
    problem_ = std::move(problem);
    broke_protocol_ = protocol;
    ++tries_;
    next_try_s_ = now_s + pause_s_;
    pause_s_ = std::min(2 * pause_s_, kLongestPause_s);
}

void WireLink::reconnect(double now_s) {
    if (!address_) return;
    socket_.close();
    connected_ = false;
    next_try_s_ = now_s;
}

std::optional<WireMessage> WireLink::take_message() {
    if (messages_.empty()) return std::nullopt;
    WireMessage message = std::move(messages_.front());
    messages_.pop_front();
    return message;
}

double WireLink::pause_left_s(double now_s) const {
    return socket_ ? 0 : std::max(0.0, next_try_s_ - now_s);
}

}  // namespace kv
