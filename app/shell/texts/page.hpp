#pragma once
// The words of a page in a browser: what stands around the picture, and the reader below it.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishPage = std::to_array<EnglishText>({
    {"page.skip", "Skip to the picture"},
    {"page.commands", "Commands"},
    {"page.copy_link", "Copy link to this moment"},
    {"page.link_copied", "link copied: it opens at this step, for anyone"},
    {"page.link_scene", "link copied: it opens what the tank shows, without the lesson"},
    {"page.link_alone", "link copied, without the comparison, which no scene can say"},
    {"page.link_recording", "a recording has no link; hand on its file"},
    {"page.link_large", "this scene is too large for a link; save it as a file (Ctrl+S)"},
    {"page.link_kept", "the link stands in the address; copy it from there"},
    {"page.open_file", "Open a file"},
    {"page.forget", "Clear what this page remembers"},
    {"page.forgotten", "cleared: settings, progress and own scenes are gone from this browser"},
    {"page.not_kept", "this browser does not keep everything here: save what you want to have again"},
    {"page.picture", "The tank as a picture. What it says stands below it in words and tables; F6 leaves it."},
    {"page.back", "Back"},
    {"page.play", "Play"},
    {"page.pause", "Pause"},
    {"page.forward", "Forward"},
    {"page.title", "The tank"},
    {"page.lesson_place", "Lesson {n} of {all}, step {step} of {steps}"},
    {"page.lessons", "Lessons"},
    {"page.lesson_row", "{n}. {title}"},
    {"page.step_words", "What the step says"},
    {"page.step_asked", "What the step asks"},
    {"page.prediction", "Prediction {n}"},
    {"page.exercise", "Exercise {id}"},
    {"page.answer", "Answer"},
    {"page.reveal", "Reveal"},
    {"page.check", "Check"},
    {"page.stays", "Your answer stays on this machine."},
    {"page.right", "Right."},
    {"page.wrong", "Not right yet."},
    {"page.real", "Answer: {answer}."},
    {"page.previous_step", "Step before"},
    {"page.next_step", "Next step"},
    {"page.table", "{panel}: {table}"},
    {"page.in_focus", "the panel in focus"},
    {"page.first_rows", "The first {n} rows of {all}; the export has all of them."},
    {"page.tables", "Tables"},
    {"page.table_rows", "{table}, {n} {n:row|rows}"},
    {"page.same_as_export", "Every table is what the export writes."},
    {"page.tables_csv", "Table as CSV"},
    {"page.menu", "All commands"},
    {"page.value", "Value"},
    {"page.saved", "saved to the downloads: {file}"},
    {"page.lost", "The browser took the picture's memory away; it comes back by itself."},
    {"page.bug", "A bug in KVarium itself: {what}. Load the page anew."},
});
// clang-format on

}  // namespace kv
