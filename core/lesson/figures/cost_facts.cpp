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

namespace {

LayersFacts::Kind kind_of_layer(const LayerCache& layer) {
    if (std::holds_alternative<WindowCache>(layer)) return LayersFacts::Kind::Window;
    if (std::holds_alternative<LatentCache>(layer)) return LayersFacts::Kind::Latent;
    if (std::holds_alternative<NoCache>(layer)) return LayersFacts::Kind::State;
    return LayersFacts::Kind::Full;
}

LayersFacts::Moment moment_of(const CacheShape& shape, const CacheShape& ghost,
                              const CodecPair& codecs, u64 state, u64 tokens) {
    LayersFacts::Moment moment;
    moment.tokens = tokens;
    for (const LayerCache& layer : shape.layers) {
        const bool is_state = std::holds_alternative<NoCache>(layer);
        moment.held.push_back(is_state ? state : layer_bytes(shape, layer, codecs, tokens));
        moment.total += moment.held.back();
    }
    moment.ghost = sequence_bytes(ghost, codecs, tokens);
    moment.ghost_layer = moment.ghost / ghost.n_layers();
    moment.total_said = *value_shown(whole_bytes(moment.total));
    moment.ghost_said = *value_shown(whole_bytes(moment.ghost));
    return moment;
}

}  // namespace

// ghost: another model with as many layers; without it, the same with full layers alone. state: the
// bytes of a layer that keeps a state.
FigureFacts ask_layers(const FigureAsk& ask) {
    LayersFacts facts;
    facts.title = ask.given.text("title"), facts.how = ask.given.text("how");
    facts.ghost_name = ask.given.text("ghost_name");
    const CacheShape shape = ask.given.shape("model").cache;
    CacheShape ghost = shape;
    for (LayerCache& layer : ghost.layers) layer = FullCache{};
    if (ask.given.has("ghost")) ghost = ask.given.shape("ghost").cache;
    if (shape.n_layers() > kMostDrawn || ghost.n_layers() != shape.n_layers())
        ask.given.refuse("wants at most " + std::to_string(kMostDrawn) +
                         " layers, and a ghost with as many");
    const u64 state = ask.given.bytes_or("state", 0);
    const CodecPair codecs = ask.given.codecs();
    if (const auto objection = cache_objection(shape, codecs))
        ask.given.refuse("has " + *objection);
    for (const LayerCache& layer : shape.layers) facts.kinds.push_back(kind_of_layer(layer));
    for (const LayerGroup& group : layer_groups(shape)) {
        const auto* window = std::get_if<WindowCache>(&group.cache);
        facts.groups.push_back(
            {kind_of_layer(group.cache), group.count, window == nullptr ? 0 : window->window});
    }
    if (std::count_if(facts.groups.begin(), facts.groups.end(), [](const LayersFacts::Group& g) {
            return g.kind == LayersFacts::Kind::Window;
        }) > 1)
        ask.given.refuse("wants windows of one size");
    u64 last = 0;
    for (const LessonValue& value : ask.given.list("tokens")) {
        const auto* number = value.plain<Number>();
        const bool fits = number != nullptr && number->unit == kCount && number->value >= 1 &&
                          number->value < 1e9 && number->value > static_cast<double>(last);
        if (!fits) ask.given.refuse("wants lengths in tokens, each longer than the one before");
        last = static_cast<u64>(number->value);
        facts.moments.push_back(moment_of(shape, ghost, codecs, state, last));
    }
    if (facts.moments.empty() || facts.moments.size() > 8) ask.given.refuse("wants 1 to 8 lengths");
    const u64 open = ask.given.whole_or("open", facts.moments.size());
    if (open == 0 || open > facts.moments.size())
        ask.given.refuse("opens with 1 length or more of its own");
    facts.open = static_cast<std::uint32_t>(open);
    return facts;
}

}  // namespace kv
