#pragma once
// Where a server is, as people write it: tcp://HOST:PORT for events, http://HOST:PORT/metrics. A
// host is a name, four numbers, or an IPv6 address in brackets; where one listens it may be *.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace kv {

struct Address {
    std::string host;  // without brackets; "*" for every interface
    std::uint16_t port = 0;

    bool operator==(const Address&) const = default;
};
struct HttpAddress {
    Address at;
    std::string path;  // "/metrics"
};
struct AddressRefusal {
    std::string why;  // "has no port"
};

std::variant<Address, AddressRefusal> parse_tcp(std::string_view text);
std::variant<HttpAddress, AddressRefusal> parse_http(std::string_view text);
std::string text_of(const Address& address);  // "host:port", with brackets where they are needed

}  // namespace kv
