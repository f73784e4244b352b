#include "app/panels/settings/draft_choice.hpp"

#include <algorithm>
#include <array>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::string_view kNgramWord = "ngram:", kKWord = "k=", kDraftOff = "off";
constexpr std::string_view kUsualNgram = "ngram:3";
constexpr std::uint64_t kLargestDraftNumber = 1u << 20;
constexpr std::array<std::string_view, 3> kDraftSiblings{"mqa", "gqa", "mha"};

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::string why;
    return parse_whole(text, 1, kLargestDraftNumber, why);
}

}  // namespace

std::optional<std::uint64_t> DraftChoice::ngram() const {
    if (!source.starts_with(kNgramWord)) return std::nullopt;
    return number_in(std::string_view(source).substr(kNgramWord.size()));
}

std::string DraftChoice::written() const {
    if (!is_on()) return std::string(kDraftOff);
    return source + "," + std::string(kKWord) + (k ? std::to_string(*k) : "auto");
}

DraftChoice draft_choice(std::string_view written) {
    DraftChoice choice;
    if (written.empty() || written == kDraftOff) return choice;
    const std::size_t comma = written.find(',');
    choice.source = written.substr(0, comma);
    if (comma == std::string_view::npos) return choice;
    const std::string_view rest = written.substr(comma + 1);
    if (rest.starts_with(kKWord)) choice.k = number_in(rest.substr(kKWord.size()));
    return choice;
}

List<DraftChoice> draft_sources(const DraftChoice& now, std::string_view model) {
    List<DraftChoice> all{{}, {now.ngram() ? now.source : std::string(kUsualNgram), now.k}};
    const bool is_sibling =
        std::find(kDraftSiblings.begin(), kDraftSiblings.end(), model) != kDraftSiblings.end();
    for (const std::string_view sibling : kDraftSiblings)
        if (is_sibling && sibling != model) all.push_back({std::string(sibling), now.k});
    const bool is_there = std::any_of(
        all.begin(), all.end(), [&](const DraftChoice& each) { return each.source == now.source; });
    if (!is_there) all.push_back(now);
    return all;
}

List<DraftChoice> draft_lengths(const DraftChoice& now) {
    List<std::uint64_t> lengths{1, 2, 4, 8};
    if (now.k && std::find(lengths.begin(), lengths.end(), *now.k) == lengths.end())
        lengths.push_back(*now.k);
    std::sort(lengths.begin(), lengths.end());
    List<DraftChoice> all;
    for (const std::uint64_t k : lengths) all.push_back({now.source, k});
    all.push_back({now.source, std::nullopt});
    return all;
}

}  // namespace kv
