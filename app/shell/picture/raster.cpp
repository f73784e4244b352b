#include "app/shell/picture/raster.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "core/base/background/background.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

using i64 = std::int64_t;
using u32 = std::uint32_t;

// Fixed point. A corner lies on a grid of 256 to the pixel. What is interpolated (texels, levels of
// a colour) has 16 bits behind the point, and 24 while it is added up.
constexpr int kGridBits = 8, kValueBits = 16, kSumBits = 24;
constexpr i64 kPixel = i64{1} << kGridBits, kHalfPixel = kPixel / 2;
constexpr i64 kFarthest = i64{1} << 23;  // on the grid: 32,768 pixels, beyond every picture
constexpr i64 kFarthestTexel = i64{1} << (kValueBits + 14);  // 16,384 texels, beyond every atlas

i64 fixed_point(double value, int bits, i64 limit) {
    const double scaled = std::floor(value * static_cast<double>(i64{1} << bits) + 0.5);
    if (!(scaled > static_cast<double>(-limit))) return -limit;  // what is no number as well
    return scaled < static_cast<double>(limit) ? static_cast<i64>(scaled) : limit;
}

// What a corner carries: the place in the texture, in texels, and the colour.
enum Value : std::size_t { kU, kV, kRed, kGreen, kBlue, kAlpha, kValues };

struct Corner {
    i64 x = 0, y = 0;
    std::array<i64, kValues> values{};
};

struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom lie outside
};

u32 over_255(u32 x) {  // x / 255, rounded, for x up to 65,535
    return (x + 128 + ((x + 128) >> 8)) >> 8;
}

using Pixel = std::array<u32, 4>;  // red, green, blue, alpha: 0 to 255

Pixel times(const Pixel& a, const Pixel& b) {
    return {over_255(a[0] * b[0]), over_255(a[1] * b[1]), over_255(a[2] * b[2]),
            over_255(a[3] * b[3])};
}

// The source over what is there: 200 at alpha 128 over 100 is (25,600 + 12,700) / 255, so 150. The
// picture's own alpha is blended like a colour whose source is 255.
void blend(std::uint8_t* at, const Pixel& source) {
    const u32 alpha = source[3], rest = 255 - alpha;
    for (std::size_t c = 0; c < 3; ++c)
        at[c] = static_cast<std::uint8_t>(over_255(source[c] * alpha + at[c] * rest));
    at[3] = static_cast<std::uint8_t>(over_255(255 * alpha + at[3] * rest));
}

class Texture {
public:
    explicit Texture(const ImTextureData& data)
        : bytes_(data.Pixels),
          width_(data.Width),
          height_(data.Height),
          per_texel_(data.BytesPerPixel),
          is_white_(data.Format == ImTextureFormat_Alpha8 || !data.UseColors) {
        KV_ASSERT(bytes_ != nullptr && width_ > 0 && height_ > 0);
    }
    int width() const { return width_; }
    int height() const { return height_; }

    // The mix of the four texels around a place, which has kSumBits behind its point. Beyond the
    // edge of the atlas lies nothing, as between two glyphs of it: a letter looks the same wherever
    // it came to lie.
    Pixel at(i64 u, i64 v) const {
        constexpr i64 kHalfTexel = i64{1} << (kSumBits - 1);
        const i64 x = u - kHalfTexel, y = v - kHalfTexel;
        const i64 left = x >> kSumBits, up = y >> kSumBits;
        const u32 to_right = static_cast<u32>(x >> (kSumBits - 8)) & 255;
        const u32 to_down = static_cast<u32>(y >> (kSumBits - 8)) & 255;
        const std::uint8_t *a = texel(left, up), *b = texel(left + 1, up), *c = texel(left, up + 1),
                           *d = texel(left + 1, up + 1);
        const auto mixed = [&](int channel) {
            const u32 above = a[channel] * (256 - to_right) + b[channel] * to_right;
            const u32 below = c[channel] * (256 - to_right) + d[channel] * to_right;
            return (above * (256 - to_down) + below * to_down + 32768) >> 16;
        };
        if (per_texel_ == 1) return {255, 255, 255, mixed(0)};
        if (is_white_) return {255, 255, 255, mixed(3)};
        return {mixed(0), mixed(1), mixed(2), mixed(3)};
    }

private:
    const std::uint8_t* texel(i64 x, i64 y) const {
        static constexpr std::array<std::uint8_t, 4> kNothing{};
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return kNothing.data();
        return bytes_ + (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                         static_cast<std::size_t>(x)) *
                            static_cast<std::size_t>(per_texel_);
    }

