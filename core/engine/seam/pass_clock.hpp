#pragma once
// How long each part of a pass took, as its backend makes them one after the other. A backend that
// works sequence by sequence comes to a part several times; the times add up.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/event/words.hpp"

namespace kv {

class PassClock {
public:
    explicit PassClock(std::function<double()> now_us) : now_us_(std::move(now_us)) {}

    void start(std::uint32_t n_layers) {
        us_.assign((n_layers + std::size_t{1}) * kOps, 0);
        last_us_ = now_us_();
    }
    // The time since the last mark went into this part.
    void mark(Op op) { mark_row(op, 0); }
    void mark(Op op, LayerId layer) { mark_row(op, layer.index() + 1); }
    // Time that the backend measured itself: a GPU works while the clock of the host runs on.
    void add(Op op, std::optional<LayerId> layer, double us) { us_[place(op, layer)] += us; }
    double us(Op op, std::optional<LayerId> layer = std::nullopt) const {
        return us_[place(op, layer)];
    }

private:
    static constexpr std::size_t kOps = static_cast<std::size_t>(Op::Sample) + 1;
    static std::size_t place(Op op, std::optional<LayerId> layer) {
        return place(op, layer ? layer->index() + 1 : 0);
    }
    static std::size_t place(Op op, std::size_t row) {
        return row * kOps + static_cast<std::size_t>(op);
    }
    void mark_row(Op op, std::size_t row) {
        const double now = now_us_();
        us_[place(op, row)] += now - last_us_;
        last_us_ = now;
    }

    std::function<double()> now_us_;
    std::vector<double> us_;  // by layer (row 0: none) and part
    double last_us_ = 0;
};

// A clock, or none: then nothing is marked.
struct PassMark {
    PassClock* clock = nullptr;
    void operator()(Op op) const {
        if (clock != nullptr) clock->mark(op);
    }
    void operator()(Op op, LayerId layer) const {
        if (clock != nullptr) clock->mark(op, layer);
    }
};

}  // namespace kv
