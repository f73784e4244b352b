#pragma once
// A small server that exists only to make events which could have happened: requests arrive, get
// blocks, share, fork, are paused and preempted, and end. It keeps its own simple books and never
// looks at a snapshot, so that what it tells can judge apply(), the import and the metrics.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/trace/event/event.hpp"
#include "core/trace/trace.hpp"
#include "tests/trace/random_event.hpp"

namespace kv::test {

class Story {
public:
    struct Shape {
        std::uint32_t n_blocks = 24, block_size = 4, n_lanes = 1, n_host = 4;
    };
    Story(EventLog& log, std::uint64_t seed, Shape shape)
        : log_(log), dice_(seed, 7), shape_(shape) {
        tell({}, {Why::ByCommand},
             PoolMade{.n_blocks = shape.n_blocks,
                      .block_size = shape.block_size,
                      .n_lanes = shape.n_lanes,
                      .n_host = shape.n_host,
                      .n_file = 2,
                      .free_list = {3, 1}});
        for (std::uint32_t lane = 0; lane < shape.n_lanes; ++lane) {
            free_.emplace_back();
            for (std::uint32_t b = 0; b < shape.n_blocks; ++b) free_.back().insert(b);
            refs_.emplace_back(shape.n_blocks);
        }
        for (std::uint32_t p = 0; p < shape.n_host; ++p) free_places_.insert(p);
    }
    Story(EventLog& log, std::uint64_t seed) : Story(log, seed, Shape{}) {}

    void iterations(std::uint32_t n) {
        for (std::uint32_t i = 0; i < n; ++i) iteration();
    }

private:
    struct Request {
        std::uint32_t tokens = 0, stored = 0, max_new = 0, made = 0;
        enum { Waiting, Running, Paused, Over } state = Waiting;
        std::vector<std::vector<std::uint32_t>> tables;
    };

    void tell(std::optional<SeqId> request, Reason reason, EventBody what) {
        log_.append({iteration_, request, reason, std::move(what)});
    }
    static SeqId id(std::size_t r) { return SeqId(static_cast<std::uint32_t>(r)); }

    void iteration() {
        if (dice_.one_in(2)) arrive();
        if (dice_.one_in(9))
            tell({}, {Why::ByCommand}, SettingChanged{"seed", std::to_string(dice_.below(9))});
        if (dice_.one_in(15))
            tell({}, {Why::SettingRefused}, CommandRefused{"set \"x\"\n", "no such\tsetting"});
        ++iteration_;
        tell({}, Reason::part_of_iteration(iteration_), IterationStarted{});
        for (const Op op : {Op::Embed, Op::Append, Op::Attend, Op::Mlp, Op::Logits})
            tell({}, Reason::part_of_iteration(iteration_),
                 Operation{op, op == Op::Attend ? std::optional(LayerId(0)) : std::nullopt,
                           dice_.bits64(), 100 + dice_.below(9), 10 + dice_.below(9),
                           0.1 * dice_.below(99)});
        std::uint32_t computed = 0;
        for (std::size_t r = 0; r < requests_.size(); ++r) computed += turn(r);
        move_cached();
        tell({}, Reason::part_of_iteration(iteration_),
             IterationFinished{.tokens = computed, .us = 1.0 / 3 + dice_.below(1000)});
    }

    void arrive() {
        Request request;
        request.tokens = 1 + dice_.below(4 * shape_.block_size);
        request.max_new = 1 + dice_.below(9);
        request.tables.resize(shape_.n_lanes);
        std::optional<SeqId> parent;
        if (!requests_.empty() && dice_.one_in(4))
            parent = id(dice_.below(static_cast<std::uint32_t>(requests_.size())));
        TokenIds prompt(request.tokens);
        for (std::uint32_t& token : prompt) token = dice_.below(512);
        RequestArrived arrived{"r" + std::to_string(requests_.size()) + " \"\xC3\xBC\x01",
                               prompt,
                               {1, 2},
                               request.max_new,
                               -3,
                               "salt",
                               parent};
        requests_.push_back(request);
        tell(id(requests_.size() - 1), Reason::arrival(iteration_), std::move(arrived));
    }

