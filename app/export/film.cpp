#include "app/export/film.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <system_error>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

constexpr auto kMostFilmBytes = static_cast<std::size_t>(
    std::min<std::uint64_t>(std::uint64_t{1} << 32, std::numeric_limits<std::size_t>::max()));

// As line_start() has ffmpeg look for it: frame-00001.png.
std::string frame_name(std::size_t n) {
    std::string digits = std::to_string(n);
    return "frame-" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits +
           ".png";
}

fs::path fresh_folder() {
    std::error_code unknown;
    fs::path base = fs::temp_directory_path(unknown);
    if (unknown) base = "/tmp";
    std::string name = (base / "kvarium-film-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(ErrorCode::World, shown(base.string()) +
                                          ": no folder for the pictures of the film can be made "
                                          "there. Free some space, or set TMPDIR.");
    return name;
}

// The last line that says something.
std::string last_words(const fs::path& log) {
    std::string text;
    try {
        text = read_file(log, 1 << 20);
    } catch (const Error&) {
        return "it said nothing";
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (text.empty()) return "it said nothing";
    return shown(text.substr(text.find_last_of('\n') + 1));
}

std::vector<std::string> line_start(const fs::path& folder, double per_second) {
    return {"ffmpeg",       "-nostdin",
            "-hide_banner", "-loglevel",
            "error",        "-y",
            "-threads",     "1",
            "-framerate",   round_trip(per_second),
            "-i",           (folder / "frame-%05d.png").string()};
}

void append(std::vector<std::string>& line, std::initializer_list<const char*> words) {
    line.insert(line.end(), words.begin(), words.end());
}

fs::path film_file(FilmKind kind, const fs::path& folder) {
    return folder / (kind == FilmKind::Gif ? "film.gif" : "film.mp4");
}

}  // namespace

std::optional<FilmKind> film_kind(const std::string& path) {
    if (path.ends_with(".gif")) return FilmKind::Gif;
    if (path.ends_with(".mp4")) return FilmKind::Mp4;
    if (path.ends_with("/")) return FilmKind::Pictures;
    return std::nullopt;
}

// One palette for all pictures: the colours of a theme are few and flat, so they need no dither.
std::vector<std::string> palette_line(const fs::path& folder, double per_second) {
    std::vector<std::string> line = line_start(folder, per_second);
    append(line, {"-vf", "palettegen=stats_mode=full:reserve_transparent=0", "-update", "1"});
    line.push_back((folder / "palette.png").string());
    return line;
}

std::vector<std::string> film_line(FilmKind kind, const fs::path& folder, double per_second) {
    std::vector<std::string> line = line_start(folder, per_second);
    if (kind == FilmKind::Gif) {
        append(line, {"-i"});
        line.push_back((folder / "palette.png").string());
        append(line, {"-lavfi", "paletteuse=dither=none:diff_mode=rectangle", "-loop", "0"});
    } else {
        // Both sides even, as the format wants it, and a rate that every player knows.
        append(line, {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,fps=30", "-c:v", "libx264", "-crf",
                      "16", "-pix_fmt", "yuv420p", "-threads", "1", "-movflags", "+faststart"});
    }
    append(line, {"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"});
    line.push_back(film_file(kind, folder).string());
    return line;
}

FilmMaker::FilmMaker(FilmAsk ask) : ask_(std::move(ask)) {
    if (ask_.kind == FilmKind::Pictures) {
        folder_ = staged_.emplace(ask_.target).path();
        return;
    }
    const auto ffmpeg = program_in(ask_.path_variable, "ffmpeg");
    if (!ffmpeg)
        throw Error(ErrorCode::Missing,
                    "A film needs the program ffmpeg, which is in no folder of PATH; install it, "
                    "or ask for single pictures: --out-dir FOLDER, in the window a path that ends "
                    "in /.");
    require_writable(ask_.target);
    ffmpeg_ = *ffmpeg;
    folder_ = fresh_folder();
}

FilmMaker::~FilmMaker() {
    child_.reset();
    std::error_code ignored;
    if (ask_.kind != FilmKind::Pictures) fs::remove_all(folder_, ignored);
}

void FilmMaker::add(const Image& image, const std::vector<PngText>& texts) {
    const bool stays = ask_.kind == FilmKind::Pictures;
    const fs::path file = folder_ / frame_name(++n_);
    if (stays)
        write_png(file, image, texts);
    else
        write_png(file, image);
}

void FilmMaker::start(const std::vector<std::string>& arguments) {
    child_ = std::make_unique<Child>(ffmpeg_, arguments, folder_ / "ffmpeg.log");
}

bool FilmMaker::pack() {
    if (stage_ == Stage::Done) return true;
    if (n_ == 0 || ask_.kind == FilmKind::Pictures) {
        if (staged_) staged_->keep();
        stage_ = Stage::Done;
        return true;
    }
    if (stage_ == Stage::Pictures) {
        const bool gif = ask_.kind == FilmKind::Gif;
        start(gif ? palette_line(folder_, ask_.per_second)
                  : film_line(ask_.kind, folder_, ask_.per_second));
        stage_ = gif ? Stage::Palette : Stage::Film;
        return false;
    }
    const auto code = child_->ended();
    if (!code) return false;
    if (*code != 0)
        throw Error(ErrorCode::World, shown(ask_.target.string()) +
                                          ": ffmpeg made no film of it (" +
                                          last_words(folder_ / "ffmpeg.log") +
                                          "). Ask for a folder of pictures instead.");
    if (stage_ == Stage::Palette) {
        start(film_line(ask_.kind, folder_, ask_.per_second));
        stage_ = Stage::Film;
        return false;
    }
    keep();
    stage_ = Stage::Done;
    return true;
}

void FilmMaker::keep() {
    save_file(ask_.target, read_file(film_file(ask_.kind, folder_), kMostFilmBytes));
}

}  // namespace kv
