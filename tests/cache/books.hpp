#pragma once
// A cache as a test holds it: with a trace that listens, bytes that really move, and the events
// that an engine would add. audit() compares all of them; every operation of a careful book ends
// with it.

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/trace.hpp"
#include "tests/cache/byte_mover.hpp"

namespace kv::test {

class Books {
public:
    using Ids = std::vector<std::uint32_t>;

    // A careless one audits only when it is told to; a quiet one keeps no trace.
    explicit Books(const CacheSpec& spec, bool careful = true, bool quiet = false)
        : careful_(careful),
          quiet_(quiet),
          log_(trace_),
          mover_(spec),
          cache_(spec, quiet ? nullptr : &log_, &mover_) {
        mover_.watch(cache_);
        cache_.begin_iteration(1);
        done();
    }
    Books(const Books&) = delete;
    Books& operator=(const Books&) = delete;

    Cache& cache() { return cache_; }
    const Cache& cache() const { return cache_; }
    const Trace& trace() const { return trace_; }
    ByteMover& mover() { return mover_; }
    // How often the cache has said what, by event and reason.
    const std::map<std::string, std::uint64_t>& told() const { return log_.told(); }
    std::uint32_t room(SeqId id) const { return requests_.at(id.value).room; }
    std::uint32_t n_opened() const { return n_opened_; }

    SeqId open(const Ids& tokens, const std::string& salt = {}) {
        const SeqId id(n_opened_++);
        arrive(id, tokens, salt, {});
        cache_.open(id, tokens, salt);
        requests_[id.value].root = salt.size();
        note_tokens(id);
        done();
        return id;
    }
    SeqId fork(SeqId parent, const Ids& more = {}) {
        const SeqId id(n_opened_++);
        Ids tokens(cache_.tokens(parent).begin(), cache_.tokens(parent).end());
        tokens.insert(tokens.end(), more.begin(), more.end());
        arrive(id, tokens, {}, parent);
        cache_.open_fork(id, parent, more);
        requests_[id.value].root = requests_.at(parent.value).root;
        note_tokens(id);
        requests_[id.value].room = cache_.stored(id);
        tell(id, RequestAdmitted{0, cache_.stored(id)});
        done();
        return id;
    }
    void append(SeqId id, std::uint32_t token) {
        tell(id, TokenAdded{token});
        cache_.append(id, token);
        note_tokens(id);
        done();
    }

    // Looks up what is known and gives room for tokens up to `upto`.
    bool admit(SeqId id, std::uint32_t upto, bool look_up = true) {
        const Prefix prefix = look_up ? cache_.find_prefix(id) : Prefix{};
        const bool fits = cache_.missing(id, upto, prefix) <= cache_.free_beside(prefix);
        if (fits)
            tell(id, RequestAdmitted{static_cast<std::uint32_t>(cache_.tokens(id).size()),
                                     std::max(prefix.tokens, cache_.stored(id))});
        return grown(id, upto, prefix, fits);
    }
    bool grow(SeqId id, std::uint32_t upto) {
        const LaneId lane = cache_.tightest_lane(id, upto);
        return grown(id, upto, {},
                     cache_.missing(id, upto, {}, lane) <= cache_.free_beside({}, lane));
    }
    void store(SeqId id, std::uint32_t upto) {
        const std::uint32_t first = cache_.stored(id), size = cache_.spec().block_size;
        for (std::uint32_t t = first; t < upto; ++t) {
            const std::uint32_t slot = cache_.slots(id).slot_of(t);
            mover_.slot(*cache_.table(id)[slot / size], slot % size) =
                bytes_of(requests_[id.value].values[t]);
        }
        tell(id, TokensStored{first, upto - first});
        cache_.set_stored(id, upto);
        done();
    }
    // Everything that it knows, in one go.
    bool run(SeqId id) {
        const auto known = static_cast<std::uint32_t>(cache_.tokens(id).size());
        const bool held = cache_.holds_blocks(id);
        if (!(held ? grow(id, known) : admit(id, known))) return false;
        store(id, known);
        return true;
    }
    // One more token, drawn and computed.
    bool say(SeqId id, std::uint32_t token) {
        append(id, token);
        return run(id);
    }

    // Tokens that a policy gives up; their scores are not the books' business.
    void drop(SeqId id, const Ids& positions, LaneId lane = LaneId(0)) {
        TokensDropped what;
        what.lane = lane;
        what.positions = positions;
        what.scores.resize(positions.size());
        what.ranks.resize(positions.size());
        cache_.drop(id, what, {Why::OverBudget});
        done();
    }
    bool compact(SeqId id, LaneId lane = LaneId(0)) {
        const std::uint64_t n_events = trace_.size();
        const bool moved = cache_.compact(id, lane);
        if (!moved && trace_.size() != n_events)
            throw std::runtime_error("a compaction that failed told an event");
        done();
        return moved;
    }

