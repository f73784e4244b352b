#include "core/model/tokenizer/bpe.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Candidate = Bpe::Scratch::Candidate;

std::uint64_t pair_of(TokenId left, TokenId right) {
    return std::uint64_t{left} << 32U | right;
}

// The order of the heap: at its top is the merge that was learnt first, of equal ones the leftmost.
bool comes_later(const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
}

std::string byte_entry(unsigned byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return {'<', '0', 'x', kDigits[byte >> 4U], kDigits[byte & 15U], '>'};
}

void append_symbol(Bpe::Scratch& scratch, TokenId id) {
    const auto index = static_cast<std::uint32_t>(scratch.symbols.size());
    scratch.symbols.push_back({id, index - 1, index + 1, false});
}

}  // namespace

void MergeText::add(std::string_view left, std::string_view right) {
    pairs.push_back(
        {static_cast<std::uint32_t>(left.size()), static_cast<std::uint32_t>(right.size())});
    texts += left;
    texts += right;
}

// Ids are small and dense; multiplying by an odd constant spreads them over the upper bits.
std::size_t Bpe::PairHash::operator()(std::uint64_t pair) const {
    return static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15U) >> 20U);
}

std::optional<Bpe> Bpe::make(Vocabulary vocabulary, const MergeText& merges,
                             const BpeOptions& options, std::string& why) {
    Bpe made;
    made.vocabulary_ = std::move(vocabulary);
    if (!made.index_merges(merges, why) || !made.take_options(options, why)) return std::nullopt;
    made.index_letters();
    return made;
}

bool Bpe::index_merges(const MergeText& merges, std::string& why) {
    merges_.reserve(merges.pairs.size());
    std::uint32_t rank = 0;
    std::size_t offset = 0;
    const std::string_view texts = merges.texts;
    for (const auto& pair : merges.pairs) {
        const std::string_view both = texts.substr(offset, pair.left_bytes + pair.right_bytes);
        const std::string_view left = both.substr(0, pair.left_bytes);
        const std::string_view right = both.substr(pair.left_bytes);
        for (const std::string_view entry : {left, right, both}) {
            if (vocabulary_.find(entry)) continue;
            why = "model.merges[" + std::to_string(rank) + "] joins \"" + shown(left) +
                  "\" and \"" + shown(right) + "\", and model.vocab has no entry \"" +
                  shown(entry) + "\"";
            return false;
        }
        // A pair that is named twice counts at its later place, as in PyPI `tokenizers`.
        merges_[pair_of(*vocabulary_.find(left), *vocabulary_.find(right))] = {
            rank, *vocabulary_.find(both)};
        offset += both.size();
        ++rank;
    }
    return true;
}

bool Bpe::take_options(const BpeOptions& options, std::string& why) {
    fuse_unknown_ = options.fuse_unknown;
    ignore_merges_ = options.ignore_merges;
    if (options.unknown) {
        unknown_ = vocabulary_.find(*options.unknown);
        if (!unknown_) {
            why = "model.unk_token is \"" + shown(*options.unknown) +
                  "\", which model.vocab has no entry for";
            return false;
        }
    }
    if (!options.byte_fallback) return true;
    for (unsigned byte = 0; byte < 256; ++byte) {
        byte_tokens_[byte] = vocabulary_.find(byte_entry(byte));
    }
    return true;
}

void Bpe::index_letters() {
    for (char32_t c = 0; c < letters_.size(); ++c) {
        std::string text;
        append_utf8(text, c);
        letters_[c] = vocabulary_.find(text);
    }
}

std::optional<TokenId> Bpe::byte_token(unsigned char byte) const {
    return byte_tokens_[byte];
}

std::optional<TokenId> Bpe::character(char32_t c, std::string_view text) const {
    return c < letters_.size() ? letters_[c] : vocabulary_.find(text);
}

