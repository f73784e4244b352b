#include "app/export/svg/text.hpp"

#include <cmath>

namespace kv {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// How many bytes the UTF-8 character at the start has; 0 when it is none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80            ? 1
                               : first >> 5 == 0b110   ? 2
                               : first >> 4 == 0b1110  ? 3
                               : first >> 3 == 0b11110 ? 4
                                                       : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (byte(i) >> 6 != 0b10) return 0;
    return length;
}

char hex_digit(unsigned value) {
    return "0123456789abcdef"[value & 15];
}

}  // namespace

std::string svg_number(double value) {
    const bool fits = std::isfinite(value) && std::abs(value) < 1e12;
    const long long hundredths = fits ? std::llround(value * 100) : 0;
    const auto size = static_cast<unsigned long long>(std::llabs(hundredths));
    std::string text = (hundredths < 0 ? "-" : "") + std::to_string(size / 100);
    if (size % 100 == 0) return text;
    text += '.';
    text += static_cast<char>('0' + size / 10 % 10);
    if (size % 10 != 0) text += static_cast<char>('0' + size % 10);
    return text;
}

std::string svg_paint(std::string_view what, Color color) {
    std::string text = " " + std::string(what) + "=\"#";
    for (const unsigned channel : {color.r, color.g, color.b}) {
        text += hex_digit(channel >> 4);
        text += hex_digit(channel);
    }
    text += '"';
    if (color.a < 255)
        text += " " + std::string(what) + "-opacity=\"" + svg_number(color.a / 255.0) + "\"";
    return text;
}

std::string xml_escaped(std::string_view text) {
    std::string escaped;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const char c = text.front();
        const bool is_control =
            length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
        if (length == 0 || is_control)
            escaped += kReplacement;
        else if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else
            escaped += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return escaped;
}

}  // namespace kv