    void let_go(SeqId id, const Reason& reason = {Why::RoomFor}) {
        tell(id, RequestPreempted{false});
        cache_.let_go(id, reason);
        requests_[id.value].room = 0;
        done();
    }
    void close(SeqId id, const Reason& reason = {Why::RequestEnds}) {
        cache_.close(id, reason);
        tell(id, RequestFinished{Finish::Length});
        requests_.erase(id.value);
        done();
    }
    void swap_out(SeqId id) {
        tell(id, RequestPreempted{true});
        cache_.swap_out(id, {Why::RoomFor});
        requests_[id.value].room = cache_.stored(id);
        done();
    }
    void begin_loads(SeqId id) {
        cache_.begin_loads(id);
        done();
    }
    void finish_loads(SeqId id) {
        cache_.finish_loads(id);
        tell(id, RequestAdmitted{0, cache_.stored(id)});
        done();
    }
    void clear() {
        cache_.clear_prefixes();
        done();
    }

    // Throws when something does not agree with something else.
    void audit() {
        for (const Violation& v : cache_.check())
            throw std::runtime_error("I" + std::to_string(v.invariant) + ": " + v.what);
        if (!quiet_) {
            const Snapshot seen = observed();
            if (!(seen == trace_.end())) throw std::runtime_error(listed(seen));
        }
        for (const auto& [id, r] : requests_) audit_bytes(SeqId(id), r.values);
    }

private:
    struct Known {
        std::vector<std::uint64_t> values;  // of each token, with all before it
        std::uint64_t root = 0;
        std::uint32_t room = 0;  // tokens that grow() has made room for
    };
    // Passes on what the cache says, if it could have happened.
    class Log : public EventLog {
    public:
        explicit Log(Trace& trace) : trace_(trace) {}
        void append(const Event& event) override {
            if (const auto wrong = why_not_applicable(trace_.end(), event))
                throw std::runtime_error("event " + std::string(name_of(event.what)) +
                                         " cannot happen: " + wrong->field + " " + wrong->rule);
            trace_.append(event);
            ++told_[std::string(name_of(event.what)) + " " +
                    std::string(name_of(event.reason.why))];
        }
        const std::map<std::string, std::uint64_t>& told() const { return told_; }

    private:
        std::map<std::string, std::uint64_t> told_;
        Trace& trace_;
    };

    void tell(SeqId id, EventBody what) {
        if (!quiet_) trace_.append({1, id, {}, std::move(what)});
    }
    void arrive(SeqId id, const Ids& tokens, const std::string& salt, std::optional<SeqId> parent) {
        const auto most = static_cast<std::uint32_t>(tokens.size());
        tell(id, RequestArrived{.name = "r" + std::to_string(id.value),
                                .prompt = tokens,
                                .max_new = most,
                                .salt = salt,
                                .parent = parent});
    }
    void note_tokens(SeqId id) {
        Known& known = requests_[id.value];
        const auto tokens = cache_.tokens(id);
        while (known.values.size() < tokens.size())
            known.values.push_back(
                value_after(known.values.empty() ? known.root : known.values.back(),
                            tokens[known.values.size()]));
    }
    bool grown(SeqId id, std::uint32_t upto, const Prefix& prefix, bool fits) {
        const bool compare = careful_ && !fits && !quiet_;
        const Snapshot before = compare ? observed() : Snapshot{};
        const std::uint64_t n_events = trace_.size();
        const bool grew = cache_.grow(id, upto, prefix);
        if (grew != fits) throw std::runtime_error("I05: grow() and missing() do not agree");
        if (!grew && trace_.size() != n_events)
            throw std::runtime_error("I05: a failed grow() told an event");
        if (compare && !(observed() == before))
            throw std::runtime_error("I05: a failed grow() changed the state");
        if (grew) {
            std::uint32_t& room = requests_[id.value].room;
            room = std::max({room, upto, cache_.stored(id)});
        }
        done();
        return grew;
    }
    Snapshot observed() const {
        Snapshot seen = trace_.end();
        cache_.observe(seen);
        return seen;
    }
    std::string listed(const Snapshot& seen) const {
        std::string all = "observed and applied differ:";
        for (const std::string& one : differences(seen, trace_.end())) all += " " + one + ";";
        return all;
    }
    void audit_bytes(SeqId id, const std::vector<std::uint64_t>& values) {
        if (cache_.is_loading(id) || cache_.is_swapped(id)) return;
        const std::uint32_t size = cache_.spec().block_size;
        const SlotMap& slots = cache_.slots(id);
        for (const std::uint32_t t : slots.kept(cache_.stored(id))) {
            const std::uint32_t slot = slots.slot_of(t);
            const BlockId block = *cache_.table(id)[slot / size];
            // Found before its owner has computed it, in the same iteration.
            if (Tamper::filled(cache_, block) <= slot % size) continue;
            if (mover_.slot(block, slot % size) != bytes_of(values[t]))
                throw std::runtime_error("I12: token " + std::to_string(t) + " of request " +
                                         std::to_string(id.value) + " has other bytes in block " +
                                         std::to_string(block.value));
        }
    }
    void done() {
        if (careful_) audit();
    }

    bool careful_, quiet_;
    Trace trace_;
    Log log_;
    ByteMover mover_;
    Cache cache_;
    std::map<std::uint32_t, Known> requests_;
    std::uint32_t n_opened_ = 0;
};

}  // namespace kv::test
