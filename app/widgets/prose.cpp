#include "app/widgets/prose.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/widgets/hit.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {
namespace {

// Words of one piece that stand side by side on one line.
struct Fragment {
    std::size_t piece;
    std::string_view text;
    float x, w;
    std::size_t line;
};

struct Word {
    std::size_t piece;
    std::string_view text;
    bool spaced;  // a space stands before it
};

std::vector<Word> words_of(std::span<const ProsePiece> pieces) {
    std::vector<Word> words;
    bool spaced = false;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string_view text = pieces[i].text;
        for (std::size_t at = 0; at < text.size();) {
            if (text[at] == ' ' || text[at] == '\n') {
                spaced = true, ++at;
                continue;
            }
            const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
            words.push_back({i, text.substr(at, end - at), spaced});
            spaced = false, at = end;
        }
    }
    return words;
}

// Breaks lines between words that have a space between them. A word that is wider than the line has
// a line of its own.
class Flow {
public:
    Flow(const Ui& ui, std::span<const ProsePiece> pieces, float width)
        : ui_(ui), pieces_(pieces), width_(width), words_(words_of(pieces)) {
        for (std::size_t first = 0; first < words_.size();) {
            std::size_t end = first + 1;
            while (end < words_.size() && !words_[end].spaced) ++end;
            place(first, end);
            first = end;
        }
    }
    std::size_t n_lines() const { return fragments_.empty() ? 0 : line_ + 1; }
    const std::vector<Fragment>& fragments() const { return fragments_; }

private:
    void place(std::size_t first, std::size_t end) {
        float wide = 0;
        for (std::size_t i = first; i < end; ++i) wide += width_of(words_[i]);
        float gap = x_ > 0 ? space_of(words_[first]) : 0;
        if (x_ > 0 && x_ + gap + wide > width_) ++line_, x_ = 0, gap = 0;
        for (std::size_t i = first; i < end; ++i) {
            const Word& word = words_[i];
            const float w = width_of(word);
            const bool grows = !fragments_.empty() && fragments_.back().piece == word.piece &&
                               fragments_.back().line == line_;
            x_ += i == first ? gap : 0;
            if (grows) {
                Fragment& last = fragments_.back();
                const char* const end_of_word = word.text.data() + word.text.size();
                last.text = {last.text.data(),
                             static_cast<std::size_t>(end_of_word - last.text.data())};
                last.w = x_ + w - last.x;
            } else {
                fragments_.push_back({word.piece, word.text, x_, w, line_});
            }
            x_ += w;
        }
    }
    float width_of(const Word& word) const {
        return text_width(ui_, pieces_[word.piece].style, word.text);
    }
    float space_of(const Word& word) const {
        const TextStyle& style = pieces_[word.piece].style;
        const bool inside = !fragments_.empty() && fragments_.back().piece == word.piece;
        // Before a number a space is that of the words, not as wide as its digits.
        return text_width(ui_, inside ? style : with_font(style, ui_.fonts.regular), " ");
    }

    const Ui& ui_;
    std::span<const ProsePiece> pieces_;
    float width_;
    std::vector<Word> words_;
    std::vector<Fragment> fragments_;
    float x_ = 0;
    std::size_t line_ = 0;
};

void paint(const Painter& p, const ProsePiece& piece, const Rect& box, std::string_view text,
           bool lit) {
    const Ui& ui = p.ui;
    const Rect plate{box.x - ui.px(2), box.y + ui.px(2), box.w + ui.px(4), box.h - ui.px(4)};
    if (piece.boxed) fill(p, plate, ui.colors.raised, 2);
    if (lit) fill(p, plate, ui.colors.hover_wash(), 2);
    text_in(p, piece.style, {box.x, box.y, 0, box.h}, text);
    const float y = box.bottom() - ui.px(3);
    if (piece.underline == Underline::Through)
        hline(p, box.x, box.right(), std::floor(box.center().y), piece.style.color);
    else if (piece.underline == Underline::Solid)
        hline(p, box.x, box.right(), y, lit ? ui.colors.text : piece.style.color);
    else if (piece.underline == Underline::Dotted)
        dotted_line(p, {box.x, y}, {box.right(), y}, lit ? ui.colors.text : ui.colors.text2);
}

}  // namespace

float prose_height(const Ui& ui, std::span<const ProsePiece> pieces, float pitch, float width) {
    return static_cast<float>(Flow(ui, pieces, width).n_lines()) * ui.px(pitch);
}

ProseHit flowing_prose(const Ui& ui, const char* id, std::span<const ProsePiece> pieces,
                       float pitch, float width) {
    const Flow flow(ui, pieces, width);
    const Painter p(ui);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float line = ui.px(pitch);
    ProseHit out;
    ImGui::PushID(id);
    for (std::size_t i = 0; i < flow.fragments().size(); ++i) {
        const Fragment& f = flow.fragments()[i];
        const ProsePiece& piece = pieces[f.piece];
        const Rect box = snap(
            {origin.x + f.x, origin.y + static_cast<float>(f.line) * line, std::ceil(f.w), line});
        bool lit = false, focused = false;
        if (piece.link || !piece.tip.empty()) {
            ImGui::SetCursorScreenPos({box.x, box.y});
            const Hit hit = hit_item(PartId(i).c_str(), {box.w, box.h});
            focused = hit.focused, lit = piece.link && (hit.hovered || hit.focused);
            if (lit) out.pointed = piece.link;
            if (hit.pressed && piece.link) out.pressed = piece.link;
            if (!piece.tip.empty() && (hit.hovered || hit.focused))
                ImGui::SetItemTooltip("%.*s", static_cast<int>(piece.tip.size()), piece.tip.data());
        }
        paint(p, piece, box, f.text, lit);
        if (focused) focus_ring(p, box, 2);
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({width, std::max(1.0f, static_cast<float>(flow.n_lines()) * line)});
    return out;
}

}  // namespace kv
