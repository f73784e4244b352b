#include "core/attach/wire/address.hpp"

#include <algorithm>
#include <optional>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kLongestHost = 253, kLongestPath = 1024;
constexpr std::uint64_t kLastPort = 65535;

AddressRefusal because(std::string why) {
    return {std::move(why)};
}

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

// What stands between the scheme and the path.
std::variant<Address, AddressRefusal> host_and_port(std::string_view text,
                                                    std::optional<std::uint16_t> usual) {
    std::string_view host = text, port;
    bool has_port = false;
    const bool brackets = !text.empty() && text.front() == '[';
    const std::size_t close = brackets ? text.find(']') : std::string_view::npos;
    if (brackets && close == std::string_view::npos)
        return because("has a bracket that is not closed");
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && (!brackets || colon > close)) {
        has_port = true;
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
    }
    if (brackets) {
        if (close + 1 != host.size()) return because("has something behind its bracket");
        host = host.substr(1, close - 1);
    } else if (host.find(':') != std::string_view::npos) {
        return because("has an IPv6 address without brackets");
    }
    if (host.empty()) return because("names no host");
    if (host.size() > kLongestHost || !is_plain(host) || host.find('/') != std::string_view::npos)
        return because("names no host that there could be");
    if (!has_port && usual) return Address{std::string(host), *usual};
    if (!has_port) return because("has no port");
    std::string why;
    const auto number = parse_whole(port, 1, kLastPort, why);
    if (!number) return because("has a port that " + why);
    return Address{std::string(host), static_cast<std::uint16_t>(*number)};
}

}  // namespace

std::variant<Address, AddressRefusal> parse_tcp(std::string_view text) {
    constexpr std::string_view kScheme = "tcp://";
    if (text.substr(0, kScheme.size()) != kScheme) return because("does not begin with tcp://");
    return host_and_port(text.substr(kScheme.size()), std::nullopt);
}

std::variant<HttpAddress, AddressRefusal> parse_http(std::string_view text) {
    constexpr std::string_view kScheme = "http://";
    constexpr std::uint16_t kUsualPort = 80;
    if (text.substr(0, kScheme.size()) != kScheme) return because("does not begin with http://");
    text.remove_prefix(kScheme.size());
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::string path = slash == text.size() ? "/metrics" : std::string(text.substr(slash));
    if (path.size() > kLongestPath || !is_plain(path))
        return because("has a path that cannot be asked for");
    auto at = host_and_port(text.substr(0, slash), kUsualPort);
    if (auto* wrong = std::get_if<AddressRefusal>(&at)) return *wrong;
    return HttpAddress{std::get<Address>(std::move(at)), std::move(path)};
}

std::string text_of(const Address& address) {
    const bool brackets = address.host.find(':') != std::string::npos;
    return (brackets ? "[" + address.host + "]" : address.host) + ":" +
           std::to_string(address.port);
}

}  // namespace kv
