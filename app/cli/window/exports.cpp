#include "app/cli/window/exports.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/cli/screen/picture_file.hpp"
#include "app/cli/shot/data.hpp"
#include "app/cli/terminal/export_format.hpp"
#include "app/cli/window/export_place.hpp"
#include "app/export/child.hpp"
#include "app/export/table_text.hpp"
#include "app/frame/dock/dock.hpp"
#include "app/shell/files.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

std::string word(const Command& c) {
    const auto* text = std::get_if<std::string>(&c.argument);
    return text == nullptr ? std::string() : *text;
}

// "stage /tmp/a b.md": the first word, and the rest.
struct NameAndPath {
    std::string name, path;
};
NameAndPath split(const std::string& words) {
    const std::size_t space = std::min(words.find(' '), words.size());
    const std::size_t path = std::min(words.find_first_not_of(' ', space), words.size());
    return {words.substr(0, space), words.substr(path)};
}

Rect room_of(Screen& screen, PanelId panel) {
    const auto room = panel_in_view(screen.frame().state().docks(), panel);
    if (room) return *room;
    throw Refused("refused.export.not_in_view"_t, {{"panel", row_of(panel).name}});
}

Image part_within(const Image& whole, const Rect& room) {
    const auto side = [](float at, int most) {
        return std::clamp(static_cast<int>(std::lround(at)), 0, most);
    };
    const int x0 = side(room.x, whole.size.w), y0 = side(room.y, whole.size.h);
    const int x1 = side(room.right(), whole.size.w), y1 = side(room.bottom(), whole.size.h);
    Image image = Image::filled({std::max(1, x1 - x0), std::max(1, y1 - y0)}, rgb(0));
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) image.set(x - x0, y - y0, whole.at(x, y));
    return image;
}

// A panel is cut out of the picture of the whole window; `kvarium shot --panel` draws it alone, as
// large as the picture (AppState::only_panel).
std::string png_of_window(Screen& screen, std::optional<PanelId> panel) {
    const PictureNote note = note_of_window(screen);
    const Image image = screen.picture();
    return png_file(panel ? part_within(image, room_of(screen, *panel)) : image, note);
}

std::string svg_of_window(Screen& screen, std::optional<PanelId> panel) {
    const PictureNote note = note_of_window(screen);
    return svg_file(screen, note, panel ? std::optional(room_of(screen, *panel)) : std::nullopt);
}

fs::path say_saved(Screen& screen, const fs::path& file) {
    std::error_code unknown;
    const std::string whole = fs::absolute(file, unknown).lexically_normal().string();
    screen.frame().state().notice =
        Notice{.said = Said("message.saved"_t, {{"path", whole}}), .file = whole};
    return whole;
}

fs::path save(Screen& screen, const fs::path& file, const std::string& bytes) {
    save_file(file, bytes);
    return say_saved(screen, file);
}

fs::path save_picture(Screen& screen, const std::string& typed, ExportFormat usual) {
    const ExportFormat format = format_of(typed).value_or(usual);
    if (format != ExportFormat::Png && format != ExportFormat::Svg)
        throw Refused("refused.export.picture"_t, {{"file", shown(typed)}});
    const fs::path file = export_path(typed, screen, "", std::string(name_of(format)));
    return save(
        screen, file,
        format == ExportFormat::Png ? png_of_window(screen, {}) : svg_of_window(screen, {}));
}

fs::path save_panel(Screen& screen, const std::string& words, ExportFormat usual) {
    const NameAndPath asked = split(words);
    const TableName name = table_named(asked.name);
    const ExportFormat format = format_of(asked.path).value_or(usual);
    const auto text = [&]() -> std::string {
        switch (format) {
            case ExportFormat::Png:
                return png_of_window(screen, name.panel);
            case ExportFormat::Svg:
                return svg_of_window(screen, name.panel);
            case ExportFormat::Gif:
            case ExportFormat::Mp4:
                throw Refused("refused.export.panel"_t);
            default:
                return panel_text(screen.data_of(name.panel), format, name.table);
        }
    }();
    std::string what(row_of(name.panel).name);
    if (format == ExportFormat::Csv && !name.table.empty()) what += "-" + file_words(name.table);
    return save(screen, export_path(asked.path, screen, what, std::string(name_of(format))), text);
}

