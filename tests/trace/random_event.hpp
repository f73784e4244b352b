#pragma once
// Events of every kind with arbitrary values, made through the same visitor that packs and prints
// them: a field that somebody adds is tested without another word.

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/event/event.hpp"
#include "tests/base/dice.hpp"

namespace kv::test {

class RandomFields {
public:
    RandomFields(Dice& dice, std::size_t longest) : dice_(dice), longest_(longest) {}

    template <class T>
    void operator()(std::string_view, T& value) {
        put(value);
    }
    // Mostly the ends of the range, where an encoding goes wrong.
    template <class Whole>
    Whole number() {
        using Limits = std::numeric_limits<Whole>;
        switch (dice_.below(6)) {
            case 0:
                return Limits::min();
            case 1:
                return Limits::max();
            case 2:
                return Whole(dice_.below(300));
            default:
                return static_cast<Whole>(dice_.bits64() >> dice_.below(64));
        }
    }
    void put(std::uint64_t& value) { value = number<std::uint64_t>(); }
    void put(std::uint32_t& value) { value = number<std::uint32_t>(); }
    void put(std::int32_t& value) { value = number<std::int32_t>(); }
    void put(bool& value) { value = dice_.one_in(2); }
    void put(double& value) {  // any bits: infinities, numbers that are none, and their payloads
        const std::uint64_t bits = dice_.bits64() | (dice_.one_in(4) ? 0x7FF0000000000000U : 0);
        std::memcpy(&value, &bits, sizeof value);
    }
    void put(float& value) {  // any bits
        const std::uint32_t bits = dice_.bits() | (dice_.one_in(4) ? 0x7F800000U : 0);
        std::memcpy(&value, &bits, sizeof value);
    }
    void put(std::optional<float>& value) {
        value.reset();
        if (dice_.one_in(2)) put(value.emplace());
    }
    void put(std::string& text) {
        text.resize(dice_.below(40));
        for (char& c : text) c = static_cast<char>(dice_.bits());
    }
    template <class Tag>
    void put(Id<Tag>& id) {
        put(id.value);
    }
    template <class Tag>
    void put(std::optional<Id<Tag>>& id) {
        id.reset();
        if (dice_.one_in(2)) id.emplace(number<std::uint32_t>());
    }
    void put(std::optional<std::uint64_t>& value) {
        value.reset();
        if (dice_.one_in(2)) value = number<std::uint64_t>();
    }
    template <class T>
    void put(std::vector<T>& list) {
        list.resize(dice_.one_in(3) ? 0 : dice_.below(static_cast<std::uint32_t>(longest_)));
        for (T& element : list) put(element);
    }
    void put(Finish& value) { value = static_cast<Finish>(dice_.below(5)); }
    void put(Medium& value) { value = static_cast<Medium>(dice_.below(3)); }
    void put(Op& value) { value = static_cast<Op>(dice_.below(9)); }
    void put(Why& value) { value = static_cast<Why>(dice_.below(kReasons)); }

private:
    Dice& dice_;
    std::size_t longest_;
};

template <std::size_t kIndex = 0>
EventBody empty_of_kind(std::size_t kind) {
    if constexpr (kIndex + 1 < std::variant_size_v<AnyEvent>)
        if (kind != kIndex) return empty_of_kind<kIndex + 1>(kind);
    return EventBody(std::in_place_index<kIndex>);
}

inline Event random_event(Dice& dice, std::size_t kind, std::size_t longest = 20) {
    RandomFields fields(dice, longest);
    Event event;
    event.what = empty_of_kind(kind);
    fields.put(event.iteration);
    fields.put(event.request);
    fields.put(event.reason.why);
    fields.put(event.reason.request);
    fields.put(event.reason.a);
    fields.put(event.reason.b);
    std::visit([&](auto& what) { what.fields(what, fields); }, event.what);
    return event;
}

// Equality to the bit, so that a number that is none equals itself.
class Spelled {
public:
    template <class T>
    void operator()(std::string_view field, const T& value) {
        text += std::string(field) + "=";
        put(value);
    }
    void put(double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        text += std::to_string(bits) + ";";
    }
    void put(float value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        text += std::to_string(bits) + ";";
    }
    void put(const std::string& value) { text += std::to_string(value.size()) + ":" + value + ";"; }
    template <class Tag>
    void put(Id<Tag> id) {
        put(id.value);
    }
    template <class T>
    void put(const std::optional<T>& value) {
        text += value ? "?" : "-;";
        if (value) put(*value);
    }
    template <class T>
    void put(const std::vector<T>& list) {
        text += "[" + std::to_string(list.size()) + ";";
        for (const T& element : list) put(element);
    }
    template <class T>
    std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> put(T value) {
        text += std::to_string(static_cast<std::int64_t>(value)) + ";";
    }
    std::string text;
};

inline std::string spelled(const Event& event) {
    Spelled out;
    out("kind", static_cast<std::uint64_t>(event.what.index()));
    out("iteration", event.iteration);
    out("request", event.request);
    out("why", event.reason.why);
    out("reason_request", event.reason.request);
    out("a", event.reason.a);
    out("b", event.reason.b);
    std::visit([&](const auto& what) { what.fields(what, out); }, event.what);
    return out.text;
}

}  // namespace kv::test
