#include "app/panels/notes.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/widgets/hit.hpp"
#include "app/widgets/rows.hpp"

namespace kv {

void draw_notes(const Ui& ui, NotesUi& own) {
    const Flush flush;
    paragraph(ui, type::caption(ui), 17, ui.text["notes.what"_t]);
    space(ui, 8);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::PushFont(ui.fonts.regular, ui.px(15));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(8)});
    ImGui::InputTextMultiline("###notes", &own.text,
                              {std::max(1.0f, room.x), std::max(ui.px(60), room.y)},
                              ImGuiInputTextFlags_WordWrap);
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

}  // namespace kv
