#pragma once
// The panels of Compare while a second server, a recording or another rank stands beside a watched
// server: what differs, both pools on one scale, numbers, curves and lifetimes on one axis each,
// and what steers both.

#include "app/panels/attach/ui.hpp"
#include "app/shell/ui.hpp"
#include "app/widgets/tags.hpp"

namespace kv {

void draw_servers_summary(const Ui& ui, const AttachUi& own);
void draw_servers_side(const Ui& ui, const AttachUi& own, CompareSide side);
void draw_servers_numbers(const Ui& ui, const AttachUi& own);
void draw_servers_charts(const Ui& ui, const AttachUi& own);
void draw_servers_ages(const Ui& ui, const AttachUi& own);
void draw_servers_stream(const Ui& ui, const AttachUi& own);

// "both on the servers' clock", or that each begins at its own start.
Text servers_clock_caption(const Ui& ui, const AttachUi& own);

}  // namespace kv
