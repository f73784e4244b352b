#include "app/shell/picture/image.hpp"

#include <algorithm>
#include <cstdlib>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kLargestPng = std::size_t{1} << 28;
constexpr Color kDiffers = rgb(0xF26B3A);

std::string size_text(PixelSize size) {
    return std::to_string(size.w) + "x" + std::to_string(size.h);
}

std::size_t area(PixelSize size) {
    return static_cast<std::size_t>(size.w) * static_cast<std::size_t>(size.h);
}

ImageDifference of_different_size(const Image& actual, const Image& expected) {
    ImageDifference difference;
    difference.pixels = std::max(area(actual.size), area(expected.size));
    difference.picture = actual;
    difference.sentence =
        "the picture is " + size_text(actual.size) + ", expected " + size_text(expected.size);
    return difference;
}

int farthest_channel(Color a, Color b) {
    return std::max(
        {std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b), std::abs(a.a - b.a)});
}

std::string sentence_of(const ImageDifference& difference, Color actual, Color expected) {
    const auto channels = [](Color c) {
        return "(" + std::to_string(c.r) + ", " + std::to_string(c.g) + ", " + std::to_string(c.b) +
               ", " + std::to_string(c.a) + ")";
    };
    const char* count = difference.pixels == 1 ? " pixel differs" : " pixels differ";
    return with_commas(difference.pixels) + count + " by at most " +
           std::to_string(difference.most) + ", the first at x " + std::to_string(difference.x) +
           ", y " + std::to_string(difference.y) + ": " + channels(actual) + ", expected " +
           channels(expected);
}

}  // namespace

Image Image::filled(PixelSize size, Color color) {
    KV_ASSERT(size.w >= 0 && size.h >= 0);
    Image image{size, std::vector<std::uint8_t>(area(size) * 4)};
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        image.rgba[i] = color.r;
        image.rgba[i + 1] = color.g;
        image.rgba[i + 2] = color.b;
        image.rgba[i + 3] = color.a;
    }
    return image;
}

std::size_t Image::offset(int x, int y) const {
    KV_ASSERT(x >= 0 && y >= 0 && x < size.w && y < size.h);
    return 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.w) +
                static_cast<std::size_t>(x));
}

Color Image::at(int x, int y) const {
    const std::size_t i = offset(x, y);
    return {rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]};
}

void Image::set(int x, int y, Color color) {
    const std::size_t i = offset(x, y);
    rgba[i] = color.r;
    rgba[i + 1] = color.g;
    rgba[i + 2] = color.b;
    rgba[i + 3] = color.a;
}

Image read_png(const std::filesystem::path& file) {
    return decode_png(read_file(file, kLargestPng), file.string());
}

void write_png(const std::filesystem::path& file, const Image& image,
               std::span<const PngText> texts) {
    save_file(file, encode_png(image, texts));
}

std::optional<ImageDifference> compare(const Image& actual, const Image& expected) {
    if (actual.size != expected.size) return of_different_size(actual, expected);
    if (actual == expected) return std::nullopt;

    ImageDifference difference;
    difference.picture = Image::filled(expected.size, rgb(0));
    for (int y = 0; y < expected.size.h; ++y) {
        for (int x = 0; x < expected.size.w; ++x) {
            const Color want = expected.at(x, y);
            if (actual.at(x, y) == want) {
                difference.picture.set(x, y, with_alpha(mix(want, rgb(0x808080), 0.8), 255));
                continue;
            }
            if (difference.pixels++ == 0) difference.x = x, difference.y = y;
            difference.most = std::max(difference.most, farthest_channel(actual.at(x, y), want));
            difference.picture.set(x, y, kDiffers);
        }
    }
    difference.sentence = sentence_of(difference, actual.at(difference.x, difference.y),
                                      expected.at(difference.x, difference.y));
    return difference;
}

}  // namespace kv
