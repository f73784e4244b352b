#include "core/lesson/recording/ask.hpp"

#include <algorithm>

#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::string_view kHostChange = "whatif.host", kCodecChange = "whatif.codec";
constexpr u64 kMostHostGib = 1'000'000;

}  // namespace

bool is_recording_change(std::string_view name) {
    return name == kHostChange || name == kCodecChange;
}

std::string carry_out(std::string_view words, RecordingAsk& ask) {
    words = trimmed(words);
    const std::size_t blank = std::min(words.find(' '), words.size());
    const std::string_view name = words.substr(0, blank), value = trimmed(words.substr(blank));
    std::string why;
    if (name == kHostChange) {
        const auto gib = parse_whole(value, 1, kMostHostGib, why);
        if (!gib) return "names GiB that " + why;
        ask.host_bytes = *gib << 30;
        return {};
    }
    if (name == kCodecChange) {
        const auto codec = parse_codec(std::string(value), why);
        if (!codec) return "names a codec that " + why;
        ask.codec = *codec;
        return {};
    }
    return "is no command over a recording; write whatif.host or whatif.codec";
}

std::string forbidden_change(const RecordingAsk& start, const RecordingAsk& now,
                             const std::vector<std::string>& allowed) {
    const auto allows = [&](std::string_view name) {
        return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
    };
    std::string changed;
    if (start.host_bytes != now.host_bytes && !allows(kHostChange)) changed = kHostChange;
    if (start.codec != now.codec && !allows(kCodecChange)) changed = kCodecChange;
    if (now.other_model) changed = "the model, the card or today's pool";
    if (changed.empty()) return {};
    std::string list;
    for (const std::string& one : allowed) list += (list.empty() ? "" : ", ") + one;
    return "changes " + changed + ", and this task allows only: " + list;
}

}  // namespace kv
