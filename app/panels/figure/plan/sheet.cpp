#include "app/panels/figure/plan/sheet.hpp"

#include <algorithm>
#include <utility>

#include "core/base/numbers/text.hpp"

namespace kv::figure {

Text short_number(double value, int digits) {
    std::string words = significant(value, digits);
    if (words.find('.') != std::string::npos) {
        words.erase(words.find_last_not_of('0') + 1);
        if (words.back() == '.') words.pop_back();
    }
    return Text(words);
}

Sheet::Sheet(const Ask& ask) : size_(ask.size), margin_(ask.size.x < 1000 ? 24 : 44) {
    plan_.size = ask.size;
    plan_.pieces.reserve(512);
}

Piece& Sheet::add(Piece piece) {
    plan_.pieces.push_back(std::move(piece));
    return plan_.pieces.back();
}

void Sheet::header(Text title, Text how) {
    const float y = is_low() ? 8 : 22, size = is_narrow() ? 20 : 24;
    const float link = 110;  // "Leaves out" stands at the right
    words("title", {left(), y, width() - link, 34},
          {{std::move(title), Font::Bold, size, Ink::Strong}});
    // A letter takes about half of its size.
    const float letter = is_narrow() ? 13 : 15;
    const bool two_lines = static_cast<float>(how.size()) * letter * 0.5f > width();
    const float height = two_lines ? 2 * (letter + 4) : 22;
    Piece& read =
        words("how", {left(), y + 34, width(), height}, {{std::move(how), Font::Regular, letter}});
    if (two_lines) read.pitch = letter + 4;
    top_ = y + 34 + height + (is_low() ? 8 : 22);
}

Piece& Sheet::box(Text id, const Rect& rect, Look look, List<Word> words) {
    Piece piece;
    piece.id = std::move(id), piece.rect = rect, piece.look = look, piece.words = std::move(words);
    return add(std::move(piece));
}

Piece& Sheet::words(Text id, const Rect& rect, List<Word> words, Edge edge) {
    Piece piece;
    piece.kind = Kind::Words, piece.id = std::move(id), piece.rect = rect;
    piece.words = std::move(words), piece.edge = edge;
    return add(std::move(piece));
}

Piece& Sheet::wire(Text id, List<Vec2> points, bool arrow) {
    Piece piece;
    piece.kind = Kind::Wire, piece.id = std::move(id), piece.points = std::move(points);
    piece.arrow = arrow, piece.width = 1.8f;
    return add(std::move(piece));
}

Piece& Sheet::span(Text id, Vec2 from, Vec2 to, List<Word> words) {
    Piece piece;
    piece.kind = Kind::Span, piece.id = std::move(id), piece.points = {from, to};
    piece.words = std::move(words);
    return add(std::move(piece));
}

Piece& Sheet::brackets(Text id, const Rect& rect) {
    Piece piece;
    piece.kind = Kind::Brackets, piece.id = std::move(id), piece.rect = rect;
    return add(std::move(piece));
}

Piece& Sheet::tag(Text id, Vec2 center, float size, std::uint8_t request) {
    Piece piece;
    piece.kind = Kind::Tag, piece.id = std::move(id), piece.hue = request;
    piece.rect = {center.x - size / 2, center.y - size / 2, size, size};
    return add(std::move(piece));
}

Piece& Sheet::curve(Text id, const Rect& room, List<Vec2> points) {
    Piece piece;
    piece.kind = Kind::Curve, piece.id = std::move(id), piece.rect = room;
    piece.points = std::move(points), piece.width = 1.8f;
    return add(std::move(piece));
}

Piece& Sheet::rule(float y) {
    return box("rule", {left(), y, width(), 1}, Look::Rule);
}

Piece& Sheet::block_head(Text id, float y, float height, Text name, Text how) {
    return words(std::move(id), {left(), y, width(), height},
                 {{std::move(name), Font::Bold, is_narrow() ? 15.0f : 18.0f, Ink::Strong},
                  {std::move(how), Font::Regular, is_narrow() ? 12.0f : 14.0f, Ink::Plain, 14}});
}

void Sheet::legend(float x, float y, const List<Entry>& entries) {
    // An entry gets more room for long words, as long as all still stand in one line.
    const auto grown = [](const Entry& entry) {
        return std::max(entry.room, 48 + 6.6f * static_cast<float>(entry.words.size()));
    };
    float all = x;
    for (const Entry& entry : entries) all += grown(entry);
    const bool grows = all <= right();
    for (const Entry& entry : entries) {
        const float room = grows ? grown(entry) : entry.room;
        box("legend", {x, y + 2, 26, 16}, entry.look).cells = entry.cells;
        words("legend.words", {x + 34, y, room - 42, 20}, {{entry.words, Font::Regular, 13}});
        x += room;
    }
}

}  // namespace kv::figure
