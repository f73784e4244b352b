#include "app/export/svg/text.hpp"

#include <cmath>

#include "core/base/files/utf8.hpp"

namespace kv {
namespace {

// Characters that XML has no way to write.
bool is_forbidden(char32_t c) {
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0xFFFE || c == 0xFFFF;
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
        const std::size_t length = utf8_length(text, 0);
        const char c = text.front();
        if (length == 0 || is_forbidden(code_point_at(text, 0).value))
            escaped += kReplacementCharacter;
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
