#include "core/cost/family/expression.hpp"

#include <array>
#include <cstdlib>

#include "core/base/error.hpp"

namespace kv {
namespace {

using Kind = FamilyExpression::Kind;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// From the loosest operator to the tightest.
constexpr std::array<std::array<std::string_view, 6>, 4> kLevels{
    {{"|"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    FamilyExpressionPtr whole() {
        FamilyExpressionPtr result = level(0);
        skip();
        KV_ASSERT(at_ == text_.size());
        return result;
    }

private:
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(std::string_view word) {
        skip();
        if (word.empty() || text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    char peek() {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    template <class Belongs>
    std::string run(Belongs belongs) {
        const std::size_t start = at_;
        while (at_ < text_.size() && belongs(text_[at_])) ++at_;
        return std::string(text_.substr(start, at_ - start));
    }

    FamilyExpressionPtr level(std::size_t depth) {
        if (depth == kLevels.size()) return primary();
        FamilyExpressionPtr left = level(depth + 1);
        for (bool more = true; more;) {
            more = false;
            for (const std::string_view op : kLevels[depth]) {
                if (!take(op)) continue;
                FamilyExpression both{Kind::Binary, 0, std::string(op), {left, level(depth + 1)}};
                left = std::make_shared<const FamilyExpression>(std::move(both));
                more = true;
                break;
            }
        }
        return left;
    }

    FamilyExpressionPtr primary() {
        FamilyExpression e;
        if (take("(")) {
            FamilyExpressionPtr inner = level(0);
            KV_ASSERT(take(")"));
            return inner;
        }
        if (take("'")) {
            e.kind = Kind::Text;
            e.word = run([](char c) { return c != '\''; });
            KV_ASSERT(take("'"));
        } else if (is_digit(peek())) {
            e.number = std::atof(run(is_digit).c_str());
        } else {
            KV_ASSERT(is_letter(peek()));
            e.kind = Kind::Name;
            e.word = run([](char c) { return is_letter(c) || is_digit(c) || c == '.'; });
            if (take("(")) arguments(e);
        }
        return std::make_shared<const FamilyExpression>(std::move(e));
    }

    void arguments(FamilyExpression& call) {
        call.kind = Kind::Call;
        do {
            call.parts.push_back(level(0));
        } while (take(","));
        KV_ASSERT(take(")"));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

FamilyExpressionPtr parse_family_expression(std::string_view text) {
    return Parser(text).whole();
}

void add_family_rules(std::string_view text, FamilyRules& rules) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
        if (line.empty() || line.front() == '#') continue;
        const std::size_t equals = line.find(" = ");
        KV_ASSERT(equals != std::string_view::npos);
        std::string_view name = line.substr(0, equals);
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        rules[std::string(name)] = parse_family_expression(line.substr(equals + 3));
    }
}

}  // namespace kv
