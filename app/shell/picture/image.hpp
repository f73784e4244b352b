#pragma once
// A picture in memory and on disk: RGBA with 8 bits a channel, top row first. The same picture
// gives the same PNG bytes every time, and two pictures are equal or their first different pixel is
// named.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/geometry.hpp"
#include "app/shell/theme.hpp"

namespace kv {

struct Image {
    PixelSize size;
    std::vector<std::uint8_t> rgba;  // (h, w, 4)

    static Image filled(PixelSize size, Color color);
    Color at(int x, int y) const;
    void set(int x, int y, Color color);
    friend bool operator==(const Image&, const Image&) = default;

private:
    std::size_t offset(int x, int y) const;
};

// A text that travels in the picture and changes no pixel.
struct PngText {
    std::string keyword, text;  // keyword: 1 to 79 letters; text: UTF-8
    friend bool operator==(const PngText&, const PngText&) = default;
};

std::string encode_png(const Image& image, std::span<const PngText> texts = {});
bool is_png(std::string_view bytes);
// Both throw kv::Error that starts with `name` and says what is wrong with the file.
Image decode_png(std::string_view bytes, std::string_view name);
// The text of that key in a PNG; nothing when the picture has no such text.
std::optional<std::string> png_text(std::string_view bytes, std::string_view keyword,
                                    std::string_view name);

Image read_png(const std::filesystem::path& file);
void write_png(const std::filesystem::path& file, const Image& image,
               std::span<const PngText> texts = {});

struct ImageDifference {
    // How many differ; of pictures of different size, all of the larger one.
    std::size_t pixels = 0;
    int most = 0;      // the largest difference of a channel, 1 to 255
    int x = 0, y = 0;  // the first one, in reading order
    Image picture;     // the expected picture dimmed, what differs in vermillion
    std::string sentence;
};
std::optional<ImageDifference> compare(const Image& actual, const Image& expected);

}  // namespace kv
