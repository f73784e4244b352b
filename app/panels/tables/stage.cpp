// The Stage as tables: the tokens in focus, every block table, the pool and the tiers behind it.

#include <array>

#include "app/panels/tables/tables.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

// In the order of BlockState and of PlaceState.
constexpr std::array<const char*, 3> kBlockStates{"free", "cached", "used"};
constexpr std::array<const char*, 4> kPlaceStates{"free", "arriving", "held", "leaving"};

TableCell whole_cell(std::uint64_t n) {
    return n;
}

DataTable tokens_of(const RunView& run, const RunFocus& focus) {
    DataTable table{.name = "tokens",
                    .title = "Tokens of request " + name_of_request(run.now, focus.request),
                    .columns = {{"position"},
                                {"token"},
                                {"word"},
                                {"stored"},
                                {"logical block"},
                                {"physical block"},
                                {"slot"}},
                    .rows = {}};
    if (focus.request.index() >= run.now.requests.size()) return table;
    const RequestView& request = run.now.requests[focus.request.index()];
    for (std::uint32_t i = 0; i < request.tokens.size(); ++i) {
        const auto place = place_of_token(run.lane(), {focus.request, i});
        table.add(whole_cell(i), whole_cell(request.tokens[i]), run.word(request.tokens[i]),
                  i < request.stored, place ? whole_cell(place->entry) : TableCell(),
                  place ? whole_cell(place->block.value) : TableCell(),
                  place ? whole_cell(place->slot.value) : TableCell());
    }
    return table;
}

DataTable block_tables_of(const LaneAt& lane) {
    DataTable table{.name = "block_tables",
                    .title = "Block tables",
                    .columns = {{"request"}, {"logical block"}, {"physical block"}},
                    .rows = {}};
    for (const SeqId request : requests_in_order(lane.now)) {
        const Table* entries = lane.table(request);
        for (std::uint32_t i = 0; entries != nullptr && i < entries->size(); ++i) {
            const TableEntry block = (*entries)[i];
            table.add(name_of_request(lane.now, request), whole_cell(i),
                      block ? whole_cell(block->value) : TableCell());
        }
    }
    return table;
}

DataTable pool_of(const LaneAt& lane) {
    DataTable table{
        .name = "pool",
        .title = "Device pool",
        .columns = {{"block"}, {"state"}, {"references"}, {"filled slots"}, {"slots"}, {"held by"}},
        .rows = {}};
    const auto holders = all_holders(lane);
    const auto& blocks = lane.blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const BlockView& block = blocks[i];
        std::string held;
        for (const Holder& holder : holders[i])
            held += (held.empty() ? "" : " ") + name_of_request(lane.now, holder.request);
        table.add(whole_cell(i), std::string(kBlockStates[static_cast<std::size_t>(block.state())]),
                  whole_cell(block.ref_count), whole_cell(block.filled),
                  whole_cell(lane.now.block_size), held);
    }
    return table;
}

DataTable host_of(const Snapshot& now) {
    DataTable table{
        .name = "host",
        .title = "Host memory",
        .columns = {{"place"}, {"state"}, {"request"}, {"logical block"}, {"filled slots"}},
        .rows = {}};
    for (std::size_t i = 0; i < now.host.size(); ++i) {
        const PlaceView& place = now.host[i];
        table.add(whole_cell(i), std::string(kPlaceStates[static_cast<std::size_t>(place.state)]),
                  place.request ? TableCell(name_of_request(now, *place.request)) : TableCell(),
                  place.request ? whole_cell(place.entry) : TableCell(), whole_cell(place.slots));
    }
    return table;
}

DataTable counts_of(const RunView& run) {
    const PoolCounts counts = count_pool(run.now);
    DataTable table{.name = "counts",
                    .title = "The pool in numbers",
                    .columns = {{"what"}, {"count"}, {"bytes", "B"}},
                    .rows = {}};
    const std::uint64_t token = slot_bytes(run), block = block_bytes(run);
    const auto add = [&](const char* what, std::uint64_t n, std::uint64_t each) {
        table.add(std::string(what), whole_cell(n),
                  each > 0 ? TableCell(whole_cell(n * each)) : TableCell());
    };
    add("blocks", counts.blocks, block);
    add("used blocks", counts.used, block);
    add("cached blocks", counts.cached, block);
    add("free blocks", counts.free, block);
    add("live slots", counts.live_slots, token);
    add("empty slots of used blocks", counts.empty_slots, token);
    if (counts.dead_slots > 0) add("dropped slots of used blocks", counts.dead_slots, token);
    if (counts.host_blocks > 0) add("blocks in host memory", counts.host_held, block);
    return table;
}

}  // namespace

DataTables stage_tables(const RunView& run, const RunFocus& focus) {
    DataTables tables{tokens_of(run, focus), block_tables_of(run.lane()), pool_of(run.lane()),
                      counts_of(run)};
    if (!run.now.host.empty()) tables.push_back(host_of(run.now));
    return tables;
}

}  // namespace kv
