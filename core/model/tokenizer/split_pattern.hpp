#pragma once
// A split pattern of a tokenizer.json, compiled with PCRE2. Matching is limited: a pattern that
// goes back and forth without end gives up instead, after a number of steps that grows with the
// length of the text.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/tokenizer/text_spans.hpp"

namespace kv {

class SplitPattern {
public:
    // `why` says what is wrong with the pattern ("uses \\w, which ...").
    static std::optional<SplitPattern> compile(std::string_view pattern, std::string& why);

    // The text (valid UTF-8) from end to end; nothing when the pattern gave up.
    std::optional<std::vector<Span>> spans(std::string_view text) const;

private:
    struct Compiled;
    explicit SplitPattern(std::shared_ptr<const Compiled> compiled);

    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace kv
