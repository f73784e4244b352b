#include "core/sim/race_trace.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

std::uint32_t small(u64 n) {
    KV_ASSERT(n <= std::numeric_limits<std::uint32_t>::max());
    return static_cast<std::uint32_t>(n);
}

}  // namespace

std::string simulated_request(std::size_t index) {
    constexpr std::string_view kLetters = "ABCDEFGHI";
    std::string name(1, kLetters[index % kLetters.size()]);
    if (index >= kLetters.size()) name += std::to_string(index / kLetters.size() + 1);
    return name;
}

RaceTrace::RaceTrace(const Workload& workload, const PoolRules& pool, EventLog& log)
    : workload_(workload), block_size_(small(pool.block_size)), log_(log) {
    const std::uint32_t n_blocks = small(pool.slots / pool.block_size);
    tell({Why::AtTheStart}, PoolMade{.n_blocks = n_blocks, .block_size = block_size_});
    for (std::uint32_t block = 0; block < n_blocks; ++block) free_.push_back(BlockId(block));
    tables_.resize(workload.size());
    for (std::uint32_t i = 0; i < workload.size(); ++i)
        tell(Reason::arrival(0),
             RequestArrived{.name = simulated_request(i),
                            .prompt = TokenIds(workload[i].prompt, 0),
                            .max_new = workload[i].output},
             SeqId(i));
}

void RaceTrace::finish() {
    if (iteration_ > 0) tell(of_iteration(), IterationFinished{.tokens = tokens_});
}

void RaceTrace::refused(std::uint32_t request, const Demand& demand) {
    const u64 blocks = ceil_div(demand.total(), block_size_);
    tell(Reason::never_fits(blocks, free_.size()), RequestFinished{Finish::Refused},
         SeqId(request));
}

void RaceTrace::admitted(u64 iteration, std::uint32_t request, const Demand& demand,
                         const Holding&) {
    step_to(iteration);
    const u64 needed = ceil_div(demand.stored(), block_size_);
    tell(Reason::first_in_line(needed, free_.size()), RequestAdmitted{}, SeqId(request));
    reach(request, demand.stored());
    store(request, small(demand.stored()));
    running_.push_back(request);
}

void RaceTrace::made(u64 first, u64 count) {
    for (u64 iteration = first; iteration < first + count; ++iteration) {
        step_to(iteration);
        for (const std::uint32_t request : running_) {
            tell(of_iteration(), TokenAdded{0}, SeqId(request));
            store(request, 1);
        }
    }
}

void RaceTrace::grown(u64 iteration, std::uint32_t request, const Holding& holding) {
    step_to(iteration);
    reach(request, holding.slots);
}

void RaceTrace::preempted(u64 iteration, std::uint32_t request) {
    step_to(iteration);
    const Reason reason = Reason::no_room(1, free_.size());
    tell(reason, RequestPreempted{false}, SeqId(request));
    let_go(request, reason);
    std::erase(running_, request);
}

void RaceTrace::finished(u64 iteration, std::uint32_t request, bool leaks) {
    step_to(iteration);
    tell(Reason::max_new(workload_[request].output), RequestFinished{Finish::Length},
         SeqId(request));
    if (!leaks) let_go(request, {Why::RequestEnds, SeqId(request)});
    std::erase(running_, request);
}

Reason RaceTrace::of_iteration() const {
    return Reason::part_of_iteration(iteration_);
}

void RaceTrace::tell(const Reason& reason, EventBody what, std::optional<SeqId> request) {
    log_.append(Event{iteration_, request, reason, std::move(what)});
}

void RaceTrace::step_to(u64 iteration) {
    const std::uint32_t wanted = small(iteration + 1);
    if (wanted == iteration_) return;
    finish();
    iteration_ = wanted, tokens_ = 0;
    tell(of_iteration(), IterationStarted{});
}

void RaceTrace::store(std::uint32_t request, std::uint32_t count) {
    Table& table = tables_[request];
    const Reason reads = count > 1 ? Reason::prompt_chunk(count) : Reason{Why::NextToken};
    tell(reads, TokensScheduled{table.stored, count}, SeqId(request));
    tell(of_iteration(), TokensStored{table.stored, count}, SeqId(request));
    table.stored += count;
    tokens_ += count;
}

void RaceTrace::reach(std::uint32_t request, u64 slots) {
    Table& table = tables_[request];
    while (table.blocks.size() * u64{block_size_} < slots) {
        KV_ASSERT(!free_.empty());
        const BlockId block = free_.front();
        free_.pop_front();
        tell(Reason::stores_tokens(SeqId(request), slots),
             BlockAllocated{LaneId(0), block, small(table.blocks.size())}, SeqId(request));
        table.blocks.push_back(block);
    }
}

// The last of the table first, as the cache does it.
void RaceTrace::let_go(std::uint32_t request, const Reason& reason) {
    Table& table = tables_[request];
    for (std::size_t entry = table.blocks.size(); entry-- > 0;) {
        tell(reason, BlockFreed{LaneId(0), table.blocks[entry], small(entry), false},
             SeqId(request));
        free_.push_back(table.blocks[entry]);
    }
    table = {};
}

}  // namespace kv
