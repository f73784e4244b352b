#include "app/panels/stage/plan/words.hpp"

#include <array>

#include "app/panels/timeline/step_words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/reads.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct OpTexts {
    TextId one, many;
};
// The names of operations in the order of Op. The last two concern the last token alone.
constexpr std::array kOps{
    OpTexts{"stage.op.embed.one"_t, "stage.op.embed.many"_t},
    OpTexts{"stage.op.project.one"_t, "stage.op.project.many"_t},
    OpTexts{"stage.op.rotate.one"_t, "stage.op.rotate.many"_t},
    OpTexts{"stage.op.append.one"_t, "stage.op.append.many"_t},
    OpTexts{"stage.op.attend.one"_t, "stage.op.attend.many"_t},
    OpTexts{"stage.op.output.one"_t, "stage.op.output.many"_t},
    OpTexts{"stage.op.mlp.one"_t, "stage.op.mlp.many"_t},
    OpTexts{"stage.op.logits.one"_t, "stage.op.logits.one"_t},
    OpTexts{"stage.op.sample.one"_t, "stage.op.sample.one"_t},
};

// A token's word in a sentence, where a space has to be called one.
Text spoken(const RunView& run, std::uint32_t token, const Texts& text) {
    const std::string_view bare = bare_word(run.word(token));
    return bare.empty() ? Text(text["stage.space"_t]) : Text(bare);
}

// Whom the sentence is about: the request in focus where it takes part, else the first that does.
std::optional<SeqId> subject_of(const Snapshot& now, SeqId focused) {
    if (is_running(now, focused) && now.requests[focused.index()].scheduled > 0) return focused;
    for (const SeqId id : now.running)
        if (now.requests[id.index()].scheduled > 0) return id;
    if (is_known(now, focused)) return focused;
    return std::nullopt;
}

List<Text> names_of_others(const Snapshot& now, SeqId subject) {
    List<Text> names;
    for (const SeqId id : now.running)
        if (id != subject && now.requests[id.index()].scheduled > 0)
            names.push_back(name_of_request(now, id));
    return names;
}

List<SentencePiece> operation_pieces(const RunView& run, SeqId id, const Texts& text) {
    const Snapshot& now = run.now;
    const RequestView& r = now.requests[id.index()];
    const std::uint32_t last = query_position(now, id).value_or(0);
    const OpTexts& op = kOps[static_cast<std::size_t>(now.operation->op)];
    const auto place = place_of_token(run.lane(), {id, last});
    const std::uint64_t seen = keys_seen(policy_of(run), last, dropped_in(run.lane(), id));
    const Text layer = now.operation->layer ? Text(std::to_string(now.operation->layer->value))
                                            : Text(),
               block = place ? Text(with_commas(place->block.value)) : Text("–"),
               slot = place ? Text(std::to_string(place->slot.value)) : Text("–"),
               word = last < r.tokens.size() ? spoken(run, r.tokens[last], text) : Text();
    const auto chosen = blocks_chosen(run, id, last);
    if (chosen && r.scheduled == 1 && now.operation->op == Op::Attend)
        return pieces(text["stage.op.attend.chosen"_t], {{"request", r.name},
                                                         {"token", with_commas(last)},
                                                         {"word", word},
                                                         {"count", with_commas(chosen->n)},
                                                         {"of", with_commas(chosen->of)},
                                                         {"layer", layer}});
    return pieces(text[r.scheduled > 1 ? op.many : op.one], {{"request", r.name},
                                                             {"token", with_commas(last)},
                                                             {"word", word},
                                                             {"first", with_commas(r.stored)},
                                                             {"last", with_commas(last)},
                                                             {"count", with_commas(seen)},
                                                             {"block", block},
                                                             {"slot", slot},
                                                             {"layer", layer}});
}

List<SentencePiece> begin_pieces(const Snapshot& now, SeqId id, const Texts& text) {
    const RequestView& r = now.requests[id.index()];
    const Text step = with_commas(now.iteration);
    if (r.scheduled == 0) return pieces(text["stage.during"_t], {{"step", step}});
    return pieces(text[r.scheduled == 1 ? "stage.during.token"_t : "stage.during.tokens"_t],
                  {{"step", step}, {"request", r.name}, {"count", with_commas(r.scheduled)}});
}

// Without a cache: all tokens but the one that was just sampled were computed, and after the first
// step only the last of them for the first time.
List<SentencePiece> forgotten_pieces(const Snapshot& now, const RequestView& r, const Texts& text) {
    const std::size_t n = r.tokens.size() - (r.tokens.size() > r.n_prompt ? 1 : 0);
    const std::size_t again = r.admitted == now.iteration ? 0 : n - 1;
    return pieces(text["stage.after.off"_t], {{"step", with_commas(now.iteration)},
                                              {"request", r.name},
                                              {"n", with_commas(n)},
                                              {"again", with_commas(again)}});
}