    std::uint32_t turn(std::size_t r) {
        Request& request = requests_[r];
        if (request.state == Request::Over) return 0;
        if (request.state == Request::Paused) {
            if (dice_.one_in(3)) {
                request.state = Request::Waiting;
                tell(id(r), {Why::ByCommand}, RequestResumed{});
            }
            return 0;
        }
        if (request.state == Request::Waiting) {
            if (!admit(r)) return 0;
        } else if (dice_.one_in(20)) {
            preempt(r);
            return 0;
        } else if (dice_.one_in(25)) {
            request.state = Request::Paused;
            tell(id(r), {Why::ByCommand}, RequestPaused{});
            return 0;
        }
        return compute(r);
    }

    bool admit(std::size_t r) {
        Request& request = requests_[r];
        // What a request that comes from a pause still holds, it goes on with.
        if (need(request, request.tokens) > free_[0].size()) {
            tell(id(r), Reason::no_room(need(request, request.tokens), free_[0].size()),
                 RequestWaits{});
            return false;
        }
        request.state = Request::Running;
        if (request.stored == 0 && shape_.n_lanes == 1 && dice_.one_in(2)) share(r);
        tell(id(r), Reason::first_in_line(1, 2), RequestAdmitted{request.tokens, request.stored});
        if (dice_.one_in(5))
            tell(id(r), {Why::ByCommand}, PriorityChanged{dice_.one_in(2) ? 5 : -5});
        return true;
    }

    // Begins with the first full block of another request; that block may be idle and cached.
    void share(std::size_t r) {
        Request& request = requests_[r];
        if (cached_.empty() || request.tokens <= shape_.block_size) return;
        const std::uint32_t b = cached_.begin()->first;
        free_[0].erase(b);
        ++refs_[0][b];
        request.tables[0].push_back(b);
        request.stored = shape_.block_size;
        tell(id(r), Reason::same_prefix(id(0), shape_.block_size),
             BlockShared{LaneId(0), BlockId(b), 0});
    }

    std::uint32_t entries(std::uint32_t tokens) const {
        return (tokens + shape_.block_size - 1) / shape_.block_size;
    }
    std::uint32_t need(const Request& request, std::uint32_t upto) const {
        const auto have = static_cast<std::uint32_t>(request.tables[0].size());
        return std::max(entries(upto), have) - have;
    }

    std::uint32_t compute(std::size_t r) {
        Request& request = requests_[r];
        if (need(request, request.tokens) > free_[0].size()) {
            preempt(r);
            return 0;
        }
        const std::uint32_t first = request.stored, count = request.tokens - first;
        tell(id(r), Reason::prompt_chunk(count), TokensScheduled{first, count});
        if (first % shape_.block_size != 0) copy_if_shared(r, first);
        for (std::uint32_t lane = 0; lane < shape_.n_lanes; ++lane)
            while (request.tables[lane].size() < entries(request.tokens)) take(r, lane);
        tell(id(r), Reason::computed(count), TokensStored{first, count});
        request.stored = request.tokens;
        if (shape_.n_lanes == 1) publish(r);
        ++request.tokens;
        ++request.made;
        const bool forced = request.made <= 2 && r % 3 == 0;
        tell(id(r), forced ? Reason::forced(1) : Reason{Why::MostProbable},
             TokenAdded{dice_.below(512)});
        if (!forced && request.made >= request.max_new) finish(r);
        return count;
    }

    void take(std::size_t r, std::uint32_t lane) {
        const std::uint32_t b = *free_[lane].begin();
        if (lane == 0 && cached_.count(b) > 0) {
            const std::uint64_t hash = cached_[b];
            cached_.erase(b);
            tell({}, {Why::ReclaimedFor, id(r)}, BlockRemoved{{hash}, Medium::Device, {b}});
        }
        free_[lane].erase(b);
        ++refs_[lane][b];
        auto& table = requests_[r].tables[lane];
        tell(id(r), Reason::stores_tokens(id(r), 1),
             BlockAllocated{LaneId(lane), BlockId(b), static_cast<std::uint32_t>(table.size())});
        table.push_back(b);
    }

