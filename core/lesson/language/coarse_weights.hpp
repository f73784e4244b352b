#pragma once
// The weights of the layers in a few bits, so that what that costs can stand beside what a cache in
// as few bits costs: each row of a matrix gets one scale, as its largest number asks for, and every
// number becomes the nearest of the codes. Embeddings and norms stay as they are.

#include "core/model/checkpoint/weights.hpp"

namespace kv {

// 2 to 8 bits.
void round_weights(Weights& weights, unsigned bits);

}  // namespace kv
