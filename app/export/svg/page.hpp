#pragma once
// An SVG while it is written: elements in the order of drawing, letters gathered into texts and
// pieces into lines.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/export/svg/glyphs.hpp"
#include "app/export/svg/shapes.hpp"

namespace kv {

// What reaches over the edge of its clip is put into a group that is cut there.
class SvgPage {
public:
    void set_clip(const Rect& clip) { clip_ = clip; }
    const Rect& clip() const { return clip_; }

    void add(const std::string& element, const Rect& bounds);
    void open(std::string_view id);
    std::string close();  // the group, whole
    const std::string& clips() const { return clips_; }
    std::size_t size() const { return n_; }

private:
    void open_cut();
    void close_cut();

    std::string body_, clips_;
    std::map<std::array<float, 4>, std::string> names_;
    Rect clip_;
    std::optional<Rect> cut_;
    std::size_t n_ = 0;
};

// Letters that follow each other on one line become one text.
class SvgTextLine {
public:
    explicit SvgTextLine(SvgPage& page) : page_(page) {}

    void add(const SetGlyph& glyph, Color color, const Rect& box);
    void flush();
    std::size_t texts() const { return n_texts_; }

private:
    bool goes_on(const SetGlyph& glyph, Color color);
    std::string spacing() const;

    SvgPage& page_;
    SetGlyph first_, last_;
    Color color_{0, 0, 0};
    std::string letters_;
    std::size_t n_letters_ = 0, n_texts_ = 0;
    Rect bounds_;
};

// Pieces of lines that follow each other become one line.
class SvgStrokedLine {
public:
    explicit SvgStrokedLine(SvgPage& page) : page_(page) {}

    bool add(std::span<const Vec2> quad, Color color);  // false: it is no piece of a line
    void flush();

private:
    void add_box(std::size_t first);

    SvgPage& page_;
    std::vector<SvgSegment> segments_;
    Points quads_;
    Color color_{0, 0, 0};
};

}  // namespace kv
