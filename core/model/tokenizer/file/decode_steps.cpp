// The decoder of a tokenizer.json.

#include <algorithm>

#include "core/base/files/json.hpp"
#include "core/model/tokenizer/file/steps.hpp"

namespace kv {
namespace {

// After these the text is one, and only its two ends can still be looked at.
bool fuses(const DecoderStep& step) {
    return std::holds_alternative<DecodeFuse>(step) || std::holds_alternative<DecodeBytes>(step);
}

DecodeStrip read_strip(StepFields& f, bool whole_text) {
    constexpr u64 kMost = 1024;
    f.allow_only({"content", "start", "stop"});
    const std::string character = f.one_character("content");
    const u64 start = f.whole("start", 0, kMost);
    return {character, start, f.whole("stop", 0, kMost), whole_text};
}

// Older files have add_prefix_space, newer ones prepend_scheme, as the pre_tokenizer does.
DecodeMetaspace read_decode_metaspace(StepFields& f) {
    f.allow_only({"replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
    const std::string mark = f.one_character("replacement");
    const bool prefix = f.flag("add_prefix_space", true);
    return {mark, prefix && f.maybe_text("prepend_scheme").value_or("always") != "never"};
}

void read_one(StepFields& f, const std::string& type, Growth& growth,
              std::vector<DecoderStep>& steps) {
    const bool fused = std::any_of(steps.begin(), steps.end(), fuses);
    if (type == "Strip") {
        steps.emplace_back(read_strip(f, fused));
    } else if (fused && type != "Fuse") {
        f.refuse_value("type", "stands after a step that joins all tokens",
                       "only Strip and Fuse are read there");
    } else if (type == "ByteLevel") {
        f.allow_only({"add_prefix_space", "trim_offsets", "use_regex"});
        steps.emplace_back(DecodeBytes{});
    } else if (type == "ByteFallback") {
        f.allow_only({});
        steps.emplace_back(DecodeByteFallback{});
    } else if (type == "Fuse") {
        f.allow_only({});
        steps.emplace_back(DecodeFuse{});
    } else if (type == "Replace") {
        f.allow_only({"pattern", "content"});
        const std::string from = f.literal_pattern("pattern"), to = f.short_text("content");
        growth.replace(f, from, to);
        steps.emplace_back(DecodeReplace{from, to});
    } else if (type == "Metaspace") {
        steps.emplace_back(read_decode_metaspace(f));
    } else {
        f.refuse_type("ByteLevel, ByteFallback, Fuse, Replace, Metaspace, Strip and Sequence");
    }
}

}  // namespace

std::vector<DecoderStep> read_decoder(StepFields& root) {
    std::vector<DecoderStep> steps;
    Growth growth;
    if (!root.has("decoder")) return {DecodeSpaced{}};
    read_steps(root, "decoder", "decoders",
               [&](StepFields& f, const std::string& type) { read_one(f, type, growth, steps); });
    return steps;
}

}  // namespace kv
