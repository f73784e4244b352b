#pragma once
// The sentence of a reason in the words of whoever draws it, in memory that is reused: for the log,
// which writes many in every frame.

#include <functional>

#include "core/base/reused_text.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

// What stands for an English text: "it needs {a} {a:block|blocks} at its longest and the pool has
// {b}", whose places are filled afterwards.
using InWords = std::function<Text(std::string_view english)>;
Text reason_text(const Reason& reason, const NameOfRequest& name, const InWords& words);

}  // namespace kv
