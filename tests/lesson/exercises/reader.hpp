#pragma once
// A question as a student reads it: numbers found in its text by the words around them. The tests'
// own answers are computed from these and from nothing else, so an instance whose text leaves out a
// parameter cannot be answered.

#include <string>
#include <vector>

namespace kv::test {

class QuestionText {
public:
    explicit QuestionText(std::string text);

    const std::string& text() const { return text_; }
    bool says(const std::string& words) const { return text_.find(words) != std::string::npos; }
    // The k-th number (from 0) that is directly followed by these words, or that directly follows
    // them. Fails the test when there is none.
    double before(const std::string& words, std::size_t k = 0) const;
    double after(const std::string& words, std::size_t k = 0) const;
    // Numbers of a list: from the first one after `words` as long as ", " joins them.
    std::vector<double> list_after(const std::string& words) const;
    // "24 GiB", "2 TB/s", "989 TFLOP/s" as bytes, bytes per second, FLOP per second; in order.
    std::vector<double> sizes() const;
    // Of the codec that the text names.
    double element_bytes() const;
    // "head_dim 128" and its kin at one go: 2 x layers x KV heads x head_dim x bytes.
    double token_bytes() const;

private:
    struct Number {
        std::size_t begin, end;
        double value;
    };
    std::string text_;
    std::vector<Number> numbers_;
};

}  // namespace kv::test
