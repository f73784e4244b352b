// The cost model for lessons: operations, traffic, times.

#include <array>

#include "core/base/shown.hpp"
#include "core/cost/keep.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"
#include "core/cost/time/offload.hpp"
#include "core/cost/time/roofline.hpp"
#include "core/lesson/language/functions.hpp"

namespace kv {
namespace {

using Args = LessonArguments;

LessonValue parts_value(const FlopParts& p) {
    return LessonRecord{{"qkv", whole_flops(p.qkv)},
                        {"scores", whole_flops(p.scores)},
                        {"mix", whole_flops(p.sum_of_values)},
                        {"o", whole_flops(p.o)},
                        {"mlp", whole_flops(p.mlp)},
                        {"lm_head", whole_flops(p.lm_head)},
                        {"attention", whole_flops(p.attention())},
                        {"matrices", whole_flops(p.total() - p.attention())},
                        {"total", whole_flops(p.total())}};
}

LessonValue without_cache(Args& a) {
    const u64 prompt = a.whole("prompt", 1);
    return whole_value(positions_without_cache(prompt, a.whole("new", 1)));
}
LessonValue with_cache(Args& a) {
    const u64 prompt = a.whole("prompt", 1);
    return whole_value(positions_with_cache(prompt, a.whole("new", 1)));
}

Keep keep_of(Args& a) {
    const std::string name = a.text("keep");
    for (const Keep keep : kKeeps)
        if (name_of(keep) == name) return keep;
    a.refuse("keeps \"nothing\", \"x\" or \"kv\", not \"" + shown(name) + "\"");
}
LessonValue projected(Args& a) {
    const Keep keep = keep_of(a);
    const u64 prompt = a.whole("prompt", 1);
    return whole_value(positions_projected(keep, prompt, a.whole("new", 1)));
}
LessonValue forwarded(Args& a) {
    const Keep keep = keep_of(a);
    const u64 prompt = a.whole("prompt", 1);
    return whole_value(positions_forwarded(keep, prompt, a.whole("new", 1)));
}
LessonValue whole_answer(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const Keep keep = keep_of(a);
    const u64 prompt = a.whole("prompt", 1);
    return parts_value(generation_flops(shape, keep, prompt, a.whole("new", 1)));
}
LessonValue input_bytes(Args& a) {
    return whole_bytes(input_bytes_per_token(a.shape("shape")));
}

LessonValue projections(Args& a) {
    const ModelShape& shape = a.shape("shape");
    return whole_flops(kv_projection_flops(shape, a.whole("positions")));
}
LessonValue decode(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const u64 tokens = a.whole("tokens", 1);
    return parts_value(decode_flops(shape, tokens, a.whole_or("batch", 1)));
}
LessonValue prefill(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const u64 prompt = a.whole("prompt", 1);
    return parts_value(prefill_flops(shape, prompt, a.whole_or("batch", 1)));
}
LessonValue pairs(Args& a) {
    const u64 tokens = a.whole("tokens");
    return whole_value(causal_pairs(tokens));
}
LessonValue even_length(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const FlopParts one = decode_flops(shape, 1, 1);
    const u64 body = one.total() - one.attention() - one.lm_head;
    return whole_value(body / one.attention());
}

LessonValue step_bytes(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    const u64 tokens = a.whole("tokens", 1);
    const StepBytes b =
        decode_bytes(shape, codecs, tokens, a.whole_or("batch", 1), a.whole_or("block_size", 16));
    return LessonRecord{
        {"weights", whole_bytes(b.weights)},   {"kv_read", whole_bytes(b.kv_read)},
        {"kv_write", whole_bytes(b.kv_write)}, {"block_tables", whole_bytes(b.block_tables)},
        {"logits", whole_bytes(b.logits)},     {"total", whole_bytes(b.total())}};
}
LessonValue intensity(Args& a) {
    const ModelShape& shape = a.shape("shape");
    return Number{attention_intensity(shape.cache, shape.n_heads, a.codecs()), kIntensity};
}
LessonValue ridge(Args& a) {
    const double flops = a.number("flops", kFlopRate);
    return Number{flops / a.number("bandwidth", kByteRate), kIntensity};
}
LessonValue even_tokens(Args& a) {
    const ModelShape& shape = a.shape("shape");
    return whole_value(
        crossover_tokens(weight_bytes(shape), bytes_per_token(shape.cache, a.codecs())));
}
LessonValue even_batch(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    const u64 tokens = a.whole("tokens", 1);
    return count_value(
        crossover_batch(weight_bytes(shape), sequence_bytes(shape.cache, codecs, tokens)));
}
LessonValue first_batch(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    const u64 tokens = a.whole("tokens", 1);
    return whole_value(
        smallest_batch_above(weight_bytes(shape), sequence_bytes(shape.cache, codecs, tokens)));
}
LessonValue fetch(Args& a) {
    const u64 bytes = a.bytes("bytes");
    const double bandwidth = a.number("bandwidth", kByteRate);
    return seconds_value(
        transfer_seconds(bytes, bandwidth, a.optional_number("latency", kSeconds).value_or(0)));
}
LessonValue recompute(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const u64 tokens = a.whole("tokens", 1);
    const double rate = a.number("flops", kFlopRate);
    const AttentionWork attention =
        a.yes_or("attention", false) ? AttentionWork::Counted : AttentionWork::LeftOut;
    return seconds_value(recompute_seconds(shape, tokens, rate, attention));
}

constexpr auto kWorkRows = std::to_array<LessonFunction>({
    {"positions_without_cache", "prompt, new", "positions through the layers, all steps",
     without_cache},
    {"positions_with_cache", "prompt, new", "positions through the layers, all steps", with_cache},
    {"positions_projected", "keep, prompt, new", "through W_K and W_V, by what is kept", projected},
    {"positions_forwarded", "keep, prompt, new", "through everything else", forwarded},
    {"generation_flops", "shape, keep, prompt, new", "of a whole answer, by part", whole_answer},
    {"input_bytes_per_token", "shape", "of kept layer inputs, float32", input_bytes},
    {"kv_projection_flops", "shape, positions", "of W_K and W_V", projections},
    {"decode_flops", "shape, tokens, batch=1", "of one step, by part", decode},
    {"prefill_flops", "shape, prompt, batch=1", "of one pass, by part", prefill},
    {"causal_pairs", "tokens", "(query, visible key) pairs of a pass", pairs},
    {"attention_crossover", "shape",
     "tokens from which attention costs more FLOP than the matrices of the layers", even_length},
    {"decode_bytes", "shape, tokens, batch=1, block_size=16, codec=", "of one step, by source",
     step_bytes},
    {"intensity", "shape, codec=", "FLOP per byte of decode attention", intensity},
    {"ridge", "flops, bandwidth", "FLOP per byte at which a machine is balanced", ridge},
    {"crossover_tokens", "shape, codec=", "resident tokens at which cache equals weights",
     even_tokens},
    {"crossover_batch",
     "shape, tokens, codec=", "batch at which a step reads as much cache as weights", even_batch},
    {"smallest_batch_above",
     "shape, tokens, codec=", "first batch that reads more cache than weights", first_batch},
    {"transfer", "bytes, bandwidth, latency=", "time to move them", fetch},
    {"recompute", "shape, tokens, flops, attention=no", "time to compute them once more",
     recompute},
});

}  // namespace

std::span<const LessonFunction> work_functions() {
    return kWorkRows;
}

}  // namespace kv
