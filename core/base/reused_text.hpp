#pragma once
// A string that reuses memory (reused.hpp): what fill() and the plans of a frame write. It turns
// into a std::string_view and into a std::string by itself, and compares with both, so that nobody
// has to know which of the two a function gives back.

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/reused.hpp"

namespace kv {

template <class T>
concept TextLike = std::convertible_to<const T&, std::string_view>;

class Text {
public:
    static constexpr std::size_t npos = std::string_view::npos;

    Text() = default;
    Text(const char* text) : chars_(text) {}
    Text(std::string_view text) : chars_(text) {}
    Text(const std::string& text) : chars_(text) {}
    Text(std::size_t n, char c) : chars_(n, c) {}

    operator std::string_view() const { return {chars_.data(), chars_.size()}; }
    operator std::string() const { return {chars_.data(), chars_.size()}; }
    std::string_view view() const { return *this; }
    const char* c_str() const { return chars_.c_str(); }
    const char* data() const { return chars_.data(); }
    std::size_t size() const { return chars_.size(); }
    bool empty() const { return chars_.empty(); }
    const char* begin() const { return chars_.data(); }
    const char* end() const { return begin() + size(); }
    char* begin() { return chars_.data(); }
    char* end() { return begin() + size(); }
    char front() const { return chars_.front(); }
    char back() const { return chars_.back(); }
    char operator[](std::size_t i) const { return chars_[i]; }

    bool starts_with(std::string_view text) const { return view().starts_with(text); }
    bool ends_with(std::string_view text) const { return view().ends_with(text); }
    std::size_t find(std::string_view text, std::size_t from = 0) const {
        return view().find(text, from);
    }
    std::size_t find(char c, std::size_t from = 0) const { return view().find(c, from); }
    // A part of this text: valid while it is.
    std::string_view substr(std::size_t from, std::size_t n = npos) const {
        return view().substr(from, n);
    }

    void clear() { chars_.clear(); }
    void reserve(std::size_t n) { chars_.reserve(n); }
    void resize(std::size_t n) { chars_.resize(n); }
    void push_back(char c) { chars_.push_back(c); }
    void pop_back() { chars_.pop_back(); }
    Text& append(std::string_view text) {
        chars_.append(text);
        return *this;
    }
    Text& operator+=(std::string_view text) { return append(text); }
    Text& operator+=(char c) {
        push_back(c);
        return *this;
    }

    template <TextLike Other>
    friend bool operator==(const Text& a, const Other& b) {
        return a.view() == std::string_view(b);
    }
    friend bool operator<(const Text& a, const Text& b) { return a.view() < b.view(); }
    template <TextLike Other>
    friend Text operator+(Text a, const Other& b) {
        a.append(b);
        return a;
    }
    template <TextLike Other>
    requires(!std::same_as<Other, Text>) friend Text operator+(const Other& a, const Text& b) {
        return Text(std::string_view(a)) + b;
    }
    template <class Stream>
    friend Stream& operator<<(Stream& out, const Text& text) {
        out << text.view();
        return out;
    }

private:
    std::basic_string<char, std::char_traits<char>, Reused<char>> chars_;
};

}  // namespace kv
