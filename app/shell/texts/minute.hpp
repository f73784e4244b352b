#pragma once
// The words of the guided minute: eight stops, each with a title and what its numbered parts say.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishMinute = std::to_array<EnglishText>({
    // Commands: label, then one sentence
    {"cmd.minute.start", "Show me again"},
    {"cmd.minute.start.help", "A guided minute: eight stops in this window, over a small run of its own."},
    {"cmd.minute.next", "Next stop"},
    {"cmd.minute.next.help", "Goes on to the next stop of the guided minute."},
    {"cmd.minute.back", "Stop before"},
    {"cmd.minute.back.help", "Goes back to the stop before in the guided minute."},
    {"cmd.minute.skip", "Leave the guided minute"},
    {"cmd.minute.skip.help", "Takes the cover away and leaves the run as it is."},
    {"refused.minute", "No guided minute is shown. Help > Show me again begins one."},

    // The card
    {"minute.name", "Show me"},
    {"minute.of", "{stop} of {stops}"},
    {"minute.next", "Next"},
    {"minute.back", "Back"},
    {"minute.skip", "Skip"},
    {"minute.close", "Close"},
    {"minute.forward", "Forward"},
    {"minute.run", "Run"},
    {"minute.lesson", "Lesson {number}"},

    // The stops
    {"minute.tokens", "A model reads tokens"},
    {"minute.tokens.prompt", "These {n} chips are the prompt."},
    {"minute.tokens.pieces", "Most are words; some are pieces of words."},
    {"minute.tokens.whole", "{words} are words, {marks} are marks such as \"{mark}\"."},
    {"minute.tokens.words", "All of them are words."},
    {"minute.tokens.begin", "{mark} says that a text begins."},

    {"minute.key_value", "Each token leaves a key and a value"},
    {"minute.key_value.token", "Reading \"{word}\" made them."},
    {"minute.key_value.slot", "They go into one slot: {bytes} bytes over {layers} {layers:layer|layers}."},

    {"minute.table", "The table says where"},
    {"minute.table.row", "This row holds tokens {first} to {last}. Its entry in the block table reads {block}. That is its place in memory."},
    {"minute.table.block", "Block {block} lies far from block {other}, and nothing suffers from it: {written} of its {slots} slots are written, {empty} {empty:waits|wait}."},

    {"minute.bytes", "These are the bytes"},
    {"minute.bytes.token", "The key of \"{word}\" in layer {layer}, head {head} begins at {address}."},
    {"minute.bytes.vector", "{n} numbers of {size} {size:byte|bytes}."},

    {"minute.attention", "They are kept to be read"},
    {"minute.attention.row", "The newest token looks back."},
    {"minute.attention.head", "Head {head} puts {own} on itself and {before} on the token before."},

    {"minute.step", "One more token"},
    {"minute.step.press", "Press {key}."},
    {"minute.step.new", "One key and one value are new;"},
    {"minute.step.read", "all the others are only read."},

    {"minute.cost", "What it costs"},
    {"minute.cost.formula", "2 × {layers} × {heads} × {dim} × {bytes}"},
    {"minute.cost.token", "{formula} is {bytes} for each token."},
    {"minute.cost.plain", "{bytes} for each token."},
    {"minute.cost.heads", "With {heads} KV heads it would be {times} times that."},

    {"minute.yours", "Now yours"},
    {"minute.yours.type", "Type a sentence and press {key}."},
    {"minute.yours.lesson", "Or begin with lesson {number}."},
});
// clang-format on

}  // namespace kv
