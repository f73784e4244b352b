// Code points, UTF-8, normal form C, and the letters of bytes.
#include "core/model/tokenizer/unicode/unicode.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/base/files/json.hpp"
#include "core/base/files/utf8.hpp"
#include "core/model/tokenizer/unicode/byte_letters.hpp"
#include "core/model/tokenizer/unicode/nfc.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

std::string utf8(char32_t c) {
    std::string out;
    append_utf8(out, c);
    return out;
}

std::string repaired(std::string_view bytes) {
    Utf8Repair repair;
    std::string out = repair.feed(bytes);
    return out + repair.finish();
}

const std::string kReplacement(kReplacementCharacter);

}  // namespace

TEST_CASE("normal form C is what the Unicode database says", "[unicode]") {
    std::ifstream in(kv::test::source_dir() + "/tests/model/fixtures/nfc.json");
    REQUIRE(in);
    const auto pairs = nlohmann::json::parse(in);
    REQUIRE(pairs.size() == 480);
    for (const auto& pair : pairs) {
        const std::string text = pair[0], normal = pair[1];
        CAPTURE(text);
        CHECK(nfc(text) == normal);
        CHECK(nfc(normal) == normal);
    }
}

TEST_CASE("normal form C by hand", "[unicode]") {
    CHECK(nfc("").empty());
    CHECK(nfc("plain \xC3\xA9") == "plain \xC3\xA9");
    CHECK(nfc("e\xCC\x81") == "\xC3\xA9");                               // e, acute
    CHECK(nfc("q\xCC\x87\xCC\xA3") == "q\xCC\xA3\xCC\x87");              // dot above, dot below
    CHECK(nfc("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB") == utf8(0xD55C));  // the syllable han
    CHECK(nfc("\xE1\x84\x92\xE1\x85\xA1") == utf8(0xD558));
    CHECK(nfc(utf8(0x212B)) == utf8(0xC5));                // Angstrom sign
    CHECK(nfc(utf8(0x958)) == utf8(0x915) + utf8(0x93C));  // excluded from composition
    CHECK(nfc(std::string("a\0e\xCC\x81", 5)) == std::string("a\0\xC3\xA9", 4));
    CHECK(nfc("\xCC\x81") == "\xCC\x81");  // a mark with nothing before it
}

TEST_CASE("every Hangul syllable is composed of its parts", "[unicode]") {
    for (char32_t syllable = 0xAC00; syllable < 0xD7A4; ++syllable) {
        const auto parts = decomposition(syllable);
        REQUIRE((parts && parts->second));
        REQUIRE(composition(parts->first, *parts->second) == syllable);
    }
    CHECK_FALSE(composition(0xAC01, 0x11A8));  // it has its last part already
    CHECK_FALSE(composition(0xAC00, 0x11A7));
}

TEST_CASE("classes of characters", "[unicode]") {
    CHECK((is_letter('a') && is_letter(0xE9) && is_letter(0x4E16) && is_letter(0x20000)));
    CHECK_FALSE((is_letter('1') || is_letter('_') || is_letter(0x301) || is_letter(0x10FFFF)));
    CHECK((is_number('7') && is_number(0xBD) && is_number(0x2167) && is_number(0x663)));
    CHECK_FALSE((is_number('a') || is_number(0x4E00)));
    CHECK((is_word('_') && is_word(0x301) && is_word(0x200D) && !is_word('-') && !is_word(' ')));
    CHECK_FALSE(is_white_space(0x180E));
    int spaces = 0;
    for (char32_t c = 0; c < 0x110000; ++c) spaces += is_white_space(c);
    CHECK(spaces == 25);
}

TEST_CASE("UTF-8 is strict", "[unicode]") {
    for (char32_t c :
         {0x0U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
        const std::string bytes = utf8(c);
        CHECK(utf8_length(bytes, 0) == bytes.size());
        CHECK(code_point_at(bytes, 0).value == c);
        CHECK(code_point_before("x" + bytes, 1 + bytes.size()).value == c);
    }
    for (const char* broken :
         {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE2\x82", "\xC3("}) {
        CHECK(utf8_length(broken, 0) == 0);
    }
    CHECK(valid_utf8_prefix("ab\xC3\xA9\xC3") == 4);
}

TEST_CASE("broken sequences become one replacement for each sound beginning", "[unicode]") {
    CHECK(repaired("a\xC3\xA9") == "a\xC3\xA9");
    CHECK(repaired("\xE2\x82") == kReplacement);
    CHECK(repaired("\xE2\x82(") == kReplacement + "(");
    CHECK(repaired("\xE0\x80\x80") ==
          kReplacement + kReplacement + kReplacement);  // 80 cannot follow E0
    CHECK(repaired("\xF0\x9F\x98\xE2\x82\xAC") == kReplacement + "\xE2\x82\xAC");
    CHECK(repaired("\xC0\xAF\xFF") == kReplacement + kReplacement + kReplacement);
}

TEST_CASE("every byte has a letter of its own and comes back", "[unicode]") {
    std::string bytes, letters;
    for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
    append_letters(letters, bytes);
    CHECK(bytes_of_letters(letters) == bytes);
    CHECK(letter_of_byte(' ') == 0x120);
    CHECK(letter_of_byte('\n') == 0x10A);
    CHECK(letter_of_byte('a') == 'a');
    CHECK_FALSE(byte_of_letter(' '));
    CHECK_FALSE(byte_of_letter(0x144));
    CHECK_FALSE(bytes_of_letters("a b"));
}
