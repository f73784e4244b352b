#include "app/panels/token/channels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/token/looked_at.hpp"
#include "app/panels/token/pixel_axis.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

enum class ShownNumber : std::uint8_t { Size, Error };

// One map: a row for each KV head, a column for each channel.
struct Grid {
    const Ui& ui;
    RunFocus& focus;
    const ChannelMap& map;
    Side side;
    ShownNumber shown;
    Rect area;
    std::vector<PixelSpan> columns;
    float row = 0;

    const ChannelSide& channels() const { return map.of(side); }
    double value(std::uint32_t head, std::uint32_t channel) const {
        const ChannelStat& stat = channels().at(head, channel);
        return shown == ShownNumber::Size ? stat.size : stat.error;
    }
    double largest() const {
        double most = 0;
        for (std::uint32_t head = 0; head < channels().heads; ++head)
            for (std::uint32_t i = 0; i < channels().dim; ++i)
                most = std::max(most, value(head, i));
        return most;
    }
    Rect cell(std::uint32_t head, const PixelSpan& column) const {
        return {column.x, area.y + static_cast<float>(head) * row, column.w, row - ui.px(1)};
    }
    bool is_selected_side() const { return focus.side == side; }
};

std::string_view name_of_side(Side side) {
    return side == Side::K ? "K" : "V";
}

void paint_grid(const Grid& grid) {
    const Ui& ui = grid.ui;
    const Painter p(ui);
    const double most = grid.largest();
    const TextStyle number = aligned(type::tick_label(ui), Align::Right);
    for (std::uint32_t head = 0; head < grid.channels().heads; ++head) {
        const float y = grid.area.y + static_cast<float>(head) * grid.row;
        if (grid.row >= ui.px(11) || head == 0)
            text_in(p, number, {grid.area.x - ui.px(30), y, ui.px(24), grid.row},
                    "h" + std::to_string(head));
        for (const PixelSpan& column : grid.columns) {
            double value = 0;
            for (std::uint32_t i = column.first; i < column.end; ++i)
                value = std::max(value, grid.value(head, i));
            fill(p, grid.cell(head, column), ramp_color(ui.colors, most > 0 ? value / most : 0));
        }
    }
    if (ui.colors.is_light()) outline(p, grid.area, ui.colors.edge);
    if (!grid.is_selected_side() || grid.focus.kv_head >= grid.channels().heads) return;
    if (const auto at = span_of(grid.columns, grid.focus.dim))
        outline(p, grid.cell(grid.focus.kv_head, grid.columns[*at]).inset(-ui.px(2)),
                ui.colors.focus, 0, 1.5f);
}

void select(const Grid& grid, std::uint32_t head, std::uint32_t channel) {
    CommandSink& out = grid.ui.out;
    if (!grid.is_selected_side())
        out.push(grid.side == Side::K ? CommandId("select.keys") : CommandId("select.values"));
    if (grid.focus.kv_head != head) out.push("select.kv_head", std::uint64_t{head});
    if (grid.focus.dim != channel) out.push("select.dim", std::uint64_t{channel});
}

void explain(const Grid& grid, std::uint32_t head, std::uint32_t channel, std::string_view codec) {
    if (!ImGui::BeginTooltip()) return;
    const ChannelStat& stat = grid.channels().at(head, channel);
    const std::string text =
        fill(grid.ui.text["channels.tip"_t], {{"side", std::string(name_of_side(grid.side))},
                                              {"head", std::to_string(head)},
                                              {"channel", std::to_string(channel)},
                                              {"size", significant(stat.size, 3)},
                                              {"largest", significant(stat.largest, 3)},
                                              {"error", significant(stat.error, 3)},
                                              {"codec", std::string(codec)}});
    ImGui::TextUnformatted(text.c_str());
    ImGui::EndTooltip();
}

void take_input(const Grid& grid, const char* id, std::string_view codec) {
    ImGui::SetCursorScreenPos(im(grid.area.min()));
    const Hit hit = hit_item(id, {grid.area.w, grid.area.h});
    const std::uint32_t heads = grid.channels().heads, dim = grid.channels().dim;
    if (hit.hovered) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const auto head = static_cast<std::uint32_t>(
            std::clamp((mouse.y - grid.area.y) / grid.row, 0.0f, static_cast<float>(heads) - 1));
        if (const auto column = span_at(grid.columns, mouse.x)) {
            const std::uint32_t channel = grid.columns[*column].first;
            explain(grid, head, channel, codec);
            if (hit.pressed) select(grid, head, channel);
        }
    }
    if (!hit.focused) return;
    focus_ring(Painter(grid.ui), hit.rect.inset(-grid.ui.px(3)), 2);
    const Arrows arrows = keep_arrows(id);
    const auto step = [](std::uint32_t from, int by, std::uint32_t count) {
        return static_cast<std::uint32_t>(
            std::clamp(static_cast<int>(from) + by, 0, static_cast<int>(count) - 1));
    };
    if (arrows)
        select(grid, step(grid.focus.kv_head, arrows.down, heads),
               step(grid.focus.dim, arrows.right, dim));
}

