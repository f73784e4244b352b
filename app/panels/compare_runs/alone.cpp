// Compare while only one run is there: what it may be held against, one press for each.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/message.hpp"
#include "app/widgets/prose.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// What the run may be held against: run.compare with that command puts it beside.
struct HeldAgainst {
    Text command, label;
    const char* why;
};

bool keeps_everything(const RunView& run) {
    return setting_of(run, "evict") == "none" && run.k_codec.is_plain() && run.v_codec.is_plain();
}

// About half of what the request in focus will have, in steps of four.
std::uint32_t half_of_text(const RunView& run, const RunFocus& focus) {
    const auto& requests = run.trace.end().requests;
    const std::size_t n =
        focus.request.index() < requests.size() ? requests[focus.request.index()].tokens.size() : 0;
    return std::max(4u, static_cast<std::uint32_t>(n) / 8 * 4);
}

std::optional<HeldAgainst> other_model(const RunView& run, const Texts& text) {
    if (run.model_name == "gqa" || run.model_name == "mha")
        return HeldAgainst{.command = "model mqa",
                           .label = model_word("mqa"),
                           .why = text["pair.choose.mqa.why"_t]};
    if (run.model_name == "mqa")
        return HeldAgainst{.command = "model mha",
                           .label = model_word("mha"),
                           .why = text["pair.choose.mha.why"_t]};
    return std::nullopt;
}

List<HeldAgainst> choices_of(const RunView& run, const RunFocus& focus, const Texts& text) {
    List<HeldAgainst> all;
    if (!keeps_everything(run))
        all.push_back({.command = "full",
                       .label = text["pair.choose.full"_t],
                       .why = text["pair.choose.full.why"_t]});
    if (setting_of(run, "evict") == "none") {
        const Text n = with_commas(half_of_text(run, focus));
        all.push_back({.command = "evict window:" + n,
                       .label = fill(text["pair.choose.window"_t], {{"n", n}}),
                       .why = text["pair.choose.window.why"_t]});
    }
    if (run.k_codec.is_plain())
        all.push_back({.command = "k_codec int4",
                       .label = fill(text["pair.choose.codec"_t], {{"codec", upper_case("int4")}}),
                       .why = text["pair.choose.codec.why"_t]});
    const Text page = run.now.block_size == 4 ? "16" : "4";
    all.push_back({.command = "block_size " + page,
                   .label = fill(text["pair.choose.page"_t], {{"n", page}}),
                   .why = text["pair.choose.page.why"_t]});
    if (auto model = other_model(run, text)) all.push_back(*std::move(model));
    return all;
}

}  // namespace

PairView alone_view(PairUi& own, const RunView& run, const RunFocus& focus) {
    follow_pair(own, run, run, focus);
    return {.left = run, .right = run, .own = own, .unfold = &own.unfold, .alone = true};
}

void draw_alone_summary(const Ui& ui, const RunView& run) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const TextStyle style{ui.fonts.regular, 16, ui.colors.text2};
    const TextId words = keeps_everything(run) ? "pair.alone.keeps"_t : "pair.alone"_t;
    text_in(Painter(ui), style, {at.x, at.y, room.x, room.y}, ui.text[words]);
}

void draw_alone_choices(const Ui& ui, const RunView& run, const RunFocus& focus) {
    const Flush flush;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Painter p(ui);
    const float mark = ui.px(14);
    draw_side_mark(p, {at.x + mark / 2, std::floor(at.y + ui.px(14))}, 12, CompareSide::Right,
                   ui.colors.text);
    text_in(p, type::object_title(ui),
            {at.x + mark + ui.px(10), at.y, room.x - mark - ui.px(10), ui.px(28)},
            ui.text["pair.choose"_t]);
    ImGui::SetCursorScreenPos({at.x, at.y + ui.px(36)});
    paragraph(ui, type::body(ui), 19,
              ui.text[run.has_engine ? "pair.choose.why"_t : "pair.choose.recorded"_t]);
    if (!run.has_engine) return;
    space(ui, 12);
    const List<HeldAgainst> choices = choices_of(run, focus, ui.text);
    float widest = 0;
    for (const HeldAgainst& choice : choices)
        widest = std::max(widest, button_width(ui, choice.label, {}));
    float y = ImGui::GetCursorScreenPos().y;
    const float height = control_height(ui, false);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const HeldAgainst& choice = choices[i];
        ImGui::SetCursorScreenPos({at.x, y});
        const ButtonLook look{.primary = i == 0, .width = widest};
        if (button(ui, choice.command.c_str(), choice.label, look))
            ui.out.push("run.compare", Text(choice.command));
        text_in(p, type::body(ui),
                {at.x + widest + ui.px(16), y, std::max(1.0f, room.x - widest - ui.px(16)), height},
                choice.why);
        y += height + ui.px(10);
    }
    ImGui::SetCursorScreenPos({at.x, y});
    ImGui::Dummy({1, 1});
}

void draw_alone_message(const Ui& ui, const RunView& run) {
    const std::array<std::string_view, 1> lines{
        ui.text[keeps_everything(run) ? "pair.alone.keeps"_t : "pair.alone"_t]};
    message_centered(ui, "no other run", {.title = ui.text["pair.alone.title"_t], .lines = lines});
}

}  // namespace kv
