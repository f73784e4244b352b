#pragma once
// A look at what a pass computes on its way: by name, for the window, the lessons and the tests
// that compare two backends stage by stage. Nothing is copied for a tap that nobody wants.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/ids.hpp"

namespace kv {

enum class Tap : std::uint8_t {
    LayerInput,  // (hidden): the residual stream before the layer
    Q,           // (head_dim), of one query head, after rotation
    K,           // (head_dim), of one KV head, after rotation and before coding
    V,           // (head_dim)
    Scores,      // (visible keys), of one query head, scaled
    Weights,     // (visible keys), after softmax
    Attention,   // (heads x head_dim): weights times values, before the output projection
    LayerOutput  // (hidden)
};
std::string_view name_of(Tap tap);

struct TapPlace {
    Tap tap;
    LayerId layer;
    std::uint32_t sequence;  // index in the batch
    std::uint32_t row;       // index of the token in its sequence's new tokens
    std::uint32_t head;      // query head of Q, Scores, Weights; KV head of K, V; else 0
};

class TapSink {
public:
    virtual ~TapSink() = default;
    virtual bool wants(Tap tap, LayerId layer) const = 0;
    virtual void take(const TapPlace& place, std::span<const float> values) = 0;
};

}  // namespace kv
