#include "core/engine/seam/work.hpp"

namespace kv {
namespace {

void add(FlopParts& sum, const FlopParts& more) {
    sum.qkv += more.qkv;
    sum.scores += more.scores;
    sum.sum_of_values += more.sum_of_values;
    sum.o += more.o;
    sum.mlp += more.mlp;
    sum.lm_head += more.lm_head;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
    positions_projected += other.positions_projected;
    positions_forwarded += other.positions_forwarded;
    score_pairs += other.score_pairs;
    weight_bytes += other.weight_bytes;
    k_bytes_read += other.k_bytes_read;
    v_bytes_read += other.v_bytes_read;
    box_bytes_read += other.box_bytes_read;
    k_bytes_written += other.k_bytes_written;
    v_bytes_written += other.v_bytes_written;
    input_bytes_read += other.input_bytes_read;
    input_bytes_written += other.input_bytes_written;
    add(flops, other.flops);
    kv_projection_flops += other.kv_projection_flops;
    return *this;
}

}  // namespace kv
