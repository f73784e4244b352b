#include "core/lesson/exercises/cached_model.hpp"

#include "core/base/error.hpp"
#include "core/base/letters.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"
#include "core/lesson/exercises/answer_value.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

Codec codec_named(const char* name) {
    std::string why;
    const std::string lower = lower_case(name);
    const auto codec = parse_codec(lower == "fp32"  ? "f32"
                                   : lower == "fp8" ? "fp8_e4m3"
                                                    : lower,
                                   why);
    KV_ASSERT(codec.has_value());
    return *codec;
}

}  // namespace

CodecPair CachedModel::codecs() const {
    return {codec_named(codec), codec_named(codec)};
}

u64 CachedModel::element_bytes() const {
    return codec_named(codec).bits() / 8;
}

std::string say(const CachedModel& model) {
    return say(model.n_layers) + " layers, " + say(model.n_heads) + " query heads, " +
           say(model.n_kv_heads) + " KV heads, head_dim " + say(model.head_dim) + ", " +
           model.codec;
}

CachedModel draw_grouped_model(Dice& dice) {
    const u64 kv_heads = dice.pick<u64>({2, 4, 5, 8});
    return {.n_layers = dice.pick<u64>({16, 24, 28, 32, 36, 40, 48, 64, 80}),
            .n_heads = kv_heads * dice.pick<u64>({3, 4, 5, 7, 8}),
            .n_kv_heads = kv_heads,
            .head_dim = dice.pick<u64>({64, 96, 128}),
            .codec = dice.pick<const char*>({"BF16", "FP16"})};
}

const std::vector<const char*>& priced_presets() {
    static const std::vector<const char*> names{"llama-2-7b", "llama-2-13b", "llama-2-70b",
                                                "llama-3-8b", "llama-3-70b", "mistral-7b",
                                                "qwen3-4b",   "llama-3.2-1b"};
    return names;
}

ModelShape priced(const char* preset_name) {
    auto shape = preset(preset_name);
    KV_ASSERT(shape.has_value() && bytes_of(shape->weight_type) == 2);
    return *std::move(shape);
}

std::string say_priced(const ModelShape& shape) {
    return shape.title + " (" + say(shape.n_layers()) + " layers, " + say(shape.cache.n_kv_heads) +
           " KV heads, head_dim " + say(shape.cache.d_k) + "; " + say(parameter_count(shape)) +
           " parameters of 2 bytes; cache in BF16)";
}

}  // namespace kv
