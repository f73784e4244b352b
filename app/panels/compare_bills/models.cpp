// The picture of models side by side.

#include "app/panels/compare_bills/models.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/chart/bars.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr int kModelRow = 50, kHeadRows = 62, kChartRows = 300, kFoot = 4;  // logical pixels
constexpr float kStack = 16;
// Side marks of lines, so that colour is not the only signal.
constexpr std::array kModelMarkers{Marker::Circle, Marker::Square, Marker::Triangle, Marker::Ring};

struct KindLook {
    SegmentFill fill;
    Color color;
};
KindLook look_of_kind(const Ui& ui, KeptKind kind) {
    switch (kind) {
        case KeptKind::All:
            return {SegmentFill::Solid, mix(ui.colors.panel, ui.colors.text, 0.6)};
        case KeptKind::Window:
            return {SegmentFill::Solid, ui.colors.k.fill};
        case KeptKind::Latent:
            return {SegmentFill::Solid, ui.colors.shared};
        case KeptKind::State:
            return {SegmentFill::Hatched, ui.colors.shared};
    }
    return {SegmentFill::Empty, ui.colors.line};
}

std::string_view name_of_kind(const Ui& ui, KeptKind kind) {
    switch (kind) {
        case KeptKind::All:
            return ui.text["compared.all"_t];
        case KeptKind::Window:
            return ui.text["compared.window"_t];
        case KeptKind::Latent:
            return ui.text["compared.latent"_t];
        case KeptKind::State:
            return ui.text["compared.state"_t];
    }
    return {};
}

void draw_model(const Ui& ui, const ModelBar& bar, double most, int index) {
    ImGui::PushID(index);
    value_row(ui, bar.title, bar.value, {.strong = true, .secondary = bar.ghost});
    std::vector<Segment> segments;
    for (const ModelPart& part : bar.parts) {
        const KindLook look = look_of_kind(ui, part.kind);
        segments.push_back({static_cast<double>(part.bytes), look.fill, look.color});
    }
    // What all layers full would take is the frame, on one scale for all models.
    const float room = std::floor(ImGui::GetContentRegionAvail().x);
    const double full = static_cast<double>(std::max(bar.full_bytes, bar.bytes));
    const float width = std::max(2.0f, std::floor(room * static_cast<float>(full / most)));
    ImGui::BeginChild("bar", {width, ui.px(kStack + 8)}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    StackLook look;
    look.capacity = full;
    look.height = kStack;
    draw_stack(ui, "stack", segments, look);
    ImGui::EndChild();
    space(ui, 4);
    ImGui::PopID();
}

void draw_kinds(const Ui& ui, const ModelsPlan& plan) {
    std::vector<KeyEntry> key;
    for (const KeptKind kind : plan.kinds) {
        const KindLook look = look_of_kind(ui, kind);
        key.push_back({look.fill, look.color, name_of_kind(ui, kind)});
    }
    key.push_back({SegmentFill::Empty, ui.colors.line, ui.text["compared.full"_t]});
    draw_key(ui, key);
}

std::vector<EndLabel> line_labels(const ModelsPlan& plan) {
    std::vector<EndLabel> labels;
    for (std::size_t i = 0; i < plan.bars.size(); ++i) {
        EndLabel label{plan.bars[i].sizes.back(), plan.bars[i].value, plan.bars[i].title};
        label.marker = kModelMarkers[i % kModelMarkers.size()];
        labels.push_back(label);
    }
    std::sort(labels.begin(), labels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.y > b.y; });
    return labels;
}

void draw_lines_of_models(const Chart& chart, const Ui& ui, const ModelsPlan& plan) {
    for (std::size_t i = 0; i < plan.bars.size(); ++i) {
        const ModelBar& bar = plan.bars[i];
        const Color color = mix(ui.colors.panel, ui.colors.text, i % 2 == 0 ? 0.95 : 0.6);
        chart_line(chart, bar.tokens, bar.sizes, {color, 1.8f});
        const std::array x{bar.tokens.back()}, y{bar.sizes.back()};
        chart_markers(chart, x, y, kModelMarkers[i % kModelMarkers.size()], color);
    }
}

}  // namespace

int models_height(std::size_t models) {
    return kHeadRows + kModelRow * static_cast<int>(models) + kChartRows + kFoot;
}

void draw_models(const Ui& ui, const ComparedModels& compared) {
    const ModelsPlan plan = plan_models(compared, ui.text);
    section_head(ui, plan.head);
    space(ui, 6);
    for (std::size_t i = 0; i < plan.bars.size(); ++i)
        draw_model(ui, plan.bars[i], plan.most_bytes, static_cast<int>(i));
    draw_kinds(ui, plan);
    space(ui, 14);
    const auto x_ticks = ticks_of(plan.token_marks), y_ticks = ticks_of(plan.byte_marks);
    const std::vector<EndLabel> labels = line_labels(plan);
    float label_width = 0;
    for (const EndLabel& label : labels)
        label_width =
            std::max({label_width, text_width(ui, type::caption(ui), label.caption),
                      text_width(ui, sized(type::number_strong(ui), 13), label.value) + ui.px(16)});
    ChartSpec spec;
    spec.title = plan.chart_head;
    spec.x = {.max = plan.max_tokens, .ticks = x_ticks, .grid = false};
    spec.y = {.max = plan.max_bytes, .ticks = y_ticks};
    spec.x_label = ui.text["compared.tokens"_t];
    spec.height = ui.px(kChartRows);
    spec.label_room = std::ceil(label_width) / ui.unit + 34;
    if (const Chart chart = begin_chart(ui, "models", spec)) {
        draw_lines_of_models(chart, ui, plan);
        chart_end_labels(chart, labels);
        end_chart(chart);
    }
}

}  // namespace kv
