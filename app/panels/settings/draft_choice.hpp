#pragma once
// The setting of drafts as choices: who proposes, and how many tokens ahead. Pure: no imgui.h.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/reused.hpp"

namespace kv {

struct DraftChoice {
    std::string source;              // "ngram:3", "mqa"; empty: off
    std::optional<std::uint64_t> k;  // none: as the last drafts suggest

    bool is_on() const { return !source.empty(); }
    std::optional<std::uint64_t> ngram() const;  // how many tokens are looked for
    std::string written() const;                 // as a scene writes it
    friend bool operator==(const DraftChoice&, const DraftChoice&) = default;
};
DraftChoice draft_choice(std::string_view written);

// Off, a look back, and the siblings of the model; what is set now is always among them.
List<DraftChoice> draft_sources(const DraftChoice& now, std::string_view model);
// 1, 2, 4 and 8, what is set now, and last as the drafts suggest.
List<DraftChoice> draft_lengths(const DraftChoice& now);

}  // namespace kv
