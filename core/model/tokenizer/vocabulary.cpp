#include "core/model/tokenizer/vocabulary.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {

void VocabularyText::add(std::string_view text, TokenId id) {
    KV_ASSERT(!text.empty() && text.size() <= kMaxEntryBytes && id < kMaxTokenIds);
    entries.push_back({id, static_cast<std::uint32_t>(text.size())});
    texts += text;
}

std::optional<Vocabulary> Vocabulary::make(const VocabularyText& from, std::string& why) {
    Vocabulary made;
    made.texts_.assign(from.texts.begin(), from.texts.end());
    made.ids_.reserve(from.entries.size());
    TokenId largest = 0;
    for (const auto& entry : from.entries) largest = std::max(largest, entry.id);
    made.places_.resize(from.entries.empty() ? 0 : largest + 1, {0, 0});
    std::uint32_t offset = 0;
    for (const auto& entry : from.entries) {
        const std::string_view text{made.texts_.data() + offset, entry.bytes};
        if (const auto taken = made.text(entry.id)) {
            why = "gives the id " + std::to_string(entry.id) + " to both \"" + shown(*taken) +
                  "\" and \"" + shown(text) + "\"";
            return std::nullopt;
        }
        if (!made.ids_.emplace(text, entry.id).second) {
            why = "names the entry \"" + shown(text) + "\" twice";
            return std::nullopt;
        }
        made.places_[entry.id] = {offset, entry.bytes};
        offset += entry.bytes;
    }
    return made;
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> Vocabulary::text(TokenId id) const {
    if (id >= places_.size() || places_[id].bytes == 0) return std::nullopt;
    return std::string_view{texts_.data() + places_[id].offset, places_[id].bytes};
}

}  // namespace kv
