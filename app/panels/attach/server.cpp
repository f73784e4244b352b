// The words that start a server so that it can be watched, and what crosses the wire then.

#include <imgui.h>

#include <array>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 3> kServers{"vLLM", "SGLang", "TensorRT-LLM"};
constexpr std::array kStartWords{
    "vllm serve MODEL --kv-events-config '{\n"
    "  \"enable_kv_cache_events\": true,\n"
    "  \"publisher\": \"zmq\",\n"
    "  \"endpoint\": \"tcp://*:5557\",\n"
    "  \"replay_endpoint\": \"tcp://*:5558\"}'",
    "python -m sglang.launch_server \\\n"
    "  --model-path MODEL --enable-metrics \\\n"
    "  --kv-events-config '{\n"
    "  \"publisher\": \"zmq\",\n"
    "  \"endpoint\": \"tcp://*:5557\",\n"
    "  \"replay_endpoint\": \"tcp://*:5558\"}'",
    "python -m dynamo.trtllm \\\n"
    "  --model MODEL --publish-events-and-metrics"};
constexpr float kWordsPitch = 22, kWordsPad = 12;

void draw_sent(const Ui& ui, const Painter& p, TextId words, bool sent, const Rect& line) {
    const Vec2 at{line.x + ui.px(6), line.center().y};
    if (sent)
        tick_mark(p, at, 10, ui.colors.text);
    else
        cross_mark(p, at, 8, ui.colors.text2);
    text_in(p, type::body(ui), {line.x + ui.px(20), line.y, line.w - ui.px(20), line.h},
            ui.text[words]);
}

}  // namespace

void draw_attach_server(const Ui& ui, AttachUi& own) {
    const Flush flush;
    const Texts& t = ui.text;
    section_head(ui, t["attach.start"_t]);
    space(ui, 6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x;
    const auto which = static_cast<std::size_t>(own.words_for);
    if (const auto chosen = segmented(ui, "server", kServers, which))
        own.words_for = static_cast<AttachServerKind>(*chosen);
    const float copy = button_width(ui, t["attach.copy"_t], {.dense = true});
    if (segmented_width(ui, kServers) + copy + ui.px(8) <= w)
        ImGui::SetCursorScreenPos({at.x + w - copy, at.y});
    if (button(ui, "copy", t["attach.copy"_t], {.dense = true}))
        ImGui::SetClipboardText(kStartWords[which]);
    space(ui, 8);
    const Painter p(ui);
    const ImVec2 box_at = ImGui::GetCursorScreenPos();
    const TextStyle mono = colored(type::number(ui), ui.colors.text);
    const float inner = w - ui.px(2 * kWordsPad);
    const float h =
        wrapped_height(ui, mono, kWordsPitch, inner, kStartWords[which]) + ui.px(2 * kWordsPad);
    fill(p, snap({box_at.x, box_at.y, w, h}), ui.colors.inset, 4);
    outline(p, snap({box_at.x, box_at.y, w, h}), ui.colors.line, 4);
    wrapped_at(p, mono, kWordsPitch,
               {box_at.x + ui.px(kWordsPad), box_at.y + ui.px(kWordsPad), inner, h},
               kStartWords[which]);
    ImGui::Dummy({w, h});
    space(ui, 8);
    paragraph(ui, type::caption(ui), 18, t["attach.start.why"_t]);
}

void draw_attach_wire(const Ui& ui, AttachUi& own) {
    const Flush flush;
    const Painter p(ui);
    const Rect room = panel_room();
    const float half = std::floor(room.w / 2), pitch = ui.px(22);
    const auto column = [&](float x, TextId title, const std::array<TextId, 3>& lines, bool sent) {
        text_in(p, type::section(ui), {x, room.y, half, pitch}, ui.text[title]);
        for (std::size_t i = 0; i < lines.size(); ++i)
            draw_sent(
                ui, p, lines[i], sent,
                {x, room.y + pitch * static_cast<float>(i + 1) + ui.px(4), half - ui.px(6), pitch});
    };
    column(room.x, "attach.sent"_t,
           {"attach.sent.topic"_t, "attach.sent.replay"_t, "attach.sent.metrics"_t}, true);
    column(room.x + half, "attach.never"_t,
           {"attach.never.request"_t, "attach.never.change"_t, "attach.never.else"_t}, false);
    const float y = room.y + 4 * pitch + ui.px(12);
    hline(p, room.x, room.right(), y, ui.colors.line);
    draw_lock(p, {room.x + ui.px(6), y + ui.px(22)}, ui.colors.text2);
    ImGui::SetCursorScreenPos({room.x + ui.px(20), y + ui.px(8)});
    if (toggle(ui, "tokens",
               ui.text[own.ask.show_tokens ? "attach.tokens.shown"_t : "attach.tokens.hidden"_t],
               own.ask.show_tokens, {.width = room.w - ui.px(20)}))
        ui.out.push("attach.tokens");
    ImGui::SetCursorScreenPos({room.x, y + ui.px(44)});
    paragraph(ui, type::caption(ui), 18, ui.text["attach.tokens.why"_t]);
}

}  // namespace kv
