#include "app/panels/bill/calculator/parts.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/message.hpp"

namespace kv {
namespace {

constexpr float kLine = 17, kOperand = 20, kIndent = 16, kTipWidth = 440;

TextStyle line_style(const Ui& ui, UnfoldKind kind) {
    switch (kind) {
        case UnfoldKind::Expression:
            return type::number_small(ui);
        case UnfoldKind::Numbers:
            return colored(type::number_small(ui), ui.colors.text);
        default:
            return sized(type::number_strong(ui), 12);
    }
}

// Name, meaning and value of an operand in one strip.
void paint_operand(const Painter& p, const UnfoldLine& line, const Rect& r, bool lit) {
    const Ui& ui = p.ui;
    const TextStyle value = aligned(colored(type::number_small(ui), ui.colors.text), Align::Right);
    const TextStyle name = colored(type::number_small(ui), lit ? ui.colors.text : ui.colors.text2);
    const float value_w = std::ceil(text_width(ui, value, line.value));
    const float mark = line.path.empty() ? 0 : ui.px(14);
    if (mark > 0)
        chevron(p, {r.x + ui.px(4), r.center().y}, 8, line.open ? Dir::Down : Dir::Right,
                ui.colors.text2);
    const float room = r.w - value_w - ui.px(12);
    const float name_w = std::min(std::ceil(text_width(ui, name, line.text)), room - mark);
    text_in(p, name, {r.x + mark, r.y, name_w, r.h}, line.text);
    const float x = mark + name_w + ui.px(10);
    if (room - x > ui.px(40))
        text_in(p, type::caption(ui), {r.x + x, r.y, room - x, r.h}, ui.text.phrase(line.meaning));
    text_in(p, value, {r.right() - value_w, r.y, value_w, r.h}, line.value);
}

void point_at(const UnfoldLine& line, BillFocus& focus) {
    focus.next_factor = line.factor;
    if (!line.path.empty()) focus.next_result = line.text;
}

// One operand; true when it was pressed to go deeper.
bool draw_operand(const Ui& ui, const UnfoldLine& line, std::size_t index, BillFocus& focus) {
    const Painter p(ui);
    ImGui::PushID(static_cast<int>(index));
    bool pressed = false, lit = line.factor && line.factor == focus.factor;
    Rect r;
    if (line.path.empty()) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        r = {std::floor(at.x), std::floor(at.y), room_width(), ui.px(kOperand)};
        ImGui::Dummy({r.w, r.h});
        if (ImGui::IsItemHovered()) point_at(line, focus);
    } else {
        const Hit hit = hit_item("operand", {room_width(), ui.px(kOperand)});
        r = hit.rect;
        if (hit.hovered || hit.focused) {
            fill(p, r, ui.colors.hover_wash(), 2);
            point_at(line, focus);
        }
        if (hit.focused) focus_ring(p, r, 2);
        pressed = hit.pressed;
    }
    if (lit) fill(p, r, ui.colors.pressed_wash(), 2);
    paint_operand(p, line, r, lit);
    ImGui::PopID();
    return pressed;
}

void paint_line(const Ui& ui, const UnfoldLine& line) {
    paragraph(ui, line_style(ui, line.kind), kLine, line.text);
}

}  // namespace

float room_width() {
    return std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
}

TwoColumns::TwoColumns(const char* id, float left, float gap) {
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2{0, 0});
    const float rest = std::max(1.0f, room_width() - left - gap);
    open_ = ImGui::BeginTable(id, 3,
                              ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoClip |
                                  ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_NoPadInnerX |
                                  ImGuiTableFlags_NoSavedSettings);
    if (!open_) return;
    ImGui::TableSetupColumn("left", ImGuiTableColumnFlags_WidthFixed, left);
    ImGui::TableSetupColumn("gap", ImGuiTableColumnFlags_WidthFixed, gap);
    ImGui::TableSetupColumn("right", ImGuiTableColumnFlags_WidthFixed, rest);
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
}

