// What a page is asked for, as its script takes it out of an address, and a line of words: either
// is read or refused in a sentence, and nothing is in it that was not in the text.

#include <numeric>

#include "app/web/ask.hpp"
#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

std::size_t letters_of(const std::vector<std::string>& texts) {
    return std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                           [](std::size_t n, const std::string& text) { return n + text.size(); });
}

template <class F>
void read_or_refused(F read) {
    try {
        read();
    } catch (const kv::Error& refused) {
        kv::fuzz::expect(refused.code() == kv::ErrorCode::Usage, "the ask is at fault");
        kv::fuzz::expect(std::string_view(refused.what()).ends_with("."), "a sentence says so");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = kv::fuzz::text_of(data, size);
    read_or_refused([&] {
        kv::fuzz::expect(letters_of(kv::words_of(text)) <= size, "the words were in the text");
    });
    read_or_refused([&] {
        const kv::PageAsk ask = kv::page_ask(text);
        const auto& window = ask.window;
        kv::fuzz::expect(letters_of(window.commands) + window.layout.size() + window.theme.size() +
                                 window.scene.value_or("").size() + ask.only.value_or("").size() <=
                             size,
                         "the ask was in the text");
    });
    return 0;
}
