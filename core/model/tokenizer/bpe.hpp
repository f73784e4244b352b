#pragma once
// Byte-pair encoding (Sennrich et al., arXiv 1508.07909) of one piece of text: its characters, then
// merges of neighbours, always the one that was learnt first and of equal ones the leftmost, until
// none applies. A piece of n characters takes n log n steps.

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/tokenizer/vocabulary.hpp"

namespace kv {

// Pairs of entries in the order in which they were learnt, as texts; they may stand in the file
// before the vocabulary that they refer to.
struct MergeText {
    struct Pair {
        std::uint32_t left_bytes, right_bytes;
    };
    std::string texts;
    std::vector<Pair> pairs;

    void add(std::string_view left, std::string_view right);
};

struct BpeOptions {
    std::optional<std::string> unknown;  // the entry for what is not in the vocabulary
    bool fuse_unknown = false;           // a run of unknown characters is one token
    bool byte_fallback = false;          // an unknown character becomes its bytes <0x00> to <0xFF>
    bool ignore_merges = false;          // a piece that is an entry is taken whole
};

class Bpe {
public:
    // `why` names the first merge that the vocabulary cannot do, or the unknown entry it lacks.
    static std::optional<Bpe> make(Vocabulary vocabulary, const MergeText& merges,
                                   const BpeOptions& options, std::string& why);

    // Memory that is used again from one piece to the next.
    struct Scratch {
        struct Symbol {
            TokenId id;
            std::uint32_t previous, next;  // indices; at the ends beyond all symbols (0 - 1 wraps)
            bool merged_away;
        };
        struct Candidate {
            std::uint32_t rank, left;  // index of the left symbol
            TokenId result;
        };
        std::vector<Symbol> symbols;
        std::vector<Candidate> queue;
    };

    // Appends the ids of the piece (valid UTF-8). A character that has no id and no stand-in is
    // left out and appended to `dropped`.
    void encode(std::string_view piece, Scratch& scratch, std::vector<TokenId>& ids,
                std::vector<char32_t>& dropped) const;

    std::optional<TokenId> byte_token(unsigned char byte) const;  // <0x00> to <0xFF>, if in use
    const Vocabulary& vocabulary() const { return vocabulary_; }

private:
    struct Merge {
        std::uint32_t rank;  // its place in the list of merges: the lower, the earlier learnt
        TokenId result;
    };
    struct PairHash {
        std::size_t operator()(std::uint64_t pair) const;
    };

    bool index_merges(const MergeText& merges, std::string& why);
    bool take_options(const BpeOptions& options, std::string& why);
    void index_letters();
    std::optional<TokenId> character(char32_t c, std::string_view text) const;
    bool append_bytes(std::string_view text, Scratch& scratch) const;
    void split(std::string_view piece, Scratch& scratch, std::vector<char32_t>& dropped) const;
    void merge_all(Scratch& scratch) const;
    void offer(Scratch& scratch, std::uint32_t left) const;
    const Merge* merge_of(TokenId left, TokenId right) const;

    Vocabulary vocabulary_;
    std::unordered_map<std::uint64_t, Merge, PairHash> merges_;
    std::array<std::optional<TokenId>, 256> byte_tokens_;
    // The characters that most pieces consist of.
    std::array<std::optional<TokenId>, 0x180> letters_;
    std::optional<TokenId> unknown_;
    bool fuse_unknown_ = false, ignore_merges_ = false;
};

}  // namespace kv
