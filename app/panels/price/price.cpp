#include "app/panels/price/price.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/price/paint.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/message.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

std::string text_name(const Ui& ui, const PriceSheet& sheet) {
    if (sheet.request.empty()) return std::string(ui.text["price.request"_t]);
    return fill(ui.text["price.request.of"_t], {{"name", sheet.request}});
}

class Strip {
public:
    Strip(const Ui& ui, const PriceView& view, PriceUi& own, bool both)
        : ui_(ui), view_(view), own_(own), both_(both) {}

    // `empty`: the message below has the button.
    void draw(bool empty) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        left_ = at.x, y_ = at.y, right_ = at.x + room_width();
        choose_text();
        choose_scale();
        if (!both_) choose_picture();
        if (view_.measuring)
            progress();
        else if (!empty)
            measure_button();
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({std::max(1.0f, right_ - at.x), control_height(ui_, true)});
    }

private:
    using Options = std::array<std::string_view, 2>;
    std::optional<std::size_t> choice(const char* id, const Options& options, std::size_t chosen) {
        ImGui::SetCursorScreenPos({left_, y_});
        const auto picked = segmented(ui_, id, options, chosen);
        left_ += segmented_width(ui_, options) + ui_.px(12);
        return picked;
    }
    void choose_text() {
        const std::string request = text_name(ui_, view_.of(PriceText::Request));
        if (const auto i = choice("text", {ui_.text["price.fixed"_t], request},
                                  static_cast<std::size_t>(own_.text)))
            own_.text = static_cast<PriceText>(*i);
    }
    void choose_scale() {
        if (const auto i = choice("scale", {ui_.text["price.kl"_t], ui_.text["price.nll"_t]},
                                  static_cast<std::size_t>(own_.scale)))
            own_.scale = static_cast<PriceScale>(*i);
    }
    void choose_picture() {
        if (const auto i = choice("picture", {ui_.text["price.table"_t], ui_.text["price.chart"_t]},
                                  own_.chart ? 1 : 0))
            own_.chart = *i == 1;
    }
    void measure_button() {
        const PriceSheet& sheet = view_.of(own_.text);
        const ButtonLook look{.primary = !sheet.any_measured(),
                              .enabled = sheet.cannot.empty() && !sheet.all_done(),
                              .dense = true};
        const std::string_view label = ui_.text["price.measure"_t];
        const float w = button_width(ui_, label, look);
        ImGui::SetCursorScreenPos({std::max(left_, right_ - w), y_});
        if (button(ui_, "measure", label, look)) ui_.out.push("price.measure");
    }
    void progress() {
        const ButtonLook look{.dense = true, .key = "Esc"};
        const std::string_view label = ui_.text["price.cancel"_t];
        const float w = button_width(ui_, label, look), h = control_height(ui_, true);
        const float x = std::max(left_, right_ - w);
        ImGui::SetCursorScreenPos({x, y_});
        if (button(ui_, "cancel", label, look)) ui_.out.push("price.cancel");
        const std::string percent = fixed(std::floor(view_.progress * 100), 0) + " %";
        const TextStyle number = aligned(type::number_small(ui_), Align::Right);
        const float words = std::ceil(text_width(ui_, number, "100 %")), gap = ui_.px(8);
        const float end = x - gap - words - gap, from = std::max(left_, end - ui_.px(160));
        const Painter p(ui_);
        if (end + gap >= left_) text_in(p, number, {end + gap, y_, words, h}, percent);
        if (end - from < ui_.px(24)) return;
        const Rect track{from, std::floor(y_ + h / 2 - ui_.px(3)), std::floor(end - from),
                         ui_.px(6)};
        fill(p, track, ui_.colors.inset);
        outline(p, track, ui_.colors.line);
        const auto share = static_cast<float>(std::clamp(view_.progress, 0.0, 1.0));
        fill(p, {track.x, track.y, std::floor(track.w * share), track.h}, ui_.colors.text);
    }

    const Ui& ui_;
    const PriceView& view_;
    PriceUi& own_;
    bool both_;
    float left_ = 0, right_ = 0, y_ = 0;
};