    void copy_if_shared(std::size_t r, std::uint32_t first) {
        Request& request = requests_[r];
        const std::uint32_t entry = first / shape_.block_size;
        for (std::uint32_t lane = 0; lane < shape_.n_lanes; ++lane) {
            const std::uint32_t from = request.tables[lane][entry];
            if (refs_[lane][from] < 2 || free_[lane].empty()) continue;
            const std::uint32_t to = *free_[lane].begin();
            if (lane == 0 && cached_.count(to) > 0) continue;
            free_[lane].erase(to);
            --refs_[lane][from];
            ++refs_[lane][to];
            request.tables[lane][entry] = to;
            tell(id(r), Reason::writes_shared(id(r), 2),
                 BlockCopied{LaneId(lane), BlockId(from), BlockId(to), entry,
                             first % shape_.block_size, 64});
        }
    }

    void publish(std::size_t r) {
        const Request& request = requests_[r];
        if (request.stored < shape_.block_size) return;
        const std::uint32_t b = request.tables[0][0];
        if (cached_.count(b) > 0) return;
        const std::uint64_t hash = dice_.bits64();
        cached_[b] = hash;
        tell(id(r), Reason::block_is_full(shape_.block_size),
             BlockStored{{hash},
                         dice_.one_in(2) ? std::optional<std::uint64_t>(~hash) : std::nullopt,
                         TokenIds(shape_.block_size, 9),
                         shape_.block_size,
                         Medium::Device,
                         {b}});
    }

    void let_go(std::size_t r, Reason reason) {
        Request& request = requests_[r];
        for (std::uint32_t lane = 0; lane < shape_.n_lanes; ++lane) {
            auto& table = request.tables[lane];
            while (!table.empty()) {
                const std::uint32_t b = table.back();
                table.pop_back();
                if (--refs_[lane][b] == 0) free_[lane].insert(b);
                tell(id(r), reason,
                     BlockFreed{LaneId(lane), BlockId(b), static_cast<std::uint32_t>(table.size()),
                                dice_.one_in(3)});
            }
        }
        request.stored = 0;
    }
    void preempt(std::size_t r) {
        requests_[r].state = Request::Waiting;
        tell(id(r), {Why::RoomFor, id(0)}, RequestPreempted{false});
        let_go(r, {Why::RoomFor, id(0)});
    }
    void finish(std::size_t r) {
        requests_[r].state = Request::Over;
        tell(id(r), Reason::max_new(requests_[r].max_new), RequestFinished{Finish::Length});
        let_go(r, {Why::RequestEnds, id(r)});
    }

    // An idle cached block goes to the host, and later is given up there.
    void move_cached() {
        if (shape_.n_lanes > 1) return;
        if (!held_places_.empty() && dice_.one_in(6)) {
            const std::uint32_t place = *held_places_.begin();
            held_places_.erase(place);
            free_places_.insert(place);
            tell({}, Reason::no_host_room(id(0), 1, 0), TierPlaceFreed{Medium::Host, place});
        }
        if (free_places_.empty() || cached_.empty() || !dice_.one_in(4)) return;
        const auto& [b, hash] = *cached_.begin();
        const std::uint32_t place = *free_places_.begin();
        free_places_.erase(place);
        held_places_.insert(place);
        tell({}, {Why::Cold},
             TransferStarted{.from = Medium::Device,
                             .to = Medium::Host,
                             .from_id = b,
                             .to_id = place,
                             .hash = hash,
                             .slots = shape_.block_size,
                             .bytes = 512});
        tell({}, {Why::Cold},
             TransferFinished{.from = Medium::Device,
                              .to = Medium::Host,
                              .from_id = b,
                              .to_id = place,
                              .checksum = dice_.bits64(),
                              .model_us = 1.5,
                              .us = 2.25});
    }

    EventLog& log_;
    Dice dice_;
    Shape shape_;
    std::uint32_t iteration_ = 0;
    std::vector<Request> requests_;
    std::vector<std::set<std::uint32_t>> free_;  // by lane; the lowest number is taken first
    std::vector<std::vector<std::uint32_t>> refs_;
    std::map<std::uint32_t, std::uint64_t> cached_;  // hash by block, also of blocks in use
    std::set<std::uint32_t> free_places_, held_places_;
};

}  // namespace kv::test
