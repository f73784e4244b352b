#include "app/frame/select.hpp"

#include <algorithm>
#include <array>

#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr u64 kMostMarked = 1u << 20;  // the last position that can be

// The argument as an index below `count`; `refusal` has the places {n} and {last}.
std::uint32_t index_below(const Command& c, u64 count, TextId refusal) {
    const u64 n = whole_argument(c);
    if (n >= count)
        throw Refused(refusal, {{"n", with_commas(n)},
                                {"last", with_commas(count - std::min<u64>(count, 1))}});
    return static_cast<std::uint32_t>(n);
}

void focus_request(RunState& run, SeqId request) {
    run.focus.request = request;
    run.focus.token.reset();
    run.focus.block.reset();
}

void focus_named(RunState& run, const Command& c) {
    const auto& names = run.bounds.requests;
    const std::string& name = word_argument(c);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Refused("refused.request"_t, {{"word", name}});
    focus_request(run, SeqId(static_cast<std::uint32_t>(found - names.begin())));
}

template <int step>
void focus_next(RunState& run, const Command&) {
    const auto n = static_cast<std::uint32_t>(run.bounds.requests.size());
    if (n == 0) return;
    focus_request(run, SeqId((run.focus.request.value + n + (step > 0 ? 1 : n - 1)) % n));
}

void select_token(RunState& run, const Command& c) {
    run.focus.token = static_cast<std::uint32_t>(std::min<u64>(whole_argument(c), UINT32_MAX));
    run.focus.block.reset();
}

void select_block(RunState& run, const Command& c) {
    run.focus.block = BlockId(index_below(c, run.bounds.n_blocks, "refused.block"_t));
}

void select_none(RunState& run, const Command&) {
    run.focus.token.reset();
    run.focus.block.reset();
}

void select_kv_head(RunState& run, const Command& c) {
    run.focus.kv_head = index_below(c, run.bounds.n_kv_heads, "refused.kv_head"_t);
    const RunBounds& bounds = run.bounds;
    if (kv_head_of(run.focus.query_head, bounds.n_heads, bounds.n_kv_heads).value !=
        run.focus.kv_head)
        run.focus.query_head = run.focus.kv_head * group_size(bounds.n_heads, bounds.n_kv_heads);
}

void select_query_head(RunState& run, const Command& c) {
    run.focus.query_head = index_below(c, run.bounds.n_heads, "refused.query_head"_t);
    run.focus.kv_head =
        kv_head_of(run.focus.query_head, run.bounds.n_heads, run.bounds.n_kv_heads).value;
}

// "28-35", or one position.
void mark_tokens(RunState& run, const Command& c) {
    const std::string& words = word_argument(c);
    const std::size_t dash = words.find('-');
    std::string why;
    const auto number = [&](std::string_view text) {
        return parse_whole(text, 0, kMostMarked, why);
    };
    const auto first = number(std::string_view(words).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : number(std::string_view(words).substr(dash + 1));
    if (!first || !last || *first > *last || run.bounds.requests.empty())
        throw Refused("refused.mark"_t, {{"words", words}});
    run.focus.marked =
        MarkedTokens{run.bounds.requests[run.focus.request.index()],
                     static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last)};
}

void set_step(RunState& run, const Command& c) {
    const std::string& word = word_argument(c);
    for (const Granularity step :
         {Granularity::Operation, Granularity::Layer, Granularity::Token, Granularity::Iteration})
        if (name_of(step) == word) {
            run.playback.step = step;
            return;
        }
    throw Refused("refused.step"_t, {{"word", word}});
}

template <int change>
void change_step(RunState& run, const Command&) {
    const int step = static_cast<int>(run.playback.step) + change;
    run.playback.step =
        static_cast<Granularity>(std::clamp(step, 0, static_cast<int>(Granularity::Iteration)));
}

void set_speed(RunState& run, const Command& c) {
    const double speed = std::get<double>(c.argument);
    if (!(speed >= 0.1 && speed <= 1000))
        throw Refused("refused.speed"_t, {{"n", round_trip(speed)}});
    run.playback.speed = speed;
}

// The argument's place among two words.
std::size_t choice_of(const Command& c, std::array<std::string_view, 2> words) {
    const auto found = std::find(words.begin(), words.end(), word_argument(c));
    if (found == words.end())
        throw Refused("refused.choice"_t,
                      {{"word", word_argument(c)}, {"first", words[0]}, {"second", words[1]}});
    return static_cast<std::size_t>(found - words.begin());
}

void set_price_text(RunState& run, const Command& c) {
    run.price.text = static_cast<PriceText>(choice_of(c, {"fixed", "request"}));
}

void set_price_scale(RunState& run, const Command& c) {
    run.price.scale = static_cast<PriceScale>(choice_of(c, {"kl", "nll"}));
}

struct RunHandler {
    CommandId id;
    void (*run)(RunState&, const Command&);
};
constexpr std::array kRunHandlers = std::to_array<RunHandler>({
    {"run.play", [](RunState& r, const Command&) { r.playback.playing = !r.playback.playing; }},
    {"present.freeze", [](RunState& r, const Command&) { r.frozen = !r.frozen; }},
    {"code.forward", [](RunState& r, const Command&) { ++r.code.steps; }},
    {"code.back", [](RunState& r, const Command&) { --r.code.steps; }},
    {"price.text", set_price_text},
    {"price.scale", set_price_scale},
    {"settings.more", [](RunState& r, const Command&) { r.settings.more = !r.settings.more; }},
    {"price.picture", [](RunState& r, const Command&) { r.price.chart = !r.price.chart; }},
    {"run.coarser", change_step<1>},
    {"run.finer", change_step<-1>},
    {"run.step", set_step},
    {"run.speed", set_speed},
    {"focus.request", focus_named},
    {"focus.next", focus_next<1>},
    {"focus.previous", focus_next<-1>},
    {"select.token", select_token},
    {"select.block", select_block},
    {"select.none", select_none},
    {"mark.tokens", mark_tokens},
    {"mark.none", [](RunState& r, const Command&) { r.focus.marked.reset(); }},
    {"select.layer",
     [](RunState& r, const Command& c) {
         r.focus.layer = index_below(c, r.bounds.n_layers, "refused.layer"_t);
     }},
    {"select.kv_head", select_kv_head},
    {"select.query_head", select_query_head},
    {"select.dim",
     [](RunState& r,
        const Command& c) { r.focus.dim = index_below(c, r.bounds.head_dim, "refused.dim"_t); }},
    {"select.keys", [](RunState& r, const Command&) { r.focus.side = Side::K; }},
    {"select.values", [](RunState& r, const Command&) { r.focus.side = Side::V; }},
});

}  // namespace

void select(RunState& run, const Command& command) {
    const auto handler = std::find_if(kRunHandlers.begin(), kRunHandlers.end(),
                                      [&](const RunHandler& h) { return h.id == command.id; });
    KV_ASSERT(handler != kRunHandlers.end());
    handler->run(run, command);
}

}  // namespace kv
