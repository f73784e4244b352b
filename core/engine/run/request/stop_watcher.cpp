#include "core/engine/run/request/stop_watcher.hpp"

#include <algorithm>
#include <utility>

namespace kv {

StopWatcher::StopWatcher(const Tokenizer* tokenizer, std::vector<std::string> stops)
    : stops_(std::move(stops)) {
    if (tokenizer != nullptr) stream_.emplace(*tokenizer, SpecialTokens::Skipped);
}

bool StopWatcher::feed(std::uint32_t token) {
    if (!stream_ || is_cut_) return is_cut_;
    text_ += stream_->feed(token);
    return cut();
}

std::string StopWatcher::finish() {
    if (stream_ && !is_cut_) {
        text_ += stream_->finish();
        cut();
    }
    return text_;
}

// The stop text that begins first counts.
bool StopWatcher::cut() {
    std::size_t first = std::string::npos;
    for (const std::string& stop : stops_) first = std::min(first, text_.find(stop));
    if (first == std::string::npos) return false;
    text_.resize(first);
    return is_cut_ = true;
}

}  // namespace kv
