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

// The switches of the panel, and at their end what measures it.
class Strip {
public:
    // `empty`: the message below has the button.
    Strip(const Ui& ui, const PriceView& view, PriceUi& own, bool both, bool empty)
        : ui_(ui),
          view_(view),
          own_(own),
          request_(text_name(ui, view.of(PriceText::Request))),
          texts_{ui.text["price.fixed"_t], request_},
          ends_(view.measuring || !empty) {
        at_ = ImGui::GetCursorScreenPos();
        room_ = room_width();
        List<float> widths{segmented_width(ui, texts_), segmented_width(ui, scales_)};
        if (!both) widths.push_back(segmented_width(ui, pictures_));
        n_choices_ = widths.size();
        if (ends_) widths.push_back(button_width(ui, label(), look()));
        parts_ = price_strip(widths, room_, ui.px(12));
    }

    float height() const {
        return (control_height(ui_, true) + ui_.px(8)) * static_cast<float>(parts_.back().row + 1);
    }

    void draw() {
        if (const auto i = choice("text", texts_, 0, static_cast<std::size_t>(own_.text)))
            own_.text = static_cast<PriceText>(*i);
        if (const auto i = choice("scale", scales_, 1, static_cast<std::size_t>(own_.scale)))
            own_.scale = static_cast<PriceScale>(*i);
        if (n_choices_ > 2)
            if (const auto i = choice("picture", pictures_, 2, own_.chart ? 1 : 0))
                own_.chart = *i == 1;
        if (ends_ && view_.measuring)
            progress();
        else if (ends_)
            measure_button();
        ImGui::SetCursorScreenPos(at_);
        ImGui::Dummy({std::max(1.0f, room_), height() - ui_.px(8)});
    }

private:
    using Options = std::array<std::string_view, 2>;
    float y_of(std::size_t row) const {
        return at_.y + static_cast<float>(row) * (control_height(ui_, true) + ui_.px(8));
    }
    std::optional<std::size_t> choice(const char* id, const Options& options, std::size_t i,
                                      std::size_t chosen) {
        const StripPart& part = parts_[i];
        ImGui::SetCursorScreenPos({at_.x + part.x, y_of(part.row)});
        const bool is_narrow = part.width < segmented_width(ui_, options);
        return segmented(ui_, id, options, chosen, {.width = is_narrow ? part.width : 0});
    }
    const char* label() const {
        return ui_.text[view_.measuring ? "price.cancel"_t : "price.measure"_t];
    }
    ButtonLook look() const {
        if (view_.measuring) return {.dense = true, .key = "Esc"};
        const PriceSheet& sheet = view_.of(own_.text);
        return {.primary = !sheet.any_measured(),
                .enabled = sheet.cannot.empty() && !sheet.all_done(),
                .dense = true};
    }
    // The place at the right end of the last row.
    Vec2 place_of_end() const {
        const StripPart& part = parts_.back();
        return {at_.x + std::max(part.x, room_ - part.width), y_of(part.row)};
    }
    void measure_button() {
        const Vec2 at = place_of_end();
        ImGui::SetCursorScreenPos({at.x, at.y});
        if (button(ui_, "measure", label(), look())) ui_.out.push("price.measure");
    }
    void progress() {
        const Vec2 at = place_of_end();
        const float left = at_.x + parts_.back().x, h = control_height(ui_, true);
        ImGui::SetCursorScreenPos({at.x, at.y});
        if (button(ui_, "cancel", label(), look())) ui_.out.push("price.cancel");
        const std::string percent = fixed(std::floor(view_.progress * 100), 0) + " %";
        const TextStyle number = aligned(type::number_small(ui_), Align::Right);
        const float words = std::ceil(text_width(ui_, number, "100 %")), gap = ui_.px(8);
        const float end = at.x - gap - words - gap, from = std::max(left, end - ui_.px(160));
        const Painter p(ui_);
        if (end + gap >= left) text_in(p, number, {end + gap, at.y, words, h}, percent);
        if (end - from < ui_.px(24)) return;
        const Rect track{from, std::floor(at.y + h / 2 - ui_.px(3)), std::floor(end - from),
                         ui_.px(6)};
        fill(p, track, ui_.colors.inset);
        outline(p, track, ui_.colors.line);
        const auto share = static_cast<float>(std::clamp(view_.progress, 0.0, 1.0));
        fill(p, {track.x, track.y, std::floor(track.w * share), track.h}, ui_.colors.text);
    }

    const Ui& ui_;
    const PriceView& view_;
    PriceUi& own_;
    std::string request_;
    Options texts_;
    Options scales_{ui_.text["price.kl"_t], ui_.text["price.nll"_t]};
    Options pictures_{ui_.text["price.table"_t], ui_.text["price.chart"_t]};
    bool ends_;
    std::size_t n_choices_ = 0;
    List<StripPart> parts_;
    ImVec2 at_;
    float room_ = 0;
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
    const PriceSheet& sheet = run.price->of(own.text);
    const float legend = price_legend_height(ui, sheet, whole.x);
    const bool empty = is_empty(*run.price, own.text);
    const auto laid_out = [&](float strip) {
        return price_layout({whole.x / ui.unit, (whole.y - strip - legend) / ui.unit}, own.chart);
    };
    // Where both pictures fit, nobody has to choose one.
    const PriceLayout in_one_row = laid_out(control_height(ui, true) + ui.px(8));
    Strip controls(ui, *run.price, own, in_one_row.table && in_one_row.chart, empty);
    const float strip = controls.height();
    const PriceLayout layout = laid_out(strip);
    controls.draw();
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
