#pragma once
// Commands that change the inputs of the bill. The caller keeps what they were, for undo.

#include "app/shell/commands.hpp"

namespace kv {

struct BillInputs;

using BillChange = void (*)(BillInputs& in, const Command& command);
BillChange bill_change(CommandId id);  // null where the command does not change the bill

}  // namespace kv
