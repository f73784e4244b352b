#pragma once
// The panels of a watched server. While nothing is watched each says so.

#include "app/panels/attach/ui.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_attach_strip(const Ui& ui, AttachUi& own);
void draw_attach_pool(const Ui& ui, AttachUi& own);
void draw_attach_tree(const Ui& ui, AttachUi& own);
void draw_attach_lost(const Ui& ui, AttachUi& own);
void draw_attach_charts(const Ui& ui, AttachUi& own);
void draw_attach_ages(const Ui& ui, AttachUi& own);
void draw_attach_log(const Ui& ui, AttachUi& own);
void draw_attach_stream(const Ui& ui, AttachUi& own);

void draw_attach_page(const Ui& ui, AttachUi& own);
void draw_attach_server(const Ui& ui, AttachUi& own);
void draw_attach_wire(const Ui& ui, AttachUi& own);

}  // namespace kv