// ---- heads and lines -------------------------------------------------------------------------

void draw_head(const Ui& ui, const RunView& run, const RunFocus& focus, ChannelsUi& own) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x, h = ui.px(28);
    const IndexSwitch layers{.id = "layer",
                             .label = ui.text["bytes.layer"_t],
                             .command = "select.layer",
                             .count = run.layout.n_layers,
                             .chosen = chosen_vector(run, focus).layer.value};
    draw_index_switch(ui, layers, {at.x, at.y, w, h});
    ImGui::SetCursorScreenPos({at.x, at.y + h + ui.px(8)});
    control_head(ui, ui.text["channels.as"_t], ui.text["bytes.preview.not_stored"_t]);
    if (const auto next =
            segmented(ui, "codec", kPreviewNames, static_cast<std::size_t>(own.codec)))
        own.codec = static_cast<PreviewCodec>(*next);
    space(ui, 6);
}

Text size_words(const Ui& ui, const ChannelSide& side) {
    return fill(ui.text["channels.size"_t],
                {{"times", fixed(side.outlier(), 1)},
                 {"channel", std::to_string(side.dim == 0 ? 0 : side.widest % side.dim)},
                 {"head", std::to_string(side.dim == 0 ? 0 : side.widest / side.dim)}});
}

void draw_grid(const Ui& ui, RunFocus& focus, const ChannelMap& map, Side side, ShownNumber shown,
               std::string_view codec) {
    const ChannelSide& channels = map.of(side);
    const Hue& hue = side == Side::K ? ui.colors.k : ui.colors.v;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x, line = ui.px(18), names = ui.px(30);
    Grid grid{ui, focus, map, side, shown, {}, {}, 0};
    grid.row = channels.heads <= 8 ? ui.px(12) : channels.heads <= 32 ? ui.px(5) : ui.px(2);
    grid.area = {std::floor(at.x + names), std::floor(at.y + line), std::max(8.0f, w - names),
                 grid.row * static_cast<float>(channels.heads)};
    grid.columns = pixel_axis({.count = channels.dim,
                               .x = grid.area.x,
                               .w = std::floor(grid.area.w),
                               .cell_gap = ui.px(1)});
    if (!grid.columns.empty())
        grid.area.w = grid.columns.back().x + grid.columns.back().w - grid.area.x;
    const Text words =
        shown == ShownNumber::Size
            ? size_words(ui, channels)
            : fill(ui.text["channels.error"_t],
                   {{"codec", std::string(codec)}, {"error", significant(grid.largest(), 3)}});
    const std::array runs{Run{colored(type::strong(ui), hue.ink), name_of_side(side)},
                          Run{type::caption(ui), words, 8}};
    const Painter p(ui);
    runs_in(p, runs, {at.x, at.y, w, line});
    paint_grid(grid);
    const std::string id =
        std::string(name_of_side(side)) + (shown == ShownNumber::Size ? "s" : "e");
    take_input(grid, id.c_str(), codec);
    ImGui::SetCursorScreenPos({at.x, grid.area.bottom() + ui.px(10)});
}

}  // namespace

const ChannelMap& ChannelsUi::follow(const RunView& run, const RunFocus& focus) {
    const Key key{run.id, run.moment, focus.request, chosen_vector(run, focus).layer.value, codec};
    if (key_ == key) return map_;
    map_ = focus.request.index() < run.now.requests.size()
               ? channel_map(run, focus.request, LayerId(key.layer), codec)
               : ChannelMap{};
    key_ = key;
    return map_;
}

void draw_channels(const Ui& ui, const RunView& run, RunFocus& focus, ChannelsUi& own) {
    draw_head(ui, run, focus, own);
    const ChannelMap& map = own.follow(run, focus);
    if (map.vectors == 0 && map.of(Side::V).median == 0)
        return paragraph(ui, type::caption(ui), 17, ui.text["channels.none"_t]);
    const std::string_view codec = kPreviewNames[static_cast<std::size_t>(own.codec)];
    for (const Side side : {Side::K, Side::V})
        for (const ShownNumber shown : {ShownNumber::Size, ShownNumber::Error})
            draw_grid(ui, focus, map, side, shown, codec);
    if (map.left_out > 0)
        paragraph(ui, type::caption(ui), 17,
                  fill(ui.text["channels.left_out"_t], {{"n", with_commas(map.left_out)}}));
    ImGui::Dummy({1, 1});
}

}  // namespace kv
