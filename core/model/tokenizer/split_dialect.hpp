#pragma once
// Split patterns are written for Oniguruma with Ruby's syntax; PCRE2 reads most of it alike. This
// passes on what means the same to both, rewrites \s (which counts U+180E in PCRE2 only), and
// refuses the rest rather than cut a text at other places than the model was trained with.

#include <optional>
#include <string>
#include <string_view>

namespace kv {

// The pattern for PCRE2; `why` says what in it is not taken ("uses \\w, which ...").
std::optional<std::string> pcre2_pattern(std::string_view pattern, std::string& why);

}  // namespace kv
