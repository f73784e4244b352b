#pragma once
// An eviction policy in words, as titles and panels name it. Pure.

#include <string>
#include <string_view>

#include "app/shell/texts.hpp"

namespace kv {

struct PolicyWords {
    std::string title;  // "Sliding window"
    std::string keeps;  // "keeps the last 40 tokens"
};
// `policy` as scenes write it: "window:40".
PolicyWords policy_words(std::string_view policy, const Texts& text);

}  // namespace kv
