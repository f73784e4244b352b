#include "core/model/tokenizer/split_dialect.hpp"

#include "core/base/shown.hpp"

namespace kv {
namespace {

// The property White_Space, as the inside of a class.
constexpr std::string_view kSpaces =
    "\\t-\\r\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{"
    "3000}";

constexpr std::string_view kGroups[] = {"?:", "?=", "?!", "?<=", "?<!", "?>", "?i:", "?-i:"};

bool alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}

class Translator {
public:
    explicit Translator(std::string_view pattern) : in_(pattern) {}

    bool run() {
        while (ok() && at_ < in_.size()) {
            if (in_class_)
                inside();
            else
                outside();
        }
        if (ok() && in_class_) refuse("has a class without its ]");
        return ok();
    }
    std::string take() { return std::move(out_); }
    const std::string& why() const { return why_; }

private:
    bool ok() const { return why_.empty(); }
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0';
    }
    void copy(std::size_t n) {
        out_ += in_.substr(at_, n);
        at_ += n;
    }
    void refuse(const std::string& why) {
        if (ok()) why_ = why;
    }

    void outside() {
        switch (peek()) {
            case '\\':
                return escape();
            case '[':
                return open_class();
            case '(':
                return open_group();
            case '{':
                return repeat();
            case '^':
            case '$':
                return refuse(
                    std::string("uses ") + peek() +
                    ", which stands for a line in one dialect and for the text in another");
            default:
                return copy(1);
        }
    }

    void open_class() {
        in_class_ = true;
        copy(peek(1) == '^' ? 2 : 1);
        if (peek() == ']') refuse("has a ] first in a class, which the dialects read differently");
    }

    void inside() {
        const char c = peek();
        if (c == '\\') return escape();
        if (c == '[') return refuse("has a class inside a class, which only one dialect knows");
        if (c == '&' && peek(1) == '&') return refuse("uses &&, which only one dialect knows");
        if (c == ']') in_class_ = false;
        copy(1);
    }

    void open_group() {
        const std::string_view rest = in_.substr(at_ + 1);
        if (rest.empty() || (rest[0] != '?' && rest[0] != '*')) return copy(1);
        for (const std::string_view known : kGroups) {
            if (rest.substr(0, known.size()) == known) return copy(1 + known.size());
        }
        refuse("has the group (" + shown(rest.substr(0, 3)) + ", which is not read here");
    }

    // {2}, {1,3} or {2,}. What may follow, a ? or a +, does not mean the same everywhere.
    void repeat() {
        std::size_t end = at_ + 1;
        const auto digits = [&] {
            const std::size_t start = end;
            while (end < in_.size() && digit(in_[end])) ++end;
            return end > start;
        };
        bool good = digits();
        if (good && end < in_.size() && in_[end] == ',') {
            ++end;
            digits();
        }
        good = good && end < in_.size() && in_[end] == '}';
        if (!good) return refuse("has a brace that is no plain count, such as {1,3}");
        copy(end + 1 - at_);
        if (peek() == '?' || peek() == '+') {
            refuse(std::string("has a ") + peek() +
                   " after a count, which the dialects read differently");
        }
    }

    void escape() {
        const char c = peek(1);
        if (at_ + 1 >= in_.size()) return refuse("ends with a backslash");
        if (c == 's' || c == 'S') return space(c == 'S');
        if (c == 'p' || c == 'P') return property();
        if (c == 'd' || c == 'D') return set(2);
        if (c == 'x' && peek(2) == '{') return code_point();
        if (!alphanumeric(c) || c == 'n' || c == 'r' || c == 't' || c == 'f') return copy(2);
        refuse(std::string("uses \\") + c +
               ", whose meaning is not the same everywhere or not known");
    }

    // A set of characters; beside a hyphen in a class it would be taken for the end of a range.
    bool stands_alone(std::size_t length) {
        if (!in_class_) return true;
        const bool after =
            at_ > 1 && in_[at_ - 1] == '-' && in_[at_ - 2] != '[' && in_[at_ - 2] != '\\';
        const bool before = peek(length) == '-' && peek(length + 1) != ']';
        if (after || before) refuse("has a hyphen beside a set of characters in a class");
        return ok();
    }
    void set(std::size_t length) {
        if (stands_alone(length)) copy(length);
    }

    void space(bool negated) {
        if (!stands_alone(2)) return;
        at_ += 2;
        if (!in_class_) {
            out_ += (negated ? "[^" : "[") + std::string(kSpaces) + "]";
        } else {
            out_ += negated ? "\\S\\x{180e}" : kSpaces;
        }
    }

    // How long "\\p{...}" is; 0 when what is in the braces is not made of letters and digits.
    std::size_t braced() const {
        std::size_t end = at_ + 3;
        while (end < in_.size() && (alphanumeric(in_[end]) || in_[end] == '_' || in_[end] == '^'))
            ++end;
        const bool good = peek(2) == '{' && end > at_ + 3 && end < in_.size() && in_[end] == '}';
        return good ? end + 1 - at_ : 0;
    }
    void property() {
        if (braced() == 0) return refuse("has a \\p without a name in braces");
        set(braced());
    }
    void code_point() {
        if (braced() == 0) return refuse("has a \\x{ that is no code point");
        copy(braced());
    }

    std::string_view in_;
    std::size_t at_ = 0;
    bool in_class_ = false;
    std::string out_, why_;
};

}  // namespace

std::optional<std::string> pcre2_pattern(std::string_view pattern, std::string& why) {
    Translator translator{pattern};
    if (translator.run()) return translator.take();
    why = translator.why();
    return std::nullopt;
}

}  // namespace kv
