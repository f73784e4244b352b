// Beside the chart of choices: tokens computed again and times to the first token, a bar for each
// choice, in the memory of the pool that all is held against. And what stands there while nothing
// is known of them.

#include <cmath>

#include "app/panels/whatif/choice_words.hpp"
#include "app/panels/whatif/paint.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct ChoiceBar {
    std::string name;
    double value = 0;
    Text words;
    bool is_recorded = false;
};

void draw_bars(const WhatIfFrame& frame, const Rect& room, const std::vector<ChoiceBar>& bars,
               bool is_modelled) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Color color = is_modelled ? ui.colors.text2 : ui.colors.loss.ink;
    const auto n = static_cast<float>(bars.size());
    const float pitch = std::floor(std::min(ui.px(30), (room.h - ui.px(4)) / n));
    const float size = std::clamp(pitch / ui.px(1) - 1, 9.0f, 13.0f);
    const TextStyle name = sized(type::number(ui), size);
    const TextStyle number = aligned(sized(type::number_strong(ui), size), Align::Right);
    float names = 0, numbers = 0;
    double most = 0;
    for (const ChoiceBar& bar : bars) {
        names = std::max(names, text_width(ui, with_font(name, ui.fonts.mono_bold), bar.name) + 1);
        numbers = std::max(numbers, text_width(ui, number, bar.words) + 1);
        most = std::max(most, bar.value);
    }
    const float gap = ui.px(12), x = room.x + names + gap;
    const float longest = room.w - names - numbers - 2 * gap;
    const float thick = std::max(3.0f, std::min(ui.px(14), pitch - ui.px(5)));
    float y = room.y + std::min(ui.px(6), std::floor((room.h - n * pitch) / 2));
    for (const ChoiceBar& bar : bars) {
        const Rect line{room.x, y, room.w, pitch};
        y += pitch;
        TextStyle left = name;
        if (bar.is_recorded) left = with_font(colored(left, ui.colors.text), ui.fonts.mono_bold);
        text_in(p, left, {line.x, line.y, names, line.h}, bar.name);
        text_in(p, colored(number, is_modelled ? ui.colors.text : color), line, bar.words);
        if (longest < ui.px(20) || most <= 0) continue;
        const float w = longest * static_cast<float>(bar.value / most);
        const Rect body = snap({x, line.center().y - thick / 2, std::max(1.0f, w), thick});
        if (is_modelled) {
            dashed_outline(p, body, color);
        } else {
            fill(p, body, ui.colors.loss.fill);
            outline(p, body, color);
        }
    }
}

template <class Bar>
std::vector<ChoiceBar> bars_of(const WhatIfFrame& frame, Bar bar) {
    std::vector<ChoiceBar> bars;
    for (const WhatIfChoice& choice : *frame.choices()) {
        ChoiceBar one{choice_name(frame.own.view, choice.setting), 0, Text("–"),
                      is_as_recorded(frame.weighed, choice.setting)};
        if (choice.here()) bar(*choice.here(), one);
        bars.push_back(std::move(one));
    }
    return bars;
}

}  // namespace

void draw_choice_again(const WhatIfFrame& frame, const Rect& room) {
    const auto bar = [&](const WhatIfPoint& point, ChoiceBar& one) {
        one.value = frame.weighed.per_second(point.outcome.again_tokens);
        one.words = Text(a_second_words(one.value));
    };
    draw_bars(frame, room, bars_of(frame, bar), false);
}

void draw_choice_first_token(const WhatIfFrame& frame, const Rect& room) {
    const auto bar = [&](const WhatIfPoint& point, ChoiceBar& one) {
        if (!point.first_token) return;
        one.value = point.first_token->p95;
        one.words = fill(frame.ui.text["whatif.ms"_t], {{"n", ms_words(one.value)}});
    };
    draw_bars(frame, room, bars_of(frame, bar), true);
}

void draw_choices_awaited(const WhatIfFrame& frame, const Rect& room) {
    const Painter p(frame.ui);
    text_in(p, aligned(type::caption(frame.ui), Align::Center), room,
            frame.ui.text["whatif.choice.awaited"_t]);
}

void draw_choices_instead(const WhatIfFrame& frame, const Rect& room) {
    const Ui& ui = frame.ui;
    WhatIfSide& side = frame.own.side();
    const bool is_order = frame.own.view == WhatIfView::Order;
    const bool is_refused = !side.refused.empty();
    Message message;
    const Text progress = fill(ui.text["whatif.weighing"_t],
                               {{"n", fixed(std::floor(100 * side.progress.value_or(0)), 0)}});
    const Text refused = is_refused ? side.refused.in(ui.text) : Text();
    std::array<std::string_view, 1> lines{
        ui.text[is_order ? "whatif.choice.why.order"_t : "whatif.choice.why.block_size"_t]};
    message.lines = lines;
    message.title = progress;
    message.primary = ui.text["whatif.stop"_t];
    const bool waits = side.stopped || is_refused;
    if (waits) {
        message.title = ui.text[is_refused ? "whatif.refused"_t : "whatif.choice.stopped"_t];
        message.primary = ui.text["whatif.choice.weigh"_t];
        message.refusal = is_refused;
        if (is_refused) lines[0] = refused;
    }
    const float w = std::min(room.w - ui.px(24), ui.px(460));
    const float h = message_height(ui, message, w);
    ImGui::SetCursorScreenPos({std::floor(room.x + (room.w - w) / 2),
                               std::floor(room.y + std::max(0.0f, (room.h - h) / 2))});
    if (message_card(ui, "choices", message, w) != MessageAnswer::Primary) return;
    if (waits)
        ui.out.push("whatif.view",
                    std::string(kWhatIfViewNames[static_cast<std::size_t>(frame.own.view)]));
    else
        ui.out.push("whatif.stop");
}

}  // namespace kv