std::string counts_of(const Ui& ui, const PriceSheet& sheet) {
    return fill(ui.text[sheet.needles > 0 ? "price.counts"_t : "price.counts.plain"_t],
                {{"passages", with_commas(sheet.passages)},
                 {"prompt", with_commas(sheet.prompt_tokens)},
                 {"told", with_commas(sheet.told_tokens)},
                 {"needles", with_commas(sheet.needles)}});
}

void draw_empty(const Ui& ui, const PriceSheet& sheet) {
    if (!sheet.cannot.empty()) {
        const Text cannot = sheet.cannot.in(ui.text);
        const std::array<std::string_view, 1> lines{cannot};
        message_centered(ui, "cannot", {.title = ui.text["price.none"_t], .lines = lines});
        return;
    }
    const std::string counts = counts_of(ui, sheet);
    const std::array<std::string_view, 2> lines{ui.text["price.why"_t], counts};
    if (message_centered(ui, "empty",
                         {.title = ui.text["price.none"_t],
                          .lines = lines,
                          .primary = ui.text["price.measure"_t]}) == MessageAnswer::Primary)
        ui.out.push("price.measure");
}

bool is_empty(const PriceView& view, PriceText text) {
    if (view.measuring == text) return false;
    const std::vector<PriceRow>& rows = view.of(text).rows;
    return std::none_of(rows.begin(), rows.end(), [](const PriceRow& row) {
        return row.measured() || row.state == PriceRow::State::Refused;
    });
}

template <class Draw>
void in_part(const char* id, ImVec2 origin, const Rect& room, float pad, const Draw& draw) {
    // A scrollbar inside lies in the padding, so that it covers no number.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{pad, 0});
    ImGui::SetCursorScreenPos({origin.x + room.x - pad, origin.y + room.y});
    if (ImGui::BeginChild(id, {std::max(1.0f, room.w + 2 * pad), std::max(1.0f, room.h)},
                          ImGuiChildFlags_AlwaysUseWindowPadding, ImGuiWindowFlags_NoScrollbar))
        draw();
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

Rect in_pixels(const Ui& ui, const Rect& r) {
    return {ui.px(r.x), ui.px(r.y), std::floor(r.w * ui.unit), std::floor(r.h * ui.unit)};
}

}  // namespace

void draw_price(const Ui& ui, const RunView& run, PriceUi& own) {
    const TightSpacing tight;
    const Flush flush;
    if (run.price == nullptr) return;
    own.pointed = std::exchange(own.next_pointed, std::nullopt);
    const ImVec2 whole = ImGui::GetContentRegionAvail();
    const float strip = control_height(ui, true) + ui.px(8);
    const PriceSheet& sheet = run.price->of(own.text);
    const float legend = price_legend_height(ui, sheet, whole.x);
    const PriceLayout layout =
        price_layout({whole.x / ui.unit, (whole.y - strip - legend) / ui.unit}, own.chart);
    const bool empty = is_empty(*run.price, own.text);
    Strip(ui, *run.price, own, layout.table && layout.chart).draw(empty);
    space(ui, 8);
    if (empty) return draw_empty(ui, sheet);
    const PriceFrame frame{ui, sheet, price_frontier(sheet, own.scale), own};
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    if (layout.table)
        in_part("table", origin, in_pixels(ui, layout.table_room), ui.px(12),
                [&] { draw_price_table(frame); });
    if (layout.chart)
        in_part("chart", origin, in_pixels(ui, layout.chart_room), 0,
                [&] { draw_price_chart(frame); });
    if (legend > 0) draw_price_legend(ui, {origin.x, origin.y + whole.y - strip - legend}, whole.x);
}

Text price_caption(const Ui& ui, const RunView& run, const PriceUi& own) {
    if (run.price == nullptr || !run.price->of(own.text).cannot.empty()) return {};
    return counts_of(ui, run.price->of(own.text));
}

}  // namespace kv
