#include "app/shell/picture/png_chunks.hpp"

#include <array>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::size_t kHead = 8;    // length and type
constexpr std::size_t kFrame = 12;  // and the CRC after the data

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

// Keyword, zero, packed or not, method, language, zero, translated keyword, zero, text.
struct Itxt {
    std::string_view keyword, text;
    bool packed = false;
};
std::optional<Itxt> read_itxt(std::string_view data) {
    const std::size_t keyword = data.find('\0');
    if (keyword == std::string_view::npos || data.size() < keyword + 3) return std::nullopt;
    const std::size_t language = data.find('\0', keyword + 3);
    if (language == std::string_view::npos) return std::nullopt;
    const std::size_t translated = data.find('\0', language + 1);
    if (translated == std::string_view::npos) return std::nullopt;
    return Itxt{data.substr(0, keyword), data.substr(translated + 1), data[keyword + 1] != '\0'};
}

[[noreturn]] void refuse(std::string_view name, std::string_view keyword, const std::string& why) {
    throw Error(ErrorCode::World, std::string(name) + ": the text `" + std::string(keyword) +
                                      "` of this PNG cannot be used (" + why +
                                      "). Take the file as KVarium wrote it.");
}

}  // namespace

std::uint32_t read_png_number(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(0, 4))
        value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

std::optional<PngChunk> take_png_chunk(std::string_view& bytes) {
    if (bytes.size() < kFrame) return std::nullopt;
    const std::size_t length = read_png_number(bytes);
    if (length > bytes.size() - kFrame) return std::nullopt;
    const PngChunk chunk{
        bytes.substr(4, 4), bytes.substr(kHead, length),
        crc_of(bytes.substr(4, 4 + length)) == read_png_number(bytes.substr(kHead + length))};
    bytes.remove_prefix(kFrame + length);
    return chunk;
}

std::string png_text_chunk(const PngText& text) {
    KV_ASSERT(!text.keyword.empty() && text.keyword.size() < 80);
    KV_ASSERT(text.text.size() < std::size_t{1} << 31);
    std::string typed = "iTXt" + text.keyword + '\0';
    typed.append(4, '\0');  // not packed, method 0, no language, no translation
    typed.append(text.text);
    return big_endian(static_cast<std::uint32_t>(typed.size() - 4)) + typed +
           big_endian(crc_of(typed));
}

bool is_png(std::string_view bytes) {
    return bytes.starts_with(kPngSignature);
}

std::optional<std::string> png_text(std::string_view bytes, std::string_view keyword,
                                    std::string_view name) {
    if (!is_png(bytes)) return std::nullopt;
    bytes.remove_prefix(kPngSignature.size());
    std::optional<std::string> found;
    for (bool ended = false; !ended;) {
        const std::optional<PngChunk> chunk = take_png_chunk(bytes);
        if (!chunk) refuse(name, keyword, "the file is cut short");
        ended = chunk->type == "IEND";
        if (chunk->type != "iTXt") continue;
        const std::optional<Itxt> text = read_itxt(chunk->data);
        if (!text || text->keyword != keyword) continue;
        if (!chunk->intact) refuse(name, keyword, "its checksum is wrong");
        if (text->packed) refuse(name, keyword, "another program has compressed it");
        if (found) refuse(name, keyword, "it is there twice");
        found = std::string(text->text);
    }
    return found;
}

}  // namespace kv
