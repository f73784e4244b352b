#include "app/export/svg/picture.hpp"

#include <algorithm>
#include <cmath>

#include "app/export/svg/text.hpp"
#include "app/shell/picture/image.hpp"

namespace kv {
namespace {

Color pixel_of(const ImTextureData& texture, int x, int y) {
    const unsigned char* p =
        texture.Pixels + (std::ptrdiff_t{y} * texture.Width + x) * texture.BytesPerPixel;
    if (texture.BytesPerPixel == 1) return {255, 255, 255, p[0]};
    return {p[0], p[1], p[2], p[3]};
}

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group =
                group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        const std::size_t known = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= known ? kLetters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::string svg_picture(const ImTextureData& texture, ImVec2 a, ImVec2 b, const Rect& box) {
    if (texture.Pixels == nullptr) return {};
    const auto column = [&](float u) {
        return std::clamp(static_cast<int>(std::lround(u * static_cast<float>(texture.Width))), 0,
                          texture.Width);
    };
    const auto row = [&](float v) {
        return std::clamp(static_cast<int>(std::lround(v * static_cast<float>(texture.Height))), 0,
                          texture.Height);
    };
    const int x0 = column(a.x), y0 = row(a.y), w = column(b.x) - x0, h = row(b.y) - y0;
    if (w <= 0 || h <= 0) return {};
    Image image = Image::filled({w, h}, {0, 0, 0, 0});
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) image.set(x, y, pixel_of(texture, x0 + x, y0 + y));
    return "<image x=\"" + svg_number(box.x) + "\" y=\"" + svg_number(box.y) + "\" width=\"" +
           svg_number(box.w) + "\" height=\"" + svg_number(box.h) +
           "\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
           "href=\"data:image/png;base64," +
           base64(encode_png(image)) + "\"/>\n";
}

}  // namespace kv
