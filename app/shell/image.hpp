#pragma once
// A picture in memory and on disk: RGBA with 8 bits a channel, top row first. The same picture
// gives the same PNG bytes every time, and two pictures are equal or their first different pixel is
// named.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/theme.hpp"

namespace kv {

struct PixelSize {
    int w = 0, h = 0;
    friend bool operator==(PixelSize, PixelSize) = default;
};

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

// `note`, when not empty, is stored in the text chunk "kvarium": the command or scene that made the
// picture, so that it can be made again.
std::string encode_png(const Image& image, std::string_view note = {});
Image decode_png(std::string_view bytes,
                 std::string_view name);  // throws kv::Error that starts with name
std::optional<std::string> png_note(std::string_view bytes);

Image read_png(const std::filesystem::path& file);
void write_png(const std::filesystem::path& file, const Image& image, std::string_view note = {});

struct ImageDifference {
    std::size_t pixels =
        0;             // how many differ; of pictures of different size, all of the larger one
    int x = 0, y = 0;  // the first one, in reading order
    Image picture;     // the expected picture dimmed, what differs in vermillion
    std::string sentence;
};
std::optional<ImageDifference> compare(const Image& actual, const Image& expected);

}  // namespace kv
