#pragma once
// Puts pieces on a plan. Each call gives the piece back, so that keys and roles are set on it.

#include "app/panels/figure/plan/plan.hpp"

namespace kv::figure {

// A number with up to so many digits, and no zeros behind the last one that counts.
Text short_number(double value, int digits);

class Sheet {
public:
    explicit Sheet(const Ask& ask);

    // Title and how to read it; where the content begins.
    void header(Text title, Text how);
    float left() const { return margin_; }
    float right() const { return size_.x - margin_; }
    float width() const { return right() - left(); }
    float top() const { return top_; }
    float bottom() const { return size_.y - (is_low() ? 12 : 28); }
    bool is_narrow() const { return size_.x < 1000; }
    bool is_low() const { return size_.y < 720; }

    Piece& box(Text id, const Rect& rect, Look look, List<Word> words = {});
    Piece& words(Text id, const Rect& rect, List<Word> words, Edge edge = Edge::Left);
    Piece& wire(Text id, List<Vec2> points, bool arrow);
    Piece& span(Text id, Vec2 from, Vec2 to, List<Word> words);
    Piece& brackets(Text id, const Rect& rect);
    Piece& tag(Text id, Vec2 center, float size, std::uint8_t request);
    Piece& curve(Text id, const Rect& room, List<Vec2> points);
    Piece& rule(float y);
    // "Without a cache   every step computes the whole text again".
    Piece& block_head(Text id, float y, float height, Text name, Text how);
    // Swatches and what they mean, from the left edge of the content.
    struct Entry {
        Look look;
        Text words;
        float room;
        std::uint32_t cells = 1;
    };
    void legend(float x, float y, const List<Entry>& entries);

    Plan take() { return std::move(plan_); }
    List<Text>& key_names() { return plan_.key_names; }

private:
    Piece& add(Piece piece);
    Vec2 size_;
    float margin_, top_ = 0;
    Plan plan_;
};

}  // namespace kv::figure
