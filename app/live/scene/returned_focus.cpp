#include "app/live/scene/returned_focus.hpp"

#include <algorithm>
#include <utility>

#include "app/panels/view/facts.hpp"

namespace kv {

void ReturnedFocus::begin(RunGoal goal, RunFocus& focus) {
    goal_ = goal;
    kept_.reset(), focus = RunFocus();
}

// Where a scene is changed again while it is played anew, what was looked at first comes back.
void ReturnedFocus::begin_anew(RunGoal goal, const RunFocus& focus, const Snapshot& now) {
    goal_ = goal;
    if (!kept_ && is_known(now, focus.request))
        kept_ = {now.requests[focus.request.index()].name, focus};
}

void ReturnedFocus::arrive(RunFocus& focus, const Snapshot* now) {
    goal_.reset();
    const auto kept = std::exchange(kept_, {});
    if (!kept || now == nullptr) return;
    const auto request = request_named(*now, kept->request);
    if (!request) return;
    focus = kept->focus;
    focus.request = *request;
}

bool ReturnedFocus::meet(const Snapshot& now, RunFocus& focus) {
    const auto there = awaited_ ? request_named(now, *awaited_) : std::nullopt;
    if (!there) return false;
    focus.request = *there, focus.token.reset(), focus.block.reset();
    awaited_.reset();
    return true;
}

void ReturnedFocus::keep_inside(const RunView& run, RunBounds& bounds, RunFocus& focus) {
    write_bounds(bounds, run.now, run.layout, run.model.n_heads);
    away_.settle(run.id, run.now.requests.size(), focus);
    clamp_to(bounds, focus);
}

void write_bounds(RunBounds& bounds, const Snapshot& now, const KvLayout& layout,
                  std::uint64_t n_heads) {
    bounds.requests.resize(now.requests.size());
    for (std::size_t i = 0; i < now.requests.size(); ++i) bounds.requests[i] = now.requests[i].name;
    bounds.n_layers = std::max(1u, layout.n_layers);
    bounds.n_kv_heads = std::max(1u, layout.n_kv_heads);
    bounds.n_heads = std::max(1u, static_cast<std::uint32_t>(n_heads));
    bounds.head_dim = std::max(1u, layout.k.dim), bounds.n_blocks = layout.n_blocks;
}

void clamp_to(const RunBounds& bounds, RunFocus& focus) {
    focus.layer = std::min(focus.layer, bounds.n_layers - 1);
    focus.kv_head = std::min(focus.kv_head, bounds.n_kv_heads - 1);
    focus.query_head = std::min(focus.query_head, bounds.n_heads - 1);
    focus.dim = std::min(focus.dim, bounds.head_dim - 1);
    if (focus.block && focus.block->value >= bounds.n_blocks) focus.block.reset();
}

}  // namespace kv
