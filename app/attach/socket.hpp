#pragma once
// TCP without waiting: every call comes back at once, and poll() says when to call again. Here and
// nowhere else are sockets.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attach/wire/address.hpp"

namespace kv {

class WireLink;

// A socket that is closed when nobody has it any more.
class Socket {
public:
    Socket() = default;
    explicit Socket(int descriptor) : descriptor_(descriptor) {}
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    ~Socket() { close(); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    explicit operator bool() const { return descriptor_.has_value(); }
    int descriptor() const { return *descriptor_; }
    void close();

private:
    std::optional<int> descriptor_;
};

struct Connecting {
    Socket socket;
    std::string problem;  // empty while it may still work
};
// A name may stand for several addresses; each try takes the next one.
Connecting start_connecting(const Address& address, std::uint64_t n_tries);
// Why the connection failed; empty once it is connected. Asked when the socket can be written for
// the first time.
std::string socket_problem(const Socket& socket);

// Throws kv::Error (World) when nobody can listen there. Port 0: the system chooses one.
Socket listen_at(const Address& address);
std::uint16_t port_of(const Socket& listener);
Socket accept_from(const Socket& listener);  // nothing when nobody is there

enum class SocketFlow { Moved, Waits, Ended };
struct Transfer {
    SocketFlow flow = SocketFlow::Waits;
    std::size_t bytes = 0;
};
Transfer read_some(const Socket& socket, std::vector<char>& into);
Transfer write_some(const Socket& socket, std::string_view bytes);

// What a descriptor is waited for, and what it then can do. A signal ends the wait.
struct Waiting {
    int descriptor = 0;
    bool to_read = false, to_write = false;
    bool can_read = false, can_write = false;
    WireLink* link = nullptr;  // whose it is, where it is a connection's
};
void wait_for(std::vector<Waiting>& all, double seconds);

double steady_now_s();  // a clock that never goes back
double unix_now_s();    // the time of day, as servers stamp their batches

}  // namespace kv
