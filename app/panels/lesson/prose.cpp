#include "app/panels/lesson/prose.hpp"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/widgets/paint/paint.hpp"
#include "app/widgets/prose.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr float kBetweenBlocks = 10, kBulletIndent = 16, kTableGap = 14;

// One cell or paragraph: its pieces, and what its links are.
struct Pieces {
    std::vector<ProsePiece> all;
    std::vector<const ShownLink*> links;
};

ProsePiece piece_of(const Ui& ui, const ShownRun& run, const LessonProseLook& look) {
    const TextStyle plain{ui.fonts.regular, look.size,
                          look.quiet ? ui.colors.text2 : ui.colors.text};
    const TextStyle number{ui.fonts.mono_bold, look.size - 1, plain.color};
    switch (run.kind) {
        case ShownRun::Kind::Words:
            return {run.text, plain};
        case ShownRun::Kind::Computed:
            return {.text = run.text, .style = number, .tip = run.behind};
        case ShownRun::Kind::Published:
            return {.text = run.text,
                    .style = number,
                    .underline = Underline::Dotted,
                    .tip = run.behind};
        case ShownRun::Kind::Misprint:
            return {.text = run.text,
                    .style = colored(number, ui.colors.loss.ink),
                    .underline = Underline::Through,
                    .tip = ui.text["lesson.misprint"_t]};
        case ShownRun::Kind::Link:
            break;
    }
    const bool is_term =
        run.link && (run.link->kind == LinkKind::Term || commands_of(*run.link).empty());
    return {.text = run.text,
            .style = with_font(plain, ui.fonts.medium),
            .underline = is_term ? Underline::Dotted : Underline::Solid,
            .tip = run.behind};
}

Pieces pieces_of(const Ui& ui, const std::vector<ShownRun>& runs, const LessonProseLook& look) {
    Pieces pieces;
    for (const ShownRun& run : runs) {
        ProsePiece piece = piece_of(ui, run, look);
        if (run.kind == ShownRun::Kind::Link && run.link) {
            piece.link = pieces.links.size();
            pieces.links.push_back(&*run.link);
        }
        pieces.all.push_back(piece);
    }
    return pieces;
}

std::optional<BillFactor> linked_factor(std::string_view name) {
    constexpr std::pair<std::string_view, BillFactor> kNames[] = {
        {"sides", BillFactor::Sides},        {"n_layers", BillFactor::Layers},
        {"n_kv_heads", BillFactor::KvHeads}, {"head_dim", BillFactor::HeadDim},
        {"bytes", BillFactor::ValueBytes},   {"element_bytes", BillFactor::ValueBytes},
        {"tokens", BillFactor::Tokens},      {"kv_len", BillFactor::Tokens},
        {"batch", BillFactor::Requests},     {"requests", BillFactor::Requests}};
    for (const auto& [known, factor] : kNames)
        if (known == name) return factor;
    return std::nullopt;
}

// While a word is pointed at, what it names is lit everywhere.
void light(const ShownLink& link, RunFocus& focus) {
    RunPointer& pointed = focus.next_pointed;
    if (link.kind == LinkKind::Token && link.request && link.number)
        pointed.token = TokenAt{*link.request, *link.number};
    else if (link.kind == LinkKind::Entry && link.block)
        pointed.block = *link.block;
    else if (link.kind == LinkKind::Block && (link.block || link.number))
        pointed.block = link.block ? *link.block : BlockId(*link.number);
    else if (link.kind == LinkKind::Iteration && link.number)
        pointed.iteration = *link.number;
    else if (link.kind == LinkKind::Factor)
        pointed.factor = linked_factor(link.name);
}