void TwoColumns::next() const {
    if (open_) ImGui::TableSetColumnIndex(2);
}

TwoColumns::~TwoColumns() {
    if (open_) ImGui::EndTable();
    ImGui::PopStyleVar();
}

FactorZone::FactorZone(const Ui& ui, BillFocus& focus, BillFactor factor)
    : ui_(ui), focus_(focus), factor_(factor) {
    ImGui::BeginGroup();
}

FactorZone::~FactorZone() {
    ImGui::EndGroup();
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    const bool over = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(a, b);
    if (over || ImGui::IsItemFocused()) focus_.next_factor = factor_;
    if (focus_.factor == factor_ && !over)
        linked_ring(Painter(ui_), snap({a.x, a.y, b.x - a.x, b.y - a.y}), 4);
}

std::optional<std::size_t> choice(const Ui& ui, const char* id,
                                  std::span<const std::string_view> options, std::size_t chosen,
                                  std::optional<std::size_t>* pointed) {
    const float room = room_width();
    // Equal shares: the widest option decides.
    float widest = 0;
    for (const std::string_view& option : options)
        widest = std::max(widest, segmented_width(ui, {&option, 1}));
    const float tight = (widest - ui.px(16)) * static_cast<float>(options.size());
    if (tight <= room)
        return segmented(ui, id, options, chosen, {.width = room, .pointed = pointed});
    return dropdown(ui, id, options, chosen, {.width = room, .pointed = pointed});
}

void draw_unfolded(const Ui& ui, const BillView& view, std::optional<std::string>& path,
                   BillFocus& focus) {
    const std::vector<UnfoldLine> lines = unfold(view, *path);
    const float x0 = std::floor(ImGui::GetCursorScreenPos().x);
    const float y0 = std::floor(ImGui::GetCursorScreenPos().y);
    std::optional<std::string> pressed;
    space(ui, 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const UnfoldLine& line = lines[i];
        const float indent = ui.px(kIndent) * static_cast<float>(line.depth + 1);
        ImGui::Indent(indent);
        if (line.kind != UnfoldKind::Operand) {
            paint_line(ui, line);
        } else if (draw_operand(ui, line, i, focus)) {
            pressed = line.path;
        }
        ImGui::Unindent(indent);
    }
    space(ui, 6);
    vline(Painter(ui), x0 + ui.px(4), y0, std::floor(ImGui::GetCursorScreenPos().y) - ui.px(6),
          ui.colors.edge);
    if (pressed) path = toggled(path, *pressed);
}

void draw_unfold_tip(const Ui& ui, const BillView& view, std::string_view result,
                     std::string_view title) {
    ImGui::SetNextWindowSizeConstraints({ui.px(kTipWidth), 0}, {ui.px(kTipWidth), FLT_MAX});
    const TightSpacing tight;
    if (ImGui::BeginTooltip()) {
        section_head(ui, title);
        paragraph(ui, type::caption(ui), 16, ui.text.phrase(view.at(result).meaning));
        space(ui, 4);
        BillFocus nobody;
        const std::vector<UnfoldLine> lines = unfold(view, result);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].kind != UnfoldKind::Operand) {
                paint_line(ui, lines[i]);
            } else {
                draw_operand(ui, lines[i], i, nobody);
            }
        }
        ImGui::EndTooltip();
    }
}

void draw_too_large(const Ui& ui, const std::string& why) {
    const std::string reason = ui.text.phrase(why);
    const std::array<std::string_view, 1> lines{reason};
    const Message message{.title = ui.text["bill.too_large"_t],
                          .lines = lines,
                          .primary = ui.text["settings.undo"_t],
                          .refusal = true};
    if (message_centered(ui, "too_large", message) == MessageAnswer::Primary)
        ui.out.push("bill.undo");
}

}  // namespace kv
