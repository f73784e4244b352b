// Pictures: there and back, the same bytes twice, and one changed pixel is found. The last is also
// the proof that a golden picture can fail.

#include "app/shell/picture/image.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;

namespace {

// No two neighbours alike, every channel in use, alpha included.
Image pattern(PixelSize size) {
    Image image = Image::filled(size, rgb(0));
    for (int y = 0; y < size.h; ++y)
        for (int x = 0; x < size.w; ++x)
            image.set(x, y,
                      {static_cast<std::uint8_t>(x * 37 + y), static_cast<std::uint8_t>(y * 53),
                       static_cast<std::uint8_t>(x ^ y), static_cast<std::uint8_t>(255 - x - y)});
    return image;
}

}  // namespace

TEST_CASE("a picture reads back as it was written", "[image]") {
    for (const PixelSize size : {PixelSize{1, 1}, {7, 3}, {3, 7}, {64, 48}, {257, 2}}) {
        const Image image = pattern(size);
        CHECK(decode_png(encode_png(image), "a.png") == image);
    }
}

TEST_CASE("the same picture gives the same bytes", "[image]") {
    const Image image = pattern({64, 48});
    CHECK(encode_png(image) == encode_png(image));
    const std::vector<PngText> texts{{"a", "one"}, {"b", "two"}};
    CHECK(encode_png(image, texts) == encode_png(image, texts));
}

TEST_CASE("what is no PNG is refused by name", "[image]") {
    CHECK_THROWS_MATCHES(decode_png("", "x.png"), Error,
                         MessageMatches(ContainsSubstring("x.png: not a PNG")));
    CHECK_THROWS_MATCHES(decode_png("GIF89a,,,,,,,,", "x.png"), Error,
                         MessageMatches(ContainsSubstring("x.png: not a PNG")));
}

TEST_CASE("a PNG that is cut short or damaged is refused, never read past its end", "[image]") {
    const std::string whole = encode_png(pattern({16, 16}));
    for (std::size_t length = 8; length + 20 < whole.size(); length += 7)
        CHECK_THROWS_AS(decode_png(whole.substr(0, length), "x.png"), Error);
    for (std::size_t at = 8; at < whole.size(); at += 5) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
        try {
            decode_png(damaged, "x.png");
        } catch (const Error& error) {
            CHECK_THAT(error.what(), ContainsSubstring("x.png"));
        }
    }
}

TEST_CASE("a picture of absurd size is refused before it takes memory", "[image]") {
    std::string bytes = encode_png(Image::filled({1, 1}, rgb(0)));
    bytes.replace(16, 8, std::string("\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF", 8));
    CHECK_THROWS_AS(decode_png(bytes, "x.png"), Error);
}

// A chunk that claims 1.8 GB, found by fuzzing: the decoder would ask for them before it looks.
TEST_CASE("a chunk longer than the file is refused before it takes memory", "[image]") {
    std::string bytes = encode_png(pattern({4, 4}));
    const std::size_t length = bytes.find("IDAT") - 4;
    bytes.replace(length, 4, std::string("\x6B\x75\xF0\x22", 4));
    CHECK_THROWS_MATCHES(decode_png(bytes, "x.png"), Error,
                         MessageMatches(ContainsSubstring("x.png: the PNG cannot be read (cut")));
}

// The pixels of 64 x 48 under a header that says 2 x 2, its CRC left wrong as the decoder ignores
// it.
TEST_CASE("pixels that unpack to more than the header says are refused", "[image]") {
    std::string bytes = encode_png(pattern({64, 48}));
    bytes.replace(16, 8, std::string("\0\0\0\2\0\0\0\2", 8));
    CHECK_THROWS_MATCHES(decode_png(bytes, "x.png"), Error,
                         MessageMatches(ContainsSubstring("its pixels are damaged")));
}

// The format allows it, and the decoder would copy nothing to no address, which is undefined.
TEST_CASE("a chunk of pixels that holds none changes nothing", "[image]") {
    const std::string whole = encode_png(pattern({4, 4}));
    std::string bytes = whole;
    bytes.insert(bytes.find("IDAT") - 4, std::string("\0\0\0\0IDAT\x35\xAF\x06\x1E", 12));
    CHECK(decode_png(bytes, "x.png") == decode_png(whole, "x.png"));
}

// Found by fuzzing: a header of 70 bytes asked for a quarter of a gigabyte, three times over. The
// first size is more than so few bytes can unpack to; the second they could, but do not.
TEST_CASE("a header that promises more pixels than the file holds takes no memory", "[image]") {
    for (const char* size : {"\0\0\x10\0\0\0\x10\0", "\0\0\0\x41\0\0\0\x30"}) {
        std::string bytes = encode_png(pattern({64, 48}));
        bytes.replace(16, 8, std::string(size, 8));
        CHECK_THROWS_MATCHES(
            decode_png(bytes, "x.png"), Error,
            MessageMatches(ContainsSubstring("x.png: the PNG cannot be read (cut")));
    }
}

TEST_CASE("equal pictures have no difference", "[image][golden]") {
    CHECK_FALSE(compare(pattern({9, 9}), pattern({9, 9})));
}

TEST_CASE("one changed pixel is found and shown", "[image][golden]") {
    const Image expected = pattern({40, 30});
    for (int channel = 0; channel < 4; ++channel) {
        Image actual = expected;
        actual.rgba[static_cast<std::size_t>(4 * (17 * 40 + 23) + channel)] ^= 1;
        const auto difference = compare(actual, expected);
        REQUIRE(difference);
        CHECK(difference->pixels == 1);
        CHECK(difference->x == 23);
        CHECK(difference->y == 17);
        CHECK(difference->picture.size == expected.size);
        CHECK(difference->picture.at(23, 17) == rgb(0xF26B3A));
        CHECK_FALSE(difference->picture.at(22, 17) == rgb(0xF26B3A));
        CHECK_THAT(difference->sentence,
                   ContainsSubstring("1 pixel differs by at most 1, the first at x 23, y 17"));
    }
}

TEST_CASE("the first difference is the first in reading order", "[image][golden]") {
    const Image expected = Image::filled({10, 10}, rgb(0x204060));
    Image actual = expected;
    actual.set(9, 2, rgb(0));
    actual.set(0, 3, rgb(0));
    actual.set(5, 9, rgb(0));
    const auto difference = compare(actual, expected);
    REQUIRE(difference);
    CHECK(difference->pixels == 3);
    CHECK(difference->x == 9);
    CHECK(difference->y == 2);
}

TEST_CASE("pictures of different size differ everywhere", "[image][golden]") {
    const auto difference = compare(Image::filled({4, 4}, rgb(0)), Image::filled({4, 5}, rgb(0)));
    REQUIRE(difference);
    CHECK(difference->pixels == 20);
    CHECK_THAT(difference->sentence, ContainsSubstring("the picture is 4x4, expected 4x5"));
}

TEST_CASE("a picture on disk is the picture in memory, texts included", "[image]") {
    const ScratchFolder folder;
    const Image image = pattern({20, 10});
    const auto file = folder.path() / "my picture \xC3\xA9.png";
    const std::vector<PngText> texts{{"kvarium", "note"}};
    write_png(file, image, texts);
    CHECK(read_png(file) == image);
    write_png(file, Image::filled({2, 2}, rgb(0xFFFFFF)));
    CHECK(read_png(file) == Image::filled({2, 2}, rgb(0xFFFFFF)));
}