void copy_panel(Screen& screen, const std::string& words) {
    const PanelId panel = table_named(words).panel;
    ImGui::SetClipboardText(panel_markdown(screen.data_of(panel)).c_str());
    screen.frame().state().notice =
        Notice{.said = Said("export.copied"_t, {{"panel", row_of(panel).name}})};
}

FilmAsk film_ask(const Screen& screen, const std::string& typed) {
    const auto kind = film_kind(typed);
    if (!typed.empty() && !kind) throw Refused("refused.export.film"_t, {{"file", shown(typed)}});
    const bool folder = kind == FilmKind::Pictures;
    const std::string ending = kind == FilmKind::Mp4 ? "mp4" : "gif";
    const char* folders = std::getenv("PATH");
    return {.kind = kind.value_or(FilmKind::Gif),
            .target = folder ? fs::path(typed) : export_path(typed, screen, "film", ending),
            .per_second = 2 * screen.frame().state().run.playback.speed,
            .path_variable = folders == nullptr ? "" : folders};
}

}  // namespace

void WindowExports::carry_out_one(Screen& screen, const Command& command) {
    if (command.id == "export.picture")
        last_ = save_picture(screen, word(command), ExportFormat::Png);
    else if (command.id == "export.drawing")
        last_ = save_picture(screen, word(command), ExportFormat::Svg);
    else if (command.id == "export.panel")
        last_ = save_panel(screen, word(command), ExportFormat::Markdown);
    else if (command.id == "export.table")
        last_ = save_panel(screen, word(command), ExportFormat::Csv);
    else if (command.id == "export.copy")
        copy_panel(screen, word(command));
    else if (command.id == "export.show")
        show(screen, word(command));
    else if (command.id == "export.stop")
        stop_film(screen);
    else if (command.id == "export.film" && !film_) {
        const NameAndPath asked = split(word(command));
        const StepSpan steps = read_steps(asked.name, "The steps");
        film_ = std::make_unique<WindowFilm>(screen, film_ask(screen, asked.path), steps);
    }
}

void WindowExports::show(Screen& screen, const std::string& named) const {
    const fs::path file = named.empty() ? last_ : fs::path(named);
    if (file.empty()) throw Refused("refused.export.nothing"_t);
    std::error_code unknown;
    const fs::path whole = fs::absolute(file, unknown).lexically_normal();
    const fs::path folder = fs::is_directory(whole, unknown) ? whole : whole.parent_path();
    const char* folders = std::getenv("PATH");
    const auto opener = program_in(folders == nullptr ? "" : folders, "xdg-open");
    if (!opener)
        throw Refused("refused.export.no_opener"_t, {{"file", shown(whole.string())}},
                      ErrorCode::Missing);
    start_alone(*opener, folder.string());
    screen.frame().state().notice =
        Notice{.said = Said("export.shown"_t, {{"path", shown(folder.string())}})};
}

void WindowExports::stop_film(Screen& screen) {
    if (!film_) return;
    film_->leave(screen);
    film_.reset();
    screen.frame().state().notice = Notice{.said = Said("export.film.stopped"_t)};
}

void WindowExports::carry_out(Screen& screen) {
    AppState& state = screen.frame().state();
    try {
        for (const Command& command : std::exchange(state.exports, {}))
            carry_out_one(screen, command);
        if (!film_ || !film_->go_on(screen)) return;
        last_ = say_saved(screen, film_->target());
    } catch (const std::exception& failed) {
        state.notice = Notice{.said = said_of(failed), .refused = true};
        if (!film_) return;
    }
    film_->leave(screen);
    film_.reset();
}

}  // namespace kv
