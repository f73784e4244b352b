#pragma once
// What the Stage says in words: what happens at the cursor, and how other requests stand. Pure.

#include <optional>
#include <string>
#include <vector>

#include "app/panels/run_focus.hpp"
#include "app/panels/run_view.hpp"
#include "app/panels/sentence.hpp"

namespace kv {

struct NowSentence {
    std::vector<SentencePiece> pieces;
    std::optional<SeqId> request;  // whose name is in it
    std::string with;              // other requests of the same pass; may be empty
};
NowSentence now_sentence(const RunView& run, const RunFocus& focus, const Texts& text);

// Found in the cache when it was admitted; empty when nothing was.
std::vector<SentencePiece> reused_sentence(const Snapshot& now, SeqId request, const Texts& text);

// The requests that are drawn as strips: all but the one in focus that have not ended.
std::vector<SeqId> other_requests(const Snapshot& now, SeqId focused);

struct StripWords {
    std::string amount, state;  // "42 tokens" and "decode", or "42 in 3" and nothing
};
StripWords strip_words(const Snapshot& now, SeqId request, bool learn, const Texts& text);

}  // namespace kv
