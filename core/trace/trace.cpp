#include "core/trace/trace.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "core/base/planted.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kStride = 32;           // events between two known offsets
constexpr std::uint64_t kKeyframeEvery = 4096;  // events, in a pool of ordinary size

// Between two keyframes of a very large pool lie more events, so that what the snapshots do not
// share costs a bounded number of bytes an event: at most those of kBlocksPerEvent blocks.
std::uint64_t keyframe_distance(const Snapshot& state) {
    constexpr std::uint64_t kBlocksPerEvent = 16;
    std::uint64_t blocks = 0;
    for (const LaneView& lane : state.lanes) blocks += lane.blocks.size();
    return std::max(kKeyframeEvery, blocks / kBlocksPerEvent);
}

// Whether a step of this size ends with this event. Every iteration's end ends smaller steps too,
// so that no event is left out of reach.
bool ends_step(const Event& event, Granularity step) {
    if (std::holds_alternative<IterationFinished>(event.what)) return true;
    const auto* operation = std::get_if<Operation>(&event.what);
    switch (step) {
        case Granularity::Operation:
            return operation != nullptr;
        case Granularity::Layer:
            return operation != nullptr &&
                   (operation->op == Op::Embed || operation->op == Op::Mlp ||
                    operation->op == Op::Logits);
        case Granularity::Token:
            return std::holds_alternative<TokenAdded>(event.what) ||
                   std::holds_alternative<TokensStored>(event.what);
        case Granularity::Iteration:
            break;
    }
    return false;
}

void forget_holders_wrongly(Snapshot& state);

}  // namespace

std::string_view name_of(Granularity granularity) {
    constexpr std::array<std::string_view, 4> kNames{"operation", "layer", "token", "iteration"};
    return name_in(kNames, granularity);
}

Trace::Trace() : keyframes_{{0, {}}} {}

void Trace::append(const Event& event) {
    if (size_ % kStride == 0) offsets_.push_back(bytes_.size());
    pack(event, bytes_);
    apply(end_, event);
    ++size_;
    if (size_ - keyframes_.back().moment < keyframe_distance(end_)) return;
    keyframes_.push_back({size_, end_});
    if (planted(PlantedBug::KeyframeForgetsHolders))
        forget_holders_wrongly(keyframes_.back().state);
}

std::size_t Trace::offset_of(std::uint64_t n) const {
    KV_ASSERT(n < size_);
    std::size_t at = offsets_[n / kStride];
    for (std::uint64_t i = n / kStride * kStride; i < n; ++i) unpack(bytes_, at);
    return at;
}

Event Trace::event(std::uint64_t n) const {
    std::size_t at = offset_of(n);
    return unpack(bytes_, at);
}

void Trace::each(std::uint64_t first, std::uint64_t last,
                 const std::function<void(std::uint64_t, const Event&)>& visit) const {
    KV_ASSERT(first <= last && last <= size_);
    if (first == last) return;
    std::size_t at = offset_of(first);
    for (std::uint64_t n = first; n < last; ++n) visit(n, unpack(bytes_, at));
}

Snapshot Trace::at(std::uint64_t moment) const {
    KV_ASSERT(moment <= size_);
    const auto later =
        std::upper_bound(keyframes_.begin(), keyframes_.end(), moment,
                         [](std::uint64_t at, const Keyframe& frame) { return at < frame.moment; });
    const Keyframe& before = *std::prev(later);  // there is one at moment 0
    Snapshot state = before.state;
    each(before.moment, moment, [&](std::uint64_t, const Event& event) { apply(state, event); });
    return state;
}

std::optional<std::uint64_t> Trace::find(std::uint64_t n, const Wanted& wanted) const {
    if (n >= size_) return std::nullopt;
    std::size_t at = offset_of(n);
    for (; n < size_; ++n)
        if (wanted(unpack(bytes_, at))) return n;
    return std::nullopt;
}

std::optional<std::uint64_t> Trace::find_back(std::uint64_t n, const Wanted& wanted) const {
    for (std::uint64_t end = std::min(n, size_); end > 0;) {
        const std::uint64_t begin = (end - 1) / kStride * kStride;
        std::optional<std::uint64_t> last;
        each(begin, end, [&](std::uint64_t i, const Event& event) {
            if (wanted(event)) last = i;
        });
        if (last) return last;
        end = begin;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> Trace::next(std::uint64_t moment, Granularity step) const {
    const auto found = find(moment, [&](const Event& event) { return ends_step(event, step); });
    if (found) return *found + 1;
    return moment < size_ ? std::optional(size_) : std::nullopt;
}

std::optional<std::uint64_t> Trace::previous(std::uint64_t moment, Granularity step) const {
    if (moment == 0) return std::nullopt;
    // Event n ends at moment n + 1. So the one that ends at `moment` itself is moment - 1, and
    // find_back() looks before the number that it is given.
    const auto found =
        find_back(moment - 1, [&](const Event& event) { return ends_step(event, step); });
    return found ? *found + 1 : 0;
}

std::optional<std::uint64_t> Trace::end_of_iteration(std::uint32_t iteration) const {
    // Iterations rise along the trace, so the keyframes say between which two to look.
    const auto later = std::upper_bound(
        keyframes_.begin(), keyframes_.end(), iteration,
        [](std::uint32_t i, const Keyframe& frame) { return i < frame.state.iteration; });
    const std::uint64_t from = later == keyframes_.begin() ? 0 : std::prev(later)->moment;
    // It ends where a later one starts: the number of that event is the moment before it.
    const auto starts_later = [iteration](const Event& event) {
        return event.iteration > iteration && std::holds_alternative<IterationStarted>(event.what);
    };
    if (const auto following = find(from, starts_later)) return following;
    return end_.iteration >= iteration ? std::optional(size_) : std::nullopt;
}

std::uint64_t Trace::memory_bytes() const {
    return bytes_.size() + offsets_.size() * sizeof(std::size_t);
}

// Planted bugs.

namespace {

void forget_holders_wrongly(Snapshot& state) {
    for (LaneView& lane : state.lanes)
        for (std::size_t b = 0; b < lane.blocks.size(); ++b) lane.blocks.edit(b).ref_count = 0;
}

}  // namespace

}  // namespace kv
