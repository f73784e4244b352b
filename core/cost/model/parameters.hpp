#pragma once
// How many numbers the weights hold, from the shape alone and to the unit: tied embeddings count
// once, biases and norms count. Extra prediction heads that some files carry beside the model do
// not.

#include <vector>

#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

struct ParameterCount {
    u64 embedding = 0;  // token rows, and learned positions where there are any
    u64 attention = 0;  // all layers, biases and per-head norms included
    u64 mlp = 0;        // all layers, experts and routers included
    u64 norms = 0;      // all layers and the last one
    u64 head = 0;       // 0 when tied to the embedding
    u64 total() const;
};
ParameterCount count_parameters(const ModelShape& shape);
u64 parameter_count(const ModelShape& shape);
u64 weight_bytes(const ModelShape& shape);

// What one token goes through: all but the experts that were not chosen for it.
u64 active_parameters(const ModelShape& shape);
// What a step reads of these for one token. It reads one row of the input table, unless that is the
// output matrix as well.
u64 read_parameters(const ModelShape& shape);
std::vector<Derived> derive_active_parameters(const ModelShape& shape);
// "token_read_bytes": what the newest token of one sequence has read.
Derived derive_token_read(const ModelShape& shape, u64 sequence_bytes);

// The matrices that one position is multiplied by, in numbers: a position costs 2 FLOP for each.
// Of experts only the active ones count. MLA counts in its absorbed form: the same matrices, each
// used once.
struct MatrixSizes {
    u64 qkv = 0, o = 0, mlp = 0;  // summed over the layers
    u64 lm_head = 0;
    u64 layers_total() const;
};
MatrixSizes matrix_sizes(const ModelShape& shape);

// The last result is "parameters" ("weight_bytes"); those before it are what it unfolds into.
std::vector<Derived> derive_parameters(const ModelShape& shape);
std::vector<Derived> derive_weight_bytes(const ModelShape& shape);

}  // namespace kv
