// A translation file: a refused one changes nothing, an accepted one gives every text its places.

#include "app/shell/texts/texts.hpp"

#include <string>

#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using kv::fuzz::expect;
    const kv::Texts english;
    kv::Texts texts;
    bool accepted = true;
    try {
        texts.translate(kv::fuzz::text_of(data, size), "planted.txt");
    } catch (const kv::Error&) {
        accepted = false;
    }
    for (std::size_t i = 0; i < kv::kTextIds.size(); ++i) {
        const std::string now = texts[{i}];
        expect(accepted || now == english[{i}], "a refused file changes nothing");
        kv::fill(now, {{"count", "{count}"}});
    }
    texts.pseudo();
    return 0;
}
