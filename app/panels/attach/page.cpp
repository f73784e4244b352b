// Where a connection begins: the address, what is known beside it, what became of the last try, and
// servers that were watched before.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kPageMost = 800, kFieldH = 38, kStateH = 64, kRecentRow = 30, kBelowLabel = 20;
constexpr float kCountdownRing = 13;

// What is left of the pause before the next try.
double seconds_left(const AttachUi& own) {
    const double whole = own.view->next_try_s;
    return std::clamp(whole - (own.now - own.made_at), 0.0, whole);
}

void draw_countdown(const Painter& p, Vec2 at, double left, double pause) {
    const Ui& ui = p.ui;
    constexpr float kPi = 3.14159265f;
    const float share = pause > 0 ? static_cast<float>(left / pause) : 0;
    p.list.AddCircle(im(at), ui.px(kCountdownRing), im(ui.colors.edge), 0, ui.px(2.5f));
    p.list.PathArcTo(im(at), ui.px(kCountdownRing), -kPi / 2, -kPi / 2 + 2 * kPi * share);
    p.list.PathStroke(im(ui.colors.text), ui.px(2.5f));
    const float h = ui.px(2 * kCountdownRing);
    text_in(p, aligned(type::strong(ui), Align::Center), {at.x - h / 2, at.y - h / 2, h, h},
            std::to_string(static_cast<int>(std::ceil(left))));
}

void draw_state_box(const Ui& ui, const AttachUi& own) {
    if (!own.view || own.view->phase != AttachPhase::Connecting) return;
    const ServerView& s = *own.view;
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = std::min(ImGui::GetContentRegionAvail().x, ui.px(kPageMost));
    const Rect box = snap({at.x, at.y, w, ui.px(kStateH)});
    outline(p, box, ui.colors.text, 4, 1.6f);
    const double left = seconds_left(own);
    draw_countdown(p, {box.x + ui.px(28), box.center().y}, left, s.pause_s);
    const Text title = s.trouble.empty()
                           ? Text(ui.text["attach.connecting"_t])
                           : fill(ui.text["attach.connecting.again"_t],
                                  {{"n", std::to_string(s.tries + 1)},
                                   {"s", std::to_string(static_cast<int>(std::ceil(left)))}});
    const float x = box.x + ui.px(56);
    text_in(p, sized(type::section(ui), 15),
            {x, box.y + ui.px(10), box.right() - x - ui.px(8), ui.px(22)}, title);
    const Text why = s.trouble.empty() ? Text(ui.text["attach.connecting.why"_t]) : Text(s.trouble);
    text_in(p, type::caption(ui), {x, box.y + ui.px(33), box.right() - x - ui.px(8), ui.px(20)},
            why);
    ImGui::Dummy({w, box.h});
}

void draw_address(const Ui& ui, AttachUi& own, float w) {
    const Painter p(ui);
    const Texts& t = ui.text;
    text_in(p, type::strong(ui),
            {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y, 0, ui.px(kBelowLabel)},
            t["attach.address"_t]);
    ImGui::Dummy({w, ui.px(kBelowLabel + 4)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool trying = own.view && own.view->phase == AttachPhase::Connecting;
    const ButtonLook go{.primary = true, .key = "Enter"}, stop{.enabled = trying, .key = "Esc"};
    const float buttons = button_width(ui, t["attach.try"_t], go) + ui.px(10) +
                          button_width(ui, t["attach.stop"_t], stop);
    const float field = std::max(ui.px(160), w - buttons - ui.px(14));
    if (const auto typed = text_field(ui, "address", own.ask.address,
                                      {.dense = false,
                                       .wrong = own.field.refused.has_value(),
                                       .width = field,
                                       .hint = "tcp://localhost:5557"})) {
        own.ask.address = *typed;
        if (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter))
            ui.out.push("attach.open");
    }
    float x = at.x + field + ui.px(14);
    ImGui::SetCursorScreenPos({x, at.y});
    if (button(ui, "try", t["attach.try"_t], go)) ui.out.push("attach.open");
    x += button_width(ui, t["attach.try"_t], go) + ui.px(10);
    ImGui::SetCursorScreenPos({x, at.y});
    if (button(ui, "stop", t["attach.stop"_t], stop)) ui.out.push("attach.close");
    ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kFieldH)});
}

// A label over a field of that width.
template <class Draw>
void labelled(const Ui& ui, float x, float y, float w, TextId label, Draw draw) {
    const Painter p(ui);
    text_in(p, type::caption(ui), {x, y, w, ui.px(kBelowLabel)}, ui.text[label]);
    ImGui::SetCursorScreenPos({x, y + ui.px(kBelowLabel)});
    draw();
}

// Nothing, or a number of blocks; something else stays in the field and is marked.
void draw_pool_size(const Ui& ui, AttachUi& own, float w) {
    const std::string shown = !own.wrong_pool.empty() ? own.wrong_pool
                              : own.ask.pool          ? with_commas(*own.ask.pool)
                                                      : std::string();
    const auto typed = text_field(ui, "pool", shown,
                                  {.wrong = !own.wrong_pool.empty(),
                                   .width = w,
                                   .hint = ui.text["attach.pool.size.unknown"_t]});
    if (!typed) return;
    const auto blocks = read_number(*typed, 1, kMostPoolBlocks);
    own.wrong_pool = typed->empty() || blocks ? std::string() : *typed;
    own.ask.pool = blocks;
}

