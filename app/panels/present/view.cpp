#include "app/panels/present/view.hpp"

#include <algorithm>

#include "app/panels/bill/equation/plan.hpp"
#include "app/panels/view/real.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

PresentBox count_box(u64 value, const char* label) {
    return {with_commas(value), label};
}

bool grows_straight(const BillView& view) {
    const CodecPair& codecs = view.codecs;
    return !is_windowed(view.shape.cache) && codecs.k.scale != ScaleMode::Kivi &&
           codecs.v.scale != ScaleMode::Kivi;
}

// Tokens at a price each, or requests at a price each where tokens differ in price.
PresentEquation priced_equation(const BillView& view, const Texts& text) {
    PresentEquation out;
    if (grows_straight(view)) {
        out.boxes.push_back({view.bytes("bytes_per_token"), text["present.box.token"_t]});
        out.boxes.push_back(count_box(view.in.tokens, text["present.box.tokens"_t]));
    } else {
        out.boxes.push_back({view.bytes("request_bytes"), text["present.box.request"_t]});
    }
    out.boxes.push_back(count_box(view.in.batch, text["present.box.requests"_t]));
    out.result = view.bytes("kv_bytes");
    out.result_label = text["present.result"_t];
    return out;
}

Text format_text(const BillView& view, const Texts& text) {
    const Text k = codec_label(view.codecs.k), v = codec_label(view.codecs.v);
    const Text attention = attention_label(view.current_attention(), text);
    const TextId id = view.codecs.k == view.codecs.v ? "present.model"_t : "present.model.sides"_t;
    return fill(text[id],
                {{"model", view.shape.title}, {"attention", attention}, {"k", k}, {"v", v}});
}

u64 caching_layers(const CacheShape& cache) {
    return static_cast<u64>(std::count_if(
        cache.layers.begin(), cache.layers.end(),
        [](const LayerCache& layer) { return !std::holds_alternative<NoCache>(layer); }));
}

Text token_sentence(const BillView& view, const Texts& text) {
    const CacheShape& cache = view.shape.cache;
    const TextId id = is_windowed(cache)      ? "present.token.window"_t
                      : is_latent(cache)      ? "present.token.latent"_t
                      : cache.n_kv_heads == 1 ? "present.token.one"_t
                                              : "present.token.many"_t;
    return fill(text[id], {{"bytes", view.bytes("bytes_per_token")},
                           {"heads", with_commas(cache.n_kv_heads)},
                           {"layers", with_commas(caching_layers(cache))}});
}

Text device_sentence(const BillView& view, const Texts& text) {
    const DeviceUse& device = view.device;
    return fill(text[device.fits() ? "present.fits"_t : "present.exceeds"_t],
                {{"used", view.bytes(device.used)},
                 {"capacity", view.bytes(device.capacity)},
                 {"free", view.bytes(device.free)},
                 {"missing", view.bytes(device.missing)}});
}

// The corners of the curve on top of the base, with one more where it reaches the capacity.
void add_points(PresentMemory& memory, const std::vector<GrowthPoint>& curve) {
    std::vector<GrowthPoint> points = curve;
    if (memory.capacity > memory.base) {
        const u64 room = memory.capacity - memory.base;
        if (const auto tokens = tokens_at_bytes(curve, room); tokens && *tokens > 0)
            points.push_back({*tokens, room});
    }
    std::stable_sort(points.begin(), points.end(), [](const GrowthPoint& a, const GrowthPoint& b) {
        return a.resident_tokens < b.resident_tokens;
    });
    for (const GrowthPoint& point : points) {
        memory.tokens.push_back(real(point.resident_tokens));
        memory.used.push_back(real(memory.base) + real(point.bytes));
    }
}

PresentMemory memory_of(const BillView& view) {
    constexpr double kFarAbove = 2;
    constexpr int kIntervals = 4;
    const CacheShape& cache = view.shape.cache;
    const u64 length = product_or_throw("the tokens of the picture", {2, view.in.tokens});
    const auto curve = growth_curve(cache, view.codecs, view.in.batch, length);

    PresentMemory memory;
    memory.base = use_device(view.budget, 0).used;
    memory.capacity = view.device.capacity;
    memory.now_tokens = resident_tokens(view.in.batch, view.in.tokens);
    memory.now_cache = view.whole("kv_bytes");
    memory.now_used = view.device.used;
    add_points(memory, curve);
    const u64 largest = use_device(view.budget, curve.back().bytes).used;
    memory.shows_capacity = real(memory.capacity) <= kFarAbove * real(largest);
    memory.axis = byte_axis(memory.shows_capacity ? std::max(largest, memory.capacity) : largest,
                            view.in.units, kIntervals);
    return memory;
}

}  // namespace

PresentEquation present_equation(const BillView& view, const Texts& text) {
    const EquationPlan plan = plan_equation(view, text);
    if (plan.terms.size() != 1 || !grows_straight(view)) return priced_equation(view, text);
    const EquationTerm& term = plan.terms.front();
    PresentEquation out;
    for (const EquationFactor& factor : term.factors)
        out.boxes.push_back({factor.value, factor.label});
    out.result = view.bytes(term.bytes);
    const u64 scales = view.held ? view.held->scales : 0;
    out.result_label = scales == 0
                           ? Text(text["present.result"_t])
                           : fill(text["present.scales"_t], {{"bytes", view.bytes(scales)}});
    return out;
}

PresentWords present_words(const BillView& view, const Texts& text) {
    PresentWords words;
    words.model = format_text(view, text);
    const Text tokens = with_commas(view.in.tokens), batch = with_commas(view.in.batch);
    words.shown = pieces(text["present.shown"_t], {{"batch", batch}, {"tokens", tokens}});
    const u64 resident = resident_tokens(view.in.batch, view.in.tokens);
    words.caption = fill(text["present.caption"_t],
                         {{"tokens", with_commas(resident)}, {"bytes", view.bytes("kv_bytes")}});
    words.prose = {token_sentence(view, text), device_sentence(view, text)};
    return words;
}

PresentNeighbours present_neighbours(std::string_view model) {
    const List<std::string_view>& names = preset_names();
    PresentNeighbours out;
    out.count = names.size();
    const auto it = std::find(names.begin(), names.end(), model);
    if (it == names.end()) {
        out.next = names.front();
        return out;
    }
    if (it != names.begin()) out.previous = *(it - 1);
    if (it + 1 != names.end()) out.next = *(it + 1);
    out.place = static_cast<std::size_t>(it - names.begin()) + 1;
    return out;
}

std::optional<PresentMemory> present_memory(const BillView& view) {
    try {
        return memory_of(view);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace kv
