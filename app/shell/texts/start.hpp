#pragma once
// The words of the page that a first start opens: three doors, a picture of a small run beside
// them, a field for a sentence of one's own, and what is said while a run is being prepared.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishStart = std::to_array<EnglishText>({
    // Commands: label, then one sentence
    {"cmd.window.first_start", "First minute"},
    {"cmd.window.first_start.help", "Opens the page of the first start again: three doors, and a small run beside them."},
    {"cmd.start.sentence", "Try my own sentence"},
    {"cmd.start.sentence.help", "Runs one request with your sentence over an empty pool, and opens the bytes of its last word."},
    {"cmd.start.close", "Close the first minute"},
    {"cmd.start.close.help", "Shows the window as it is below the page of the first start."},
    {"cmd.start.write", "Write a sentence"},
    {"cmd.start.write.help", "Puts the keyboard into the field of the page of the first start."},
    {"cmd.start.pause", "Stop the picture, go on"},
    {"cmd.start.pause.help", "Stops the picture of the page of the first start, or lets it go on."},
    {"cmd.start.step", "Step of the picture"},
    {"cmd.start.step.help", "Stops the picture of the page of the first start at that step."},

    // What the tank is
    {"start.title", "See where a language model keeps what it has read"},
    {"start.why", "For every token that it reads or writes, a language model keeps a key and a value in each of its layers: its {cache} A small real model runs here, and every block, byte and weight that you see is what its cache holds."},
    {"start.cache", "KV cache."},

    // The doors
    {"start.show", "Show me"},
    {"start.show.why", "A guided minute: eight stops in this window. Skip it at any time, replay it from Help."},
    {"start.learn", "Learn"},
    {"start.learn.why", "Lesson {number}: {title}. Then {more} more, each a live run."},
    {"start.learn.none", "A course of live runs, with questions to predict and exercises."},
    {"start.own", "Try my own sentence"},
    {"start.own.why", "See its tokens, and the bytes that each one leaves behind."},
    {"start.run", "Run"},
    {"start.hint", "Just type: letters go in here, and Enter runs. One request, pages of {page}, an empty pool of {blocks} blocks."},
    {"start.escape", "{key} opens the window as it is. {menu} brings this page back."},
    {"start.escape.menu", "Help > First minute"},
    {"start.example.1", "My cat hid the key in the barn. Where is the key?"},
    {"start.example.2", "Anna put the ring in the tower. Where is the ring?"},
    {"start.example.3", "The baker is Otto. It rained all day. Who is the baker?"},
    {"start.example.4", "Tom likes plums. The moon rose over the lake. What does Tom like?"},

    // What is said of a sentence while it is written
    {"start.knows", "The model knows whole words such as {words}; others fall into letters."},
    {"start.count.one", "{words} words, {tokens} tokens, {pages} page of {size}."},
    {"start.count", "{words} words, {tokens} tokens, {pages} pages of {size}."},
    {"start.count.word", "1 word, {tokens} tokens, {pages} page of {size}."},
    {"start.whole", "It knows each of them whole."},
    {"start.in_pieces", "In pieces: {words}."},
    {"start.in_pieces.more", "In pieces: {words} and {count} more."},
    {"start.piece", "{word} ({count})"},
    {"start.no_model", "The words that the model knows are shown once it is read."},
    {"refused.sentence.empty", "There is nothing to read yet: type a word or a sentence, then Enter."},
    {"refused.sentence.long", "{tokens} tokens are more than the {most} that the model can read and still answer; leave some words out."},
    {"refused.prompt.pool", "{tokens} tokens do not fit into the {slots} slots of the pool; leave some words out, or give the pool more blocks."},
    {"refused.sentence.unknown", "The tokenizer of the model has nothing for {text}; leave it out."},
    {"refused.sentence.no_words", "The model {model} has no tokenizer, so it reads no sentence."},

    // The picture: one request, step by step
    {"start.now.reads", "Now {request} reads {tokens} tokens and stores them in {blocks} blocks"},
    {"start.now.stores", "Now {request} stores {word}, its own answer, in block {block}, slot {slot}"},
    {"start.now.new_page", "Now {request} stores {word}, its own answer, in block {block}: a new page"},
    {"start.step_of", "step {step} of {steps}"},
    {"start.way.one", "on their way to block {block}:"},
    {"start.way.many", "on their way to {blocks} blocks:"},
    {"start.key", "key"},
    {"start.value", "value"},
    {"start.pool", "Physical pool"},
    {"start.tokens", "{count} tokens"},
    {"start.bytes", "{tokens} × {each} = {all}"},
    {"start.in_blocks", "in {blocks} blocks of {each}"},
    {"start.in_block", "in 1 block of {each}"},
    {"start.slot", "{count} slot"},
    {"start.slots", "{count} slots"},
    {"start.empty.one", "{slots} stays empty"},
    {"start.empty", "{slots} stay empty"},
    {"start.no_slot", "no slot stays empty"},
    {"start.far_apart", "The sentence lies in {pages} pages that are far apart. A table of {pages} numbers finds them again, and no key and no value is ever computed twice."},
    {"start.pause", "Pause"},
    {"start.play", "Play"},
    {"start.loading", "The small model is being read: {percent} %."},
    {"start.computing", "Its run is being computed: step {step}."},
    {"start.no_picture", "The picture of a run is not there."},

    // Comfort
    {"start.text", "Text"},
    {"start.theme", "Theme"},
    {"start.motion", "Motion"},
    {"start.motion.on", "on"},
    {"start.motion.off", "off"},

    // A run that is being prepared
    {"prepare.model", "The model {name} is being read"},
    {"prepare.events", "The events of {name} are being read"},
    {"prepare.run", "{name} is being computed"},
    {"prepare.percent", "{percent} % is read."},
    {"prepare.step_of", "Step {step} of {steps} is done."},
    {"prepare.step", "Step {step} is done; the run is computed to its end."},
    {"prepare.stop", "Stop"},
    {"prepare.why", "Every key and value is computed by the model itself; nothing is played back. Esc stops."},
    {"prepare.why.read", "Esc stops; what was open stays open."},
});
// clang-format on

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
