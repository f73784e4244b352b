#include "core/trace/event/pack.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

class Packer {
public:
    explicit Packer(PackedBytes& bytes) : bytes_(bytes) {}

    template <class T>
    void operator()(std::string_view, const T& value) {
        put(value);
    }

    void put(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_.push_back(static_cast<unsigned char>(value | 0x80));
        bytes_.push_back(static_cast<unsigned char>(value));
    }
    void put(std::uint32_t value) { put(std::uint64_t{value}); }
    void put(bool value) { put(std::uint64_t{value}); }
    void put(std::int32_t value) {  // small negative numbers stay small: 0, -1, 1, -2 ...
        const auto bits = static_cast<std::uint32_t>(value);
        put(value < 0 ? ~bits * 2 + 1 : bits * 2);
    }
    void put(double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        raw(bits);
    }
    void put(float value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        put(bits);
    }
    template <class Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
    void put(Enum value) {
        put(static_cast<std::uint64_t>(value));
    }
    template <class Tag>
    void put(Id<Tag> id) {
        put(id.value);
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    void put(const std::string& text) {
        put(std::uint64_t{text.size()});
        bytes_.insert(bytes_.end(), text.begin(), text.end());
    }
    void put(const std::vector<std::uint64_t>& hashes) {  // evenly spread: groups of 7 cost more
        put(std::uint64_t{hashes.size()});
        for (const std::uint64_t hash : hashes) raw(hash);
    }
    template <class T>
    void put(const std::vector<T>& numbers) {
        put(std::uint64_t{numbers.size()});
        for (const T number : numbers) put(number);
    }

private:
    void raw(std::uint64_t bits) {
        for (int shift = 0; shift < 64; shift += 8)
            bytes_.push_back(static_cast<unsigned char>(bits >> shift));
    }

    PackedBytes& bytes_;
};

// Reads through pointers of its own: what it writes into an event cannot be one of them, so they
// stay in registers.
class Unpacker {
public:
    Unpacker(const PackedBytes& bytes, std::size_t at)
        : at_(bytes.data() + at), end_(bytes.data() + bytes.size()) {}
    const unsigned char* at() const { return at_; }

    template <class T>
    void operator()(std::string_view, T& value) {
        get(value);
    }

    std::uint64_t whole() {
        std::uint64_t value = next();
        if (value < 0x80) return value;  // most are small
        value &= 0x7Fu;
        for (unsigned shift = 7;; shift += 7) {
            const unsigned char byte = next();
            value |= std::uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) return value;
        }
    }
    void get(std::uint64_t& value) { value = whole(); }
    void get(std::uint32_t& value) { value = static_cast<std::uint32_t>(whole()); }
    void get(bool& value) { value = whole() != 0; }
    void get(std::int32_t& value) {
        const auto bits = static_cast<std::uint32_t>(whole());
        value = static_cast<std::int32_t>(bits % 2 == 1 ? ~(bits / 2) : bits / 2);
    }
    void get(double& value) {
        const std::uint64_t bits = raw();
        std::memcpy(&value, &bits, sizeof value);
    }
    void get(float& value) {
        const auto bits = static_cast<std::uint32_t>(whole());
        std::memcpy(&value, &bits, sizeof value);
    }
    template <class Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
    void get(Enum& value) {
        value = static_cast<Enum>(whole());
    }
    template <class Tag>
    void get(Id<Tag>& id) {
        get(id.value);
    }
    template <class Tag>
    void get(std::optional<Id<Tag>>& id) {
        if (whole() != 0) id.emplace(static_cast<std::uint32_t>(whole()));
    }
    void get(std::optional<std::uint64_t>& value) {
        if (whole() != 0) value = whole();
    }
    void get(std::optional<float>& value) {
        if (whole() != 0) get(value.emplace());
    }
    void get(std::string& text) {
        text.resize(whole());
        for (char& c : text) c = static_cast<char>(next());
    }
    void get(std::vector<std::uint64_t>& hashes) {
        hashes.resize(whole());
        for (std::uint64_t& hash : hashes) hash = raw();
    }
    template <class T>
    void get(std::vector<T>& numbers) {
        numbers.resize(whole());
        for (T& number : numbers) get(number);
    }

private:
    unsigned char next() {
        KV_ASSERT(at_ < end_);
        return *at_++;
    }
    std::uint64_t raw() {
        std::uint64_t bits = 0;
        for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{next()} << shift;
        return bits;
    }

    const unsigned char* at_;
    const unsigned char* end_;
};

// One of each kind, as nothing was said about it yet.
template <std::size_t... kIndex>
void make_empty(EventBody& what, std::size_t index, std::index_sequence<kIndex...>) {
    using Make = void (*)(EventBody&);
    static constexpr Make kMake[] = {[](EventBody& of) { of.emplace<kIndex>(); }...};
    KV_ASSERT(index < sizeof...(kIndex));
    kMake[index](what);
}

}  // namespace

void pack(const Event& event, PackedBytes& bytes) {
    Packer packer(bytes);
    packer.put(std::uint64_t{event.what.index()});
    packer.put(event.iteration);
    packer.put(event.request);
    packer.put(event.reason.why);
    packer.put(event.reason.request);
    packer.put(event.reason.a);
    packer.put(event.reason.b);
    std::visit([&](const auto& what) { what.fields(what, packer); }, event.what);
}

Event unpack(const PackedBytes& bytes, std::size_t& at) {
    Unpacker unpacker(bytes, at);
    Event event{};
    make_empty(event.what, static_cast<std::size_t>(unpacker.whole()),
               std::make_index_sequence<std::variant_size_v<AnyEvent>>());
    unpacker.get(event.iteration);
    unpacker.get(event.request);
    unpacker.get(event.reason.why);
    unpacker.get(event.reason.request);
    unpacker.get(event.reason.a);
    unpacker.get(event.reason.b);
    std::visit([&](auto& what) { what.fields(what, unpacker); }, event.what);
    at = static_cast<std::size_t>(unpacker.at() - bytes.data());
    return event;
}

}  // namespace kv
