#pragma once
// What the window refuses, and why: one sentence each, which says what, where and what to do. At
// the places {why} and {values} stand words of core.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishRefused = std::to_array<EnglishText>({
    // A command
    {"refused.number", "{n} is not between {least} and {most}."},
    {"refused.question", "Nothing is asked that could be answered; open a scene or close the window first."},
    {"refused.command.unknown", "`{name}` is not a command."},
    {"refused.command.bytes", "`{name}`: has bytes that are no UTF-8."},
    {"refused.command.no_value", "`{name}`: takes no value."},
    {"refused.command.needs_value", "`{name}`: needs a value."},
    {"refused.command.range", "`{name}`: is outside 0.000001 to 1,000,000."},
    {"refused.command.value", "`{name}`: {why}."},

    // The window
    {"refused.text_scale", "Text scale {n} is outside 0.8 to 3; the text stays as it was."},
    {"refused.config.states", "{path} keeps states alone, no keys and values; the command line prices it: kvarium calc --config."},
    {"refused.theme", "`{word}` is not a theme; use dark, light or contrast."},
    {"refused.panel", "`{word}` is not a panel; the menu Panels lists them."},
    {"refused.panel.known", "`{word}` is not a panel; use one of {known}."},
    {"refused.table.none", "The panel {panel} has no table at this step; nothing was written."},
    {"refused.table.unknown", "`{word}` is not a table of the panel {panel}; it has {known}."},

    // The bill
    {"refused.bill.tokens", "Tokens {n} is outside {least} to {most}; choose a number in between."},
    {"refused.bill.requests", "Requests {n} is outside {least} to {most}; choose a number in between."},
    {"refused.bill.page", "Page size {n} is outside {least} to {most}; choose a number in between."},
    {"refused.bill.window", "Window {n} is outside {least} to {most}; choose a number in between."},
    {"refused.bill.cards", "Cards {n} is outside {least} to {most}; choose a number in between."},
    {"refused.bill.ranks", "Ranks {n} do not divide the cards, of which there are {cards}; choose a number that does, or 0."},
    {"refused.bill.stages", "Stages {n} are more than the {layers} layers of {model}; choose more ranks or fewer cards."},
    {"refused.bill.own_heads", "The layers of {model} differ in their heads, so there is no one number of KV heads to change."},
    {"refused.bill.side", "{model}: {why}."},
    {"refused.bill.model", "`{word}` is not a known model; known are {known}."},
    {"refused.bill.latent", "{model} keeps one latent vector per layer, so it has no KV heads to change."},
    {"refused.bill.codec", "`{word}` {why}."},
    {"refused.bill.device", "Device memory `{word}` {why}; write it like 80GB or 24GiB."},

    // What is looked at in a run, and how it plays
    {"refused.no_run", "There is no run yet; open a scene first."},
    {"refused.no_run.step", "There is no run to step through; open a scene first."},
    {"refused.block", "Block {n} does not exist; choose one from 0 to {last}."},
    {"refused.layer", "Layer {n} does not exist; choose one from 0 to {last}."},
    {"refused.kv_head", "KV head {n} does not exist; choose one from 0 to {last}."},
    {"refused.query_head", "Query head {n} does not exist; choose one from 0 to {last}."},
    {"refused.dim", "Element {n} does not exist; choose one from 0 to {last}."},
    {"refused.request", "`{word}` is not a request of this run."},
    {"refused.mark", "`{words}` are no tokens to mark; write two positions, such as 28-35."},
    {"refused.step", "`{word}` is not a step; use operation, layer, token or iteration."},
    {"refused.step.beyond", "The run ends at step {last}, before step {n}; name a step from 0 to {last}."},
    {"refused.speed", "Speed {n} is outside 0.1 to 1,000; it stays as it was."},
    {"refused.choice", "`{word}` is neither {first} nor {second}; use one of them."},
    {"refused.address", "`{words}` is no address of the pool; write one from 0 to {last}, such as 0x3B160."},
    {"refused.follow", "There is no line to follow: nothing is stored on the device here. Select a token or a block."},
    {"refused.follow.block", "There is no line to follow: no request holds block {block} now."},
    {"refused.until", "`{words}` is no kind of event, no request and no block; write one of {known}, a request's name, or block 7."},
    {"refused.until.nothing", "After this step nothing more happens in this run that {words} names; go back with Home, or name another event."},
    {"refused.proof.no_logits", "Step {n} has no logits to prove: it drew no token, or they are too old to be kept. Step on to one that draws a token."},
    {"refused.proof.recoded", "Step {n} read tokens whose bytes were written anew, in another codec or turned in place, which no computation from the beginning repeats. Go to a step before that."},

    // A changed run, and two of them
    {"refused.change", "`{words}` {why}."},
    {"refused.change.never", "`{words}`: {why}."},
    {"refused.change.unknown", "`{word}` is not a setting of a run; the panel Settings lists them."},
    {"refused.change.value", "{name} `{value}` {why}; write {values}."},
    {"refused.change.same", "`{words}` is what the run has already, so there is nothing to compare; name another value."},
    {"refused.one_run", "There is only one run; compare it first, with run.compare model mqa or run.branch set share off."},
    {"refused.difference", "After this step both sides say the same to the end."},
    {"refused.difference.ended", "The left side has ended here; only the right one goes on."},
    {"refused.difference.request", "{name} says the same on both sides as far as is recorded; press N for the next difference of any request."},

    // Scenes, pictures of them and files of events
    {"refused.weights", "{file}: the scene was made with other weights than those of its model now; open the model that it was made with, or remove model.sha256."},
    {"refused.view.unknown", "{file}: {field} is no field that a view has here; leave it out or correct its name."},
    {"refused.view.word", "{file}: {field} is {value}; write a text."},
    {"refused.view.whole", "{file}: {field} is {value}; write a whole number."},
    {"refused.view.number", "{file}: {field} is {value}; write a number."},
    {"refused.view.yes_or_no", "{file}: {field} is {value}; write true or false."},
    {"refused.view.words", "{file}: {field} is {value}; choose from {known}."},
    {"refused.view.object", "{file}: {field} is {value}; write an object with its parts."},
    {"refused.view.marked", "{file}: view.marked ends before it begins; write first and last in order."},
    {"refused.scene.command", "{file}: a command of the scene was refused: {why} Correct it under commands."},
    {"refused.view.rate", "The view's bill asks for the rate `{word}`; write it like 2TB/s or 312TFLOP/s."},
    {"refused.trace.empty", "{file}: this file of events is empty; write one with kvarium run --events."},
    {"refused.trace.no_server", "There is no file of a server's events here that could be read otherwise; open one first."},
    {"refused.trace.number", "In `{words}` the number {why}; write rank 1, group 0 or pool 4096."},
    {"refused.trace.read_as", "A server's file is not read as `{words}`; write rank 1, group 0, pool 4096, hits silent or hits announced."},
    {"refused.trace.no_engine", "{file} is a record of a run, and no engine stands behind it that could do this; open a scene to change or go on with a run."},
    {"refused.picture.not_ours", "{file}: this picture holds no scene; only pictures that KVarium has written can be opened."},
    {"refused.picture.no_scene", "{file}: no scene ran when this picture was made, so it holds none to open."},
    {"refused.picture.large", "{file}: the scene in it is larger than 16 MiB."},
    {"refused.note.object", "{file}: its text `kvarium-shot` is no JSON object. Take the file as KVarium wrote it."},
    {"refused.note.no_version", "{file}: its text `kvarium-shot` has no version. Take the file as KVarium wrote it."},
    {"refused.note.newer", "{file}: its text `kvarium-shot` is of a newer version; open it with a newer KVarium. Take the file as KVarium wrote it."},
    {"refused.note.layout", "{file}: its text `kvarium-shot` names no layout. Take the file as KVarium wrote it."},
    {"refused.note.theme", "{file}: its text `kvarium-shot` names no theme. Take the file as KVarium wrote it."},
    {"refused.note.no_text", "{file}: its text `kvarium-shot` has a {field} that is no text. Take the file as KVarium wrote it."},
    {"refused.note.range", "{file}: its text `kvarium-shot` has a {field} out of range. Take the file as KVarium wrote it."},
    {"refused.note.pixels", "{file}: its text `kvarium-shot` has pixels out of range. Take the file as KVarium wrote it."},
    {"refused.note.no_pair", "{file}: its text `kvarium-shot` has pixels that are no pair. Take the file as KVarium wrote it."},
    {"refused.note.no_list", "{file}: its text `kvarium-shot` has commands that are no list. Take the file as KVarium wrote it."},
    {"refused.note.command", "{file}: its text `kvarium-shot` has a command that is no text. Take the file as KVarium wrote it."},
    {"refused.note.forbidden", "{file}: its text `kvarium-shot` has a command that no picture may give. Take the file as KVarium wrote it."},

    // Lessons
    {"refused.lesson.figure", "This step of the lesson has no figure. Open one that has."},
    {"refused.lesson.none", "This program has no lessons beside it."},
    {"refused.lesson.hint", "This question has no hint."},
    {"refused.lesson.closed", "No lesson is open; open one from the Lesson panel first."},
    {"refused.lesson.unknown", "There is no lesson {word}; there are {first} to {last}."},
    {"refused.lesson.step", "Lesson {lesson} has no step {word}; it has {n}, and each can be named by its number."},
    {"refused.lesson.exercise", "This step has no exercise {word}."},
    {"refused.task.none", "No task is under way; open one from a step of a lesson that has one."},
    {"refused.task.step", "This step of the lesson has no task."},
    {"refused.task.unknown", "This step has no task {word}."},
    {"refused.task.change", "That {why}. To try anything else, go back to the lesson first."},
    {"refused.lesson.progress", "This is no file of progress in lessons."},

    // What forgetting costs
    {"refused.price.no_tokenizer", "This model's folder has no tokenizer.json, so the fixed text cannot be put into tokens; measure on a request instead."},
    {"refused.price.no_request", "No request has arrived yet; step on or add one."},
    {"refused.price.silent", "Request {name} has said nothing yet that could be judged; run on until it has."},
    {"refused.price.known", "{words} is in the list already; press Measure."},
    {"refused.price.word", "`{word}` is neither a codec nor a policy where it stands; write one or two codecs and a policy, such as int8 int4 window:48."},
    {"refused.price.nothing", "There is nothing to measure: write one or two codecs and a policy, such as int8 int4 window:48."},
    {"refused.price.value", "{value} {why}; choose another one."},
    {"refused.price.text.prompt", "Line {line} of the text comes where the prompt above it has nothing told yet."},
    {"refused.price.text.told", "Line {line} of the text is a prompt with nothing told after it."},
    {"refused.price.text.bracket", "Line {line} of the text has a bracket without the other one."},

    // Exporting
    {"refused.export.not_in_view", "The panel {panel} is not in view, so there is no picture of it; bring it to the front first."},
    {"refused.export.picture", "{file}: a picture of the window ends in .png or .svg; export.panel writes the others."},
    {"refused.export.panel", "A film is made with export.film and the steps."},
    {"refused.export.film", "{file}: a film ends in .gif or .mp4, or in / for a folder of pictures."},
    {"refused.export.exists", "{file}: is there already, so nothing was written. Give another name."},
    {"refused.export.nothing", "Nothing was exported since the start; export something first, or name a file."},
    {"refused.export.no_opener", "No program here opens folders (xdg-open is in no folder of PATH); the file is {file}."},
    {"refused.film.no_run", "There is no run to film; open a scene first."},
    {"refused.film.ends", "The scene ends at step {n}, before the film begins."},
});
// clang-format on

}  // namespace kv
