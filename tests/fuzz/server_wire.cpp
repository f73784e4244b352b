// The bytes of a connection to a publisher, or of one to us, cut somewhere: nothing is kept that
// was refused, and where the bytes are cut changes nothing. The first byte says who we are.

#include <string>

#include "core/attach/stream/message.hpp"
#include "core/attach/wire/peer.hpp"
#include "tests/fuzz/fuzz.hpp"

using kv::fuzz::expect;

namespace {

struct Heard {
    std::string refusal;
    std::size_t messages = 0, bytes = 0;
    bool ready = false;
};

Heard hear(kv::WireRole role, std::string_view bytes, std::size_t cut) {
    kv::WirePeer peer(role);
    Heard heard;
    for (std::size_t at = 0; at < bytes.size() && heard.refusal.empty(); at += cut) {
        heard.refusal = peer.feed(bytes.substr(at, cut));
        while (auto message = peer.take_message()) {
            ++heard.messages;
            expect(message->size() <= kv::kMostFrames, "a message has few frames");
            for (const std::string& frame : *message) heard.bytes += frame.size();
            static_cast<void>(kv::replay_question(*message));
            static_cast<void>(kv::replayed_batch(*message));
            static_cast<void>(kv::published_batch(std::move(*message)));
        }
    }
    heard.ready = peer.ready();
    expect(heard.refusal.find('\n') == std::string::npos && heard.refusal.size() < 500,
           "a refusal is one short line");
    return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto role = static_cast<kv::WireRole>(data[0] % 4);
    const std::string_view bytes = kv::fuzz::text_of(data, size).substr(1);
    const Heard whole = hear(role, bytes, bytes.size() + 1), cut = hear(role, bytes, 7);
    expect(whole.refusal == cut.refusal, "where bytes are cut does not change what is wrong");
    expect(whole.messages == cut.messages && whole.bytes == cut.bytes && whole.ready == cut.ready,
           "nor what is heard");
    expect(whole.bytes <= bytes.size(), "nothing is heard that was not said");
    return 0;
}
