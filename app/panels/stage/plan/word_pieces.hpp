#pragma once
// Which tokens a word of a text was cut into: a word that the model knows is one token, any other
// falls into several. Pure.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kv {

struct WordPieces {
    std::string word;                // without what stands around it
    std::uint32_t first = 0, n = 0;  // its tokens, a lone space before it among them
};
// `bytes`: what each token stands for, in order; empty for one that stands for no text. A word is a
// run of letters and digits, and of every byte above 127.
std::vector<WordPieces> words_of(std::span<const std::string> bytes);

}  // namespace kv
