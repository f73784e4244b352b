#pragma once
// Pictures one after the other as a GIF or MP4, packed by ffmpeg, or as files in a folder. The
// pictures wait in a folder of their own until all are there; the film takes its name in one step,
// so that it is whole or not there, and so do single pictures. The same pictures give the same film
// with the same ffmpeg.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/export/child.hpp"
#include "app/shell/picture/image.hpp"
#include "app/shell/staged_folder.hpp"

namespace kv {

enum class FilmKind : std::uint8_t { Gif, Mp4, Pictures };
// The kind of a film by the ending of its path; nothing when the ending is none of a film.
std::optional<FilmKind> film_kind(const std::string& path);

struct FilmAsk {
    FilmKind kind = FilmKind::Gif;
    std::filesystem::path target;  // a file; of single pictures a folder
    double per_second = 2;         // pictures
    std::string path_variable;     // folders in which ffmpeg is looked for
};

class FilmMaker {
public:
    // Throws kv::Error: Missing without ffmpeg, World when nothing can be written there.
    explicit FilmMaker(FilmAsk ask);
    ~FilmMaker();
    FilmMaker(const FilmMaker&) = delete;
    FilmMaker& operator=(const FilmMaker&) = delete;

    // All of one size. `texts` stay in single pictures.
    void add(const Image& image, const std::vector<PngText>& texts);
    std::size_t size() const { return n_; }

    // To be called again and again after the last picture, until it says true: the film is there.
    bool pack();

private:
    void start(const std::vector<std::string>& arguments);
    void keep();

    FilmAsk ask_;
    std::filesystem::path ffmpeg_, folder_;
    std::optional<StagedFolder> staged_;  // of single pictures
    std::size_t n_ = 0;
    enum class Stage : std::uint8_t { Pictures, Palette, Film, Done } stage_ = Stage::Pictures;
    std::unique_ptr<Child> child_;
};

// The lines that ffmpeg is called with. `folder` holds frame-00001.png and so on.
std::vector<std::string> palette_line(const std::filesystem::path& folder, double per_second);
std::vector<std::string> film_line(FilmKind kind, const std::filesystem::path& folder,
                                   double per_second);

}  // namespace kv
