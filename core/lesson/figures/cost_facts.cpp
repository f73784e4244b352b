// Facts of layouts and of the cost model.

#include <algorithm>

#include "core/cost/cache/bytes.hpp"
#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr u64 kMostDrawn = 64;  // of what is drawn one by one

std::uint32_t drawn(const FigureAsk& ask, const char* name, u64 min, u64 otherwise) {
    const u64 n = ask.given.whole_or(name, otherwise);
    if (n < min || n > kMostDrawn)
        ask.given.refuse(std::string("wants ") + name + " from " + std::to_string(min) + " to " +
                         std::to_string(kMostDrawn));
    return static_cast<std::uint32_t>(n);
}

WiringModel wiring_of(const FigureAsk& ask, const ModelShape& shape, const Codec& codec) {
    if (count_head_layers(shape.cache) != shape.n_layers())
        ask.given.refuse("wants models whose layers all keep K and V per head");
    return {.title = shape.title,
            .n_heads = shape.n_heads,
            .n_kv_heads = shape.cache.n_kv_heads,
            .n_layers = shape.n_layers(),
            .head_dim = shape.cache.d_k,
            .element_bytes = vector_of(codec, static_cast<std::uint32_t>(shape.cache.d_k)).bytes /
                             shape.cache.d_k,
            .bytes_per_token = bytes_per_token(shape.cache, {codec, codec})};
}

const ModelShape& shape_in(const FigureAsk& ask, const LessonValue& value) {
    const auto* shape = value.shared<ModelShape>();
    if (shape == nullptr) ask.given.refuse("wants models such as preset(\"llama-2-70b\")");
    return *shape;
}

}  // namespace

FigureFacts ask_byte_map(const FigureAsk& ask) {
    const std::uint32_t tokens = drawn(ask, "tokens", 1, 3), heads = drawn(ask, "kv_heads", 1, 2),
                        dims = drawn(ask, "head_dim", 1, 4);
    if (u64{tokens} * heads * dims > kMostDrawn)
        ask.given.refuse("has more than " + std::to_string(kMostDrawn) + " numbers a side");
    const Codec codec = ask.given.codec_for(ask.given.text_or("codec", "bf16"), dims);
    const KvVector vector = vector_of(codec, dims);
    if (vector.element_bits % 8 != 0) ask.given.refuse("wants numbers of whole bytes");
    const auto layout = [&](KvOrder order) {
        return KvLayout{1, heads, tokens, 1, order, vector, vector};
    };
    ByteMapFacts facts{.token_major = layout(KvOrder::TokenMajor),
                       .head_major = layout(KvOrder::HeadMajor)};
    facts.token = drawn(ask, "token", 0, 0), facts.head = drawn(ask, "head", 0, 0);
    facts.dim = drawn(ask, "dim", 0, 0);
    if (facts.token >= tokens || facts.head >= heads || facts.dim >= dims)
        ask.given.refuse("asks for an element that is not there");
    facts.address = ask.when("address", "now");
    facts.places = ask.when("places", "never");
    return facts;
}

FigureFacts ask_wiring(const FigureAsk& ask) {
    WiringFacts facts;
    facts.element = ask.given.text_or("codec", "bf16");
    for (const LessonValue& one : ask.given.list("models")) {
        const ModelShape& shape = shape_in(ask, one);
        facts.models.push_back(wiring_of(
            ask, shape,
            ask.given.codec_for(facts.element, static_cast<std::uint32_t>(shape.cache.d_k))));
        if (facts.models.back().n_heads > 16) ask.given.refuse("wants at most 16 query heads");
    }
    if (facts.models.empty() || facts.models.size() > 3) ask.given.refuse("wants 1 to 3 models");
    facts.real_when = ask.when("real_when", "never");
    if (facts.real_when == FigureWhen::Never) return facts;
    const ModelShape& real = ask.given.shape("real");
    facts.real = wiring_of(
        ask, real, ask.given.codec_for(facts.element, static_cast<std::uint32_t>(real.cache.d_k)));
    if (facts.real->n_heads > kMostDrawn || facts.real->n_kv_heads > 8)
        ask.given.refuse("wants a real model of at most 64 query and 8 KV heads");
    const u64 head = ask.given.whole_or("head", facts.real->n_heads);
    if (head < facts.real->n_heads) facts.head = static_cast<std::uint32_t>(head);
    return facts;
}

FigureFacts ask_vectors(const FigureAsk& ask) {
    const LessonValue own = ask.given.has("model") ? LessonValue() : ask.value("model");
    const ModelShape& shape =
        ask.given.has("model") ? ask.given.shape("model") : shape_in(ask, own);
    if (count_head_layers(shape.cache) != shape.n_layers())
        ask.given.refuse("wants a model whose layers all keep K and V per head");
    VectorsFacts facts{.n_layers = shape.n_layers(),
                       .n_heads = shape.n_heads,
                       .n_kv_heads = shape.cache.n_kv_heads,
                       .k_dim = shape.cache.d_k,
                       .v_dim = shape.cache.d_v};
    if (facts.n_layers > 8 || facts.n_kv_heads > 8 || facts.n_heads > 8)
        ask.given.refuse("wants at most 8 layers, 8 query heads and 8 KV heads");
    facts.element = ask.given.text_or("codec", "bf16");
    const Codec codec =
        ask.given.codec_for(facts.element, static_cast<std::uint32_t>(shape.cache.d_k));
    facts.bytes = bytes_per_token(shape.cache, {codec, codec});
    facts.layer_bytes = facts.bytes / facts.n_layers;
    facts.queries = ask.when("queries", "never") != FigureWhen::Never;
    facts.total = ask.when("total", "now");
    return facts;
}

FigureFacts ask_two_sums(const FigureAsk& ask) {
    const ModelShape& shape = ask.given.shape("model");
    const WiringModel model = wiring_of(ask, shape, Codec::Bf16);
    TwoSumsFacts facts;
    facts.model = model.title;
    facts.tokens = ask.given.whole("tokens", 1);
    facts.room_bytes = ask.given.bytes("room");
    facts.factors = {{"sides", 2},
                     {"layers", model.n_layers},
                     {"kv_heads", model.n_kv_heads},
                     {"head_dim", model.head_dim},
                     {"element", model.element_bytes, true},
                     {"tokens", facts.tokens}};
    facts.parted = 2, facts.wrong = {"query_heads", model.n_heads};
    facts.right_line = "num_key_value_heads", facts.wrong_line = "num_attention_heads";
    facts.right_bytes = model.bytes_per_token * facts.tokens;
    facts.wrong_bytes =
        bytes_per_token(with_kv_heads(shape, model.n_heads).cache, {Codec::Bf16, Codec::Bf16}) *
        facts.tokens;
    if (facts.room_bytes < facts.wrong_bytes || facts.right_fit() > kMostDrawn)
        ask.given.refuse("wants a room of 1 to " + std::to_string(kMostDrawn) + " requests");
    facts.parting = ask.when("parting", "now");
    return facts;
}

}  // namespace kv
