#pragma once
// The sentence of a reason in memory that is reused: for the log, which writes many in every frame.

#include "core/base/reused_text.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

Text reason_text(const Reason& reason, const NameOfRequest& name);  // the same as text_of()

}  // namespace kv
