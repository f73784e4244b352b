#pragma once
// Six ways to give token slots of one pool to requests, behind one small interface. An allocator
// keeps the books of slots only: who runs, waits or is preempted is the race's business (race.hpp).
// Slots are tokens; no tensor exists.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

// Orca (...) is what the PagedAttention paper (Kwon et al., arXiv 2309.06180) calls the same rule.
enum class AllocatorKind {
    Max,       // Orca (Max): one region of the model's maximum for each request (buddy heap)
    Pow2,      // Orca (Pow2): prompt plus the output rounded up to a power of two (buddy heap)
    Oracle,    // Orca (Oracle): prompt plus the output, known beforehand (buddy heap)
    FirstFit,  // one region in the first gap that is large enough
    Grow,      // doubles a region when it is full: allocate, copy, free
    Paged,     // blocks one at a time, wherever they are
};

const std::vector<AllocatorKind>& all_allocators();
std::string_view name_of(AllocatorKind kind);  // "first_fit"
std::optional<AllocatorKind> parse_allocator(std::string_view name);

struct PoolRules {
    u64 slots = 15'728;                   // 12 GiB of OPT-13B
    u64 block_size = 16;                  // of paged; grow starts at whole blocks too
    u64 max_length = 2048;                // what max reserves, and the cap of pow2
    bool first_fit_reserves_max = false;  // else prompt + output, as oracle does
    bool admission_control = true;        // false: no watermark, nothing is refused for its length
};

struct Demand {
    u64 prompt, output;
    u64 made = 0;  // tokens that it had before a preemption; stored again at once

    u64 stored() const { return prompt + made; }
    u64 total() const { return prompt + output; }
};

// What a request holds. The address of a paged holding means nothing: any free block will do.
struct Holding {
    u64 slots = 0;
    u64 address = 0;
};

// Why a request finds no place: it asks for so many slots, these have to be one piece of that
// length, and the longest one that may be given is shorter.
struct Wanted {
    u64 slots = 0, piece = 0, longest = 0;
};

class Allocator {
public:
    virtual ~Allocator() = default;

    // Could an empty pool carry this request to its last token?
    virtual bool can_ever_hold(const Demand& demand) const = 0;
    // All or nothing. `idle`: nothing runs, so holding anything back would help nobody.
    virtual std::optional<Holding> admit(const Demand& demand, bool idle) = 0;
    // What admit() would look for while something runs. Changes nothing.
    virtual Wanted wanted(const Demand& demand) const = 0;
    // Room for one token more than `holding` has slots; false leaves it as it was.
    virtual bool grow(Holding& holding) = 0;
    // How many pieces came back to the pool: blocks, or one region.
    virtual u64 give_back(const Holding& holding) = 0;

    u64 held() const { return held_; }                  // slots of all holdings
    u64 peak() const { return peak_; }                  // copies in flight included
    u64 slots_copied() const { return slots_copied_; }  // tokens that growing moved
    u64 copies() const { return copies_; }

protected:
    void hold(u64 slots) {
        held_ += slots;
        if (held_ > peak_) peak_ = held_;
    }
    void drop(u64 slots) { held_ -= slots; }
    void count_copy(u64 slots) {
        slots_copied_ += slots;
        ++copies_;
    }

private:
    u64 held_ = 0, peak_ = 0, slots_copied_ = 0, copies_ = 0;
};

std::unique_ptr<Allocator> make_allocator(AllocatorKind kind, const PoolRules& rules);

// Blocks that admission leaves free while something runs: one in a hundred, rounded up.
u64 watermark_blocks(u64 blocks);
bool admits(u64 needed, u64 free, u64 held_back);

// Slots that max, pow2, oracle and first_fit reserve; `largest` is the longest region that the pool
// can ever give. A request that is longer than the model's maximum gets a region of its own length.
u64 reservation(AllocatorKind kind, const Demand& demand, const PoolRules& rules, u64 largest);

}  // namespace kv
