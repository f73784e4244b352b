#include "core/attach/wire/peer.hpp"

#include <array>
#include <utility>

#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

struct RoleWords {
    std::string_view own, others;  // whom it may talk to
};

RoleWords words_of(WireRole role) {
    switch (role) {
        case WireRole::Sub:
            return {"SUB", "PUB XPUB"};
        case WireRole::Dealer:
            return {"DEALER", "ROUTER REP DEALER"};
        case WireRole::Pub:
            return {"PUB", "SUB XSUB"};
        case WireRole::Router:
            return {"ROUTER", "DEALER REQ ROUTER"};
    }
    return {};
}

bool has_word(std::string_view words, std::string_view word) {
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        if (words.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

constexpr std::size_t kLongestCommand = 4096, kMostUnread = 65'536;

}  // namespace

WirePeer::WirePeer(WireRole role) : role_(role), out_(wire_greeting()) {}

std::string WirePeer::feed(std::string_view bytes) {
    in_ += bytes;
    std::size_t done = 0;
    std::string refusal;
    if (!greeted_) {
        refusal = greeting();
        if (!greeted_ || !refusal.empty()) return refusal;
        done = kGreetingBytes;
    }
    for (;;) {
        const FrameAnswer answer = read_frame(std::string_view(in_).substr(done));
        refusal = answer.refusal;
        if (!refusal.empty() || !answer.frame) break;
        refusal = frame(*answer.frame);
        if (!refusal.empty()) break;
        done += answer.frame->size;
    }
    in_.erase(0, done);
    return refusal;
}

// Refuses as soon as the first bytes are wrong: who speaks another protocol waits for us, and says
// no more.
std::string WirePeer::greeting() {
    constexpr std::string_view kSomeOther = "does not begin as ZeroMQ does";
    if (!in_.empty() && static_cast<unsigned char>(in_[0]) != 0xFF) return std::string(kSomeOther);
    if (in_.size() < kGreetingBytes) return {};
    if (auto wrong = refuse_greeting(std::string_view(in_).substr(0, kGreetingBytes)))
        return *wrong;
    greeted_ = true;
    write_frame(out_, FrameKind::Command, ready_command(words_of(role_).own));
    return {};
}

std::string WirePeer::frame(const WireFrame& frame) {
    if (frame.command) return command(frame.body);
    if (!ready_) return "sends a message before it says READY";
    return part(frame);
}

std::string WirePeer::command(std::string_view body) {
    const auto read = body.size() <= kLongestCommand ? read_wire_command(body) : std::nullopt;
    if (!read) return "sends a command that has no name";
    if (read->name == "READY") return accept_ready(read->rest);
    if (read->name == "ERROR") {
        const std::string_view reason = read->rest.empty() ? "" : read->rest.substr(1);
        return "says ERROR: " + shown(reason);
    }
    // A newer peer asks whether we are there: two bytes of time to live, then what it wants back.
    // One that asks and never listens gets no answer.
    if (read->name == "PING" && read->rest.size() >= 2 && output().size() < kMostUnread)
        write_frame(out_, FrameKind::Command, "\x04PONG" + std::string(read->rest.substr(2)));
    // To a publisher, newer peers subscribe by commands.
    if (role_ == WireRole::Pub && read->name == "SUBSCRIBE")
        messages_.push_back({"\x01" + std::string(read->rest)});
    if (role_ == WireRole::Pub && read->name == "CANCEL")
        messages_.push_back({std::string(1, '\0') + std::string(read->rest)});
    return {};
}

std::string WirePeer::accept_ready(std::string_view properties) {
    if (ready_) return "says READY twice";
    const auto type = property(properties, "Socket-Type");
    if (!type) return "says READY without a type of socket";
    if (!has_word(words_of(role_).others, *type))
        return "has a socket of type " + shown(*type) + ", and " +
               std::string(words_of(role_).others.substr(0, words_of(role_).others.find(' '))) +
               " is needed";
    ready_ = true;
    return {};
}

std::string WirePeer::part(const WireFrame& frame) {
    open_bytes_ += frame.body.size();
    if (open_.size() >= kMostFrames || open_bytes_ > kMostMessageBytes)
        return "sends a message of more than " + counted(kMostFrames, "frame") + " or " +
               with_commas(kMostMessageBytes) + " bytes";
    open_.emplace_back(frame.body);
    if (frame.more) return {};
    messages_.push_back(std::exchange(open_, {}));
    open_bytes_ = 0;
    return {};
}

std::optional<WireMessage> WirePeer::take_message() {
    if (messages_.empty()) return std::nullopt;
    WireMessage message = std::move(messages_.front());
    messages_.pop_front();
    return message;
}

void WirePeer::send(const WireMessage& message) {
    for (std::size_t i = 0; i < message.size(); ++i)
        write_frame(out_, i + 1 < message.size() ? FrameKind::More : FrameKind::Last, message[i]);
}

// In 3.0 a subscription is a message: a one, then how the topic begins.
void WirePeer::subscribe(std::string_view topic) {
    send({"\x01" + std::string(topic)});
}

void WirePeer::wrote(std::size_t n_bytes) {
    written_ += n_bytes;
    if (written_ < out_.size() / 2) return;  // moved seldom, so that a long output costs little
    out_.erase(0, written_);
    written_ = 0;
}

}  // namespace kv
