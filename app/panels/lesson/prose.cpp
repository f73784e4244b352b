#include "app/panels/lesson/prose.hpp"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/panels/lesson/links.hpp"
#include "app/widgets/paint/paint.hpp"
#include "app/widgets/prose.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr float kBetweenBlocks = 10, kBetweenBullets = 4, kBulletIndent = 16, kTableGap = 14;
constexpr float kTablePitch = 19, kTableRoom = 6;  // of a row, beside its words
constexpr float kCodeSize = 12, kCodePitch = 17, kCodePad = 8, kCodeRoom = 10;

// One cell or paragraph: its pieces, and what its links are.
struct Pieces {
    std::vector<ProsePiece> all;
    std::vector<const ShownLink*> links;
};

ProsePiece piece_of(const Ui& ui, const ShownSpan& span, const LessonProseLook& look) {
    const TextStyle plain{ui.fonts.regular, look.size,
                          look.quiet ? ui.colors.text2 : ui.colors.text};
    const TextStyle number{ui.fonts.mono_bold, look.size - 1, ui.colors.text};
    switch (span.kind) {
        case ShownSpan::Kind::Words:
            return {span.text, plain};
        case ShownSpan::Kind::Computed:
            return {.text = span.text, .style = number, .tip = span.behind};
        case ShownSpan::Kind::Published:
            return {.text = span.text,
                    .style = number,
                    .underline = Underline::Dotted,
                    .tip = span.behind};
        case ShownSpan::Kind::Misprint:
            return {.text = span.text,
                    .style = colored(number, ui.colors.loss.ink),
                    .underline = Underline::Through,
                    .tip = ui.text["lesson.misprint"_t]};
        case ShownSpan::Kind::Link:
            break;
    }
    const bool is_term =
        span.link && (span.link->kind == LinkKind::Term || commands_of(*span.link).empty());
    return {.text = span.text,
            .style = with_font(plain, ui.fonts.medium),
            .underline = is_term ? Underline::Dotted : Underline::Solid,
            .tip = span.behind};
}

Pieces pieces_of(const Ui& ui, const std::vector<ShownSpan>& spans, const LessonProseLook& look) {
    Pieces pieces;
    for (const ShownSpan& span : spans) {
        ProsePiece piece = piece_of(ui, span, look);
        if (span.kind == ShownSpan::Kind::Link && span.link) {
            piece.link = pieces.links.size();
            pieces.links.push_back(&*span.link);
        }
        pieces.all.push_back(piece);
    }
    return pieces;
}

float draw_spans(const Ui& ui, const char* id, const std::vector<ShownSpan>& spans, float width,
                 RunFocus& focus, const LessonProseLook& look) {
    const Pieces pieces = pieces_of(ui, spans, look);
    const float top = ImGui::GetCursorScreenPos().y;
    const ProseHit hit = flowing_prose(ui, id, pieces.all, look.pitch, width);
    if (hit.pointed) light(*pieces.links[*hit.pointed], focus);
    if (hit.pressed)
        for (const std::string& words : commands_of(*pieces.links[*hit.pressed])) {
            std::string why;
            if (const auto command = parse_command(words, why))
                ui.out.push(command->id, command->argument);
        }
    return ImGui::GetCursorScreenPos().y - top;
}

float natural_width(const Ui& ui, const std::vector<ShownSpan>& spans,
                    const LessonProseLook& look) {
    float width = 0;
    for (const ProsePiece& piece : pieces_of(ui, spans, look).all)
        width += text_width(ui, piece.style, piece.text);
    return width + ui.px(2);
}

// Columns as wide as they want to be, or, where the panel is narrower, in that proportion.
std::vector<float> column_widths(const Ui& ui, std::span<const ShownBlock> rows, float width,
                                 const LessonProseLook& look) {
    std::vector<float> widths;
    for (const ShownBlock& row : rows)
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            if (c == widths.size()) widths.push_back(0);
            widths[c] = std::max(widths[c], natural_width(ui, row.cells[c], look));
        }
    float all = 0;
    for (const float w : widths) all += w;
    const float room =
        width - ui.px(kTableGap) * static_cast<float>(widths.size() - (widths.empty() ? 0 : 1));
    if (all > room && all > 0)
        for (float& w : widths) w = std::max(ui.px(24), w * room / all);
    return widths;
}

// The first row names the columns.
void draw_table(const Ui& ui, const char* id, std::span<const ShownBlock> rows, RunFocus& focus,
                LessonProseLook look) {
    look.size -= 2, look.pitch = kTablePitch;
    const float width = ImGui::GetContentRegionAvail().x;
    const std::vector<float> widths = column_widths(ui, rows, width, look);
    ImGui::PushID(id);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        LessonProseLook cell = look;
        cell.quiet = r == 0;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        float x = at.x, height = ui.px(look.pitch);
        for (std::size_t c = 0; c < rows[r].cells.size(); ++c) {
            ImGui::SetCursorScreenPos({x, at.y});
            const std::string part = std::to_string(r) + "." + std::to_string(c);
            height = std::max(
                height, draw_spans(ui, part.c_str(), rows[r].cells[c], widths[c], focus, cell));
            x += widths[c] + ui.px(kTableGap);
        }
        const float bottom = at.y + height + ui.px(3);
        hline(Painter(ui), at.x, at.x + width, bottom, ui.colors.line);
        ImGui::SetCursorScreenPos({at.x, at.y});
        ImGui::Dummy({width, height + ui.px(kTableRoom)});
    }
    ImGui::PopID();
}

