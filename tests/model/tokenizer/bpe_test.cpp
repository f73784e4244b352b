// Byte-pair encoding against the slow way of doing it.
#include "core/model/tokenizer/bpe.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/random.hpp"

using namespace kv;

namespace {

// A vocabulary over a, b, c grown by random merges, some of which lead to the same entry.
struct Grown {
    std::vector<std::string> entries{"a", "b", "c"};
    std::vector<std::pair<std::string, std::string>> merges;

    explicit Grown(std::uint64_t seed) {
        const Random random{seed, 0};
        for (std::uint64_t n = 0; merges.size() < 60; ++n) {
            const auto size = static_cast<std::uint32_t>(entries.size());
            const std::string left = entries[random.below(2 * n, size)];
            const std::string right = entries[random.below(2 * n + 1, size)];
            if (std::find(merges.begin(), merges.end(), std::pair(left, right)) != merges.end())
                continue;
            merges.emplace_back(left, right);
            if (std::find(entries.begin(), entries.end(), left + right) == entries.end()) {
                entries.push_back(left + right);
            }
        }
    }

    Bpe make() const {
        VocabularyText vocabulary;
        for (std::size_t id = 0; id < entries.size(); ++id) {
            vocabulary.add(entries[id], static_cast<TokenId>(id));
        }
        MergeText text;
        for (const auto& [left, right] : merges) text.add(left, right);
        std::string why;
        return *Bpe::make(*Vocabulary::make(vocabulary, why), text, {}, why);
    }
};

// Looks at all pairs again after every merge.
std::vector<std::string> slow(const Grown& grown, const std::string& piece) {
    std::vector<std::string> symbols;
    for (const char c : piece) symbols.emplace_back(1, c);
    for (;;) {
        std::size_t best_rank = grown.merges.size(), best = 0;
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            for (std::size_t rank = 0; rank < best_rank; ++rank) {
                if (grown.merges[rank] != std::pair(symbols[i], symbols[i + 1])) continue;
                best_rank = rank;
                best = i;
            }
        }
        if (best_rank == grown.merges.size()) return symbols;
        symbols[best] += symbols[best + 1];
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
}

}  // namespace

TEST_CASE("the queue merges what looking at every pair would merge", "[tokenizer]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Grown grown{seed};
        const Bpe bpe = grown.make();
        const Random random{seed, 1};
        Bpe::Scratch scratch;
        for (std::uint64_t n = 0; n < 20; ++n) {
            std::string piece;
            for (std::uint64_t i = 0; i < 5 + 2 * n; ++i) {
                piece += static_cast<char>('a' + random.below(100 * n + i, 3));
            }
            std::vector<TokenId> ids;
            std::vector<char32_t> dropped;
            bpe.encode(piece, scratch, ids, dropped);
            std::vector<std::string> texts;
            texts.reserve(ids.size());
            for (const TokenId id : ids) texts.emplace_back(*bpe.vocabulary().text(id));
            CAPTURE(seed, piece);
            CHECK(texts == slow(grown, piece));
        }
    }
}
