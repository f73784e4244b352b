#pragma once
// Where a server reports in full (kv_cache_report_mode), a prefix that a request hit is announced
// again, from its start, in each group of layers: by the same event that stores a prefix. What was
// a hit is seen by what is cached: a request hits a prefix only where every group still holds its
// end, and a group with a window all of it that the window reaches. What is stored beneath a block
// never is such a report, even if it is a copy.

#include "core/attach/tank/tank.hpp"

namespace kv {

bool announces_a_hit(const BlockTree& tree, const std::vector<Shelf>& shelves,
                     const ServerStored& event, std::int64_t rank);

}  // namespace kv
