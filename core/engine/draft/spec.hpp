#pragma once
// Who drafts for a run, in the words of the setting: "off", "ngram:3", "mqa,k=4", "ngram:2,k=auto".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

struct DraftSpec {
    // One of them, or none: the last `ngram` tokens are looked for among those before them; a model
    // that lies beside the run's own.
    std::uint32_t ngram = 0;
    std::string model;
    std::optional<std::uint32_t> k;  // tokens of a draft at most; none: as acceptance says

    bool is_on() const { return ngram > 0 || !model.empty(); }
    std::string source() const;  // "ngram:3", "mqa"
    friend bool operator==(const DraftSpec&, const DraftSpec&) = default;
};

// Nothing, and why not, for a text that is no such setting.
std::optional<DraftSpec> parse_draft(std::string_view text, std::string& why);
std::string draft_text(const DraftSpec& spec);

}  // namespace kv
