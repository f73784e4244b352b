#include "app/panels/bill/calculator/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/fields.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

using Views = std::vector<std::string_view>;

Views views_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

void draw_model(const Ui& ui, const BillView& view) {
    std::vector<std::string> titles;
    titles.reserve(preset_names().size() + 1);
    std::size_t chosen = preset_names().size();
    for (std::size_t i = 0; i < preset_names().size(); ++i) {
        const std::string_view name = preset_names()[i];
        titles.push_back(preset_title(name));
        if (name == view.own.name && titles.back() == view.own.title) chosen = i;
    }
    if (chosen == titles.size())
        titles.push_back(fill(ui.text["calc.own_model"_t], {{"title", view.own.title}}));
    control_head(ui, ui.text["calc.model"_t],
                 fill(ui.text["calc.positions"_t], {{"n", with_commas(view.own.max_positions)}}));
    const auto next = dropdown(ui, "model", views_of(titles), chosen);
    if (next && *next < preset_names().size())
        ui.out.push("bill.model", std::string(preset_names()[*next]));
    space(ui, kBetweenControls);
}

struct NumberInput {
    const char* id;
    TextId label, rule;  // the rule is said where a typed number breaks it
    CommandId command;
    u64 value, least, most, step = 0;
    std::optional<BillFactor> factor = {};  // lit in all panels while the input is pointed at
    std::string_view consequence = {};      // quiet, after the label
};

void draw_number(const Ui& ui, BillFocus& focus, FieldUi& field, const NumberInput& in) {
    std::optional<FactorZone> zone;
    if (in.factor) zone.emplace(ui, focus, *in.factor);
    control_head(ui, ui.text[in.label], in.consequence);
    const NumberLook look{
        .min = in.least, .max = in.most, .step = in.step, .refusal = ui.text[in.rule]};
    if (const auto next = number_field(ui, in.id, field, in.value, look))
        ui.out.push(in.command, *next);
    zone.reset();  // the room below belongs to no factor
    space(ui, kBetweenControls);
}

void draw_workload(const Ui& ui, const BillView& view, BillFocus& focus, CalculatorUi& own) {
    draw_number(ui, focus, own.tokens,
                {.id = "tokens",
                 .label = "calc.tokens"_t,
                 .rule = "calc.tokens_rule"_t,
                 .command = "bill.tokens",
                 .value = view.in.tokens,
                 .least = 1,
                 .most = kMostBillTokens,
                 .step = 1024,
                 .factor = BillFactor::Tokens});
    draw_number(ui, focus, own.batch,
                {.id = "batch",
                 .label = "calc.requests"_t,
                 .rule = "calc.requests_rule"_t,
                 .command = "bill.batch",
                 .value = view.in.batch,
                 .least = 1,
                 .most = kMostBillRequests,
                 .step = 1,
                 .factor = BillFactor::Requests});
}

void draw_pages(const Ui& ui, const BillView& view, BillFocus& focus, CalculatorUi& own) {
    const float gap = ui.px(8);
    TwoColumns columns("pages", std::floor((room_width() - gap) / 2), gap);
    draw_number(ui, focus, own.block_size,
                {.id = "page",
                 .label = "calc.page"_t,
                 .rule = "calc.page_rule"_t,
                 .command = "bill.block_size",
                 .value = view.in.block_size,
                 .least = 1,
                 .most = kMostBillPage});
    columns.next();
    const std::string_view all = view.in.window == 0 ? ui.text["calc.window_none"_t] : "";
    draw_number(ui, focus, own.window,
                {.id = "window",
                 .label = "calc.window"_t,
                 .rule = "calc.window_rule"_t,
                 .command = "bill.window",
                 .value = view.in.window,
                 .least = 0,
                 .most = kMostBillTokens,
                 .consequence = all});
}

void draw_card_memory(const Ui& ui, const BillView& view, FieldUi& field) {
    control_head(ui, ui.text["calc.device"_t]);
    const FieldLook look{.wrong = field.refused.has_value(), .hint = ui.text["calc.device_hint"_t]};
    if (const auto typed = text_field(ui, "device", view.in.device.spelled, look)) {
        std::string why;
        field.refused.reset();
        if (parse_bytes(*typed, why)) {
            ui.out.push("bill.device", *typed);
        } else {
            field.refused =
                fill(ui.text["calc.device_refused"_t], {{"text", *typed}, {"why", why}});
        }
    }
    if (field.refused)
        paragraph(ui, colored(type::caption(ui), ui.colors.loss.ink), 16, *field.refused);
    space(ui, kBetweenControls);
}

