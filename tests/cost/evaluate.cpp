#include "tests/cost/evaluate.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace kv::test {
namespace {

class Reader {
public:
    Reader(const std::string& text, const Names& names) : text_(text), names_(names) {}

    long double all() {
        const long double value = comparison();
        if (skip() != '\0') throw std::runtime_error("left over: " + text_.substr(at_));
        return value;
    }

private:
    char skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) {
        if (skip() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) throw std::runtime_error(std::string("expected ") + c + " in " + text_);
    }

    long double comparison() {
        const long double left = sum();
        if (skip() != '<') return left;
        ++at_;
        expect('=');
        return left <= sum() ? 1 : 0;
    }
    long double sum() {
        long double value = product();
        for (;;) {
            if (take('+')) {
                value += product();
            } else if (take('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }
    long double product() {
        long double value = atom();
        for (;;) {
            if (take('*')) {
                value *= atom();
            } else if (take('/')) {
                value /= atom();
            } else {
                return value;
            }
        }
    }
    long double atom() {
        const char c = skip();
        if (take('(')) {
            const long double value = comparison();
            expect(')');
            return value;
        }
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) return name();
        throw std::runtime_error("unexpected text in " + text_);
    }
    long double number() {
        std::size_t used = 0;
        const long double value = std::stold(text_.substr(at_), &used);
        at_ += used;
        return value;
    }
    long double name() {
        std::size_t end = at_;
        while (end < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_')) {
            ++end;
        }
        const std::string word = text_.substr(at_, end - at_);
        at_ = end;
        if (skip() == '(') return function(word);
        const auto found = names_.find(word);
        if (found == names_.end()) throw std::runtime_error("unknown name " + word);
        return found->second;
    }
    long double function(const std::string& word) {
        expect('(');
        std::vector<long double> arguments{sum()};
        while (take(',')) arguments.push_back(sum());
        expect(')');
        if (word == "ceil" && arguments.size() == 1) return std::ceil(arguments[0]);
        if (word == "floor" && arguments.size() == 1) return std::floor(arguments[0]);
        if (word == "min" && arguments.size() == 2) return std::min(arguments[0], arguments[1]);
        if (word == "max" && arguments.size() == 2) return std::max(arguments[0], arguments[1]);
        throw std::runtime_error("unknown function " + word);
    }

    const std::string& text_;
    const Names& names_;
    std::size_t at_ = 0;
};

}  // namespace

long double evaluate(const std::string& expression, const Names& names) {
    return Reader(expression, names).all();
}

long double number_of(const Value& value) {
    return std::visit([](auto each) { return static_cast<long double>(each); }, value);
}

Names names_of(const Derived& result) {
    Names names;
    for (const Operand& operand : result.operands) names[operand.name] = number_of(operand.value);
    return names;
}

}  // namespace kv::test
