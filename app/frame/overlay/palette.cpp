// The command palette: a few letters, then Enter. A command that needs a value asks for it in
// place.

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/frame/overlay/asked.hpp"
#include "app/frame/overlay/overlay.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr float kWidth = 640, kRow = 30, kListHeight = 330;

void move_choice(PaletteUi& palette, std::size_t n_rows) {
    if (n_rows == 0) {
        palette.chosen = 0;
        return;
    }
    palette.chosen = std::min(palette.chosen, n_rows - 1);
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) palette.chosen = (palette.chosen + 1) % n_rows;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow))
        palette.chosen = (palette.chosen + n_rows - 1) % n_rows;
}

// Pushes the row's command, or asks for its value first; or goes into a folder.
void choose_row(const Ui& ui, AppState& state, const PaletteRow& row) {
    if (!row.query.empty()) {
        state.palette.query = row.query, state.palette.chosen = 0;
        state.palette.just_opened = state.palette.to_end = true;
        return;
    }
    if (row.lacks_value) {  // asked for in place
        state.palette = {.open = true, .just_opened = true, .pending = row.command};
        return;
    }
    Said why;
    const auto command = parse_command(row.command, why);
    state.palette.open = false;
    if (command)
        ui.out.push(command->id, command->argument);
    else
        state.notice = Notice{.said = std::move(why), .refused = true};
}

bool draw_row(const Ui& ui, const PaletteRow& row, bool chosen, bool scroll_to) {
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect rect{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(kRow)};
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);  // the field keeps the keyboard; arrows choose
    // A command that may have a value has two rows; the blank tells their ids apart.
    const Hit hit =
        hit_item(("row/" + row.command + (row.lacks_value ? " " : "") + row.query).c_str(),
                 {rect.w, rect.h});
    ImGui::PopItemFlag();
    if (chosen)
        fill(p, rect, ui.colors.pressed_wash(), 4);
    else if (hit.hovered)
        fill(p, rect, ui.colors.hover_wash(), 4);
    const float cap = row.key.empty() ? 0 : key_cap_width(ui, row.key) + ui.px(12);
    const float label = text_width(ui, type::strong(ui), row.label);
    const float pad = ui.px(10);
    text_in(p, type::strong(ui), {rect.x + pad, rect.y, label + 1, rect.h}, row.label);
    const float detail_x = rect.x + pad + label + ui.px(12);
    text_in(p, type::caption(ui), {detail_x, rect.y, rect.right() - cap - pad - detail_x, rect.h},
            row.detail);
    if (!row.key.empty()) draw_key_cap(p, {rect.right() - cap, rect.center().y}, row.key);
    if (chosen && scroll_to) ImGui::SetScrollHereY(0.5f);
    return hit.pressed;
}

// The field takes the keyboard with everything selected; a path is meant to be typed on.
int go_to_end(ImGuiInputTextCallbackData* data) {
    auto& palette = *static_cast<PaletteUi*>(data->UserData);
    if (!palette.to_end) return 0;
    palette.to_end = false;
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    return 0;
}

// The field has the keyboard a frame or two after the palette opens; what is typed until then is
// not lost.
void keep_early_letters(PaletteUi& palette) {
    if (palette.just_opened || ImGui::GetActiveID() == ImGui::GetID("###query")) return;
    for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) {
        if (letter < ' ') continue;
        std::array<char, 5> utf8{};
        ImTextCharToUtf8(utf8.data(), letter);
        palette.query += utf8.data();
        palette.to_end = true, palette.chosen = 0;
    }
}

void draw_field(const Ui& ui, PaletteUi& palette) {
    const Text hint = palette.pending.empty() ? Text(ui.text["palette.hint"_t])
                                              : asked_words(ui.text, palette.pending);
    ImGui::PushFont(ui.fonts.regular, ui.px(15));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(8)});
    ImGui::SetNextItemWidth(-1);
    keep_early_letters(palette);
    if (palette.just_opened) ImGui::SetKeyboardFocusHere();
    palette.just_opened = false;
    if (ImGui::InputTextWithHint("###query", hint.c_str(), &palette.query,
                                 ImGuiInputTextFlags_CallbackAlways, go_to_end, &palette))
        palette.chosen = 0;
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

// The field's own words go with the first letter that is typed, and may be longer than it.
void say_what_is_asked(const Ui& ui, const PaletteUi& palette) {
    if (palette.pending.empty()) return;
    const Text words = asked_words(ui.text, palette.pending);
    const float room = ImGui::GetContentRegionAvail().x - ui.px(20);
    if (palette.query.empty() && text_width(ui, sized(type::body(ui), 15), words) <= room) return;
    space(ui, 6);
    paragraph(ui, type::caption(ui), 17, words);
}

// As high as the rows, as far as the keys below the list stay in the window.
float list_height(const Ui& ui, std::size_t n_rows) {
    const float keys = wrapped_height(ui, type::caption(ui), 17, ImGui::GetContentRegionAvail().x,
                                      ui.text["palette.keys"_t]);
    const float below = keys + ui.px(8 + 16 + 8);
    const float room = ImGui::GetMainViewport()->Size.y - ImGui::GetCursorScreenPos().y - below;
    const float wanted = ui.px(kRow) * static_cast<float>(std::max<std::size_t>(1, n_rows));
    return std::max(ui.px(kRow), std::min({ui.px(kListHeight), wanted, room}));
}

}  // namespace

void draw_palette(const Ui& ui, AppState& state) {
    bool open = state.palette.open;
    if (!open) return;
    overlay(ui, "###palette", {.width = kWidth, .top_share = 0.12f}, open, [&] {
        draw_field(ui, state.palette);
        say_what_is_asked(ui, state.palette);
        space(ui, 8);
        const std::vector<PaletteRow> rows = palette_rows(ui.text, state.palette, state.settings);
        const std::size_t before = state.palette.chosen;
        move_choice(state.palette, rows.size());
        const float height = list_height(ui, rows.size());
        std::optional<std::size_t> picked;
        if (ImGui::BeginChild("rows", {0, height}, ImGuiChildFlags_None, ImGuiWindowFlags_NoNav)) {
            ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (draw_row(ui, rows[i], i == state.palette.chosen,
                             before != state.palette.chosen))
                    picked = i;
            ImGui::PopStyleVar();
            if (rows.empty() && state.palette.pending.empty())
                paragraph(ui, colored(type::body(ui), ui.colors.text3), 19,
                          ui.text["palette.none"_t]);
        }
        ImGui::EndChild();
        space(ui, 8);
        paragraph(ui, type::caption(ui), 17, ui.text["palette.keys"_t]);
        const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                           ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
        if (!picked && enter && state.palette.chosen < rows.size()) picked = state.palette.chosen;
        if (picked) choose_row(ui, state, rows[*picked]);
        open = state.palette.open;
    });
    state.palette.open = open;
    // What was typed is for the run, and so are the next keys.
    if (!open) ImGui::SetNavCursorVisible(false);
}

}  // namespace kv
