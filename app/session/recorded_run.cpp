#include "app/session/recorded_run.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// Every iteration computes all layers, so those of the first one that computed are all.
std::uint32_t layers_of(const Trace& trace) {
    std::uint32_t n = 0, iteration = 0;
    const auto is_another = [&](const Event& event) {
        const auto* operation = std::get_if<Operation>(&event.what);
        if (operation == nullptr) return false;
        if (n > 0 && event.iteration != iteration) return true;
        if (operation->layer) n = std::max(n, operation->layer->value + 1);
        iteration = event.iteration;
        return false;
    };
    static_cast<void>(trace.find(0, is_another));
    return n;
}

LaneShape lanes_of(std::uint32_t n_lanes, std::uint32_t n_layers) {
    if (n_lanes <= 1) return {};
    if (n_layers > 0 && n_lanes > n_layers && n_lanes % n_layers == 0)
        return {TableScope::Head, n_layers, n_lanes / n_layers};
    return {TableScope::Layer, n_lanes, 1};
}

}  // namespace

RecordedRun::RecordedRun(ImportedTrace imported, std::string name)
    : name_(std::move(name)), recorded_(imported.recorded) {
    trace_ = std::move(imported.trace);
    series_.catch_up(trace_);
    n_layers_ = layers_of(trace_);
    go(trace_.size());
}

// A command may make another pool on the way.
void RecordedRun::cursor_moved() {
    if (now().lanes.empty()) return;  // before the first one, that of later is as good
    layout_ = {};
    layout_.n_layers = n_layers_;
    layout_.block_size = now().block_size;
    layout_.n_blocks = static_cast<std::uint32_t>(now().lanes[0].blocks.size());
    lanes_ = lanes_of(static_cast<std::uint32_t>(now().lanes.size()), n_layers_);
    // What has lanes of its own is there, whether or not its operations are recorded.
    if (lanes_.n_lanes() > 1) {
        layout_.n_layers = lanes_.n_layers;
        layout_.n_kv_heads = lanes_.n_kv_heads;
    }
}

const std::string& RecordedRun::word(std::uint32_t token) {
    const auto known = words_.find(token);
    if (known != words_.end()) return known->second;
    return words_.emplace(token, "#" + std::to_string(token)).first->second;
}

}  // namespace kv
