#include "core/engine/draft/spec.hpp"

#include <algorithm>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::string_view kNgram = "ngram:", kK = "k=", kAuto = "auto";
constexpr std::uint64_t kLongestNgram = 64, kMostProposed = 1u << 20;

bool is_name(std::string_view text) {
    const auto belongs = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.' || c == '+';
    };
    return !text.empty() && text.front() != '.' && std::all_of(text.begin(), text.end(), belongs);
}

std::string read_k(std::string_view text, DraftSpec& spec) {
    if (!text.starts_with(kK)) return "has something other than k= behind the comma";
    text.remove_prefix(kK.size());
    if (text == kAuto) return {};
    std::string why;
    const auto k = parse_whole(text, 1, kMostProposed, why);
    if (!k) return "has a k that " + why;
    spec.k = static_cast<std::uint32_t>(*k);
    return {};
}

std::string read_source(std::string_view text, DraftSpec& spec) {
    if (!text.starts_with(kNgram)) {
        if (text == "off") return "has something behind off";
        if (text == "ngram") return "does not say how many tokens to look for";
        if (!is_name(text)) return "names no model that could lie beside the run's own";
        spec.model = text;
        return {};
    }
    std::string why;
    const auto n = parse_whole(text.substr(kNgram.size()), 1, kLongestNgram, why);
    if (!n) return "has an ngram that " + why;
    spec.ngram = static_cast<std::uint32_t>(*n);
    return {};
}

}  // namespace

std::string DraftSpec::source() const {
    return ngram > 0 ? std::string(kNgram) + std::to_string(ngram) : model;
}

std::optional<DraftSpec> parse_draft(std::string_view text, std::string& why) {
    DraftSpec spec;
    if (text == "off") return spec;
    const std::size_t comma = text.find(',');
    why = read_source(text.substr(0, comma), spec);
    if (why.empty() && comma != std::string_view::npos) why = read_k(text.substr(comma + 1), spec);
    if (!why.empty()) return std::nullopt;
    return spec;
}

std::string draft_text(const DraftSpec& spec) {
    if (!spec.is_on()) return "off";
    return spec.source() + "," + std::string(kK) + (spec.k ? std::to_string(*spec.k) : "auto");
}

}  // namespace kv
