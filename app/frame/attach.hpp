#pragma once
// What the commands of a watched server do to what the window remembers of it. Those that concern
// the connection are wishes, which whoever holds it carries out.

#include "app/panels/attach/ui.hpp"
#include "app/shell/commands.hpp"

namespace kv {

// Throws kv::Error for what is refused, state unchanged.
void ask_attach(AttachUi& attach, const Command& command);
// It brings the layout of the server with it.
bool opens_attach(const Command& command);

}  // namespace kv
