// PNG in and out: the pixels through stb, the chunks around them by hand.

#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>

#include "app/shell/picture/image.hpp"
#include "app/shell/picture/png_chunks.hpp"
#include "core/base/error.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 16384
#include <stb_image.h>

namespace kv {
namespace {

constexpr std::int64_t kMostPixels = 1 << 25;  // 7,680 x 4,320 fits
// A deflate stream makes at most 258 bytes of two bits, so 4 x 258 of a byte.
constexpr std::size_t kMostOfAPackedByte = 1032;

using MallocBytes = std::unique_ptr<unsigned char, decltype(&std::free)>;

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
    throw Error(ErrorCode::World,
                where + ": the PNG cannot be read (" + why + "). Make the picture again.");
}

// How many bytes the pixels of a header unpack to.
struct Unpacked {
    std::size_t least, most;
};

// Each row, and each row of the seven passes of an interlaced picture, has one more byte than its
// pixels and may be padded by another.
Unpacked unpacked_size(std::string_view header, const std::string& where) {
    const std::int64_t w = read_png_number(header), h = read_png_number(header.substr(4));
    if (w < 1 || h < 1) refuse(where, "bad header");
    if (h > kMostPixels / w || w > STBI_MAX_DIMENSIONS || h > STBI_MAX_DIMENSIONS)
        throw Error(ErrorCode::World,
                    where + ": the picture has " + std::to_string(w) + " x " + std::to_string(h) +
                        " pixels, more than are read (33,554,432, and 16,384 a side). Make a "
                        "smaller one.");
    constexpr std::array<std::int64_t, 7> kSamples{1, 0, 3, 1, 2, 0, 4};  // by colour type
    const auto depth = static_cast<unsigned char>(header[8]),
               type = static_cast<unsigned char>(header[9]);
    if (depth > 16 || type >= kSamples.size()) refuse(where, "bad header");
    const auto pixels = static_cast<std::size_t>(w * h * kSamples[type] * depth / 8);
    return {pixels, pixels + 4 * static_cast<std::size_t>(h) + 32};
}

// What the decoder takes on trust is asked first: a length that no chunk has, or a few bytes that
// unpack to gigabytes, would cost memory before they are refused. Gives the file without chunks of
// pixels that hold none: they are allowed, and the decoder would copy them to no address.
std::string checked_before_decoding(std::string_view bytes, const std::string& where) {
    std::string checked(kPngSignature);
    bytes.remove_prefix(kPngSignature.size());
    std::string packed;
    std::optional<Unpacked> size;
    for (bool ended = false; !ended;) {
        const std::string_view from_here = bytes;
        const std::optional<PngChunk> chunk = take_png_chunk(bytes);
        if (!chunk) refuse(where, "cut short");
        if (chunk->type == "IHDR" && chunk->data.size() == 13)
            size = unpacked_size(chunk->data, where);
        if (chunk->type == "IDAT") packed.append(chunk->data);
        if (chunk->type != "IDAT" || !chunk->data.empty())
            checked.append(from_here.substr(0, from_here.size() - bytes.size()));
        ended = chunk->type == "IEND";
    }
    if (!size) refuse(where, "no header");
    // A header may promise a large picture; memory is taken only for what the file can hold.
    if (size->least > kMostOfAPackedByte * packed.size()) refuse(where, "cut short");
    std::vector<char> unpacked(size->most);
    const int held = stbi_zlib_decode_buffer(unpacked.data(), static_cast<int>(unpacked.size()),
                                             packed.data(), static_cast<int>(packed.size()));
    if (held < 0) refuse(where, "its pixels are damaged");
    if (static_cast<std::size_t>(held) < size->least) refuse(where, "cut short");
    return checked;
}

}  // namespace

std::string encode_png(const Image& image, std::span<const PngText> texts) {
    KV_ASSERT(image.size.w > 0 && image.size.h > 0);
    int length = 0;
    const MallocBytes png(stbi_write_png_to_mem(image.rgba.data(), image.size.w * 4, image.size.w,
                                                image.size.h, 4, &length),
                          &std::free);
    if (!png) throw Error(ErrorCode::World, "There is not enough memory to write the picture.");
    std::string bytes(reinterpret_cast<const char*>(png.get()), static_cast<std::size_t>(length));
    std::string chunks;
    for (const PngText& text : texts) chunks += png_text_chunk(text);
    return bytes.insert(kPngAfterHeader, chunks);
}

Image decode_png(std::string_view bytes, std::string_view name) {
    const std::string where(name);
    if (!bytes.starts_with(kPngSignature))
        throw Error(ErrorCode::World, where +
                                          ": not a PNG (its first 8 bytes are not the PNG "
                                          "signature). Give a picture that ends in .png.");
    if (bytes.size() > INT_MAX) throw Error(ErrorCode::World, where + ": larger than 2 GiB.");
    const std::string checked = checked_before_decoding(bytes, where);
    PixelSize size;
    int channels = 0;
    const auto* data = reinterpret_cast<const unsigned char*>(checked.data());
    const int length_in = static_cast<int>(checked.size());
    const MallocBytes pixels(stbi_load_from_memory(data, length_in, &size.w, &size.h, &channels, 4),
                             &std::free);
    if (!pixels) refuse(where, stbi_failure_reason());
    const std::size_t length =
        4 * static_cast<std::size_t>(size.w) * static_cast<std::size_t>(size.h);
    return {size, std::vector<std::uint8_t>(pixels.get(), pixels.get() + length)};
}

}  // namespace kv
