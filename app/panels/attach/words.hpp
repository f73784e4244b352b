#pragma once
// What is said of a watched server: its state, a row of its log, a mark on its stream. Pure.

#include "app/panels/attach/view.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

enum class PillLook : std::uint8_t { Connecting, Live, Gap, Paused, Restarted, Recorded };
struct AttachStateWords {
    PillLook look;
    TextId word;
};
AttachStateWords state_words(const ServerView& view);
// Under the address: for how long, or what is missing.
Text state_sentence(const Texts& text, const ServerView& view);
// Beside the buttons: where the picture stands.
Text moment_sentence(const Texts& text, const ServerView& view);

Text log_words(const Texts& text, const TankLogRow& row);
Text log_more(const Texts& text, const TankLogRow& row);
Text mark_words(const Texts& text, const StreamMark& mark);

}  // namespace kv