    const std::uint8_t* bytes_;
    int width_, height_, per_texel_;
    bool is_white_;
};

// An edge of the triangle. Seen along it the inside lies on the right, where `inside` is positive.
// A point on an edge belongs to the triangle when the edge is its left or its lower one, as in
// OpenGL, so two triangles that share an edge cover each pixel once.
struct Edge {
    Edge(const Corner& from, const Corner& to)
        : x(from.x), y(from.y), dx(to.x - from.x), dy(to.y - from.y) {
        const bool owns_its_points = dy < 0 || (dy == 0 && dx < 0);
        least = owns_its_points ? 0 : 1;
    }
    // Cuts the row whose middle is `row` down to the pixels [first, last] inside.
    void cut(i64 row, i64& first, i64& last) const {
        // inside(px) = dx (row - y) - dy (px - x), and px = 256 pixel + 128. Inside is where
        // at_zero + a_pixel pixel >= 0. Where that rises, the first such pixel is the ceiling of
        // -at_zero / a_pixel, which is -floor(at_zero / a_pixel).
        const i64 at_zero = dx * (row - y) - dy * (kHalfPixel - x) - least;
        const i64 a_pixel = -dy * kPixel;
        if (a_pixel > 0)
            first = std::max(first, -floor_div(at_zero, a_pixel));
        else if (a_pixel < 0)
            last = std::min(last, floor_div(at_zero, -a_pixel));
        else if (at_zero < 0)
            last = first - 1;
    }

private:
    static i64 floor_div(i64 a, i64 b) {  // b > 0
        const i64 q = a / b;
        return q * b > a ? q - 1 : q;
    }
    i64 x, y, dx, dy, least = 0;
};

// A value over the plane of the triangle, with the bounds that rounding must not leave.
struct Slope {
    i64 start = 0, along_x = 0, along_y = 0, low = 0, high = 0;

    i64 at(i64 dx, i64 dy) const { return start + along_x * dx + along_y * dy; }
    i64 clamped(i64 value) const { return std::clamp(value, low, high); }
    bool is_flat() const { return low == high; }
};

class Triangle {
public:
    Triangle(const Corner& a, const Corner& b, const Corner& c)
        : a_(a),
          twice_area_((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)),
          edges_(twice_area_ > 0 ? std::array{Edge(a, b), Edge(b, c), Edge(c, a)}
                                 : std::array{Edge(a, c), Edge(c, b), Edge(b, a)}),
          top_(std::min({a.y, b.y, c.y})),
          bottom_(std::max({a.y, b.y, c.y})) {
        if (twice_area_ == 0) return;
        for (std::size_t i = 0; i < kValues; ++i) slopes_[i] = slope(a, b, c, i);
        has_one_color_ = true;
        for (std::size_t i = kRed; i <= kAlpha; ++i) has_one_color_ &= slopes_[i].is_flat();
        has_one_texel_ = slopes_[kU].is_flat() && slopes_[kV].is_flat();
    }
    bool is_empty() const { return twice_area_ == 0; }

    void draw(Image& image, const Box& clip, const Texture& texture) const {
        const int first_row = static_cast<int>(std::max<i64>(clip.top, top_ >> kGridBits));
        const int last_row = static_cast<int>(std::min<i64>(clip.bottom - 1, bottom_ >> kGridBits));
        for (int row = first_row; row <= last_row; ++row) {
            i64 first = clip.left, last = clip.right - 1;
            const i64 middle = row * kPixel + kHalfPixel;
            for (const Edge& edge : edges_) edge.cut(middle, first, last);
            if (first <= last)
                draw_row(image, row, static_cast<int>(first), static_cast<int>(last), texture);
        }
    }

private:
    Slope slope(const Corner& a, const Corner& b, const Corner& c, std::size_t value) const {
        const i64 at_a = a.values[value], at_b = b.values[value], at_c = c.values[value];
        constexpr int kMore = kSumBits - kValueBits;
        constexpr i64 kOne = i64{1} << kMore;
        Slope s{.start = at_a * kOne,
                .low = std::min({at_a, at_b, at_c}) * kOne,
                .high = std::max({at_a, at_b, at_c}) * kOne};
        if (s.is_flat()) return s;
        const i64 to_b = at_b - at_a, to_c = at_c - at_a;
        s.along_x = divided(to_b * (c.y - a.y) - to_c * (b.y - a.y), kOne);
        s.along_y = divided(to_c * (b.x - a.x) - to_b * (c.x - a.x), kOne);
        return s;
    }
    // rise * one / area with the sign of the area taken out, multiplied in two parts: the whole and
    // the rest, so that no product leaves 64 bits. A needle changes its values faster than numbers
    // can say: its slope stops at the steepest, and its pixels stay within the bounds.
    i64 divided(i64 rise, i64 one) const {
        // Per step of the grid, in units of 2^-24: 4,096 texels or levels in 1/256 of a pixel. No
        // pixel lies more than 2^24 steps from a corner, so both products of a sum stay within 2^60
        // and the sum within 64 bits.
        constexpr i64 kSteepest = i64{1} << 36;
        const i64 area = twice_area_ > 0 ? twice_area_ : -twice_area_;
        const i64 signed_rise = twice_area_ > 0 ? rise : -rise;
        const i64 whole = signed_rise / area, rest = signed_rise % area;
        if (whole > kSteepest / one || whole < -kSteepest / one)
            return whole > 0 ? kSteepest : -kSteepest;
        return whole * one + rest * one / area;
    }

