// The settings file: what was read prints as something that reads back to the same.

#include "app/shell/settings.hpp"

#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kv::Settings settings;
    try {
        settings = kv::load_settings(kv::fuzz::text_of(data, size), "settings.json");
    } catch (const kv::Error&) {
        return 0;
    }
    kv::fuzz::expect(kv::load_settings(kv::print_settings(settings), "again") == settings,
                     "settings read back");
    return 0;
}