bool Bpe::append_bytes(std::string_view text, Scratch& scratch) const {
    const auto known = [&](char byte) {
        return byte_tokens_[static_cast<unsigned char>(byte)].has_value();
    };
    if (!std::all_of(text.begin(), text.end(), known)) return false;
    for (const char byte : text) {
        append_symbol(scratch, *byte_tokens_[static_cast<unsigned char>(byte)]);
    }
    return true;
}

// The characters of the piece as symbols. An unknown one waits until the next known one is there,
// so that a run can be fused; bytes of a fallback overtake it. That order is the one of PyPI
// `tokenizers`, with which vocabularies are trained.
void Bpe::split(std::string_view piece, Scratch& scratch, std::vector<char32_t>& dropped) const {
    bool waiting = false;
    for (std::size_t at = 0; at < piece.size();) {
        const CodePoint c = code_point_at(piece, at);
        const std::string_view text = piece.substr(at, c.bytes);
        at += c.bytes;
        if (const auto id = character(c.value, text)) {
            if (waiting) append_symbol(scratch, *unknown_);
            waiting = false;
            append_symbol(scratch, *id);
        } else if (append_bytes(text, scratch)) {
            continue;
        } else if (unknown_) {
            if (waiting && !fuse_unknown_) append_symbol(scratch, *unknown_);
            waiting = true;
        } else {
            dropped.push_back(c.value);
        }
    }
    if (waiting) append_symbol(scratch, *unknown_);
}

const Bpe::Merge* Bpe::merge_of(TokenId left, TokenId right) const {
    const auto found = merges_.find(pair_of(left, right));
    return found == merges_.end() ? nullptr : &found->second;
}

// Puts the pair that begins at `left` into the heap, if the vocabulary has a merge for it.
void Bpe::offer(Scratch& scratch, std::uint32_t left) const {
    const auto& symbols = scratch.symbols;
    const std::uint32_t right = symbols[left].next;
    if (right >= symbols.size()) return;
    const Merge* merge = merge_of(symbols[left].id, symbols[right].id);
    if (!merge) return;
    scratch.queue.push_back({merge->rank, left, merge->result});
    std::push_heap(scratch.queue.begin(), scratch.queue.end(), comes_later);
}

// The symbols are a linked list, in which a merge is done in its place. A heap has the pairs that
// could be merged, the earliest learnt first. A merge changes its neighbours' pairs: the new ones
// are offered, the old ones stay in the heap, and are passed over when their turn comes.
void Bpe::merge_all(Scratch& scratch) const {
    auto& symbols = scratch.symbols;
    for (std::uint32_t i = 0; i < symbols.size(); ++i) offer(scratch, i);
    while (!scratch.queue.empty()) {
        const Candidate best = scratch.queue.front();
        std::pop_heap(scratch.queue.begin(), scratch.queue.end(), comes_later);
        scratch.queue.pop_back();
        auto& left = symbols[best.left];
        if (left.merged_away || left.next >= symbols.size()) continue;
        auto& right = symbols[left.next];
        // A neighbour may have been merged since this was offered; what gives another token now was
        // offered anew. Where the new pair makes the same token by another merge it is done at this
        // rank, as PyPI `tokenizers` does.
        const Merge* merge = merge_of(left.id, right.id);
        if (!merge || merge->result != best.result) continue;
        left.id = best.result;
        left.next = right.next;
        right.merged_away = true;
        if (left.next < symbols.size()) symbols[left.next].previous = best.left;
        if (left.previous < symbols.size()) offer(scratch, left.previous);
        offer(scratch, best.left);
    }
}

void Bpe::encode(std::string_view piece, Scratch& scratch, std::vector<TokenId>& ids,
                 std::vector<char32_t>& dropped) const {
    if (ignore_merges_) {
        if (const auto whole = vocabulary_.find(piece)) {
            ids.push_back(*whole);
            return;
        }
    }
    scratch.symbols.clear();
    scratch.queue.clear();
    split(piece, scratch, dropped);
    merge_all(scratch);
    for (const auto& symbol : scratch.symbols) {
        if (!symbol.merged_away) ids.push_back(symbol.id);
    }
}

}  // namespace kv
