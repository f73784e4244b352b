// PNG in and out: the pixels through stb, the text chunk by hand.

#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>

#include "app/shell/image.hpp"
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

constexpr std::string_view kSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::size_t kChunkHead = 8;    // length and type
constexpr std::size_t kChunkFrame = 12;  // and the CRC after the data
constexpr std::string_view kKeyword = "kvarium";

using MallocBytes = std::unique_ptr<unsigned char, decltype(&std::free)>;

constexpr std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t c = n;
        for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[n] = c;
    }
    return table;
}
constexpr auto kCrcTable = crc_table();

std::uint32_t crc_of(std::string_view bytes) {
    std::uint32_t c = 0xFFFFFFFFu;
    for (const char byte : bytes)
        c = kCrcTable[(c ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (c >> 8);
    return c ^ 0xFFFFFFFFu;
}

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(value >> shift & 0xFF));
    return bytes;
}

std::uint32_t read_big_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(0, 4))
        value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

// iTXt, because a scene or a prompt may hold any UTF-8; stored plain, so that other tools can read
// it.
std::string text_chunk(std::string_view note) {
    std::string typed = "iTXt";
    typed.append(kKeyword).push_back('\0');  // keyword
    typed.append(4, '\0');  // not compressed, method 0, no language, no translation
    typed.append(note);
    return big_endian(static_cast<std::uint32_t>(typed.size() - 4)) + typed +
           big_endian(crc_of(typed));
}

struct Chunk {
    std::string_view type, data;
};

// Takes the first chunk off the bytes. Nothing when no whole one is left.
std::optional<Chunk> take_chunk(std::string_view& bytes) {
    if (bytes.size() < kChunkFrame) return std::nullopt;
    const std::size_t length = read_big_endian(bytes);
    if (length > bytes.size() - kChunkFrame) return std::nullopt;
    const Chunk chunk{bytes.substr(4, 4), bytes.substr(kChunkHead, length)};
    bytes.remove_prefix(kChunkFrame + length);
    return chunk;
}

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
    throw Error(ErrorCode::World,
                where + ": the PNG cannot be read (" + why + "). Make the picture again.");
}

// The most bytes that the pixels of this header unpack to: each row, and each row of the seven
// passes of an interlaced picture, has one more byte and may be padded by another.
std::size_t most_unpacked(std::string_view header, const std::string& where) {
    const std::int64_t w = read_big_endian(header), h = read_big_endian(header.substr(4));
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
    return static_cast<std::size_t>(w * h * kSamples[type] * depth / 8 + 4 * h + 32);
}

// What the decoder takes on trust is asked first: a length that no chunk has, or a few bytes that
// unpack to gigabytes, would cost memory before they are refused.
void check_before_decoding(std::string_view bytes, const std::string& where) {
    bytes.remove_prefix(kSignature.size());
    std::string packed;
    std::optional<std::size_t> room;
    for (bool ended = false; !ended;) {
        const std::optional<Chunk> chunk = take_chunk(bytes);
        if (!chunk) refuse(where, "cut short");
        if (chunk->type == "IHDR" && chunk->data.size() == 13)
            room = most_unpacked(chunk->data, where);
        if (chunk->type == "IDAT") packed.append(chunk->data);
        ended = chunk->type == "IEND";
    }
    if (!room) refuse(where, "no header");
    std::vector<char> unpacked(*room);
    if (stbi_zlib_decode_buffer(unpacked.data(), static_cast<int>(unpacked.size()), packed.data(),
                                static_cast<int>(packed.size())) < 0)
        refuse(where, "its pixels are damaged");
}

}  // namespace

std::string encode_png(const Image& image, std::string_view note) {
    KV_ASSERT(image.size.w > 0 && image.size.h > 0 && note.size() < INT_MAX);
    int length = 0;
    const MallocBytes png(stbi_write_png_to_mem(image.rgba.data(), image.size.w * 4, image.size.w,
                                                image.size.h, 4, &length),
                          &std::free);
    if (!png) throw Error(ErrorCode::World, "There is not enough memory to write the picture.");
    std::string bytes(reinterpret_cast<const char*>(png.get()), static_cast<std::size_t>(length));
    const std::size_t after_header = kSignature.size() + kChunkHead + 13 + 4;
    if (!note.empty()) bytes.insert(after_header, text_chunk(note));
    return bytes;
}

Image decode_png(std::string_view bytes, std::string_view name) {
    const std::string where(name);
    if (!bytes.starts_with(kSignature))
        throw Error(ErrorCode::World, where +
                                          ": not a PNG (its first 8 bytes are not the PNG "
                                          "signature). Give a picture that ends in .png.");
    if (bytes.size() > INT_MAX) throw Error(ErrorCode::World, where + ": larger than 2 GiB.");
    check_before_decoding(bytes, where);
    PixelSize size;
    int channels = 0;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    const int length_in = static_cast<int>(bytes.size());
    const MallocBytes pixels(stbi_load_from_memory(data, length_in, &size.w, &size.h, &channels, 4),
                             &std::free);
    if (!pixels) refuse(where, stbi_failure_reason());
    const std::size_t length =
        4 * static_cast<std::size_t>(size.w) * static_cast<std::size_t>(size.h);
    return {size, std::vector<std::uint8_t>(pixels.get(), pixels.get() + length)};
}

std::optional<std::string> png_note(std::string_view bytes) {
    if (!bytes.starts_with(kSignature)) return std::nullopt;
    bytes.remove_prefix(kSignature.size());
    while (const std::optional<Chunk> chunk = take_chunk(bytes)) {
        const std::string_view data = chunk->data;
        const std::size_t head =
            kKeyword.size() + 5;  // five zero bytes stand between keyword and text
        if (chunk->type == "iTXt" && data.size() >= head && data.starts_with(kKeyword) &&
            data.substr(kKeyword.size(), 5) == std::string_view("\0\0\0\0\0", 5))
            return std::string(data.substr(head));
    }
    return std::nullopt;
}

}  // namespace kv
