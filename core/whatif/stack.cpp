#include "core/whatif/stack.hpp"

#include <algorithm>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr u64 kAsksBetweenNews = 256;       // of progress
constexpr std::size_t kLeastPlaces = 1024;  // of a stack that has few blocks

std::size_t lowest_bit(std::size_t n) {
    return n & (~n + 1);  // 12 = 0b1100: 4
}

// Blocks in the order of their last use, each at a place of its own; later places were used later.
// A Fenwick tree counts those behind a place: sums_[p] is how many blocks lie in the last
// lowest_bit(p) places up to p. So the blocks up to place 12 are sums_[12] (9 to 12) and sums_[8]
// (1 to 8). When the places run out the blocks move together.
class UseOrder {
public:
    explicit UseOrder(std::size_t n_blocks) : place_(n_blocks, 0) {}

    void clear() {
        for (const std::uint32_t block : at_)
            if (block != kNoBlock) place_[block] = 0;
        at_.assign(1, kNoBlock);
        sums_.assign(1, 0);
        n_ = 0;
        next_ = 1;
    }
    u64 size() const { return n_; }

    // 1 for the one used last.
    std::uint32_t depth(std::uint32_t block) const {
        const std::uint32_t place = place_[block];
        if (place == 0) return kNeverStored;
        return static_cast<std::uint32_t>(n_ - sum(place - 1));
    }
    void take_out(std::uint32_t block) {
        std::uint32_t& place = place_[block];
        if (place == 0) return;
        add(place, -1);
        at_[place] = kNoBlock;
        place = 0;
        --n_;
    }
    void put_last(std::uint32_t block) {
        if (next_ >= at_.size()) make_room();
        place_[block] = static_cast<std::uint32_t>(next_);
        at_[next_] = block;
        add(next_, 1);
        ++next_;
        ++n_;
    }

private:
    static constexpr std::uint32_t kNoBlock = 0xFFFFFFFFu;

    u64 sum(std::size_t upto) const {
        u64 total = 0;
        for (; upto > 0; upto -= lowest_bit(upto)) total += sums_[upto];
        return total;
    }
    void add(std::size_t place, int by) {
        for (; place < sums_.size(); place += lowest_bit(place))
            sums_[place] = static_cast<std::uint32_t>(static_cast<std::int64_t>(sums_[place]) + by);
    }
    void make_room() {
        std::vector<std::uint32_t> kept;
        for (const std::uint32_t block : at_)
            if (block != kNoBlock) kept.push_back(block);
        const std::size_t room = std::max(kLeastPlaces, 2 * kept.size()) + 1;
        at_.assign(room, kNoBlock);
        sums_.assign(room, 0);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            at_[i + 1] = kept[i];
            place_[kept[i]] = static_cast<std::uint32_t>(i + 1);
            add(i + 1, 1);
        }
        next_ = kept.size() + 1;
    }

    std::vector<std::uint32_t> place_;            // by block; 0 is none
    std::vector<std::uint32_t> at_ = {kNoBlock};  // by place, from 1
    std::vector<std::uint32_t> sums_ = {0};
    std::size_t next_ = 1;
    u64 n_ = 0;
};

class OnePass {
public:
    OnePass(const Recording& recording, const WhatIfProgress& progress)
        : recording_(recording), progress_(progress), order_(recording.chains.size()) {}

    std::optional<StackDepths> run() {
        StackDepths all;
        for (const AskStream& stream : recording_.streams) {
            StackDepths::Stream& out = all.streams.emplace_back();
            order_.clear();
            out.epochs.push_back({0, 0});
            for (std::size_t i = 0; i < stream.asks.size(); ++i) {
                if (stream.asks[i].after_clear) {
                    out.epochs.back().distinct = order_.size();
                    out.epochs.push_back({i, 0});
                    order_.clear();
                }
                ask(stream.asks[i], out.depths);
                if (progress_ && ++asked_ % kAsksBetweenNews == 0 && !progress_(done()))
                    return std::nullopt;
            }
            out.epochs.back().distinct = order_.size();
        }
        return all;
    }

private:
    // First all depths are read, then all blocks of the chain are used, the first one last: of a
    // pool that is too small for the chain the beginning stays.
    void ask(const BlockAsk& one, std::vector<std::uint32_t>& depths) {
        recording_.chains.walk(one.last, path_);
        for (const ChainId block : path_) depths.push_back(order_.depth(block.value));
        for (const ChainId block : path_) order_.take_out(block.value);
        for (std::size_t i = path_.size(); i-- > 0;) order_.put_last(path_[i].value);
    }
    double done() const {
        return static_cast<double>(asked_) / static_cast<double>(recording_.n_asks());
    }

    const Recording& recording_;
    const WhatIfProgress& progress_;
    UseOrder order_;
    std::vector<ChainId> path_;
    u64 asked_ = 0;
};

}  // namespace

std::optional<StackDepths> stack_depths(const Recording& recording,
                                        const WhatIfProgress& progress) {
    const u64 references = recording.n_blocks();
    if (references > kMostReferences)
        throw Error{ErrorCode::World, "The recording asks " + with_commas(references) +
                                          " times for a block, and at most " +
                                          with_commas(kMostReferences) +
                                          " can be weighed; give a shorter one."};
    return OnePass(recording, progress).run();
}

}  // namespace kv
