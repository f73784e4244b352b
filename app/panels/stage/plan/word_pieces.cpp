#include "app/panels/stage/plan/word_pieces.hpp"

#include <algorithm>

namespace kv {
namespace {

bool is_in_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || c == '\'';
}

bool has_word(const std::string& bytes) {
    return std::any_of(bytes.begin(), bytes.end(), is_in_word);
}

// The characters of all tokens, and which token each belongs to.
struct Characters {
    std::string text;
    std::vector<std::uint32_t> token;  // by byte
    explicit Characters(std::span<const std::string> bytes) {
        for (std::uint32_t i = 0; i < bytes.size(); ++i) {
            text += bytes[i];
            token.insert(token.end(), bytes[i].size(), i);
        }
    }
};

}  // namespace

std::vector<WordPieces> words_of(std::span<const std::string> bytes) {
    const Characters all(bytes);
    std::vector<WordPieces> words;
    for (std::size_t at = 0; at < all.text.size();) {
        if (!is_in_word(all.text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < all.text.size() && is_in_word(all.text[end])) ++end;
        std::uint32_t first = all.token[at];
        const std::uint32_t last = all.token[end - 1];
        const bool after_space =
            at > 0 && all.text[at - 1] == ' ' && all.token[at - 1] + 1 == first;
        if (after_space && !has_word(bytes[first - 1]) && bytes[first - 1] == " ") --first;
        words.push_back({all.text.substr(at, end - at), first, last - first + 1});
        at = end;
    }
    return words;
}

}  // namespace kv
