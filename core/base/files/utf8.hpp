#pragma once
// UTF-8 both ways, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. What is
// broken is told apart from what is merely not finished, so that a stream can wait for the rest.

#include <cstddef>
#include <string>
#include <string_view>

namespace kv {

// Bytes of the well-formed sequence at `at`; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

struct CodePoint {
    char32_t value;
    std::size_t bytes;
};
// `text` is valid UTF-8 and `at` is at the start of a character of it.
CodePoint code_point_at(std::string_view text, std::size_t at);
CodePoint code_point_before(std::string_view text, std::size_t at);  // the one that ends at `at`

void append_utf8(std::string& out, char32_t c);

// How many bytes from the start are valid UTF-8.
std::size_t valid_utf8_prefix(std::string_view text);

constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

// Turns bytes that arrive bit by bit into valid UTF-8. A sequence that may still become a character
// is held back; one that no longer can is replaced by one U+FFFD for its longest sound beginning,
// as Unicode recommends and as the usual decoders do.
class Utf8Repair {
public:
    std::string feed(std::string_view bytes);
    std::string finish();  // what is still held back will not be completed

private:
    void take(unsigned char byte, std::string& out);

    std::string held_;        // the sound beginning of a sequence
    std::size_t wanted_ = 0;  // bytes of the whole sequence
};

}  // namespace kv
