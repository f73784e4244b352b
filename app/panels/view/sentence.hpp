#pragma once
// A text with its {places} filled, in pieces, so that the values in it can be set in another type
// than the words around them; and why something happened, in the words of the table. Pure: no
// imgui.h.

#include <initializer_list>
#include <string_view>

#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

struct SentencePiece {
    Text text;
    bool is_value = false;
    friend bool operator==(const SentencePiece&, const SentencePiece&) = default;
};
// The texts of the pieces, one after the other, are fill(text, places).
List<SentencePiece> pieces(std::string_view text, std::initializer_list<Place> places);

// A translation names it by its English words with their places: `phrase:request {r} goes on = ...`
Text reason_in(const Texts& text, const Reason& reason, const NameOfRequest& name);

}  // namespace kv