float table_height(const Ui& ui, std::span<const ShownBlock> rows, float width,
                   LessonProseLook look) {
    look.size -= 2, look.pitch = kTablePitch;
    const std::vector<float> widths = column_widths(ui, rows, width, look);
    float height = 0;
    for (const ShownBlock& row : rows) {
        float tallest = ui.px(look.pitch);
        for (std::size_t c = 0; c < row.cells.size(); ++c)
            tallest = std::max(tallest, flowing_height(ui, pieces_of(ui, row.cells[c], look).all,
                                                       look.pitch, widths[c]));
        height += tallest + ui.px(kTableRoom);
    }
    return height;
}

std::string code_line(const ShownBlock& block) {
    std::string line;
    for (const auto& cell : block.cells)
        for (const ShownSpan& span : cell) line += span.text;
    return line;
}

float code_height(const Ui& ui, std::string_view line, float width) {
    return wrapped_height(ui, sized(type::number(ui), kCodeSize), kCodePitch,
                          width - 2 * ui.px(kCodePad), line) +
           ui.px(kCodeRoom);
}

void draw_code(const Ui& ui, const ShownBlock& block) {
    const std::string line = code_line(block);
    const TextStyle style = sized(type::number(ui), kCodeSize);
    const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(kCodePad);
    const float height = code_height(ui, line, width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Painter p(ui);
    fill(p, {at.x, at.y, width, height}, ui.colors.inset, 3);
    wrapped_at(p, style, kCodePitch,
               {at.x + pad, at.y + ui.px(kCodeRoom / 2), width - 2 * pad, height}, line);
    ImGui::Dummy({width, height});
}

void draw_bullet(const Ui& ui, const char* id, const ShownBlock& block, RunFocus& focus,
                 const LessonProseLook& look) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = ui.px(kBulletIndent), dot = ui.px(4);
    fill(Painter(ui), snap({at.x + ui.px(3), at.y + ui.px(look.pitch) / 2 - dot / 2, dot, dot}),
         ui.colors.text3, 2);
    ImGui::SetCursorScreenPos({at.x + indent, at.y});
    const float width = ImGui::GetContentRegionAvail().x;
    for (const auto& cell : block.cells) draw_spans(ui, id, cell, width, focus, look);
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
}

// The rows of a table that begins there.
std::span<const ShownBlock> table_at(const ShownProse& prose, std::size_t i) {
    std::size_t end = i;
    while (end < prose.size() && prose[end].kind == ProseBlock::Kind::Row) ++end;
    return std::span(prose).subspan(i, end - i);
}

float above(ProseBlock::Kind kind) {
    return kind == ProseBlock::Kind::Bullet ? kBetweenBullets : kBetweenBlocks;
}

}  // namespace

float lesson_prose_height(const Ui& ui, const ShownProse& prose, float width,
                          const LessonProseLook& look) {
    float height = 0;
    for (std::size_t i = 0; i < prose.size(); ++i) {
        const ShownBlock& block = prose[i];
        if (i > 0) height += ui.px(above(block.kind));
        if (block.kind == ProseBlock::Kind::Row) {
            const auto rows = table_at(prose, i);
            height += table_height(ui, rows, width, look);
            i += rows.size() - 1;
        } else if (block.kind == ProseBlock::Kind::Code) {
            height += code_height(ui, code_line(block), width);
        } else {
            const float indent =
                block.kind == ProseBlock::Kind::Bullet ? ui.px(kBulletIndent) : 0.0f;
            for (const auto& cell : block.cells)
                height +=
                    flowing_height(ui, pieces_of(ui, cell, look).all, look.pitch, width - indent);
        }
    }
    return height;
}

void draw_lesson_prose(const Ui& ui, const char* id, const ShownProse& prose, RunFocus& focus,
                       const LessonProseLook& look) {
    ImGui::PushID(id);
    for (std::size_t i = 0; i < prose.size(); ++i) {
        const ShownBlock& block = prose[i];
        if (i > 0) space(ui, above(block.kind));
        const std::string part = std::to_string(i);
        switch (block.kind) {
            case ProseBlock::Kind::Text:
                for (const auto& cell : block.cells)
                    draw_spans(ui, part.c_str(), cell, ImGui::GetContentRegionAvail().x, focus,
                               look);
                break;
            case ProseBlock::Kind::Bullet:
                draw_bullet(ui, part.c_str(), block, focus, look);
                break;
            case ProseBlock::Kind::Code:
                draw_code(ui, block);
                break;
            case ProseBlock::Kind::Row: {
                const auto rows = table_at(prose, i);
                draw_table(ui, part.c_str(), rows, focus, look);
                i += rows.size() - 1;
                break;
            }
        }
    }
    ImGui::PopID();
}

}  // namespace kv