List<SentencePiece> done_pieces(const RunView& run, SeqId id, const Texts& text) {
    const Snapshot& now = run.now;
    const RequestView& r = now.requests[id.index()];
    const auto say = [&](TextId sentence, std::string_view reason, std::string_view word) {
        return pieces(text[sentence], {{"step", with_commas(now.iteration)},
                                       {"request", r.name},
                                       {"stored", with_commas(held_in(run.lane(), id))},
                                       {"tokens", with_commas(r.tokens.size())},
                                       {"reason", reason},
                                       {"word", word}});
    };
    switch (r.state) {
        case RequestState::Finished:
        case RequestState::Refused:
            return say("stage.after.ended"_t, {}, {});
        case RequestState::Paused:
            return say("stage.after.paused"_t, {}, {});
        case RequestState::Waiting:
        case RequestState::Preempted:
            if (!r.waits) return say("stage.after"_t, {}, {});
            return say("stage.after.waits"_t,
                       text_of(*r.waits, [&](SeqId other) { return name_of_request(now, other); }),
                       {});
        case RequestState::Running:
            break;
    }
    if (!keeps_cache(run)) return forgotten_pieces(now, r, text);
    if (r.stored < r.tokens.size())
        return say("stage.after.next"_t, {}, spoken(run, r.tokens[r.stored], text));
    return say("stage.after.stored"_t, {}, {});
}

// The token that the sentence names: the one at hand, or the one that comes next.
Text word_in(const RunView& run, SeqId id, const Texts& text) {
    const RequestView& r = run.now.requests[id.index()];
    const std::size_t at =
        run.now.in_iteration ? std::size_t{query_position(run.now, id).value_or(0)} : r.stored;
    return at < r.tokens.size() ? spoken(run, r.tokens[at], text) : Text();
}

// Searched from the end: the request's name, which comes before the word, may read the same.
std::optional<std::size_t> place_of(std::string_view word, const List<SentencePiece>& in) {
    for (std::size_t i = in.size(); i-- > 0;)
        if (in[i].is_value && in[i].text == word) return i;
    return std::nullopt;
}

TextId state_text(const RequestView& r) {
    switch (r.state) {
        case RequestState::Waiting:
            return "stage.state.waiting"_t;
        case RequestState::Preempted:
            return "stage.state.preempted"_t;
        case RequestState::Paused:
            return "stage.state.paused"_t;
        default:
            break;
    }
    // The prompt's last token alone is a decode: one token in, the next one out.
    const bool prefills = r.stored + std::uint64_t{1} < r.n_prompt;
    return prefills ? "stage.state.prefill"_t : "stage.state.decode"_t;
}

}  // namespace

NowSentence now_sentence(const RunView& run, const RunFocus& focus, const Texts& text) {
    const Snapshot& now = run.now;
    NowSentence said;
    if (now.iteration == 0) {
        said.pieces = pieces(text["stage.before"_t], {});
        return said;
    }
    said.request = subject_of(now, focus.request);
    if (!said.request) {
        said.pieces = pieces(text[now.in_iteration ? "stage.during"_t : "stage.after"_t],
                             {{"step", with_commas(now.iteration)}});
    } else if (!now.in_iteration) {
        said.pieces = done_pieces(run, *said.request, text);
    } else if (!now.operation) {
        said.pieces = begin_pieces(now, *said.request, text);
    } else {
        said.is_under_way = true;
        said.pieces = operation_pieces(run, *said.request, text);
        if (const auto others = names_of_others(now, *said.request); !others.empty())
            said.with = fill(text["stage.with"_t], {{"requests", list_of(text, others)}});
    }
    if (said.request) said.word = place_of(word_in(run, *said.request, text).view(), said.pieces);
    return said;
}

List<SentencePiece> reused_sentence(const Snapshot& now, SeqId request, const Texts& text) {
    if (!is_known(now, request)) return {};
    const RequestView& r = now.requests[request.index()];
    if (r.cached_prompt == 0) return {};
    return pieces(text["stage.reused"_t], {{"request", r.name},
                                           {"found", with_commas(r.cached_prompt)},
                                           {"prompt", with_commas(r.n_prompt)}});
}

List<SeqId> other_requests(const Snapshot& now, SeqId focused) {
    List<SeqId> others;
    for (const SeqId id : requests_in_order(now))
        if (id != focused && !now.requests[id.index()].finish) others.push_back(id);
    return others;
}

StripWords strip_words(const LaneAt& lane, SeqId request, bool learn, const Texts& text) {
    const RequestView& r = lane.now.requests[request.index()];
    const std::uint32_t held = held_in(lane, request);
    if (r.swapped)
        return {fill(text["stage.strip.host"_t], {{"count", with_commas(held)}}),
                learn ? text[state_text(r)] : ""};
    if (r.stored == 0 && r.scheduled == 0)
        return {fill(text["stage.strip.queued"_t], {{"count", with_commas(r.tokens.size())}}),
                learn ? text[state_text(r)] : ""};
    if (!learn)
        return {
            fill(text["stage.strip.in"_t], {{"tokens", with_commas(held)},
                                            {"blocks", with_commas(blocks_held(lane, request))}}),
            {}};
    return {fill(text["stage.strip.tokens"_t], {{"count", with_commas(held)}}),
            text[state_text(r)]};
}

}  // namespace kv
