#include "app/panels/view/facts.hpp"

#include <algorithm>
#include <tuple>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
std::optional<std::uint32_t> steps_to_first_token(const RequestView& request) {
    if (!request.first_token) return std::nullopt;
    return *request.first_token - request.arrived + 1;
}

std::optional<std::uint32_t> query_position(const Snapshot& now, SeqId request) {
    if (!is_known(now, request)) return std::nullopt;
    const RequestView& r = now.requests[request.index()];
    const std::uint32_t known = r.stored + r.scheduled;
    if (known == 0) return std::nullopt;
    return known - 1;
}

std::optional<std::uint32_t> inspected_position(const Snapshot& now, const RunFocus& focus) {
    if (!is_known(now, focus.request)) return std::nullopt;
    const RequestView& r = now.requests[focus.request.index()];
    if (focus.token && token_at(r, *focus.token)) return focus.token;
    return query_position(now, focus.request);
}

std::uint32_t layers_written(const RunView& run) {
    const auto& operation = run.now.operation;
    if (!operation || operation->op == Op::Embed) return 0;
    if (!operation->layer) return run.layout.n_layers;  // behind the last layer
    return operation->layer->value + (operation->op >= Op::Append ? 1 : 0);
}

std::uint32_t computed_until(const RequestView& request) {
    return request.stored + request.scheduled + (request.draft ? request.draft->ahead() : 0);
}

std::optional<std::uint32_t> token_at(const RequestView& request, std::uint32_t position) {
    if (position < request.tokens.size()) return request.tokens[position];
    if (!request.draft || request.draft->verified || position < request.draft->first)
        return std::nullopt;
    const std::uint32_t ahead = position - request.draft->first;
    if (ahead >= request.draft->tokens.size()) return std::nullopt;
    return request.draft->tokens[ahead];
}

std::optional<TokenAt> token_being_stored(const LaneAt& lane, BlockId block, Slot slot) {
    for (const SeqId id : lane.now.running) {
        const RequestView& r = lane.now.requests[id.index()];
        for (std::uint32_t at = r.stored; at < computed_until(r); ++at) {
            const auto place = place_of_token(lane, {id, at});
            if (place && place->block == block && place->slot == slot) return TokenAt{id, at};
        }
    }
    return std::nullopt;
}

PoolCounts count_pool(const Snapshot& now) {
    PoolCounts counts;
    for (const LaneView& lane : now.lanes) {
        counts.blocks += lane.blocks.size();
        counts.used += lane.used;
        counts.cached += lane.cached;
        counts.live_slots += lane.live;
        counts.dead_slots += lane.dead;
    }
    counts.free = counts.blocks - counts.used - counts.cached;
    counts.allocated_slots = counts.used * now.block_size;
    counts.empty_slots = counts.allocated_slots - counts.live_slots - counts.dead_slots;
    const auto held = [](const SharedArray<PlaceView>& places) {
        std::uint64_t n = 0;
        for (std::size_t i = 0; i < places.size(); ++i) n += places[i].state != PlaceState::Free;
        return n;
    };
    counts.host_blocks = now.host.size(), counts.host_held = held(now.host);
    counts.file_blocks = now.file.size(), counts.file_held = held(now.file);
    return counts;
}

std::uint64_t bytes_per_token(const KvLayout& layout) {
    return std::uint64_t{layout.n_layers} * layout.n_kv_heads * (layout.k.bytes + layout.v.bytes);
}

bool knows_bytes(const KvLayout& layout) {
    return bytes_per_token(layout) > 0;
}

std::uint64_t measure_of_token(const KvLayout& layout) {
    return knows_bytes(layout) ? bytes_per_token(layout) : 1;
}

std::uint64_t measure_of_slot(const RunView& run) {
    return knows_bytes(run.layout) ? slot_bytes(run) : 1;
}

std::uint64_t measure_of_block(const RunView& run) {
    return run.layout.block_size * measure_of_slot(run);
}

TokenSize measure_at(const RunView& run, std::uint64_t moment) {
    if (run.token_size_at) return run.token_size_at(moment);
    return {measure_of_token(run.layout), measure_of_slot(run)};
}

