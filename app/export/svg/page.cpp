#include "app/export/svg/page.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/export/svg/text.hpp"

namespace kv {
namespace {

constexpr std::array<char, 6> kClasses{'r', 'n', 's', 'b', 'm', 'e'};  // by SvgFace
constexpr float kMonoAdvance = 0.6f;                                   // of JetBrains Mono, in ems
constexpr float kOneSize = 0.01f, kOneBaseline = 0.01f, kOneWidth = 0.02f;  // differ by no more
constexpr float kBlankOff = 0.1f;  // how far a gap may be from the width of a blank
constexpr float kJoinOff = 0.03f;  // how far apart the ends of two pieces of a line may be
constexpr float kSpacingOff = 0.005f;

void append_utf8(std::string& text, char32_t c) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, static_cast<unsigned>(c));
    text += bytes;
}

Rect united(const Rect& a, const Rect& b) {
    const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

bool lies_in(const Rect& r, const Rect& clip) {
    constexpr float kTolerance = 0.5f;
    return r.x >= clip.x - kTolerance && r.y >= clip.y - kTolerance &&
           r.right() <= clip.right() + kTolerance && r.bottom() <= clip.bottom() + kTolerance;
}

bool touches(const Rect& r, const Rect& clip) {
    return r.x < clip.right() && clip.x < r.right() && r.y < clip.bottom() && clip.y < r.bottom();
}

// An id as XML wants it: a letter first, then letters, digits and a few signs.
std::string xml_id(std::string_view id) {
    std::string text = id.empty() || id.front() < 'A' ? "w-" : "";
    for (const char c : id) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '.';
        text += plain ? c : '-';
    }
    return text;
}

}  // namespace

void SvgPage::add(const std::string& element, const Rect& bounds) {
    if (element.empty() || !touches(bounds, clip_)) return;
    ++n_;
    if (lies_in(bounds, clip_))
        close_cut();
    else
        open_cut();
    body_ += element;
}

void SvgPage::open(std::string_view id) {
    body_ = "<g id=\"" + xml_id(id) + "\">\n";
}

std::string SvgPage::close() {
    close_cut();
    return std::exchange(body_, {}) + "</g>\n";
}

void SvgPage::open_cut() {
    if (cut_ && *cut_ == clip_) return;
    close_cut();
    const auto [at, is_new] = names_.emplace(std::array{clip_.x, clip_.y, clip_.w, clip_.h},
                                             "c" + std::to_string(names_.size() + 1));
    if (is_new)
        clips_ += "<clipPath id=\"" + at->second + "\"><rect x=\"" + svg_number(clip_.x) +
                  "\" y=\"" + svg_number(clip_.y) + "\" width=\"" + svg_number(clip_.w) +
                  "\" height=\"" + svg_number(clip_.h) + "\"/></clipPath>\n";
    body_ += "<g clip-path=\"url(#" + at->second + ")\">\n";
    cut_ = clip_;
}

void SvgPage::close_cut() {
    if (std::exchange(cut_, std::nullopt)) body_ += "</g>\n";
}

void SvgTextLine::add(const SetGlyph& glyph, Color color, const Rect& box) {
    if (!goes_on(glyph, color)) {
        flush();
        first_ = glyph, color_ = color, bounds_ = box;
    }
    append_utf8(letters_, glyph.letter);
    ++n_letters_;
    last_ = glyph;
    bounds_ = united(bounds_, box);
}

void SvgTextLine::flush() {
    if (letters_.empty()) return;
    const float length = last_.pen.x + last_.advance - first_.pen.x;
    std::string text =
        std::string("<text class=\"") + kClasses[static_cast<std::size_t>(first_.face)] +
        "\" x=\"" + svg_number(first_.pen.x) + "\" y=\"" + svg_number(first_.pen.y) +
        "\" font-size=\"" + svg_number(first_.size) + "\"" + svg_paint("fill", color_) + spacing();
    if (n_letters_ > 1) text += " textLength=\"" + svg_number(length) + "\"";
    page_.add(text + ">" + xml_escaped(letters_) + "</text>\n", bounds_);
    letters_.clear();
    n_letters_ = 0, ++n_texts_;
}

// Blanks are not drawn; they show as a gap of their width.
bool SvgTextLine::goes_on(const SetGlyph& glyph, Color color) {
    if (letters_.empty() || glyph.face != first_.face || !(color == color_)) return false;
    if (std::abs(glyph.size - first_.size) > kOneSize) return false;
    if (std::abs(glyph.pen.y - first_.pen.y) > kOneBaseline) return false;
    const float gap = glyph.pen.x - last_.pen.x - last_.advance;
    const float blanks = glyph.space > 0 ? std::round(gap / glyph.space) : 0;
    if (blanks < 0 || blanks > 1 || std::abs(gap - blanks * glyph.space) > kBlankOff) return false;
    letters_.append(static_cast<std::size_t>(blanks), ' ');
    n_letters_ += static_cast<std::size_t>(blanks);
    return true;
}

// Columns of digits stand on whole pixels, a little wider than the font has them.
std::string SvgTextLine::spacing() const {
    const bool mono = first_.face == SvgFace::Mono || first_.face == SvgFace::MonoBold;
    const float extra = first_.advance - kMonoAdvance * first_.size;
    if (!mono || std::abs(extra) < kSpacingOff) return {};
    return " letter-spacing=\"" + svg_number(extra) + "\"";
}

bool SvgStrokedLine::add(std::span<const Vec2> quad, Color color) {
    const SvgSegment s = segment_of(quad);
    if (!s.is_line) return false;
    const bool goes_on = !segments_.empty() && color == color_ &&
                         std::abs(s.width - segments_.front().width) < kOneWidth &&
                         std::abs(s.from.x - segments_.back().to.x) < kJoinOff &&
                         std::abs(s.from.y - segments_.back().to.y) < kJoinOff;
    if (!goes_on) flush();
    color_ = color;
    segments_.push_back(s);
    quads_.insert(quads_.end(), quad.begin(), quad.end());
    return true;
}

// Boxes side by side look like a line from left to right; they are boxes.
void SvgStrokedLine::flush() {
    if (segments_.empty()) return;
    bool all_boxes = true;
    for (std::size_t i = 0; i < segments_.size(); ++i)
        all_boxes = all_boxes && is_box(std::span(quads_).subspan(4 * i, 4)) &&
                    segments_[i].from.x < segments_[i].to.x;
    if (all_boxes)
        for (std::size_t i = 0; i < segments_.size(); ++i) add_box(4 * i);
    else
        page_.add(svg_stroked(segments_, color_), bounds_of(quads_));
    segments_.clear(), quads_.clear();
}

void SvgStrokedLine::add_box(std::size_t first) {
    const auto quad = std::span(quads_).subspan(first, 4);
    const std::string element = svg_filled(quad, color_, page_.clip());
    if (!element.empty()) page_.add(element, page_.clip());  // it has been cut already
}

}  // namespace kv
