#include "core/attach/metrics/prometheus.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/numbers/decimal.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostSamples = 4096, kLongestLine = 8192, kMostDigits = 40;

bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes the longest run of letters that `is_it` accepts off the front.
template <class IsIt>
std::string_view take_while(std::string_view& text, const IsIt& is_it) {
    std::size_t n = 0;
    while (n < text.size() && is_it(text[n])) ++n;
    const std::string_view taken = text.substr(0, n);
    text.remove_prefix(n);
    return taken;
}
bool take(std::string_view& text, char letter) {
    if (text.empty() || text.front() != letter) return false;
    text.remove_prefix(1);
    return true;
}

// A quoted value without its quotes. One inside it becomes an apostrophe, so that what is kept can
// be read without knowing of escapes.
std::optional<std::string> quoted(std::string_view& text) {
    if (!take(text, '"')) return std::nullopt;
    std::string out;
    while (!text.empty()) {
        const char letter = text.front();
        text.remove_prefix(1);
        if (letter == '"') return out;
        if (letter != '\\') {
            out.push_back(letter);
            continue;
        }
        if (text.empty()) break;
        const char escaped = text.front();
        text.remove_prefix(1);
        out.push_back(escaped == '"' ? '\'' : escaped == 'n' ? ' ' : escaped);
    }
    return std::nullopt;
}

// name="value" pairs in braces, sorted. The model's name is the same in all of them, so it says
// nothing.
std::optional<std::string> labels(std::string_view& text) {
    std::vector<std::string> pairs;
    if (take(text, '{')) {
        while (!take(text, '}')) {
            text = trimmed(text);
            const std::string_view name = take_while(text, is_name_letter);
            if (name.empty() || !take(text, '=')) return std::nullopt;
            const auto value = quoted(text);
            if (!value) return std::nullopt;
            if (name != "model_name") pairs.push_back(std::string(name) + "=\"" + *value + '"');
            if (!take(text, ',') && (text.empty() || text.front() != '}')) return std::nullopt;
        }
    }
    std::sort(pairs.begin(), pairs.end());
    std::string out;
    for (const std::string& pair : pairs) out += (out.empty() ? "" : ",") + pair;
    return out;
}

// The e+06 behind the digits of a number; 0 where there is none.
std::optional<int> exponent(std::string_view& text) {
    constexpr std::size_t kMostExponentDigits = 3;
    if (!take(text, 'e') && !take(text, 'E')) return 0;
    const bool negative = take(text, '-');
    if (!negative) take(text, '+');
    const std::string_view digits = take_while(text, is_digit);
    if (digits.empty() || digits.size() > kMostExponentDigits) return std::nullopt;
    int power = 0;
    for (const char digit : digits) power = 10 * power + (digit - '0');
    return negative ? -power : power;
}

// A finite number as Go writes it: -1.5e+06.
std::optional<double> number(std::string_view text) {
    Decimal out;
    out.negative = take(text, '-');
    if (!out.negative) take(text, '+');
    out.digits = take_while(text, is_digit);
    if (take(text, '.')) {
        const std::string_view behind = take_while(text, is_digit);
        out.digits += behind;
        out.power = -static_cast<int>(behind.size());
    }
    if (out.digits.empty() || out.digits.size() > kMostDigits) return std::nullopt;
    const auto power = exponent(text);
    if (!power || !text.empty()) return std::nullopt;
    out.power += *power;
    const double value = to_double(out);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool is_a_servers_own(std::string_view name) {
    return name.starts_with("vllm:") || name.starts_with("sglang:");
}

std::optional<MetricSample> sample_of(std::string_view line) {
    MetricSample out;
    out.name = take_while(line, is_name_letter);
    if (!is_a_servers_own(out.name)) return std::nullopt;
    auto found = labels(line);
    if (!found) return std::nullopt;
    out.labels = std::move(*found);
    line = trimmed(line);
    const auto value = number(line.substr(0, line.find(' ')));  // a time stamp may stand behind it
    if (!value) return std::nullopt;
    out.value = *value;
    return out;
}

}  // namespace

MetricsText read_metrics(std::string_view text) {
    MetricsText out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        auto sample = line.size() <= kLongestLine && out.samples.size() < kMostSamples
                          ? sample_of(line)
                          : std::nullopt;
        if (sample)
            out.samples.push_back(std::move(*sample));
        else
            ++out.passed_over;
    }
    std::sort(out.samples.begin(), out.samples.end(), [](const auto& a, const auto& b) {
        return std::tie(a.name, a.labels) < std::tie(b.name, b.labels);
    });
    return out;
}

}  // namespace kv
