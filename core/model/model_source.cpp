#include "core/model/model_source.hpp"

#include <string_view>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {
constexpr std::string_view kFold = "+kv";
}

std::string ModelSource::written() const {
    return kv_heads ? name + std::string(kFold) + std::to_string(*kv_heads) : name;
}

ModelSource parse_model_source(const std::string& text) {
    const std::size_t at = text.rfind(kFold);
    if (at == std::string::npos || at == 0) return {text, {}};
    std::string why;
    const auto heads =
        parse_whole(std::string_view(text).substr(at + kFold.size()), 0, UINT32_MAX, why);
    if (!heads) return {text, {}};
    return {text.substr(0, at), heads};
}

}  // namespace kv
