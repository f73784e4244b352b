#include "core/whatif/record/made_up.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::string_view kServiceBegins = "service:";
constexpr u64 kMostServicePool = 1'000'000, kMostServiceSeed = 1'000'000'000,
              kMostServiceSeconds = 86'400, kMostServiceBlock = 1'024;
constexpr double kMostServiceRequests = 20'000;  // a few seconds of work
constexpr u64 kMadeUpAtOnce = 256;               // between two words about how far it is

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
    throw Error{ErrorCode::Usage,
                "The recording " + shown(name) + " " + why +
                    "; write service:pool=1200, and behind it seed=, seconds=, rate=, block= or "
                    "tokens, separated by commas."};
}

class ServiceName {
public:
    explicit ServiceName(const std::string& name) : name_(name) {}

    ServiceRules read() {
        const std::string_view words = std::string_view(name_).substr(kServiceBegins.size());
        for (std::size_t at = 0; at <= words.size();) {
            const std::size_t comma = std::min(words.find(',', at), words.size());
            take(words.substr(at, comma - at));
            at = comma + 1;
        }
        if (rules_.seconds * rules_.requests_per_second > kMostServiceRequests)
            refuse(name_, "asks for more than 20,000 requests");
        return rules_;
    }

private:
    void take(std::string_view word) {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view key = word.substr(0, equals),
                               value = word.substr(std::min(equals + 1, word.size()));
        if (key == "pool")
            rules_.pool_blocks = static_cast<std::uint32_t>(whole(value, 400, kMostServicePool));
        else if (key == "block")
            rules_.block_size = static_cast<std::uint32_t>(whole(value, 1, kMostServiceBlock));
        else if (key == "seed")
            rules_.seed = whole(value, 0, kMostServiceSeed);
        else if (key == "seconds")
            rules_.seconds = static_cast<double>(whole(value, 1, kMostServiceSeconds));
        else if (key == "rate")
            rules_.requests_per_second = rate(value);
        else if (word == "tokens")
            rules_.with_tokens = true;
        else
            refuse(name_, "has \"" + shown(std::string(word)) + "\", which says nothing");
    }
    u64 whole(std::string_view text, u64 least, u64 most) const {
        std::string why;
        const auto n = parse_whole(text, least, most, why);
        if (!n) refuse(name_, "has \"" + shown(std::string(text)) + "\", which " + why);
        return *n;
    }
    double rate(std::string_view text) const {
        std::string why;
        const auto n = parse_decimal(text, why);
        if (n && *n <= 0) why = "is not above 0";
        if (!n || *n <= 0) refuse(name_, "has \"" + shown(std::string(text)) + "\", which " + why);
        return *n;
    }

    const std::string& name_;
    ServiceRules rules_;
};

}  // namespace

bool is_made_up(std::string_view name) {
    return name.starts_with(kServiceBegins);
}

ServiceRules made_up_service(const std::string& name) {
    if (!is_made_up(name)) refuse(name, "begins with another word");
    return ServiceName(name).read();
}

bool make_up(const std::string& name, const std::function<bool(double)>& go_on,
             const std::function<void(std::string_view)>& take) {
    const ServiceRules rules = made_up_service(name);
    const double lines = 12 * std::max(1.0, rules.seconds * rules.requests_per_second);
    u64 n = 0;
    bool goes_on = true;
    record_service(rules, [&](const std::string& line) {
        if (!goes_on) return;
        take(line);
        if (++n % kMadeUpAtOnce == 0 && go_on)
            goes_on = go_on(std::min(1.0, static_cast<double>(n) / lines));
    });
    return goes_on;
}

}  // namespace kv
