// How a picture was drawn, as it stands in a PNG: what was read is written as something that reads
// back to the same.

#include "app/live/scene/picture_note.hpp"

#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

std::string png_with(const std::vector<kv::PngText>& texts) {
    return kv::encode_png(kv::Image::filled({1, 1}, kv::rgb(0)), texts);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<kv::PngText> given{
        {"kvarium-shot", std::string(kv::fuzz::text_of(data, size))}};
    std::vector<kv::PngText> written;
    try {
        written = texts_of(kv::picture_note(png_with(given), "fuzz.png"));
    } catch (const kv::Error&) {
        return 0;
    }
    kv::fuzz::expect(texts_of(kv::picture_note(png_with(written), "again.png")) == written,
                     "the note reads back");
    return 0;
}
