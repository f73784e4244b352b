#pragma once
// An eviction policy in words, as titles and panels name it. Pure.

#include <string_view>

#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {

std::string_view policy_title(EvictionPolicy policy, const Texts& text);  // "Sliding window"

struct PolicyWords {
    Text title;  // "Sliding window"
    Text keeps;  // "keeps the last 40 tokens"
};
// `policy` as scenes write it: "window:40".
PolicyWords policy_words(std::string_view policy, const Texts& text);

}  // namespace kv
