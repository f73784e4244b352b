#pragma once
// What is done to a text before it is cut into pieces: the normalizer of a tokenizer.json.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kv {

struct NormalizeNfc {};
struct NormalizePrepend {
    std::string text;
};
struct NormalizeReplace {
    std::string from, to;  // from is not empty
};
using NormalizerStep = std::variant<NormalizeNfc, NormalizePrepend, NormalizeReplace>;

class TextNormalizer {
public:
    TextNormalizer() = default;
    explicit TextNormalizer(std::vector<NormalizerStep> steps) : steps_(std::move(steps)) {}

    bool does_nothing() const { return steps_.empty(); }
    std::string apply(std::string_view text) const;  // an empty text stays empty

private:
    std::vector<NormalizerStep> steps_;
};

// Every occurrence, from left to right, none twice.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

}  // namespace kv
