#pragma once
// The words of drafts: what was proposed, what became of it, and what it brings.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishDrafts = std::to_array<EnglishText>({
    // Stage: the first line
    {"stage.draft.proposes", "Step {step}: {source} proposes {k} {k:token|tokens} for {request}. Nobody has checked {k:it|them} yet."},
    {"stage.draft.judged", "Step {step}: {k} proposed, {accepted} accepted, {tokens} {tokens:token|tokens} from one read."},
    // Below the row
    {"stage.draft.kept", "{n} {n:slot|slots} kept"},
    {"stage.draft.back", "{n} {n:slot|slots} given back"},
    {"stage.draft.ahead", "{n} {n:slot|slots} written ahead: no prefix finds {n:it|them}"},
    // The box
    {"stage.draft.position", "position"},
    {"stage.draft.read", "read"},
    {"stage.draft.more", "and {n} more"},
    {"stage.draft.propose", "{source} proposes"},
    {"stage.draft.propose.model", "one word after another"},
    {"stage.draft.propose.from", "copied from {from} and on"},
    {"stage.draft.check", "{model} checks"},
    {"stage.draft.check.how", "all {n} queries at once"},
    {"stage.draft.keep", "kept or taken back"},
    {"stage.draft.keep.how", "up to the first wrong one"},
    {"stage.draft.not_judged", "not judged"},
    {"stage.draft.reads", "{n} {n:read|reads}"},
    {"stage.draft.tokens", "{n} {n:token|tokens}"},
    {"stage.draft.slots_back", "+ {n} {n:slot|slots} back"},
    // The drafter's lane and its pool
    {"stage.drafter", "drafter"},
    {"stage.drafter.keeps", "keeps {n} {n:token|tokens} of its own"},
    {"stage.drafter.pool", "Drafter's pool"},
    {"stage.drafter.size", "{blocks} × {each} = {all}"},
    {"stage.drafter.used", "{used} used, {free} free"},
    // A token that is pointed at
    {"stage.tip.ghost", "proposed for position {position}, not checked"},
    {"stage.tip.accepted", "proposed for position {position}, accepted"},
    {"stage.tip.own", "what the model says at position {position}; its key and value come with the next step"},

    // Inspector
    {"bytes.token.ahead", "Token {n} {word} of {tag}, written ahead"},

    // Panel
    {"panel.drafts", "Drafts"},
    {"panel.drafts.help", "What drafts brought so far: how many proposed tokens the model accepted, struck or never judged, and how many tokens each read gave. A column is one checked read: at the foot the model's own token, above it the accepted ones, a cross on the one that was wrong, dashes on those behind it; the cells of a draft of k are always k + 1. At the right what is to be expected of other k, and where drafts win or lose by batch and acceptance."},
    {"panel.drafts.leaves", "Weights in the bytes that are measured. The map is modelled for the model and the card of the calculator, with drafts that are looked up and cost nothing to make; a draft model costs its own passes."},
    {"panel.drafts.empty", "No drafts"},
    {"panel.drafts.why", "No scene is open. Drafts need a run whose setting draft is not off."},
    {"drafts.off", "Drafts are off"},
    {"drafts.off.why", "In Settings, Drafts: n-gram looks for the last tokens further up in the text and proposes what came behind them there. One read of the cache then checks several tokens."},
    {"drafts.waits", "No draft was checked yet"},
    {"drafts.waits.why", "A draft comes once the prompt is read, and with n-gram only where the last tokens stood in the text before."},
    {"drafts.so_far", "{name} so far, {n} checked {n:read|reads}"},
    {"drafts.proposed", "proposed"},
    {"drafts.accepted", "accepted"},
    {"drafts.rejected", "rejected"},
    {"drafts.key.accepted", "accepted: {model} says the same"},
    {"drafts.key.struck", "struck: {model} says another"},
    {"drafts.key.behind", "behind a struck one, not judged"},
    {"drafts.key.own", "{model}'s own"},
    {"drafts.struck", "struck"},
    {"drafts.behind", "behind a struck one"},
    {"drafts.from_reads", "tokens from {n} {n:read|reads}"},
    {"drafts.sum", "{accepted} + {own} = {all}"},
    {"drafts.per_read", "tokens per read"},
    {"drafts.right", "judged and right"},
    {"drafts.share", "{part} / {of} = {share}"},
    {"drafts.bytes", "KV bytes per token"},
    {"drafts.without", "without drafts"},
    {"drafts.time", "µs per token, measured"},
    {"drafts.columns", "Accepted"},
    {"drafts.columns.unit", "per checked read"},
    {"drafts.expected", "Tokens a read can be expected to give"},
    {"drafts.expected.how", "1 + a + … + a^k with a = {a}"},
    {"drafts.k", "k {k}"},
    {"drafts.measured", "White tick: {n}, measured over {reads} {reads:read|reads}."},
    {"drafts.map", "Times as fast, by batch and acceptance"},
    {"drafts.map.how", "k = {k}, {model}, {tokens} tokens each; crosses: slower than without"},
    {"drafts.map.batch", "batch"},

    // Charts
    {"charts.per_token", "KV bytes per new token"},
    {"charts.per_token.of", "{n} new"},

    // Roofline
    {"run_roofline.k", "k = {k}"},

    // Settings
    {"set.draft", "Drafts"},
    {"set.draft.off", "Off"},
    {"set.draft.ngram", "n-gram {n}"},
    {"set.draft.k", "k ahead"},
    {"set.draft.auto", "adapt"},
    {"set.draft.none", "one token a read"},
    {"set.draft.fixed", "up to {n} tokens a read"},
    {"set.draft.adapts", "as the last drafts suggest"},

    // Event log
    {"event.proposed", "{source} proposes {n} {n:token|tokens} for {name}"},
    {"event.verified", "{name} keeps {accepted} of {k} proposed {k:token|tokens}"},
    {"event.drafter", "{model} gets {n} {n:block|blocks} for drafts"},
    {"event.drafter.gone", "the drafter's blocks are given up"},
    {"mark.draft", "Tokens proposed and checked"},

    // In front of an audience
    {"present.event.drafted", "{name}: {k} tokens proposed, {accepted} accepted.\nOne read gave {n} {n:token|tokens}."},
    {"present.rule.drafts", "Guessing is cheap and reading is dear: one read checks all guesses, and what is wrong is taken back."},
});
// clang-format on

}  // namespace kv
