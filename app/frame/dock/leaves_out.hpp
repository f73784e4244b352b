#pragma once
// The link at the right end of every panel's tab bar, and the note behind it: what the picture
// leaves out.

#include <functional>
#include <span>

#include "app/frame/state/layout.hpp"
#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

using PanelCaption = std::function<Text(PanelId)>;

// `caption` is what stands quietly before the link, where there is room for it.
// `open_focused` opens the note of the panel that has the keyboard, for those who do not use a
// mouse.
void draw_leaves_out_links(const Ui& ui, LayoutName layout, std::span<const PanelId> panels,
                           const PanelCaption& caption, bool open_focused);

// The same link on a line of its own, at the top of the current panel: for docks whose tabs fill
// the bar.
void draw_leaves_out_line(const Ui& ui, PanelId panel, bool open);

}  // namespace kv