std::uint64_t measure_of_block(const RunView& run, const Sample& sample) {
    if (sample.pool_blocks == 0) return 0;
    return sample.pool_slots / sample.pool_blocks * measure_at(run, sample.moment).slot;
}

Text measured(std::uint64_t amount, const KvLayout& layout, const Texts& text) {
    if (knows_bytes(layout)) return bytes_binary(amount);
    return fill(text["trace.slots_of"_t], {{"n", with_commas(amount)}});
}

std::uint64_t bytes_per_block(const KvLayout& layout) {
    return layout.block_size * bytes_per_token(layout);
}

std::uint64_t slot_bytes(const RunView& run) {
    return bytes_per_token(run.layout) / run.lanes.n_lanes();
}

std::uint64_t block_bytes(const RunView& run) {
    return run.layout.block_size * slot_bytes(run);
}

bool is_running(const Snapshot& now, SeqId request) {
    return std::find(now.running.begin(), now.running.end(), request) != now.running.end();
}

// "B" is the second tag wherever B comes in; a name that is no tag's gets one by its arrival.
std::size_t tag_index(std::string_view name, SeqId request) {
    return request_index(name).value_or(request.index());
}

RequestTag tag_of(const Snapshot& now, SeqId request) {
    RequestTag tag{.index = request.index()};
    if (!is_known(now, request)) return tag;
    tag.index = tag_index(now.requests[request.index()].name, request);
    const RequestState state = now.requests[request.index()].state;
    tag.finished = state == RequestState::Finished || state == RequestState::Refused;
    tag.waiting = state == RequestState::Waiting;
    return tag;
}

List<SeqId> requests_in_order(const Snapshot& now) {
    struct InOrder {
        bool ended;
        std::size_t tag;
        SeqId request;
    };
    List<InOrder> places;
    places.reserve(now.requests.size());
    for (std::uint32_t i = 0; i < now.requests.size(); ++i) {
        const RequestView& r = now.requests[i];
        places.push_back({r.finish.has_value(), tag_index(r.name, SeqId(i)), SeqId(i)});
    }
    std::sort(places.begin(), places.end(), [](const InOrder& a, const InOrder& b) {
        return std::tuple(a.ended, a.tag, a.request) < std::tuple(b.ended, b.tag, b.request);
    });
    List<SeqId> order;
    order.reserve(places.size());
    for (const InOrder& place : places) order.push_back(place.request);
    return order;
}

Text name_of_request(const Snapshot& now, SeqId request) {
    return is_known(now, request) ? now.requests[request.index()].name
                                  : request_name(request.index());
}

std::optional<SeqId> request_named(const Snapshot& now, std::string_view name) {
    for (std::uint32_t i = 0; i < now.requests.size(); ++i)
        if (now.requests[i].name == name) return SeqId(i);
    return std::nullopt;
}

std::string_view bare_word(std::string_view word) {
    const std::size_t first = word.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view() : word.substr(first);
}

Text spoken_word(const RunView& run, std::uint32_t token) {
    const std::string& word = run.word(token);
    const std::string_view bare = bare_word(word);
    return bare.empty() ? Text("\"" + word + "\"") : Text(bare);
}

namespace {

bool keeps_cache(const std::map<std::string, std::string>& settings) {
    const auto found = settings.find("cache");
    return found == settings.end() || found->second != "off";
}

}  // namespace

EvictionSpec policy_of(const std::map<std::string, std::string>& settings) {
    if (!keeps_cache(settings)) return {};
    std::string why;
    const auto found = settings.find("evict");
    return found == settings.end() ? EvictionSpec{}
                                   : parse_eviction(found->second, why).value_or(EvictionSpec{});
}

EvictionSpec policy_of(const RunView& run) {
    return policy_of(run.settings);
}

bool keeps_cache(const RunView& run) {
    return keeps_cache(run.settings);
}

std::uint64_t positions_computed(const RunView& run) {
    std::uint64_t n = 0;
    for (const Sample& sample : run.samples)
        if (sample.moment <= run.moment) n += sample.tokens;
    return n;
}

std::uint64_t keys_seen(const EvictionSpec& policy, std::uint64_t position, std::uint64_t gone) {
    if (const auto far = first_query_that_misses(policy))
        return std::min<std::uint64_t>(position + 1, *far);
    return position + 1 - gone;
}

}  // namespace kv
