#include "core/trace/snapshot.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/names.hpp"

namespace kv {

std::string_view name_of(RequestState state) {
    constexpr std::array<std::string_view, 6> kNames{"waiting", "running",  "preempted",
                                                     "paused",  "finished", "refused"};
    return name_in(kNames, state);
}

std::vector<BlockId> free_list(const LaneView& lane) {
    std::vector<BlockId> list;
    for (std::uint32_t b = 0; b < lane.blocks.size(); ++b)
        if (lane.blocks[b].state() != BlockState::Used) list.emplace_back(b);
    std::sort(list.begin(), list.end(), [&](BlockId a, BlockId b) {
        return lane.blocks[a.value].ticket < lane.blocks[b.value].ticket;
    });
    return list;
}

namespace {

constexpr std::size_t kMost = 12;  // differences that are worth reading

class Comparison {
public:
    template <class T>
    void field(const std::string& name, const T& a, const T& b) {
        if (a == b || said.size() >= kMost) return;
        said.push_back(name + " differs");
    }
    template <class T>
    void number(const std::string& name, const T& a, const T& b) {
        if (a == b || said.size() >= kMost) return;
        said.push_back(name + ": " + std::to_string(a) + " against " + std::to_string(b));
    }
    std::vector<std::string> said;
};

void compare(Comparison& out, const std::string& name, const BlockView& a, const BlockView& b) {
    out.number(name + " ref_count", a.ref_count, b.ref_count);
    out.number(name + " pins", a.pins, b.pins);
    out.number(name + " filled", a.filled, b.filled);
    out.number(name + " dead", a.dead, b.dead);
    out.field(name + " hash", a.hash, b.hash);
    out.number(name + " ticket", a.ticket, b.ticket);
}

void compare(Comparison& out, const std::string& name, const LaneView& a, const LaneView& b) {
    out.number(name + " blocks", a.blocks.size(), b.blocks.size());
    out.number(name + " used", a.used, b.used);
    out.number(name + " cached", a.cached, b.cached);
    out.number(name + " shared", a.shared, b.shared);
    out.number(name + " live", a.live, b.live);
    out.number(name + " dead", a.dead, b.dead);
    out.number(name + " first ticket", a.first_ticket, b.first_ticket);
    out.number(name + " last ticket", a.last_ticket, b.last_ticket);
    if (a.blocks.size() != b.blocks.size() || a.blocks == b.blocks) return;
    for (std::size_t i = 0; i < a.blocks.size(); ++i)
        if (!(a.blocks[i] == b.blocks[i]))
            compare(out, name + " block " + std::to_string(i), a.blocks[i], b.blocks[i]);
}

void compare(Comparison& out, const RequestView& a, const RequestView& b) {
    const std::string name = "request " + a.name;
    out.field(name + " name", a.name, b.name);
    out.field(name + " state", a.state, b.state);
    out.field(name + " tokens", a.tokens, b.tokens);
    out.number(name + " n_forced", a.n_forced, b.n_forced);
    out.number(name + " n_new", a.n_new, b.n_new);
    out.number(name + " stored", a.stored, b.stored);
    out.number(name + " scheduled", a.scheduled, b.scheduled);
    out.number(name + " cached_prompt", a.cached_prompt, b.cached_prompt);
    out.number(name + " preemptions", a.preemptions, b.preemptions);
    out.field(name + " swapped", a.swapped, b.swapped);
    out.field(name + " finish", a.finish, b.finish);
    out.field(name + " waits", a.waits, b.waits);
    out.field(name + " iterations", std::tie(a.arrived, a.admitted, a.first_token, a.ended),
              std::tie(b.arrived, b.admitted, b.first_token, b.ended));
    out.field(name + " tables", a.tables, b.tables);
    out.field(name + " slots", a.slots, b.slots);
    out.field(name + " draft", a.draft, b.draft);
    out.number(name + " drafter_stored", a.drafter_stored, b.drafter_stored);
    out.field(name + " drafter_blocks", a.drafter_blocks, b.drafter_blocks);
    if (!(a == b)) out.field(name, a, b);
}

}  // namespace

std::vector<std::string> differences(const Snapshot& a, const Snapshot& b) {
    Comparison out;
    out.number("iteration", a.iteration, b.iteration);
    out.field("in_iteration", a.in_iteration, b.in_iteration);
    out.number("block_size", a.block_size, b.block_size);
    out.number("lanes", a.lanes.size(), b.lanes.size());
    for (std::size_t i = 0; i < std::min(a.lanes.size(), b.lanes.size()); ++i)
        compare(out, "lane " + std::to_string(i), a.lanes[i], b.lanes[i]);
    out.field("host tier", a.host, b.host);
    out.field("file tier", a.file, b.file);
    out.number("requests", a.requests.size(), b.requests.size());
    for (std::size_t i = 0; i < std::min(a.requests.size(), b.requests.size()); ++i)
        compare(out, a.requests[i], b.requests[i]);
    out.field("running", a.running, b.running);
    out.field("waiting", a.waiting, b.waiting);
    out.field("paused", a.paused, b.paused);
    out.field("operation", a.operation, b.operation);
    out.field("settings", a.settings, b.settings);
    out.field("drafter", a.drafter, b.drafter);
    out.field("counters", a.counters, b.counters);
    return out.said;
}

Snapshot::Snapshot() = default;
Snapshot::Snapshot(const Snapshot&) = default;
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(const Snapshot&) = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

}  // namespace kv
