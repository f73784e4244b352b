#pragma once
// One connection of ZMTP over a socket, from its first byte to its end. Who connects tries again
// after growing pauses; who was accepted ends when the connection does.

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/attach/socket.hpp"
#include "core/attach/wire/peer.hpp"

namespace kv {

// The pauses between tries: doubled each time, until they stay.
inline constexpr double kFirstPause_s = 0.1, kLongestPause_s = 5;
// A connection that says nothing before it has greeted is given up after so long.
inline constexpr double kGreetingPatience_s = 5;

class WireLink {
public:
    WireLink(WireRole role, Address address);  // connects, and again
    WireLink(WireRole role, Socket accepted);  // was connected to

    void step(double now_s);  // connects when it is time to; gives up who does not greet
    // What it waits for; nothing while it pauses.
    std::optional<Waiting> waiting() const;
    void ready(const Waiting& seen, double now_s);
    double next_step_s(double now_s) const;  // until when nothing happens by itself

    bool is_ready() const { return socket_ && connected_ && peer_->ready(); }
    bool take_became_ready() { return std::exchange(became_ready_, false); }
    bool take_ended() { return std::exchange(ended_, false); }  // a ready one, or a try that failed
    bool is_over() const { return !socket_ && !address_; }

    // Whether more lies in the system than was read at once.
    bool is_behind() const { return socket_ && behind_; }
    std::optional<WireMessage> take_message();
    void subscribe(const std::string& topic) { peer_->subscribe(topic); }
    void send(const WireMessage& message) { peer_->send(message); }
    std::size_t unsent_bytes() const { return peer_ ? peer_->output().size() : 0; }
    void flush();
    void reconnect(double now_s);  // at once

    const std::string& problem() const { return problem_; }  // why it ended last
    bool broke_protocol() const { return broke_protocol_; }  // and that this was why
    unsigned tries() const { return tries_; }                // that failed, one after the other
    double pause_left_s(double now_s) const;

private:
    void connect(double now_s);
    void end(std::string problem, bool protocol, double now_s);
    void read(double now_s);

    WireRole role_;
    std::optional<Address> address_;
    Socket socket_;
    std::optional<WirePeer> peer_;
    bool connected_ = false, became_ready_ = false, ended_ = false, broke_protocol_ = false;
    bool behind_ = false;
    double since_s_ = 0, next_try_s_ = 0, pause_s_ = kFirstPause_s;
    unsigned tries_ = 0;
    std::string problem_;
    std::vector<char> buffer_;
    std::deque<WireMessage> messages_;
};

// Notes what a link waits for, if anything, and whose it is.
void add_waiting(std::vector<Waiting>& waits, WireLink& link);

}  // namespace kv
