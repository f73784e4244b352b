#pragma once
// One side of one connection of ZMTP 3.0 with the mechanism NULL: bytes in, bytes and messages out.
// It is the same for both ends of a connection, for subscriber and publisher. No library
// for it: the part that we speak is as long as the glue would be, it is bounded where libzmq lets
// the other side choose, and it can be fuzzed and compiled everywhere.
//
// What the other side sends wrong is one sentence fragment, after which the connection is useless.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/attach/wire/frames.hpp"

namespace kv {

enum class WireRole : std::uint8_t { Sub, Dealer, Pub, Router };

class WirePeer {
public:
    explicit WirePeer(WireRole role);

    // Empty while nothing is wrong; else what the other side does, "sends ...".
    std::string feed(std::string_view bytes);

    bool ready() const { return ready_; }         // both have greeted and said READY
    bool has_spoken() const { return greeted_; }  // the other side's greeting was a good one
    std::optional<WireMessage> take_message();
    void send(const WireMessage& message);
    void subscribe(std::string_view topic);

    // What is to be written, and how much of it was.
    std::string_view output() const { return std::string_view(out_).substr(written_); }
    void wrote(std::size_t n_bytes);

private:
    std::string greeting();
    std::string frame(const WireFrame& frame);
    std::string command(std::string_view body);
    std::string accept_ready(std::string_view properties);
    std::string part(const WireFrame& frame);

    WireRole role_;
    std::string in_, out_;
    std::size_t written_ = 0;  // of out_
    bool greeted_ = false, ready_ = false;
    WireMessage open_;  // frames of a message whose last one has not come
    std::uint64_t open_bytes_ = 0;
    std::deque<WireMessage> messages_;
};

}  // namespace kv
