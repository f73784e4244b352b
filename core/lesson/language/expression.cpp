#include "core/lesson/language/expression.hpp"

#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr int kMaxNesting = 64;
constexpr std::size_t kMostCharacters = 2000;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// "24GiB", "0.02", "989TFLOP/s", "5ms", "1us", "100s": number and unit as they stand. Where nothing
// fits, `why` is what parse_bytes() said.
std::optional<LessonValue> parse_quantity(std::string_view text, std::string& why) {
    if (const auto plain = parse_decimal(text, why)) return count_value(*plain);
    if (const auto bytes = parse_bytes(text, why))
        return bytes_value(static_cast<double>(bytes->bytes));
    std::string ignored;
    if (const auto rate = parse_bandwidth(text, ignored))
        return LessonValue(Number{*rate, kByteRate});
    if (const auto rate = parse_flops(text, ignored)) return LessonValue(Number{*rate, kFlopRate});
    struct Time {
        std::string_view unit;
        double seconds;
    };
    for (const auto& [unit, seconds] :
         std::array<Time, 4>{{{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"s", 1}}}) {
        if (!text.ends_with(unit)) continue;
        if (const auto n = parse_decimal(text.substr(0, text.size() - unit.size()), ignored))
            return seconds_value(*n * seconds);
    }
    return std::nullopt;
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    ExpressionPtr whole() {
        if (text_.size() > kMostCharacters) refuse("is longer than anybody can read");
        auto expression = disjunction();
        skip_blanks();
        if (at_ < text_.size())
            refuse("has \"" + std::string(1, text_[at_]) + "\" where it should end");
        return expression;
    }

private:
    using Kind = Expression::Kind;

    [[noreturn]] void refuse(std::string rule) const {
        throw ExpressionRefusal{at_, std::move(rule)};
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    // Whether the sign stands here; then it is behind us. A sign of letters is a whole word: "or"
    // is not the beginning of "order".
    bool take(std::string_view sign) {
        skip_blanks();
        if (text_.substr(at_, sign.size()) != sign) return false;
        const char next = at_ + sign.size() < text_.size() ? text_[at_ + sign.size()] : ' ';
        if (is_letter(sign[0]) && (is_letter(next) || is_digit(next))) return false;
        at_ += sign.size();
        return true;
    }

    static ExpressionPtr make(Kind kind, std::string name, std::vector<ExpressionPtr> parts,
                              std::size_t at) {
        auto made = std::make_shared<Expression>();
        made->kind = kind;
        made->name = std::move(name);
        made->parts = std::move(parts);
        made->at = at;
        return made;
    }
    static ExpressionPtr literal(LessonValue value, std::size_t at) {
        auto made = std::make_shared<Expression>();
        made->literal = std::move(value);
        made->at = at;
        return made;
    }

    // One function for each level of precedence, weakest first: or, and, not, comparisons, sums,
    // products, minus, members and elements.
    ExpressionPtr disjunction() {
        if (++depth_ > kMaxNesting) refuse("is nested deeper than anybody can read");
        auto left = conjunction();
        for (std::size_t at = at_; take("or"); at = at_)
            left = make(Kind::Binary, "or", {left, conjunction()}, at);
        --depth_;
        return left;
    }
    ExpressionPtr conjunction() {
        auto left = negation();
        for (std::size_t at = at_; take("and"); at = at_)
            left = make(Kind::Binary, "and", {left, negation()}, at);
        return left;
    }
    ExpressionPtr negation() {
        const std::size_t at = at_;
        return take("not") ? make(Kind::Unary, "not", {comparison()}, at) : comparison();
    }
    ExpressionPtr comparison() {
        auto left = sum();
        for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
            const std::size_t at = at_;
            if (take(sign)) return make(Kind::Binary, std::string(sign), {left, sum()}, at);
        }
        return left;
    }
    ExpressionPtr sum() {
        auto left = product();
        for (;;) {
            const std::size_t at = at_;
            const char* sign = take("+") ? "+" : take("-") ? "-" : nullptr;
            if (sign == nullptr) return left;
            left = make(Kind::Binary, sign, {left, product()}, at);
        }
    }
    ExpressionPtr product() {
        auto left = signed_one();
        for (;;) {
            const std::size_t at = at_;
            const char* sign = take("*")    ? "*"
                               : take("//") ? "//"
                               : take("/")  ? "/"
                               : take("%")  ? "%"
                                            : nullptr;
            if (sign == nullptr) return left;
            left = make(Kind::Binary, sign, {left, signed_one()}, at);
        }
    }
    ExpressionPtr signed_one() {
        const std::size_t at = at_;
        return take("-") ? make(Kind::Unary, "-", {signed_one()}, at) : postfix();
    }
    ExpressionPtr postfix() {
        auto value = primary();
        for (;;) {
            const std::size_t at = at_;
            if (take(".")) {
                value = make(Kind::Member, word("a member"), {value}, at);
            } else if (take("[")) {
                auto index = disjunction();
                if (!take("]")) refuse("has no \"]\" for a \"[\"");
                value = make(Kind::Index, "", {value, index}, at);
            } else {
                return value;
            }
        }
    }
    std::string word(const char* what) {
        skip_blanks();
        const std::size_t first = at_;
        while (at_ < text_.size() &&
               (is_letter(text_[at_]) || (at_ > first && is_digit(text_[at_]))))
            ++at_;
        if (at_ == first) refuse("lacks the name of " + std::string(what));
        return std::string(text_.substr(first, at_ - first));
    }
    ExpressionPtr primary() {
        skip_blanks();
        const std::size_t at = at_;
        if (at_ == text_.size()) refuse("ends where a value should stand");
        if (take("(")) {
            auto inner = disjunction();
            if (!take(")")) refuse("has no \")\" for a \"(\"");
            return inner;
        }
        if (take("[")) return make(Kind::List, "", arguments("]", nullptr), at);
        if (text_[at_] == '"') return literal(quoted(), at);
        if (is_digit(text_[at_])) return number();
        std::string name = word("something");
        if (name == "yes" || name == "no") return literal(name == "yes", at);
        if (!take("(")) return make(Kind::Name, std::move(name), {}, at);
        auto call = std::make_shared<Expression>();
        call->kind = Kind::Call;
        call->name = std::move(name);
        call->at = at;
        call->parts = arguments(")", &call->labels);
        return call;
    }
    std::vector<ExpressionPtr> arguments(std::string_view end, std::vector<std::string>* labels) {
        std::vector<ExpressionPtr> parts;
        if (take(end)) return parts;
        do {
            if (labels != nullptr) labels->push_back(label());
            parts.push_back(disjunction());
        } while (take(","));
        if (!take(end)) refuse("has no \"" + std::string(end) + "\" behind its list");
        return parts;
    }
    // "tokens=" before an argument; "==" is a comparison and no label.
    std::string label() {
        skip_blanks();
        const std::size_t back = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        std::string name(text_.substr(back, at_ - back));
        const bool labelled = !name.empty() && is_letter(name[0]) && at_ < text_.size() &&
                              text_[at_] == '=' && text_.substr(at_, 2) != "==";
        at_ = labelled ? at_ + 1 : back;
        return labelled ? name : std::string();
    }
    LessonValue quoted() {
        const std::size_t end = text_.find('"', at_ + 1);
        if (end == std::string_view::npos) refuse("has no closing quote");
        const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return std::string(inner);
    }
    ExpressionPtr number() {
        const std::size_t first = at_;
        if (text_.substr(at_, 2) == "0x") return hexadecimal();
        while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
        while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
        // "/s" belongs to a unit, as in 2TB/s, and is a division where a longer name begins:
        // 2B/stored.
        if (text_.substr(at_, 2) == "/s" &&
            (at_ + 2 == text_.size() || !is_letter(text_[at_ + 2])) && is_letter(text_[at_ - 1]))
            at_ += 2;
        const std::string_view spelled = text_.substr(first, at_ - first);
        std::string why;
        const auto value = parse_quantity(spelled, why);
        if (!value) {
            at_ = first;
            refuse("has \"" + std::string(spelled) + "\", which " + why);
        }
        return literal(*value, first);
    }
    ExpressionPtr hexadecimal() {
        constexpr std::size_t kMostDigits = 12;  // 48 bits, which a double says exactly
        at_ += 2;
        const std::size_t first = at_;
        double value = 0;
        for (; at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
            const char c = text_[at_];
            value = value * 16 + (is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
        }
        if (at_ == first || at_ - first > kMostDigits)
            refuse("has a hexadecimal number of no digits or too many");
        return literal(count_value(value), first - 2);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

ExpressionPtr parse_expression(std::string_view text) {
    return Parser(text).whole();
}

}  // namespace kv
