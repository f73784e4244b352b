#pragma once
// A box around a part of a lesson's step, and the lines inside it. Internal to the Lesson panel.

#include <imgui.h>

#include <string_view>

#include "app/shell/ui.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

constexpr float kLessonPad = 12;

// A box around what is drawn during its life, once its height is known.
class Boxed {
public:
    Boxed(const Ui& ui, bool outlined) : ui_(ui), outlined_(outlined) {
        list().ChannelsSplit(2);
        list().ChannelsSetCurrent(1);
        top_ = ImGui::GetCursorScreenPos();
        width_ = ImGui::GetContentRegionAvail().x;
        ImGui::SetCursorScreenPos({top_.x + ui.px(kLessonPad), top_.y + ui.px(kLessonPad)});
        ImGui::BeginGroup();
        ImGui::PushItemWidth(width_ - 2 * ui.px(kLessonPad));
    }
    ~Boxed() {
        ImGui::PopItemWidth();
        ImGui::EndGroup();
        const float height = ImGui::GetItemRectMax().y - top_.y + ui_.px(kLessonPad);
        list().ChannelsSetCurrent(0);
        const Painter p(ui_);
        const Rect box = snap({top_.x, top_.y, width_, height});
        fill(p, box, ui_.colors.raised, 4);
        if (outlined_) outline(p, box, ui_.colors.edge, 4);
        list().ChannelsMerge();
        ImGui::SetCursorScreenPos(top_);
        ImGui::Dummy({width_, height});
    }
    Boxed(const Boxed&) = delete;
    Boxed& operator=(const Boxed&) = delete;
    float width() const { return width_ - 2 * ui_.px(kLessonPad); }

private:
    static ImDrawList& list() { return *ImGui::GetWindowDrawList(); }
    const Ui& ui_;
    bool outlined_;
    ImVec2 top_;
    float width_ = 0;
};

// Writes a text at the cursor, wrapped to that width.
void wrapped(const Ui& ui, const TextStyle& style, float pitch, float width, std::string_view text);
// "Predict 2" left, what is to be done right.
void head_line(const Ui& ui, float width, std::string_view title, std::string_view caption);

}  // namespace kv
