#include "app/panels/timeline/step_words.hpp"

#include <algorithm>
#include <array>

#include "app/panels/timeline/plan.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostNames = 6;

// What became of the draft of a request in this step; empty where it has none.
Text draft_words(const Texts& text, const RunView& run, const RunHistory& history, SeqId request) {
    const RequestView& r = run.now.requests[request.index()];
    const Text name = name_of_request(run.now, request);
    if (r.draft && !r.draft->verified)
        return fill(text["event.proposed"_t], {{"source", r.draft->source},
                                               {"n", with_commas(r.draft->tokens.size())},
                                               {"name", name}});
    const auto drafts = history.drafts();
    const auto first = std::lower_bound(
        drafts.begin(), drafts.end(), run.now.iteration,
        [](const RunDraft& draft, std::uint32_t step) { return draft.iteration < step; });
    for (auto draft = first; draft != drafts.end() && draft->iteration == run.now.iteration;
         ++draft)
        if (draft->request == request && draft->event < run.moment)
            return fill(text["event.verified"_t], {{"name", name},
                                                   {"accepted", with_commas(draft->accepted)},
                                                   {"k", with_commas(draft->k)}});
    return {};
}

}  // namespace

const char* op_name(const Texts& text, Op op) {
    constexpr std::array kNames{"op.embed"_t,  "op.project"_t, "op.rotate"_t,
                                "op.append"_t, "op.attend"_t,  "op.output"_t,
                                "op.mlp"_t,    "op.logits"_t,  "op.sample"_t};
    return text[kNames[static_cast<std::size_t>(op)]];
}

List<PositionWord> position_words(const Texts& text, const RunView& run) {
    if (!run.now.operation) return {};
    const Operation& op = *run.now.operation;
    if (!op.layer) return {{text["transport.op"_t], op_name(text, op.op), ""}};
    const auto* at = std::find(std::begin(kLayerOps), std::end(kLayerOps), op.op);
    return {{text["transport.layer"_t], std::to_string(op.layer->value), ""},
            {text["transport.op"_t], std::to_string(at - std::begin(kLayerOps) + 1),
             fill(text["run.of"_t], {{"n", std::to_string(std::size(kLayerOps))}})}};
}

Text list_of(const Texts& text, std::span<const Text> names) {
    Text list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0 && i + 1 == names.size())
            list = fill(text["run.and"_t], {{"list", list}, {"last", names[i]}});
        else
            list += (i > 0 ? ", " : "") + names[i];
    }
    return list;
}

// Where a thousand requests take part in a step only the first are named: no line has room for
// more.
Text step_sentence(const Texts& text, const RunView& run, const RunHistory& history) {
    List<Text> decoding;
    std::size_t n_decoding = 0, n_prefilling = 0, n_drafting = 0;
    Text sentence;
    // From the events, because a snapshot after the iteration has forgotten the plan.
    for (const RunPlanned& plan : history.planned(run.now.iteration)) {
        if (plan.event >= run.moment) break;
        if (const Text drafted = draft_words(text, run, history, plan.request); !drafted.empty()) {
            if (++n_drafting <= kMostNames) sentence += (sentence.empty() ? "" : "; ") + drafted;
            continue;
        }
        // A step of one token is said as a decode, also where the token is of the prompt. The lanes
        // of the timeline go by the prompt (RunHistory::take).
        if (plan.count == 1) {
            if (++n_decoding <= kMostNames)
                decoding.push_back(name_of_request(run.now, plan.request));
            continue;
        }
        if (++n_prefilling > kMostNames) continue;
        sentence += (sentence.empty() ? "" : "; ") +
                    fill(text["run.prefills"_t], {{"name", name_of_request(run.now, plan.request)},
                                                  {"n", with_commas(plan.count)}});
    }
    if (n_prefilling > kMostNames) sentence += "; …";
    if (decoding.empty()) return sentence;
    const Text who = n_decoding > kMostNames
                         ? fill(text["run.many_requests"_t], {{"n", with_commas(n_decoding)}})
                         : list_of(text, decoding);
    return sentence + (sentence.empty() ? "" : "; ") +
           fill(text[n_decoding == 1 ? "run.decodes"_t : "run.decode"_t], {{"names", who}});
}

}  // namespace kv
