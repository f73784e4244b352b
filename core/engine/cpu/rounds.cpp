#include "core/engine/cpu/rounds.hpp"

#include <utility>

namespace kv::cpu {
namespace {

constexpr std::size_t kAsksOfTile = 3;

// One ReadAhead for each group of runs over the same slots of heads that share pages of the
// machine.
std::vector<ReadAhead> read_ahead_of(const KvLayout& layout, std::span<const KeyRun> runs) {
    const std::size_t heads = heads_in_machine_page(layout);
    std::vector<ReadAhead> all;
    for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
        const HeadKeys& first = runs[i].keys;
        for (end = i + 1; end < runs.size(); ++end) {
            const HeadKeys& keys = runs[end].keys;
            if (keys.query != first.query || keys.begin != first.begin ||
                keys.head.index() / heads != first.head.index() / heads)
                break;
        }
        all.emplace_back(i, end);
    }
    return all;
}

}  // namespace

Rounds::Rounds(const KvLayout& layout, std::span<KeyRun> runs)
    : layout_(layout),
      runs_(runs),
      now_(runs.size()),
      next_(runs.size()),
      ahead_(read_ahead_of(layout, runs)) {
    has_more_ = take_next();
    for (ReadAhead& ahead : ahead_) ahead.ask(layout_, next_, 1, 1);
}

bool Rounds::next() {
    if (!has_more_) return false;
    std::swap(now_, next_);
    has_more_ = take_next();
    return true;
}

// The next tile of every run; false when there are none.
bool Rounds::take_next() {
    bool any = false;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        KeyRun& run = runs_[i];
        const std::uint32_t end = next_cut(run.slot, kTileKeys, run.keys.end);
        run.walk.gather(run.slot, end, next_[i].keys, next_[i].values);
        run.slot = end;
        any = any || next_[i].keys.n > 0;
    }
    for (ReadAhead& ahead : ahead_) ahead.begin_round(next_);
    return any;
}

ReadTile* Rounds::start(std::size_t run) {
    share_ = run * kAsksOfTile;
    return now_[run].keys.n > 0 ? &now_[run] : nullptr;
}

void Rounds::ask() {
    ++share_;
    for (ReadAhead& ahead : ahead_) ahead.ask(layout_, next_, share_, runs_.size() * kAsksOfTile);
}

}  // namespace kv::cpu
