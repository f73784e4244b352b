#include "app/panels/present/run/picture.hpp"

#include <algorithm>

#include "app/panels/present/paint.hpp"
#include "app/panels/stage/paint.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

struct PoolLine {
    List<Vec2> path;
    std::uint32_t column;  // of the pool
    bool strong;
};

// The lines of one column of rows; `n_before` were drawn from the columns before it.
void add_lines(List<PoolLine>& lines, const RunPicturePlan& plan, const RowColumn& column,
               const StagePicture& rows, const PoolGrid& grid, std::size_t n_before) {
    const auto inspected = rows.inspected();
    const float gap = grid.pitch_x - grid.cell_w;
    for (std::size_t i = 0; i < rows.plan.rows.size(); ++i) {
        const StageRow& row = rows.plan.rows[i];
        const auto block =
            row.left_out > 0 ? std::nullopt : rows.entry(rows.focus.request, row.entry);
        if (!block || !grid.is_visible(block->value)) continue;
        const bool strong = inspected && rows.row_of(*inspected) == row.entry;
        if (!strong && grid.look < BlockClass::Label) continue;
        const std::uint32_t at = block->value % grid.columns;
        const auto beside = static_cast<std::size_t>(std::count_if(
            lines.begin(), lines.end(), [at](const PoolLine& line) { return line.column == at; }));
        lines.push_back({present_line(plan, column, rows.on_screen(rows.plan.physical(row)),
                                      grid.cell(block->value), gap, {i, n_before + i, beside}),
                         at, strong});
    }
}

}  // namespace

PresentRunNeeds run_picture_needs(const RunView& run, const RunFocus& focus) {
    const auto n_blocks = static_cast<std::uint32_t>(run.lane().blocks().size());
    return {std::max(1u, run.now.block_size), rows_of(run.lane(), focus.request),
            inspected_row(run.lane(), focus), n_blocks};
}

void draw_run_picture(const Ui& ui, const RunView& run, const RunFocus& focus, StageUi& own,
                      const RunPicturePlan& plan) {
    own.facts.follow(run);
    const Ui tokens = scaled(ui, ui.unit * kPresentTokens), blocks = scaled(ui, plan.pool_unit);
    const PoolGrid grid = fit_pool(plan.pool, run_picture_needs(run, focus).n_blocks, blocks.unit);
    List<PoolLine> lines;
    std::size_t n_before = 0;
    for (const RowColumn& column : plan.columns) {
        const StagePicture rows{tokens, run, focus, own, column.stage, column.origin, grid, {}, {}};
        add_lines(lines, plan, column, rows, grid, n_before);
        n_before += column.stage.rows.size();
    }
    StagePlan pool_plan;
    pool_plan.learn = true;
    pool_plan.pool_head = plan.pool_head, pool_plan.pool = plan.pool;
    const StagePicture pool{blocks, run, focus, own, pool_plan, {0, 0}, grid, {}, {}};
    // The line in question lies over the others.
    for (const bool strong : {false, true})
        for (const PoolLine& line : lines)
            if (line.strong == strong)
                connector(Painter(ui), line.path,
                          {.color = strong ? ui.colors.focus : pool.hue(focus.request).ink,
                           .halo = ui.colors.panel,
                           .width = strong ? 4.0f : 2.6f,
                           .radius = 6,
                           .head = false});
    for (const RowColumn& column : plan.columns)
        paint_rows({tokens, run, focus, own, column.stage, column.origin, grid, {}, {}});
    paint_pool_head(pool);
    paint_pool(pool);
}

}  // namespace kv
