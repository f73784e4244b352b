// Texts inside a PNG: they travel, they change no pixel, and a damaged one is refused by name.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/shell/picture/image.hpp"
#include "app/shell/picture/png_chunks.hpp"
#include "core/base/error.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

const std::string kScene = "{\"version\":1,\"name\":\"Zoë \xe2\x96\x81\"}";
constexpr std::size_t kChunkAt = kPngAfterHeader;

std::string picture(const std::vector<PngText>& texts) {
    return encode_png(Image::filled({5, 5}, rgb(0x112233)), texts);
}
std::optional<std::string> text_of(std::string_view bytes) {
    return png_text(bytes, "kvarium-scene", "x.png");
}
void refused(const std::string& bytes, const char* why) {
    INFO(why);
    CHECK_THROWS_MATCHES(text_of(bytes), Error, MessageMatches(ContainsSubstring("x.png: ")));
    CHECK_THROWS_MATCHES(text_of(bytes), Error, MessageMatches(ContainsSubstring(why)));
}

}  // namespace

TEST_CASE("texts travel in the picture and change no pixel", "[image]") {
    const std::string bytes = picture({{"kvarium-scene", kScene}, {"kvarium-shot", ""}});
    CHECK(text_of(bytes) == kScene);
    CHECK(png_text(bytes, "kvarium-shot", "x.png") == "");
    CHECK(decode_png(bytes, "a.png") == Image::filled({5, 5}, rgb(0x112233)));
}

TEST_CASE("a picture without that text, and what is no picture, have none", "[image]") {
    CHECK_FALSE(text_of(picture({})));
    CHECK_FALSE(text_of(picture({{"kvarium", kScene}, {"kvarium-scene2", kScene}})));
    CHECK_FALSE(text_of(""));
    CHECK_FALSE(text_of("{\"version\":1}"));
}

// Signature, header (13 bytes of data), then ours: length, "iTXt", "kvarium" and five zero bytes,
// the text, and the CRC-32 of type and data, here worked out by an independent program.
TEST_CASE("a text is the chunk that the PNG standard describes", "[image]") {
    const std::string bytes = picture({{"kvarium", "hi"}});
    const std::string chunk = bytes.substr(8 + 25, 4 + 4 + 14 + 4);
    CHECK(chunk == std::string("\0\0\0\x0EiTXtkvarium\0\0\0\0\0hi\xFF\x89\xD4\x83", 26));
}

// What stands between keyword and text, by the trick of a keyword that goes on behind its zero.
TEST_CASE("a language and a translated keyword before the text are passed over", "[image]") {
    const PngText text{std::string("kvarium-scene\0\0\0en\0szene", 24), "body"};
    CHECK(text_of(picture({text})) == std::string("\0\0\0\0body", 8));
}

TEST_CASE("a chunk that is no whole text is no text", "[image]") {
    for (const std::string& data :
         {std::string("kvarium-scene"), std::string("kvarium-scene\0\0", 15),
          std::string("kvarium-scene\0\0\0en", 18), std::string("kvarium-scene\0\0\0\0x", 18),
          std::string()}) {
        std::string bytes = picture({});
        bytes.insert(kChunkAt, std::string("\0\0\0", 3) + static_cast<char>(data.size()) + "iTXt" +
                                   data + "crc!");
        CHECK_FALSE(text_of(bytes));
    }
}

TEST_CASE("a text that is damaged, compressed, doubled or cut short is refused", "[image]") {
    const std::string whole = picture({{"kvarium-scene", kScene}});
    std::string bytes = whole;
    bytes[kChunkAt + 40] = static_cast<char>(bytes[kChunkAt + 40] ^ 1);
    refused(bytes, "its checksum is wrong");

    refused(picture({{"kvarium-scene", kScene}, {"kvarium-scene", kScene}}), "it is there twice");
    refused(picture({{std::string("kvarium-scene\0\x01\0\0", 17), kScene}}),
            "another program has compressed it");

    for (std::size_t length = 8; length < whole.size(); ++length)
        refused(whole.substr(0, length), "the file is cut short");

    bytes = whole;
    bytes[kChunkAt] = '\x7F';  // a length beyond the end
    refused(bytes, "the file is cut short");
}
