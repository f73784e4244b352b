#pragma once
// The entries of a model's vocabulary: text to id and back. Entries are not empty and ids may have
// gaps. All texts lie in one piece of memory.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

using TokenId = std::uint32_t;

constexpr u64 kMaxTokenIds = u64{1} << 20U;  // ids lie below
constexpr std::size_t kMaxEntryBytes = 4096;

// What a vocabulary is made from: entries in the order of the file, their texts end to end.
struct VocabularyText {
    struct Entry {
        TokenId id;
        std::uint32_t bytes;
    };
    std::string texts;
    std::vector<Entry> entries;

    void add(std::string_view text, TokenId id);
};

class Vocabulary {
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) noexcept = default;  // a copy's keys would lie in the original
    Vocabulary& operator=(Vocabulary&&) noexcept = default;
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;
    ~Vocabulary() = default;

    // A second entry of the same id or the same text is left in `why` ("gives the id 7 to both
    // ...").
    static std::optional<Vocabulary> make(const VocabularyText& from, std::string& why);

    std::optional<TokenId> find(std::string_view text) const;
    std::optional<std::string_view> text(TokenId id) const;  // nothing in a gap or beyond the end
    u64 size() const { return ids_.size(); }
    u64 id_limit() const { return places_.size(); }  // the largest id, plus one

private:
    struct Place {
        std::uint32_t offset, bytes;
    };

    std::vector<char> texts_;  // not a string, whose short form would move and take the keys along
    std::vector<Place> places_;  // by id; an entry has at least one byte, a gap has none
    std::unordered_map<std::string_view, TokenId> ids_;
};

}  // namespace kv