void draw_more(const Ui& ui, AttachUi& own, float w) {
    const Texts& t = ui.text;
    section_head(ui, t["attach.more"_t]);
    space(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = ui.px(12), ranks = ui.px(60), bind = ui.px(120);
    const bool narrow = w < ui.px(620);
    const float third = narrow ? (w - gap) / 2 : (w - ranks - bind - 4 * gap) / 3;
    float x = at.x, y = at.y;
    const auto text = [&](const char* id, TextId label, std::string& value, const char* hint) {
        labelled(ui, x, y, third, label, [&] {
            if (const auto typed = text_field(ui, id, value, {.width = third, .hint = hint}))
                value = *typed;
        });
        x += third + gap;
    };
    text("replay", "attach.replay"_t, own.ask.replay, "tcp://localhost:5558");
    text("metrics", "attach.metrics"_t, own.ask.metrics, "http://localhost:8000/metrics");
    if (narrow) x = at.x, y += ui.px(56);
    text("topic", "attach.topic"_t, own.ask.topic, t["attach.topic.every"_t]);
    labelled(ui, x, y, ranks, "attach.ranks"_t, [&] {
        constexpr std::uint64_t kMostRanks = 64;
        if (const auto n = number_field(ui, "ranks", own.field, own.ask.ranks,
                                        {.min = 1, .max = kMostRanks, .width = ranks}))
            own.ask.ranks = *n;
    });
    x += ranks + gap;
    labelled(ui, x, y, bind, "attach.bind"_t, [&] {
        if (toggle(ui, "bind", t[own.ask.bind ? "attach.on"_t : "attach.off"_t], own.ask.bind,
                   {.width = bind}))
            own.ask.bind = !own.ask.bind;
    });
    x = at.x, y += ui.px(56);
    text("tokenizer", "attach.tokenizer"_t, own.ask.tokenizer, "tokenizer.json");
    labelled(ui, x, y, third, "attach.pool.size"_t, [&] { draw_pool_size(ui, own, third); });
    x += third + gap;
    if (narrow) x = at.x, y += ui.px(56);
    labelled(ui, x, y, third, "attach.report"_t, [&] {
        if (toggle(ui, "report", t[own.ask.full_reports ? "attach.on"_t : "attach.off"_t],
                   own.ask.full_reports, {.width = bind}))
            own.ask.full_reports = !own.ask.full_reports;
    });
    ImGui::SetCursorScreenPos({at.x, y + ui.px(56)});
}

void draw_recent(const Ui& ui, AttachUi& own, float w) {
    section_head(ui, ui.text["attach.recent"_t]);
    space(ui, 4);
    if (own.recent.empty())
        return paragraph(ui, type::caption(ui), 18, ui.text["attach.recent.none"_t]);
    for (std::size_t i = 0; i < own.recent.size(); ++i) {
        const RecentServer& server = own.recent[i];
        const Painter p(ui);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Hit hit = hit_item(PartId(i).c_str(), {w, ui.px(kRecentRow)});
        if (hit.hovered || server.ask.address == own.ask.address)
            fill(p, hit.rect, ui.colors.raised);
        if (hit.focused) focus_ring(p, hit.rect);
        const float x = at.x + ui.px(8);
        text_in(p, sized(type::number_strong(ui), 13), {x, at.y, w * 0.45f, hit.rect.h},
                server.ask.address);
        const std::size_t space = server.words.find(' ');
        if (space != std::string::npos)
            text_in(p, type::caption(ui), {x + w * 0.47f, at.y, w * 0.52f, hit.rect.h},
                    server.words.substr(space + 1));
        if (hit.pressed) own.ask = server.ask;
    }
}

}  // namespace

void draw_attach_page(const Ui& ui, AttachUi& own) {
    if (!own.can_connect) return draw_no_server(ui, "attach.nothing"_t, "refused.attach.page"_t);
    const Flush flush;
    const Texts& t = ui.text;
    ImGui::Dummy({1, ui.px(4)});
    ImGui::Indent(ui.px(16));
    const float w = std::min(ImGui::GetContentRegionAvail().x - ui.px(16), ui.px(kPageMost));
    ImGui::BeginChild("page", {w, 0});
    paragraph(ui, type::lesson_title(ui), 34, t["attach.title"_t]);
    paragraph(ui, type::prose(ui), 23, t["attach.title.why"_t]);
    space(ui, 14);
    draw_address(ui, own, w);
    space(ui, 12);
    draw_state_box(ui, own);
    space(ui, 14);
    draw_more(ui, own, w);
    space(ui, 10);
    draw_recent(ui, own, w);
    space(ui, 12);
    paragraph(ui, type::caption(ui), 18, t["attach.no_server"_t]);
    space(ui, 6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Painter p(ui);
    text_in(p, type::number_small(ui), {at.x, at.y, 0, control_height(ui, false)},
            "kvarium run --scene explore --publish 'tcp://*:5557'");
    const float record_w = button_width(ui, t["attach.file"_t], {});
    ImGui::SetCursorScreenPos({at.x + w - record_w, at.y});
    if (button(ui, "record", t["attach.file"_t])) ui.out.push("attach.file");
    ImGui::EndChild();
    ImGui::Unindent(ui.px(16));
}

}  // namespace kv