    Pixel color(const std::array<i64, kValues>& sums) const {
        Pixel p{};
        for (std::size_t c = 0; c < 4; ++c)
            p[c] = static_cast<u32>(
                (slopes_[kRed + c].clamped(sums[kRed + c]) + (i64{1} << (kSumBits - 1))) >>
                kSumBits);
        return p;
    }

    void draw_row(Image& image, int row, int first, int last, const Texture& texture) const {
        const i64 dx = first * kPixel + kHalfPixel - a_.x, dy = row * kPixel + kHalfPixel - a_.y;
        std::array<i64, kValues> sums{}, steps{};
        for (std::size_t i = 0; i < kValues; ++i) {
            sums[i] = slopes_[i].at(dx, dy);
            steps[i] = slopes_[i].along_x * kPixel;
        }
        const auto texel = [&] {
            return texture.at(slopes_[kU].clamped(sums[kU]), slopes_[kV].clamped(sums[kV]));
        };
        std::uint8_t* at = image.rgba.data() +
                           (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.size.w) +
                            static_cast<std::size_t>(first)) *
                               4;
        const int count = last - first + 1;
        if (has_one_color_ && has_one_texel_) return fill(at, count, times(color(sums), texel()));

        const Pixel one_color = color(sums), one_texel = texel();
        for (int i = 0; i < count; ++i, at += 4) {
            blend(at, times(has_one_color_ ? one_color : color(sums),
                            has_one_texel_ ? one_texel : texel()));
            for (std::size_t v = 0; v < kValues; ++v) sums[v] += steps[v];
        }
    }

    static void fill(std::uint8_t* at, int count, const Pixel& source) {
        if (source[3] == 0) return;
        if (source[3] != 255) {
            for (int i = 0; i < count; ++i, at += 4) blend(at, source);
            return;
        }
        const std::array<std::uint8_t, 4> bytes{static_cast<std::uint8_t>(source[0]),
                                                static_cast<std::uint8_t>(source[1]),
                                                static_cast<std::uint8_t>(source[2]), 255};
        for (int i = 0; i < count; ++i, at += 4) std::memcpy(at, bytes.data(), 4);
    }

    Corner a_;
    i64 twice_area_;
    std::array<Edge, 3> edges_;
    i64 top_, bottom_;
    std::array<Slope, kValues> slopes_{};
    bool has_one_color_ = false, has_one_texel_ = false;
};

// The rectangle that is drawn into, rounded as OpenGL's scissor is, whose rows are counted from
// below.
Box clip_box(const ImDrawData& data, const ImVec4& rect, PixelSize size) {
    const ImVec2 offset = data.DisplayPos, scale = data.FramebufferScale;
    const float left = (rect.x - offset.x) * scale.x, right = (rect.z - offset.x) * scale.x;
    const float top = (rect.y - offset.y) * scale.y, bottom = (rect.w - offset.y) * scale.y;
    if (!(right > left) || !(bottom > top)) return {};
    const auto whole = [](float x) {
        return static_cast<int>(std::clamp(x, -1.0f * kLargestPicture, 2.0f * kLargestPicture));
    };
    const int from_below = whole(static_cast<float>(size.h) - bottom);
    const int height = whole(bottom - top), width = whole(right - left);
    const int end = size.h - from_below;
    return {std::max(0, whole(left)), std::max(0, end - height),
            std::min(size.w, whole(left) + width), std::min(size.h, end)};
}

