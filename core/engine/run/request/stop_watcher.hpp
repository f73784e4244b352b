#pragma once
// The text of a run as it grows, and where it ends when a stop text comes.

#include <optional>
#include <string>
#include <vector>

#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

class StopWatcher {
public:
    // Without a tokenizer there is no text and nothing stops.
    StopWatcher() = default;
    StopWatcher(const Tokenizer* tokenizer, std::vector<std::string> stops);

    bool feed(std::uint32_t token);  // true when a stop text is complete
    std::string finish();            // the whole text, without the stop text and what follows it
    const std::string& text() const { return text_; }  // so far

private:
    bool cut();

    std::vector<std::string> stops_;
    std::optional<TextStream> stream_;
    std::string text_;
    bool is_cut_ = false;
};

}  // namespace kv
