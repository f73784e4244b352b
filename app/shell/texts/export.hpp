#pragma once
// The words of exporting: commands, the caption of a panel as text, and how far a film is. What an
// SVG says of itself stands in app/cli/screen/picture_file.cpp.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishExport = std::to_array<EnglishText>({
    {"menu.export", "Export"},
    {"cmd.export.picture", "Save a picture"},
    {"cmd.export.picture.help", "Writes the window as a PNG that holds its scene, into the pictures folder or to a path; one that ends in .svg gets a drawing."},
    {"cmd.export.drawing", "Save a drawing"},
    {"cmd.export.drawing.help", "Writes the window as an SVG of boxes, lines and texts that can be changed, into the pictures folder or to a path."},
    {"cmd.export.panel", "Export a panel"},
    {"cmd.export.panel.help", "Writes a panel as Markdown, or as what the path ends in: .json, .csv, .png or .svg. Type its name, then a path if you like."},
    {"cmd.export.table", "Export a table"},
    {"cmd.export.table.help", "Writes the table behind a panel as CSV, or with all its tables as JSON. Type a panel such as charts, or stage/pool, then a path if you like."},
    {"cmd.export.copy", "Copy a panel"},
    {"cmd.export.copy.help", "Puts the words and numbers of a panel on the clipboard, as Markdown."},
    {"cmd.export.film", "Export a film"},
    {"cmd.export.film.help", "Shows the steps from one to another and writes them as a GIF, or as what the path ends in: .mp4, or / for a folder of pictures. Type 20..40, then a path if you like."},
    {"cmd.export.stop", "Stop the film"},
    {"cmd.export.stop.help", "Ends the making of a film; nothing of it is kept."},
    {"cmd.export.show", "Show the last export"},
    {"cmd.export.show.help", "Opens the folder of what was written last, or of a file, in the file manager."},
    {"export.shown", "Opened the folder {path}"},
    {"export.caption", "{scene}, step {n}: {what}"},
    {"export.caption.bill", "The bill as it is set"},
    {"export.film.step", "Film: step {n} of {last}. Esc stops it."},
    {"export.film.packing", "Film: packing {n} pictures. Esc stops it."},
    {"export.film.stopped", "The film was stopped; nothing of it is kept."},
    {"export.copied", "The panel {panel} is on the clipboard."},
});
// clang-format on

}  // namespace kv
