#include "app/attach/socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr int kMostWaiting = 16;  // in a listener's queue

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

struct Found {
    Addresses list{nullptr, ::freeaddrinfo};
    std::vector<const addrinfo*> each;  // those of IPv4 first, as ZeroMQ takes them
    std::string problem;
};

Found look_up(const Address& address, bool to_listen) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
    const bool any = address.host == "*";
    if (any) hints.ai_family = AF_INET;
    addrinfo* list = nullptr;
    const int failed = ::getaddrinfo(any ? nullptr : address.host.c_str(),
                                     std::to_string(address.port).c_str(), &hints, &list);
    Found found;
    found.list.reset(failed == 0 ? list : nullptr);
    if (failed != 0) found.problem = ::gai_strerror(failed);
    for (const addrinfo* at = found.list.get(); at != nullptr; at = at->ai_next)
        found.each.push_back(at);
    std::stable_partition(found.each.begin(), found.each.end(),
                          [](const addrinfo* at) { return at->ai_family == AF_INET; });
    return found;
}

Socket open_for(const addrinfo& where) {
    Socket socket(::socket(where.ai_family, where.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                           where.ai_protocol));
    if (socket.descriptor() < 0) return {};
    return socket;
}

void set(const Socket& socket, int level, int option) {
    const int on = 1;
    ::setsockopt(socket.descriptor(), level, option, &on, sizeof on);
}

bool would_wait(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, {})) {}

Socket& Socket::operator=(Socket&& other) noexcept {
    if (this == &other) return *this;
    close();
    descriptor_ = std::exchange(other.descriptor_, {});
    return *this;
}

void Socket::close() {
    if (descriptor_ && *descriptor_ >= 0) ::close(*descriptor_);
    descriptor_.reset();
}

Connecting start_connecting(const Address& address, std::uint64_t n_tries) {
    const Found found = look_up(address, false);
    if (found.each.empty()) return {{}, found.problem};
    const addrinfo& at = *found.each[static_cast<std::size_t>(n_tries % found.each.size())];
    Socket socket = open_for(at);
    if (!socket) return {{}, std::strerror(errno)};
    if (::connect(socket.descriptor(), at.ai_addr, at.ai_addrlen) != 0 && errno != EINPROGRESS)
        return {{}, std::strerror(errno)};
    set(socket, IPPROTO_TCP, TCP_NODELAY);
    return {std::move(socket), {}};
}

std::string socket_problem(const Socket& socket) {
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    return error == 0 ? std::string() : std::strerror(error);
}

Socket listen_at(const Address& address) {
    const Found found = look_up(address, true);
    std::string problem = found.problem;
    for (const addrinfo* at : found.each) {
        Socket socket = open_for(*at);
        if (socket) set(socket, SOL_SOCKET, SO_REUSEADDR);
        if (socket && ::bind(socket.descriptor(), at->ai_addr, at->ai_addrlen) == 0 &&
            ::listen(socket.descriptor(), kMostWaiting) == 0)
            return socket;
        problem = std::strerror(errno);
    }
    throw Error{ErrorCode::World, "Nobody can listen at " + shown(text_of(address)) + " (" +
                                      problem + "); choose another address or port."};
}

std::uint16_t port_of(const Socket& listener) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(listener.descriptor(), reinterpret_cast<sockaddr*>(&address), &size);
    if (address.ss_family == AF_INET6)
        return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

Socket accept_from(const Socket& listener) {
    Socket socket(::accept4(listener.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.descriptor() < 0) return {};
    set(socket, IPPROTO_TCP, TCP_NODELAY);
    return socket;
}

Transfer read_some(const Socket& socket, std::vector<char>& into) {
    const ssize_t n = ::recv(socket.descriptor(), into.data(), into.size(), 0);
    if (n > 0) return {SocketFlow::Moved, static_cast<std::size_t>(n)};
    return {n < 0 && would_wait(errno) ? SocketFlow::Waits : SocketFlow::Ended, 0};
}

Transfer write_some(const Socket& socket, std::string_view bytes) {
    const ssize_t n = ::send(socket.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) return {SocketFlow::Moved, static_cast<std::size_t>(n)};
    return {would_wait(errno) ? SocketFlow::Waits : SocketFlow::Ended, 0};
}

void wait_for(std::vector<Waiting>& all, double seconds) {
    std::vector<pollfd> list;
    list.reserve(all.size());
    for (const Waiting& one : all)
        list.push_back(
            {one.descriptor,
             static_cast<short>((one.to_read ? POLLIN : 0) | (one.to_write ? POLLOUT : 0)), 0});
    const double ms = std::ceil(std::clamp(seconds, 0.0, 60.0) * 1000);
    const int ready = ::poll(list.data(), list.size(), static_cast<int>(ms));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int seen = ready > 0 ? list[i].revents : 0;
        constexpr int kBroken = POLLERR | POLLHUP | POLLNVAL;
        all[i].can_read = (seen & (POLLIN | kBroken)) != 0 && all[i].to_read;
        all[i].can_write = (seen & (POLLOUT | kBroken)) != 0 && all[i].to_write;
    }
}

double steady_now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double unix_now_s() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace kv
