#pragma once
// Polls /metrics now and then: a connection for each poll, bounded in time and size. What fails is
// a sentence and is tried again at the next turn.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/socket.hpp"
#include "core/attach/metrics/http.hpp"
#include "core/attach/metrics/sample.hpp"

namespace kv {

class MetricsPoll {
public:
    MetricsPoll(HttpAddress address, double every_s);

    void step(double now_s);
    std::optional<Waiting> waiting() const;
    void ready(const Waiting& seen, double now_s);
    double next_step_s() const { return socket_ ? began_s_ + kPatience_s : next_s_; }

    std::optional<MetricSamples> take_samples();
    const std::string& problem() const {
        return problem_;
    }                                                 // of the last poll; empty when it worked
    std::uint64_t missed() const { return missed_; }  // polls, one after the other

private:
    static constexpr double kPatience_s = 5;
    void begin(double now_s);
    void end(std::string problem);

    HttpAddress address_;
    double every_s_, next_s_ = 0, began_s_ = 0;
    Socket socket_;
    bool connected_ = false;
    std::string out_, problem_;
    HttpAnswer answer_;
    std::optional<MetricSamples> samples_;
    std::uint64_t missed_ = 0;
    std::vector<char> buffer_;
};

}  // namespace kv
