#include "core/model/tokenizer/text_normalizer.hpp"

#include "core/base/error.hpp"
#include "core/model/tokenizer/unicode/nfc.hpp"

namespace kv {
namespace {

std::string apply_step(const NormalizeNfc&, const std::string& text) {
    return nfc(text);
}
std::string apply_step(const NormalizePrepend& step, const std::string& text) {
    return text.empty() ? text : step.text + text;
}
std::string apply_step(const NormalizeReplace& step, const std::string& text) {
    return replaced(text, step.from, step.to);
}

}  // namespace

std::string TextNormalizer::apply(std::string_view text) const {
    std::string out(text);
    for (const NormalizerStep& step : steps_) {
        out = std::visit([&](const auto& known) { return apply_step(known, out); }, step);
    }
    return out;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    KV_ASSERT(!from.empty());
    std::string out;
    out.reserve(text.size());
    std::size_t done = 0;
    for (std::size_t at = text.find(from); at != std::string_view::npos;
         at = text.find(from, done)) {
        out += text.substr(done, at - done);
        out += to;
        done = at + from.size();
    }
    out += text.substr(done);
    return out;
}

}  // namespace kv
