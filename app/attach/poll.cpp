#include "app/attach/poll.hpp"

#include <utility>

#include "core/attach/metrics/prometheus.hpp"

namespace kv {
namespace {

constexpr std::size_t kPollReadAtOnce = 64U << 10U;

}  // namespace

MetricsPoll::MetricsPoll(HttpAddress address, double every_s)
    : address_(std::move(address)), every_s_(every_s), buffer_(kPollReadAtOnce) {}

void MetricsPoll::step(double now_s) {
    if (socket_ && now_s - began_s_ > kPatience_s) end("does not answer in time");
    if (!socket_ && now_s >= next_s_) begin(now_s);
}

void MetricsPoll::begin(double now_s) {
    began_s_ = now_s;
    next_s_ = now_s + every_s_;
    answer_ = {};
    connected_ = false;
    out_ = http_get(text_of(address_.at), address_.path);
    Connecting started = start_connecting(address_.at, missed_);
    socket_ = std::move(started.socket);
    if (!socket_) end(std::move(started.problem));
}

void MetricsPoll::end(std::string problem) {
    socket_.close();
    problem_ = std::move(problem);
    missed_ = problem_.empty() ? 0 : missed_ + 1;
}

std::optional<Waiting> MetricsPoll::waiting() const {
    if (!socket_) return std::nullopt;
    return Waiting{.descriptor = socket_.descriptor(),
                   .to_read = connected_,
                   .to_write = !connected_ || !out_.empty()};
}

void MetricsPoll::ready(const Waiting& seen, double) {
    if (!socket_) return;
    if (!connected_ && seen.can_write) {
        if (std::string problem = socket_problem(socket_); !problem.empty())
            return end(std::move(problem));
        connected_ = true;
    }
    if (connected_ && seen.can_write) {
        const Transfer sent = write_some(socket_, out_);
        if (sent.flow == SocketFlow::Moved) out_.erase(0, sent.bytes);
    }
    if (!connected_ || !seen.can_read) return;
    const Transfer got = read_some(socket_, buffer_);
    if (got.flow == SocketFlow::Waits) return;
    std::string wrong = got.flow == SocketFlow::Ended ? answer_.finish()
                                                      : answer_.feed({buffer_.data(), got.bytes});
    if (!wrong.empty()) return end(std::move(wrong));
    if (!answer_.done()) return;
    samples_ = read_metrics(answer_.body()).samples;
    end({});
}

std::optional<MetricSamples> MetricsPoll::take_samples() {
    return std::exchange(samples_, std::nullopt);
}

}  // namespace kv
