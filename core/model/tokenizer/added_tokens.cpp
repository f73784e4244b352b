#include "core/model/tokenizer/added_tokens.hpp"

#include <algorithm>

#include "core/base/files/utf8.hpp"
#include "core/base/shown.hpp"
#include "core/model/tokenizer/unicode/unicode.hpp"

namespace kv {
namespace {

struct Place {
    std::size_t begin, end;
};

bool is_single_word(std::string_view text, Place place) {
    if (place.begin > 0 && is_word(code_point_before(text, place.begin).value)) return false;
    return place.end == text.size() || !is_word(code_point_at(text, place.end).value);
}

// `covered` is where the token before this one ends, with the white space that it took. A token
// that begins within that space and looks for more on its left may be left with nothing; one that
// does not is found all the same. So does PyPI `tokenizers`.
void take_white_space(std::string_view text, const AddedToken& token, std::size_t covered,
                      Place& place) {
    while (token.lstrip && place.begin > covered) {
        const CodePoint before = code_point_before(text, place.begin);
        if (!is_white_space(before.value)) break;
        place.begin -= before.bytes;
    }
    if (token.lstrip) place.begin = std::max(place.begin, covered);
    while (token.rstrip && place.end < text.size()) {
        const CodePoint after = code_point_at(text, place.end);
        if (!is_white_space(after.value)) break;
        place.end += after.bytes;
    }
}

bool by_found_as(const AddedToken& a, const AddedToken& b) {
    return a.found_as < b.found_as;
}

}  // namespace

std::optional<TokenFinder> TokenFinder::make(std::vector<AddedToken> tokens, std::string& why) {
    std::sort(tokens.begin(), tokens.end(), by_found_as);
    const auto twin =
        std::adjacent_find(tokens.begin(), tokens.end(),
                           [](const auto& a, const auto& b) { return a.found_as == b.found_as; });
    if (twin != tokens.end()) {
        why = "names \"" + shown(twin->content) + "\" and \"" + shown((twin + 1)->content) +
              "\", which are found as the same text";
        return std::nullopt;
    }
    TokenFinder made;
    for (const AddedToken& token : tokens) {
        made.starts_[static_cast<unsigned char>(token.found_as[0])] = true;
    }
    made.tokens_ = std::move(tokens);
    return made;
}

// Narrows the sorted tokens down to those that go on as the text does, byte by byte.
const AddedToken* TokenFinder::longest_at(std::string_view text, std::size_t at) const {
    if (!starts_[static_cast<unsigned char>(text[at])]) return nullptr;
    const AddedToken* longest = nullptr;
    auto first = tokens_.begin(), last = tokens_.end();
    for (std::size_t depth = 0; first != last && at + depth < text.size(); ++depth) {
        const char wanted = text[at + depth];
        const auto byte = [depth](const AddedToken& token) {
            return static_cast<unsigned char>(token.found_as[depth]);
        };
        const auto limit = static_cast<unsigned char>(wanted);
        first = std::partition_point(first, last, [&](const auto& t) { return byte(t) < limit; });
        last = std::partition_point(first, last, [&](const auto& t) { return byte(t) == limit; });
        if (first != last && first->found_as.size() == depth + 1) longest = &*first++;
    }
    return longest;
}

bool TokenFinder::cut(std::string_view text, bool at_start, const TakeText& take_text,
                      const TakeToken& take_token) const {
    std::size_t covered = 0, at = 0;
    const auto text_until = [&](std::size_t end) {
        return covered >= end ||
               take_text(text.substr(covered, end - covered), at_start && covered == 0);
    };
    while (at < text.size() && !tokens_.empty()) {
        const AddedToken* token = longest_at(text, at);
        if (!token) {
            ++at;
            continue;
        }
        Place place{at, at + token->found_as.size()};
        at = place.end;
        if (token->single_word && !is_single_word(text, place)) continue;
        take_white_space(text, *token, covered, place);
        if (!text_until(place.begin)) return false;
        if (place.begin < place.end) take_token(token->id);
        covered = place.end;
    }
    return text_until(text.size());
}

std::optional<AddedTokens> AddedTokens::make(std::vector<AddedToken> tokens,
                                             const TextNormalizer& normalizer, std::string& why) {
    std::vector<AddedToken> raw, normalized;
    for (AddedToken& token : tokens) {
        token.found_as = token.normalized ? normalizer.apply(token.content) : token.content;
        if (token.found_as.empty()) {
            why = "names \"" + shown(token.content) + "\", which is nothing once normalized";
            return std::nullopt;
        }
        (token.normalized ? normalized : raw).push_back(token);
    }
    auto in_raw = TokenFinder::make(std::move(raw), why);
    if (!in_raw) return std::nullopt;
    auto in_normalized = TokenFinder::make(std::move(normalized), why);
    if (!in_normalized) return std::nullopt;
    AddedTokens made;
    made.tokens_ = std::move(tokens);
    std::sort(made.tokens_.begin(), made.tokens_.end(),
              [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
    made.raw_ = std::move(*in_raw);
    made.normalized_ = std::move(*in_normalized);
    return made;
}

const AddedToken* AddedTokens::find(std::string_view content) const {
    const auto found = std::find_if(tokens_.begin(), tokens_.end(), [&](const AddedToken& token) {
        return token.content == content;
    });
    return found == tokens_.end() ? nullptr : &*found;
}

const AddedToken* AddedTokens::find(TokenId id) const {
    const auto found =
        std::lower_bound(tokens_.begin(), tokens_.end(), id,
                         [](const AddedToken& token, TokenId wanted) { return token.id < wanted; });
    return found == tokens_.end() || found->id != id ? nullptr : &*found;
}

// A special token is known by its text, as PyPI `tokenizers` knows it: one whose normalized form is
// another is not left out.
bool AddedTokens::is_skipped(TokenId id) const {
    const AddedToken* token = find(id);
    return token && token->special && token->found_as == token->content;
}

}  // namespace kv
