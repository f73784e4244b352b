#pragma once
// What the Stage says in words: what happens at the cursor, and how other requests stand. Pure.

#include <optional>
#include <string_view>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct NowSentence {
    List<SentencePiece> pieces;
    std::optional<SeqId> request;     // whose name is in it
    bool is_under_way = false;        // an operation, not what a step has left behind
    Text with;                        // other requests of the same pass; may be empty
    std::optional<std::size_t> word;  // the piece that is a token as a person reads it
};
NowSentence now_sentence(const RunView& run, const RunFocus& focus, const Texts& text);

// Found in the cache when it was admitted; empty when nothing was.
List<SentencePiece> reused_sentence(const Snapshot& now, SeqId request, const Texts& text);

// The requests that are drawn as strips: all but the one in focus that have not ended.
List<SeqId> other_requests(const Snapshot& now, SeqId focused);

struct StripWords {
    Text amount, state;  // "42 tokens" and "decode", or "42 in 3" and nothing
};
StripWords strip_words(const LaneAt& lane, SeqId request, bool learn, const Texts& text);

}  // namespace kv