float draw_runs(const Ui& ui, const char* id, const std::vector<ShownRun>& runs, float width,
                RunFocus& focus, const LessonProseLook& look) {
    const Pieces pieces = pieces_of(ui, runs, look);
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

float natural_width(const Ui& ui, const std::vector<ShownRun>& runs, const LessonProseLook& look) {
    float width = 0;
    for (const ProsePiece& piece : pieces_of(ui, runs, look).all)
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
    look.size -= 2, look.pitch = 19;
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
                height, draw_runs(ui, part.c_str(), rows[r].cells[c], widths[c], focus, cell));
            x += widths[c] + ui.px(kTableGap);
        }
        const float bottom = at.y + height + ui.px(3);
        hline(Painter(ui), at.x, at.x + width, bottom, ui.colors.line);
        ImGui::SetCursorScreenPos({at.x, at.y});
        ImGui::Dummy({width, height + ui.px(6)});
    }
    ImGui::PopID();
}

void draw_code(const Ui& ui, const ShownBlock& block) {
    std::string line;
    for (const auto& cell : block.cells)
        for (const ShownRun& run : cell) line += run.text;
    const TextStyle style = sized(type::number(ui), 12);
    const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(8);
    const float height = wrapped_height(ui, style, 17, width - 2 * pad, line) + ui.px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Painter p(ui);
    fill(p, {at.x, at.y, width, height}, ui.colors.inset, 3);
    wrapped_at(p, style, 17, {at.x + pad, at.y + ui.px(5), width - 2 * pad, height}, line);
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
    for (const auto& cell : block.cells) draw_runs(ui, id, cell, width, focus, look);
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
}

}  // namespace

void draw_lesson_prose(const Ui& ui, const char* id, const ShownProse& prose, RunFocus& focus,
                       const LessonProseLook& look) {
    ImGui::PushID(id);
    for (std::size_t i = 0; i < prose.size(); ++i) {
        const ShownBlock& block = prose[i];
        if (i > 0) space(ui, block.kind == ProseBlock::Kind::Bullet ? 4 : kBetweenBlocks);
        const std::string part = std::to_string(i);
        switch (block.kind) {
            case ProseBlock::Kind::Text:
                for (const auto& cell : block.cells)
                    draw_runs(ui, part.c_str(), cell, ImGui::GetContentRegionAvail().x, focus,
                              look);
                break;
            case ProseBlock::Kind::Bullet:
                draw_bullet(ui, part.c_str(), block, focus, look);
                break;
            case ProseBlock::Kind::Code:
                draw_code(ui, block);
                break;
            case ProseBlock::Kind::Row: {
                std::size_t end = i + 1;
                while (end < prose.size() && prose[end].kind == ProseBlock::Kind::Row) ++end;
                draw_table(ui, part.c_str(), std::span(prose).subspan(i, end - i), focus, look);
                i = end - 1;
                break;
            }
        }
    }
    ImGui::PopID();
}

std::vector<std::string> commands_of(const ShownLink& link) {
    const std::string number = std::to_string(link.number.value_or(0));
    switch (link.kind) {
        case LinkKind::Request:
            return {"focus.request " + link.name};
        case LinkKind::Token:
            return {"focus.request " + link.name, "select.token " + number};
        case LinkKind::Entry:
        case LinkKind::Block:
            if (!link.block && !link.number) return {};
            return {"select.block " + (link.block ? std::to_string(link.block->value) : number)};
        case LinkKind::Layer:
            return {"select.layer " + number};
        case LinkKind::Head:
            return {"select.query_head " + number};
        case LinkKind::KvHead:
            return {"select.kv_head " + number};
        case LinkKind::Iteration:
            return {"run.goto " + number};
        case LinkKind::Event:
            return {"panel.show events"};
        case LinkKind::Factor:
            return {"panel.show equation"};
        case LinkKind::Chart:
            return {"panel.show charts"};
        case LinkKind::Panel:
            return {"panel.show " + link.name};
        case LinkKind::Term:
            return {"panel.show glossary"};
        case LinkKind::Lesson:
            return {"lesson.open " + link.name};
        case LinkKind::Scene:
            return {"file.open_scene " + link.name};
        case LinkKind::Source:
            return {};
    }
    return {};
}

}  // namespace kv
