#pragma once
// Models that lie beside another one and may draft for it: siblings by their folder's name, with
// the same words.

#include <string>

#include "core/engine/run/memory/parts.hpp"
#include "core/model/checkpoint/checkpoint.hpp"

namespace kv {

// What keeps that model from drafting for `of`, as a sentence; nothing when all is well. No weights
// are read for it.
std::string sibling_objection(const Checkpoint& of, const std::string& name);
// Each is loaded when a run first asks for it, and kept as long as somebody drafts with it.
DrafterFinder siblings_of(const Checkpoint& of);

}  // namespace kv