Corner corner(const ImDrawData& data, const ImDrawVert& vertex, const Texture& texture) {
    const ImVec2 offset = data.DisplayPos, scale = data.FramebufferScale;
    Corner c;
    c.x = fixed_point(double{(vertex.pos.x - offset.x) * scale.x}, kGridBits, kFarthest);
    c.y = fixed_point(double{(vertex.pos.y - offset.y) * scale.y}, kGridBits, kFarthest);
    c.values[kU] = fixed_point(double{vertex.uv.x} * texture.width(), kValueBits, kFarthestTexel);
    c.values[kV] = fixed_point(double{vertex.uv.y} * texture.height(), kValueBits, kFarthestTexel);
    const u32 color = vertex.col;
    constexpr std::array<int, 4> kShifts{IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT,
                                         IM_COL32_A_SHIFT};
    for (std::size_t i = 0; i < 4; ++i)
        c.values[kRed + i] = i64{(color >> kShifts[i]) & 255} << kValueBits;
    return c;
}

// All triangles in their order, but of the picture only the rows [top, bottom).
void draw_band(const ImDrawData& data, Image& image, int top, int bottom) {
    for (const ImDrawList* list : data.CmdLists) {
        for (const ImDrawCmd& command : list->CmdBuffer) {
            if (command.UserCallback != nullptr || command.TexRef._TexData == nullptr) continue;
            Box clip = clip_box(data, command.ClipRect, image.size);
            clip.top = std::max(clip.top, top), clip.bottom = std::min(clip.bottom, bottom);
            if (clip.left >= clip.right || clip.top >= clip.bottom) continue;
            const Texture texture(*command.TexRef._TexData);
            const ImDrawVert* vertices =
                list->VtxBuffer.Data + static_cast<std::ptrdiff_t>(command.VtxOffset);
            const ImDrawIdx* index =
                list->IdxBuffer.Data + static_cast<std::ptrdiff_t>(command.IdxOffset);
            const float above = static_cast<float>(clip.top) - 1.0f,
                        below = static_cast<float>(clip.bottom) + 1.0f;
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3, index += 3) {
                const std::array<const ImDrawVert*, 3> v{vertices + index[0], vertices + index[1],
                                                         vertices + index[2]};
                const auto row_of = [&](const ImDrawVert* one) {
                    return (one->pos.y - data.DisplayPos.y) * data.FramebufferScale.y;
                };
                const float y0 = row_of(v[0]), y1 = row_of(v[1]), y2 = row_of(v[2]);
                // A coarse cull by rows, in floats; what is covered exactly, Triangle::draw says.
                if (std::max({y0, y1, y2}) < above || std::min({y0, y1, y2}) > below) continue;
                const Triangle triangle(corner(data, *v[0], texture), corner(data, *v[1], texture),
                                        corner(data, *v[2], texture));
                if (!triangle.is_empty()) triangle.draw(image, clip, texture);
            }
        }
    }
}

}  // namespace

void check_picture_size(PixelSize size) {
    if (size.w <= kLargestPicture && size.h <= kLargestPicture) return;
    throw Error(ErrorCode::World, "A picture of " + std::to_string(size.w) + "x" +
                                      std::to_string(size.h) + " pixels is larger than " +
                                      std::to_string(kLargestPicture) +
                                      " a side. Ask for a smaller one.");
}

Image draw_picture(const ImDrawData* data, PixelSize size, Color background, int bands) {
    check_picture_size(size);
    Image image = Image::filled(size, {background.r, background.g, background.b, 255});
    if (data == nullptr || size.w <= 0 || size.h <= 0) return image;
    const int count = std::clamp(bands, 1, size.h);
    const auto edge = [&](int band) { return static_cast<int>(i64{size.h} * band / count); };
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(count) - 1);
    for (int band = 1; band < count; ++band)
        others.emplace_back([&, band] { draw_band(*data, image, edge(band), edge(band + 1)); });
    draw_band(*data, image, 0, edge(1));
    for (std::thread& other : others) other.join();
    return image;
}

Image draw_picture(const ImDrawData* data, PixelSize size, Color background) {
    constexpr i64 kWorthAThread = 1 << 18;  // pixels
    const i64 pixels = i64{size.w} * size.h;
    const auto processors = static_cast<i64>(threads_here());
    return draw_picture(data, size, background,
                        static_cast<int>(std::clamp<i64>(pixels / kWorthAThread, 1,
                                                         std::clamp<i64>(processors, 1, 8))));
}

}  // namespace kv
