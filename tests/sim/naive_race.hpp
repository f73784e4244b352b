#pragma once
// The race once more, as slowly and plainly as it can be said: a vector of slots with their owners,
// every iteration played, every sum made anew. Shares no code with core/sim but the settings.

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/sim/race.hpp"

namespace kv::test {

struct NaiveSums {
    u64 iterations = 0, saturated = 0, batch = 0, peak_batch = 0, peak_slots = 0;
    u64 tokens = 0, reserved = 0, internal = 0, external = 0, free = 0;  // over saturated ones
    u64 admitted = 0, refused = 0, finished = 0, preemptions = 0, recomputed = 0, generated = 0;
    u64 copies = 0, slots_copied = 0, abandoned = 0, left_waiting = 0, leaked_slots = 0;
};

class NaiveRace {
public:
    NaiveRace(AllocatorKind kind, const Workload& workload, const RaceSettings& settings)
        : kind_(kind), settings_(settings), owner_(settings.pool.slots) {
        for (u64 i = 0; i < workload.size(); ++i) {
            Request r{i, workload[i].prompt, workload[i].output, 0, false, {}};
            if (settings.pool.admission_control && !fits_alone(r))
                ++sums.refused;
            else
                waiting_.push_back(r);
        }
    }

    NaiveSums run() {
        for (;;) {
            while (!waiting_.empty() && admit(waiting_.front())) waiting_.pop_front();
            sums.left_waiting = waiting_.size();
            if (running_.empty()) return sums;
            look();
            for (u64 i = 0; i < running_.size(); ++i) {
                if (running_[i].stored() < running_[i].held()) continue;
                while (i < running_.size() && !grow(running_[i])) preempt_newest();
            }
            for (Request& r : running_) ++r.made, ++sums.generated;
            for (u64 i = 0; i < running_.size();) {
                if (running_[i].made < running_[i].output) {
                    ++i;
                    continue;
                }
                ++sums.finished;
                if (leaks(settings_, running_[i].number))
                    sums.leaked_slots += running_[i].held();
                else
                    release(running_[i]);
                running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            }
            ++sums.iterations;
        }
    }

private:
    struct Request {
        u64 number, prompt, output, made = 0;
        bool came_back = false;
        std::vector<u64> slots;  // that it holds

        u64 stored() const { return prompt + made; }
        u64 held() const { return slots.size(); }
    };

    const PoolRules& pool() const { return settings_.pool; }
    bool in_blocks() const { return kind_ == AllocatorKind::Paged; }
    u64 up_to_blocks(u64 n) const { return (n + pool().block_size - 1) / pool().block_size; }

    bool is_free(u64 from, u64 n) const {
        return std::none_of(owner_.begin() + static_cast<std::ptrdiff_t>(from),
                            owner_.begin() + static_cast<std::ptrdiff_t>(from + n),
                            [](bool used) { return used; });
    }

    std::optional<u64> first_fit(u64 n) const {
        for (u64 at = 0; at + n <= owner_.size(); ++at)
            if (is_free(at, n)) return at;
        return std::nullopt;
    }

    // Whole free blocks of the halving tree below [at, at + size).
    void free_blocks(u64 at, u64 size, std::vector<std::pair<u64, u64>>& found) const {
        if (is_free(at, size)) {
            found.emplace_back(size, at);
        } else if (size > 1) {
            free_blocks(at, size / 2, found);
            free_blocks(at + size / 2, size / 2, found);
        }
    }
    u64 largest_arena() const {
        u64 size = 1;
        while (size * 2 <= owner_.size()) size *= 2;
        return size;
    }
    std::optional<u64> buddy(u64 n, u64& rounded) const {
        for (rounded = 1; rounded < n;) rounded *= 2;
        std::vector<std::pair<u64, u64>> found;
        u64 at = 0;
        for (u64 size = largest_arena(); size > 0; size /= 2) {
            if (owner_.size() - at < size) continue;
            free_blocks(at, size, found);
            at += size;
        }
        std::sort(found.begin(), found.end());
        for (const auto& [size, address] : found)
            if (size >= rounded) return address;
        return std::nullopt;
    }

    u64 wanted(const Request& r) const {
        const u64 total = r.prompt + r.output;
        const bool first = kind_ == AllocatorKind::FirstFit;
        const u64 most = std::min(pool().max_length, first ? owner_.size() : largest_arena());
        u64 pow2 = 1;
        while (pow2 < r.output) pow2 *= 2;
        if (kind_ == AllocatorKind::Max || (first && pool().first_fit_reserves_max))
            return std::max(most, total);
        if (kind_ == AllocatorKind::Pow2) return std::max(std::min(r.prompt + pow2, most), total);
        return total;
    }

    bool fits_alone(const Request& r) const {
        const u64 total = r.prompt + r.output;
        if (in_blocks()) return up_to_blocks(total) <= owner_.size() / pool().block_size;
        if (kind_ == AllocatorKind::FirstFit) return total <= owner_.size();
        if (kind_ != AllocatorKind::Grow) return total <= largest_arena();
        u64 capacity = up_to_blocks(r.prompt) * pool().block_size, sum = capacity;
        while (capacity < total && sum <= owner_.size()) sum += capacity *= 2;
        return sum <= owner_.size();
    }

