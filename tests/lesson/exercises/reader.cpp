#include "tests/lesson/exercises/reader.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <map>

namespace kv::test {
namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool ends_with_words(const std::string& text, std::size_t end, const std::string& words) {
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '[' || text[end - 1] == '(')) --end;
    return end >= words.size() && text.compare(end - words.size(), words.size(), words) == 0;
}

}  // namespace

QuestionText::QuestionText(std::string text) : text_(std::move(text)) {
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (!is_digit(text_[i])) continue;
        const bool in_word = i > 0 && (std::isalnum(static_cast<unsigned char>(text_[i - 1])) != 0);
        std::string digits;
        std::size_t end = i;
        while (end < text_.size()) {
            const char c = text_[end];
            const bool inside = end + 1 < text_.size() && is_digit(text_[end + 1]);
            if (!is_digit(c) && !((c == ',' || c == '.') && inside)) break;
            if (c != ',') digits += c;
            ++end;
        }
        if (!in_word) numbers_.push_back({i, end, std::stod(digits)});
        i = end;
    }
}

double QuestionText::before(const std::string& words, std::size_t k) const {
    for (const Number& n : numbers_) {
        if (text_.compare(n.end, words.size() + 1, " " + words) != 0) continue;
        if (k-- == 0) return n.value;
    }
    FAIL("no number before \"" << words << "\" in: " << text_);
    return 0;
}

double QuestionText::after(const std::string& words, std::size_t k) const {
    for (const Number& n : numbers_) {
        if (!ends_with_words(text_, n.begin, words)) continue;
        if (k-- == 0) return n.value;
    }
    FAIL("no number after \"" << words << "\" in: " << text_);
    return 0;
}

std::vector<double> QuestionText::list_after(const std::string& words) const {
    std::vector<double> list;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        if (list.empty() && !ends_with_words(text_, numbers_[i].begin, words)) continue;
        if (!list.empty() &&
            text_.substr(numbers_[i - 1].end, numbers_[i].begin - numbers_[i - 1].end) != ", ")
            break;
        list.push_back(numbers_[i].value);
    }
    REQUIRE_FALSE(list.empty());
    return list;
}

std::vector<double> QuestionText::sizes() const {
    static const std::map<std::string, double> kUnits{
        {"KiB", 1024},  {"MiB", 1048576},  {"GiB", 1073741824}, {"GB/s", 1e9},
        {"TB/s", 1e12}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}};
    std::vector<double> sizes;
    for (const Number& n : numbers_) {
        std::size_t end = n.end + 1;
        while (end < text_.size() &&
               (std::isalpha(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '/'))
            ++end;
        const auto unit = kUnits.find(text_.substr(n.end + 1, end - n.end - 1));
        if (unit != kUnits.end()) sizes.push_back(n.value * unit->second);
    }
    return sizes;
}

double QuestionText::element_bytes() const {
    if (says("FP32")) return 4;
    REQUIRE((says("BF16") || says("FP16")));
    return 2;
}

double QuestionText::token_bytes() const {
    return 2 * before("layers") * before("KV heads") * after("head_dim") * element_bytes();
}

}  // namespace kv::test
