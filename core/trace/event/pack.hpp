#pragma once
// Events as few bytes, which is how a trace keeps millions of them: whole numbers in groups of
// seven bits, lists with their length in front. The packed form lives in memory only; files are
// JSON.

#include <cstddef>
#include <vector>

#include "core/trace/event/log.hpp"

namespace kv {

using PackedBytes = std::vector<unsigned char>;

void pack(const Event& event, PackedBytes& bytes);
// Reads the event at `at` and moves `at` behind it. The bytes are pack()'s own.
Event unpack(const PackedBytes& bytes, std::size_t& at);

}  // namespace kv