    void use(Request& r, u64 from, u64 n) {
        for (u64 slot = from; slot < from + n; ++slot) {
            owner_[slot] = true;
            r.slots.push_back(slot);
        }
    }

    // For the buddy heap the rounding is not held by anybody, but nobody else may have it either.
    bool admit(Request r) {
        if (in_blocks()) {
            const u64 free = free_paged(), needed = up_to_blocks(r.stored());
            const u64 blocks = owner_.size() / pool().block_size;
            const u64 back =
                pool().admission_control && !running_.empty() ? (blocks + 99) / 100 : 0;
            if (needed + back > free) return false;
            for (u64 i = 0; i < needed; ++i) take_block(r);
        } else if (kind_ == AllocatorKind::Grow) {
            u64 capacity = up_to_blocks(r.prompt) * pool().block_size;
            while (capacity < r.stored()) capacity *= 2;
            const auto at = first_fit(capacity);
            if (!at) return false;
            use(r, *at, capacity);
        } else if (kind_ == AllocatorKind::FirstFit) {
            const auto at = first_fit(wanted(r));
            if (!at) return false;
            use(r, *at, wanted(r));
        } else {
            u64 rounded = 0;
            const u64 n = wanted(r);
            const auto at = buddy(n, rounded);
            if (!at) return false;
            use(r, *at, n);
            for (u64 slot = *at + n; slot < *at + rounded; ++slot) owner_[slot] = true;
            rounding_ += rounded - n;
        }
        if (r.came_back)
            sums.recomputed += r.stored();
        else
            ++sums.admitted;
        running_.push_back(r);
        sums.peak_batch = std::max<u64>(sums.peak_batch, running_.size());
        note_peak();
        return true;
    }

    u64 free_paged() const {
        const u64 usable = owner_.size() / pool().block_size * pool().block_size;
        u64 free = 0;
        for (u64 at = 0; at < usable; at += pool().block_size) free += owner_[at] ? 0 : 1;
        return free;
    }
    void take_block(Request& r) {
        for (u64 at = 0;; at += pool().block_size)
            if (!owner_[at]) return use(r, at, pool().block_size);
    }

    u64 all_held() const {
        return static_cast<u64>(std::count(owner_.begin(), owner_.end(), true)) - rounding_;
    }
    void note_peak() { sums.peak_slots = std::max(sums.peak_slots, all_held()); }

    bool grow(Request& r) {
        if (in_blocks()) {
            if (free_paged() == 0) return false;
            take_block(r);
            note_peak();
            return true;
        }
        const u64 old = r.held();
        const auto at = first_fit(2 * old);
        if (!at) return false;
        Request bigger = r;
        bigger.slots.clear();
        use(bigger, *at, 2 * old);
        note_peak();
        release(r);
        r = bigger;
        ++sums.copies;
        sums.slots_copied += old;
        return true;
    }

    void release(Request& r) {
        for (const u64 slot : r.slots) owner_[slot] = false;
        const bool in_heap = kind_ == AllocatorKind::Max || kind_ == AllocatorKind::Pow2 ||
                             kind_ == AllocatorKind::Oracle;
        if (in_heap) {
            u64 rounded = 1;
            while (rounded < r.held()) rounded *= 2;
            for (u64 i = r.held(); i < rounded; ++i) owner_[r.slots.front() + i] = false;
            rounding_ -= rounded - r.held();
        }
        r.slots.clear();
    }

    void preempt_newest() {
        Request victim = running_.back();
        running_.pop_back();
        release(victim);
        ++sums.preemptions;
        victim.came_back = true;
        if (running_.empty()) {
            const std::pair<u64, u64> now{victim.number, victim.made};
            if (lonely_ == now) {
                ++sums.abandoned;
                return;
            }
            lonely_ = now;
        }
        waiting_.push_front(victim);
    }

    void look() {
        if (waiting_.empty()) return;
        u64 tokens = 0, reserved = 0;
        for (const Request& r : running_) {
            tokens += r.stored();
            if (!in_blocks()) reserved += std::min(r.output - r.made, r.held() - r.stored());
        }
        const u64 held = all_held(), rest = owner_.size() - held;
        ++sums.saturated;
        sums.batch += running_.size();
        sums.tokens += tokens;
        sums.reserved += reserved;
        sums.internal += held - tokens - reserved;
        (in_blocks() ? sums.free : sums.external) += rest;
    }

    AllocatorKind kind_;
    RaceSettings settings_;
    std::vector<bool> owner_;
    std::deque<Request> waiting_;
    std::vector<Request> running_;  // oldest first
    std::optional<std::pair<u64, u64>> lonely_;
    u64 rounding_ = 0;

public:
    NaiveSums sums;
};

}  // namespace kv::test