void draw_device(const Ui& ui, const BillView& view, BillFocus& focus, CalculatorUi& own) {
    const float gap = ui.px(8);
    TwoColumns columns("device", std::floor((room_width() - gap) / 2), gap);
    draw_card_memory(ui, view, own.device);
    columns.next();
    draw_number(ui, focus, own.cards,
                {.id = "cards",
                 .label = "calc.cards"_t,
                 .rule = "calc.cards_rule"_t,
                 .command = "bill.cards",
                 .value = view.in.cards,
                 .least = 1,
                 .most = kMostBillCards});
}

// How several cards share the cache, and the button that ends the column.
void draw_ranks_and_copy(const Ui& ui, const BillView& view, BillFocus& focus, CalculatorUi& own) {
    if (view.in.cards == 1) {
        space(ui, 4);
        if (button(ui, "copy", ui.text["calc.copy"_t], {.dense = true, .width = room_width()}))
            ui.out.push("bill.copy");
        return;
    }
    const float gap = ui.px(8);
    TwoColumns columns("ranks", std::floor((room_width() - gap) / 2), gap);
    Text stages(ui.text["calc.ranks_none"_t]);
    if (view.in.ranks > 0)
        stages = fill(ui.text["calc.ranks_stages"_t], {{"stages", with_commas(view.split.stages)}});
    draw_number(ui, focus, own.ranks,
                {.id = "ranks",
                 .label = "calc.ranks"_t,
                 .rule = "calc.ranks_rule"_t,
                 .command = "bill.ranks",
                 .value = view.in.ranks,
                 .least = 0,
                 .most = view.in.cards,
                 .consequence = stages});
    columns.next();
    control_head(ui, "");
    if (button(ui, "copy", ui.text["calc.copy"_t], {.dense = true, .width = room_width()}))
        ui.out.push("bill.copy");
}

void draw_codec(const Ui& ui, const BillView& view, BillFocus& focus, TextId label, Side side) {
    const Codec& codec = view.codecs.of(side);
    const auto chosen = chosen_codec(codec);
    const FactorZone zone(ui, focus, BillFactor::ValueBytes);
    const std::string bytes = view.bytes(side_bytes_per_token(view.shape.cache, view.codecs, side));
    control_head(ui, ui.text[label],
                 fill(ui.text[chosen ? "settings.per_token"_t : "calc.per_token_other"_t],
                      {{"bytes", bytes}, {"codec", codec_label(codec)}}));
    Views labels;
    labels.reserve(std::size(kCodecOptions));
    for (const CodecOption& option : kCodecOptions) labels.push_back(option.label);
    const auto next =
        choice(ui, side == Side::K ? "k" : "v", labels, chosen.value_or(labels.size()));
    if (next)
        ui.out.push(side == Side::K ? CommandId("bill.k_codec") : CommandId("bill.v_codec"),
                    std::string(kCodecOptions[*next].name));
}

}  // namespace

void draw_attention_switch(const Ui& ui, const BillView& view, BillFocus& focus) {
    const FactorZone zone(ui, focus, BillFactor::KvHeads);
    control_head(ui, ui.text["settings.attention"_t],
                 fill(ui.text["settings.per_token"_t], {{"bytes", view.bytes("bytes_per_token")}}));
    if (!can_choose_attention(view)) {
        paragraph(
            ui, type::caption(ui), 16,
            ui.text[is_latent(view.shape.cache) ? "settings.latent"_t : "settings.own_heads"_t]);
        return;
    }
    std::vector<std::string> labels;
    labels.reserve(view.attention.size());
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < view.attention.size(); ++i) {
        labels.push_back(attention_label(view.attention[i], ui.text));
        if (view.attention[i].current) chosen = i;
    }
    const auto next = choice(ui, "attention", views_of(labels), chosen);
    if (next) ui.out.push("bill.kv_heads", view.attention[*next].kv_heads);
}

void draw_codec_switches(const Ui& ui, const BillView& view, BillFocus& focus) {
    if (is_latent(view.shape.cache)) {
        draw_codec(ui, view, focus, "calc.stored_both"_t, Side::K);
        return;
    }
    draw_codec(ui, view, focus, "settings.k"_t, Side::K);
    space(ui, kBetweenControls);
    draw_codec(ui, view, focus, "settings.v"_t, Side::V);
}

void draw_calculator_inputs(const Ui& ui, const BillView& view, BillFocus& focus,
                            CalculatorUi& own) {
    draw_model(ui, view);
    draw_attention_switch(ui, view, focus);
    space(ui, kBetweenControls);
    draw_workload(ui, view, focus, own);
    draw_codec_switches(ui, view, focus);
    space(ui, kBetweenControls);
    draw_pages(ui, view, focus, own);
    draw_device(ui, view, focus, own);
    draw_ranks_and_copy(ui, view, focus, own);
}

}  // namespace kv
