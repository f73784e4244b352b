#include "core/engine/cpu/rounds.hpp"

#include <utility>

namespace kv::cpu {
namespace {

constexpr std::size_t kAsksOfTile = 3;

// One for each group of passes over the same slots of heads that share pages of the machine.
std::vector<ReadAhead> read_ahead_of(const KvLayout& layout, std::span<const Pass> passes) {
    const std::size_t heads = heads_in_machine_page(layout);
    std::vector<ReadAhead> all;
    for (std::size_t i = 0, end = 0; i < passes.size(); i = end) {
        const Keys& first = passes[i].keys;
        for (end = i + 1; end < passes.size(); ++end) {
            const Keys& keys = passes[end].keys;
            if (keys.query != first.query || keys.begin != first.begin ||
                keys.head.index() / heads != first.head.index() / heads)
                break;
        }
        all.emplace_back(i, end);
    }
    return all;
}

}  // namespace

Rounds::Rounds(const KvLayout& layout, std::span<Pass> passes)
    : layout_(layout),
      passes_(passes),
      now_(passes.size()),
      next_(passes.size()),
      ahead_(read_ahead_of(layout, passes)) {
    has_more_ = take_next();
    for (ReadAhead& ahead : ahead_) ahead.ask(layout_, next_, 1, 1);
}

bool Rounds::next() {
    if (!has_more_) return false;
    std::swap(now_, next_);
    has_more_ = take_next();
    return true;
}

// The next tile of every pass; false when there are none.
bool Rounds::take_next() {
    bool any = false;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
        Pass& pass = passes_[i];
        const std::uint32_t end = next_cut(pass.slot, kTileKeys, pass.keys.end);
        pass.walk.gather(pass.slot, end, next_[i].keys, next_[i].values);
        pass.slot = end;
        any = any || next_[i].keys.n > 0;
    }
    for (ReadAhead& ahead : ahead_) ahead.begin_round(next_);
    return any;
}

ReadTile* Rounds::start(std::size_t pass) {
    share_ = pass * kAsksOfTile;
    return now_[pass].keys.n > 0 ? &now_[pass] : nullptr;
}

void Rounds::ask() {
    ++share_;
    for (ReadAhead& ahead : ahead_) ahead.ask(layout_, next_, share_, passes_.size() * kAsksOfTile);
}

}  // namespace kv::cpu
