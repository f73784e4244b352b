#include "app/widgets/markdown.hpp"

#include <imgui_md.h>

#include "app/widgets/paint/type.hpp"

// imgui_md comes from a fork that asks this of its own copy of Dear ImGui; the stock library has no
// canvas.
bool Priv_ImGuiNodeEditor_IsInCanvas() {
    return false;
}

namespace kv {
namespace {

class Page : public imgui_md {
public:
    explicit Page(const Ui& ui) : ui_(ui) {}

protected:
    MdSizedFont get_font() const override {
        const TextStyle style = current();
        return {style.font, ui_.px(style.size)};
    }
    ImVec4 get_color() const override {
        return ImGui::ColorConvertU32ToFloat4(im(current().color));
    }
    void open_url() const override { ImGui::SetClipboardText(m_href.c_str()); }
    void push_code_style() override {}
    void pop_code_style() override {}

private:
    TextStyle current() const {
        if (m_hlevel == 1) return type::object_title(ui_);
        if (m_hlevel > 1) return type::section(ui_);
        if (m_is_code) return type::number(ui_);
        TextStyle style = colored(sized(type::body(ui_), 14), ui_.colors.text2);
        if (m_is_strong || m_is_table_header)
            style = colored(with_font(style, ui_.fonts.semibold), ui_.colors.text);
        if (m_is_em) style = colored(with_font(style, ui_.fonts.medium), ui_.colors.text);
        return style;
    }

    const Ui& ui_;
};

}  // namespace

void markdown(const Ui& ui, std::string_view text) {
    Page page(ui);
    ImGui::PushFont(ui.fonts.regular, ui.px(14));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(6), ui.px(6)});
    page.print(text.data(), text.data() + text.size());
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

}  // namespace kv
