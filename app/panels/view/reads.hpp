#pragma once
// What the queries of a step look at where a policy chooses among blocks: read off the events,
// since the state does not change by it. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/panels/view/run.hpp"

namespace kv {

// How many blocks of how many each query head reads in the layer of the operation in progress; none
// where the query at that position looks at everything.
struct BlocksChosen {
    std::uint32_t n = 0, of = 0;
};
std::optional<BlocksChosen> blocks_chosen(const RunView& run, SeqId request,
                                          std::uint32_t position);

// Entries of their tables that some query head reads in the layer of the operation in progress,
// rising; of the requests that choose.
using EntriesRead = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // by SeqId
EntriesRead entries_read(const RunView& run);

}  // namespace kv
