// PNG files: whatever was read is a picture of its stated size, and writes and reads back as the
// same; a text in it travels along.

#include "app/shell/picture/image.hpp"
#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

void try_text(std::string_view bytes) {
    std::optional<std::string> text;
    try {
        text = kv::png_text(bytes, "kvarium-scene", "planted.png");
    } catch (const kv::Error&) {
        return;
    }
    if (!text) return;
    const std::vector<kv::PngText> texts{{"kvarium-scene", *text}};
    const std::string again = kv::encode_png(kv::Image::filled({1, 1}, kv::rgb(0)), texts);
    kv::fuzz::expect(kv::png_text(again, "kvarium-scene", "again") == text, "a text reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using kv::fuzz::expect;
    const std::string_view bytes = kv::fuzz::text_of(data, size);
    try_text(bytes);
    kv::Image image;
    try {
        image = kv::decode_png(bytes, "planted.png");
    } catch (const kv::Error&) {
        return 0;
    }
    const auto w = static_cast<std::size_t>(image.size.w),
               h = static_cast<std::size_t>(image.size.h);
    expect(image.rgba.size() == 4 * w * h, "a picture has its size");
    if (w * h < 4096)
        expect(kv::decode_png(kv::encode_png(image), "again") == image, "a picture reads back");
    return 0;
}
