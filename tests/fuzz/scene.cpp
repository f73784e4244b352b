// A scene file: what was read is written as something that reads back to the same.

#include "core/lesson/scene/scene.hpp"

#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string written;
    try {
        written = kv::scene_text(kv::parse_scene(kv::fuzz::text_of(data, size), "fuzz.kvscene"));
    } catch (const kv::Error&) {
        return 0;
    }
    kv::fuzz::expect(kv::scene_text(kv::parse_scene(written, "again")) == written,
                     "the scene reads back");
    return 0;
}
