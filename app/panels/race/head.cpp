// The head of the race: title, workloads, faults, again.

#include "app/panels/race/paint.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"
#include "core/sim/generator.hpp"

namespace kv {
namespace {

constexpr std::size_t kWorkloads = 6;  // those that ship, and a file
constexpr float kControlGap = 12;

std::array<std::string_view, kWorkloads> workload_names(const Ui& ui) {
    const Texts& t = ui.text;
    return {t["race.workload.sharegpt"_t],   t["race.workload.azure_chat"_t],
            t["race.workload.azure_code"_t], t["race.workload.arxiv"_t],
            t["race.workload.mooncake"_t],   t["race.workload.file"_t]};
}

std::size_t chosen_workload(const RaceAsk& ask) {
    const auto& models = workload_models();
    for (std::size_t i = 0; i < models.size(); ++i)
        if (models[i].name == ask.workload) return i;
    return kWorkloads - 1;
}

void choose_workload(const Ui& ui, std::size_t i) {
    const auto& models = workload_models();
    if (i < models.size())
        ui.out.push("race.workload", std::string(models[i].name));
    else
        ui.out.push("race.workload");  // which file is asked for
}

Text faults_label(const Ui& ui, const RaceUi& own) {
    const std::size_t n = own.ask.faults.size();
    if (n == 0) return ui.text["race.faults"_t];
    return fill(ui.text["race.faults.n"_t], {{"n", std::to_string(n)}});
}

void draw_faults(const Ui& ui, const RaceUi& own) {
    if (!ImGui::BeginPopup("faults")) return;
    const bool has_hashes = own.race && own.race->prefix.has_value();
    paragraph(ui, type::section(ui), 20, ui.text["race.faults.title"_t]);
    space(ui, 6);
    for (const SimFault fault : all_faults()) {
        const Text why = fault_words(ui.text, fault, has_hashes);
        const bool enabled = fault != SimFault::ColdCache || has_hashes;
        const std::string id(name_of(fault));
        if (checkbox(ui, id.c_str(), ui.text[name_of_fault(fault)], own.ask.has(fault),
                     {.enabled = enabled}))
            ui.out.push("race.fault", id);
        ImGui::Dummy({ui.px(26), 1});
        ImGui::SameLine(0, 0);
        paragraph(ui, type::caption(ui), 16, why);
        space(ui, 6);
    }
    ImGui::EndPopup();
}

float workload_list_width(const Ui& ui) {
    float widest = 0;
    for (const std::string_view name : workload_names(ui))
        widest = std::max(widest, text_width(ui, type::body(ui), name));
    return std::ceil(widest) + ui.px(48);
}

}  // namespace

float race_choices_width(const Ui& ui, const RaceUi& own, bool as_list) {
    const float gap = ui.px(kControlGap);
    const float label = text_width(ui, type::body(ui), ui.text["race.workload"_t]) + gap;
    return (as_list ? workload_list_width(ui) : label + segmented_width(ui, workload_names(ui))) +
           gap + button_width(ui, faults_label(ui, own), {}) + gap +
           button_width(ui, ui.text["race.again"_t], {});
}

void draw_race_head(const RaceFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    draw_race_choices(frame);
    if (frame.plan.title.w <= 0) return;
    const TextStyle title = sized(type::lesson_title(ui), frame.plan.title_size);
    text_in(p, title, frame.px(frame.plan.title), ui.text["race.title"_t]);
    if (!frame.own.race) return;
    const TextStyle words =
        sized(colored(type::body(ui), ui.colors.text2), frame.plan.title_size > 20 ? 15 : 13);
    text_in(p, words, frame.px(frame.plan.subtitle), race_subtitle(ui.text, frame.race()));
    const Text lengths = frame.own.progress
                             ? fill(ui.text["race.holding"_t],
                                    {{"n", fixed(std::floor(*frame.own.progress * 100), 0)}})
                             : lengths_words(ui.text, frame.race());
    const TextStyle note = colored(type::number_small(ui), ui.colors.text3);
    text_in(p, note, frame.px(frame.plan.note), lengths);
}

void draw_race_choices(const RaceFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect room = frame.px(frame.plan.choices);
    const float gap = ui.px(kControlGap);
    const std::size_t chosen = chosen_workload(frame.own.ask);
    const float down = std::floor((room.h - control_height(ui, true)) / 2);
    float x = room.x;
    if (frame.plan.short_choices) {
        ImGui::SetCursorScreenPos({x, room.y + down});
        if (const auto i = dropdown(ui, "workload", workload_names(ui), chosen,
                                    {.width = workload_list_width(ui)}))
            choose_workload(ui, *i);
        x += workload_list_width(ui) + gap;
    } else {
        const TextStyle label = type::body(ui);
        const float w = text_width(ui, label, ui.text["race.workload"_t]);
        text_in(p, label, {x, room.y, 0, room.h}, ui.text["race.workload"_t]);
        x += w + gap;
        ImGui::SetCursorScreenPos({x, room.y + down});
        if (const auto i = segmented(ui, "workload", workload_names(ui), chosen))
            choose_workload(ui, *i);
        x += segmented_width(ui, workload_names(ui)) + gap;
    }
    const Text faults = faults_label(ui, frame.own);
    ImGui::SetCursorScreenPos({x, room.y});
    const bool pressed = button(ui, "faults.open", faults, {.on = !frame.own.ask.faults.empty()});
    const float below = room.bottom() + ui.px(4);
    if (pressed || std::exchange(frame.own.tell_faults, false)) ImGui::OpenPopup("faults");
    ImGui::SetNextWindowPos({x, below}, ImGuiCond_Appearing);
    ImGui::SetNextWindowSize({ui.px(340), 0});
    draw_faults(ui, frame.own);
    x += button_width(ui, faults, {}) + gap;
    ImGui::SetCursorScreenPos({x, room.y});
    if (button(ui, "again", ui.text["race.again"_t])) ui.out.push("race.again");
}

}  // namespace kv
