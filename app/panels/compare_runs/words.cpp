#include "app/panels/compare_runs/words.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/panels/policy/words.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {

Text model_word(std::string_view name) {
    const std::size_t folder = name.find_last_not_of('/');
    if (name.find('/') == std::string_view::npos || folder == std::string_view::npos)
        return upper_case(name);
    const std::string_view path = name.substr(0, folder + 1);
    return Text(path.substr(path.rfind('/') + 1));
}

namespace {

SideTitle model_title(const RunView& run, const Texts& text) {
    const auto q = static_cast<std::uint64_t>(run.model.n_heads),
               kv = static_cast<std::uint64_t>(run.model.n_kv_heads);
    const TextId meaning = kv == q ? "pair.mha"_t : kv == 1 ? "pair.mqa"_t : "pair.gqa"_t;
    const std::uint64_t n = group_size(q, std::max<std::uint64_t>(1, kv));
    SideTitle title{fill(text["top.heads"_t], {{"name", model_word(run.model_name)},
                                               {"q", with_commas(q)},
                                               {"kv", with_commas(kv)}}),
                    fill(text[meaning], {{"n", with_commas(n)}})};
    if (run.stored_kv_heads > kv)
        title.caption = fill(text["pair.folded"_t], {{"n", with_commas(run.stored_kv_heads / kv)}});
    return title;
}

// A policy by its title or as it is typed, the model, the value of any other setting.
Text side_word(const RunView& run, const Texts& text, std::size_t most) {
    if (run.change == nullptr || run.change->name.empty()) return {};
    if (run.change->is_full) return text["pair.full"_t];
    if (run.change->name == "model") return model_word(run.model_name);
    const std::string& value = run.change->value;
    if (run.change->name != "evict") return Text(value);
    const Text title = policy_words(value, text).title;
    return title.size() <= most ? title : Text(value.substr(0, value.find(':')));
}

}  // namespace

std::array<Text, 2> side_words(const PairView& pair, const Texts& text, std::size_t most) {
    std::array<Text, 2> words{side_word(pair.left, text, most), side_word(pair.right, text, most)};
    const auto fits = [most](const Text& word) { return !word.empty() && word.size() <= most; };
    if (fits(words[0]) && fits(words[1]) && words[0] != words[1]) return words;
    return {text["pair.left"_t], text["pair.right"_t]};
}

Text setting_title(std::string_view name, const Texts& text) {
    constexpr std::array<std::pair<std::string_view, TextId>, 10> kTitles{{
        {"codecs", "pair.codecs"_t},
        {"block_size", "set.page"_t},
        {"k_codec", "set.k"_t},
        {"v_codec", "set.v"_t},
        {"pool", "set.pool"_t},
        {"order", "set.order"_t},
        {"share", "set.share"_t},
        {"host_blocks", "set.host"_t},
        {"preempt", "set.preempt"_t},
        {"backend", "set.backend"_t},
    }};
    const auto* found = std::find_if(kTitles.begin(), kTitles.end(),
                                     [&](const auto& row) { return row.first == name; });
    return found == kTitles.end() ? Text(name) : Text(text[found->second]);
}

std::string_view setting_of(const RunView& run, const std::string& name) {
    const auto found = run.settings.find(name);
    if (found != run.settings.end()) return found->second;
    return name == "evict" ? "none" : std::string_view();
}

SideTitle side_title(const RunView& run, const Texts& text) {
    if (run.change == nullptr) {
        const PolicyWords words = policy_words(setting_of(run, "evict"), text);
        return {words.title, words.keeps};
    }
    if (run.change->name == "model") return model_title(run, text);
    const RunChange& change = *run.change;
    const Text n = with_commas(change.from.value_or(0));
    if (change.name.empty()) {
        if (change.value.empty()) return {text["pair.as_it_is"_t], run.scene};
        // No command without its iteration: the sides are two scenes.
        if (!change.from) return {change.value, model_title(run, text).title};
        return {text["pair.command"_t],
                fill(text["pair.command.words"_t], {{"words", change.value}, {"n", n}})};
    }
    if (change.is_full) return {text["policy.none"_t], text["policy.none.keeps"_t]};
    if (change.name == "evict") {
        const PolicyWords words = policy_words(change.value, text);
        return {words.title, words.keeps};
    }
    SideTitle out{setting_title(change.name, text) + " " + change.value,
                  text.phrase(change.meaning)};
    if (change.from) out.caption = fill(text["pair.from"_t], {{"n", n}});
    return out;
}

List<SentencePiece> summary_sentence(const PairView& pair, const Texts& text) {
    const RunChange* change = pair.left.change;
    if (change != nullptr && change->from)
        return pieces(text["pair.branch"_t], {{"n", with_commas(*change->from)}});
    const bool same_model = pair.left.model_name == pair.right.model_name;
    return pieces(text[same_model ? "pair.weights"_t : "pair.model"_t], {});
}

List<SentencePiece> parting_sentence(const PairView& pair, const Texts& text) {
    const auto& partings = pair.own.difference.partings();
    if (partings.empty()) {
        const bool ended = pair.left.recorded_all && pair.right.recorded_all;
        return pieces(text[ended ? "pair.none"_t : "pair.none_so_far"_t], {});
    }
    const TokenParting& first = partings.front();
    const bool is_alone = pair.left.now.requests.size() == 1;
    List<SentencePiece> out =
        pieces(text[is_alone ? "pair.first.alone"_t : "pair.first"_t],
               {{"request", first.request}, {"index", with_commas(first.index)}});
    const Text left = first.left ? spoken_word(pair.left, *first.left) : Text(),
               right = first.right ? spoken_word(pair.right, *first.right) : Text();
    const Text full = first.full ? spoken_word(pair.left, *first.full) : Text();
    const bool against_full = pair.right.change != nullptr && pair.right.change->is_full;
    const TextId says = against_full && first.left && first.right ? "pair.says.yours"_t
                        : !first.right                            ? "pair.ends_right"_t
                        : !first.left                             ? "pair.ends_left"_t
                        : !first.full                             ? "pair.says"_t
                        : first.full == first.left                ? "pair.says.full_left"_t
                        : first.full == first.right               ? "pair.says.full_right"_t
                                                                  : "pair.says.full"_t;
    out.push_back({" ", false});
    for (SentencePiece& piece :
         pieces(text[says], {{"left", left}, {"right", right}, {"full", full}}))
        out.push_back(std::move(piece));
    return out;
}

namespace {

bool is_reference(const RunView& run) {
    return run.change != nullptr && run.change->is_full;
}

// What each side says where both part, from one side's view.
struct PartedWords {
    bool is_left, ends, other_ends;  // an end: that side says nothing there
    bool as_full, knows_full;        // this side says what the full cache says; it was asked
    Text own, theirs, full;
};
PartedWords parted(const PairView& pair, CompareSide side, const TokenParting& parting) {
    const bool is_left = side == CompareSide::Left;
    const auto& ours = is_left ? parting.left : parting.right;
    const auto& theirs = is_left ? parting.right : parting.left;
    const auto spoken = [](const RunView& run, const std::optional<std::uint32_t>& token) {
        return token ? spoken_word(run, *token) : Text();
    };
    return {.is_left = is_left,
            .ends = !ours,
            .other_ends = !theirs,
            .as_full = parting.full && parting.full == ours,
            .knows_full = parting.full.has_value(),
            .own = spoken(pair.of(side), ours),
            .theirs = spoken(is_left ? pair.right : pair.left, theirs),
            .full = spoken(pair.left, parting.full)};
}

}  // namespace

List<SentencePiece> parting_words(const PairView& pair, CompareSide side,
                                  const TokenParting& parting, const Texts& text) {
    const PartedWords at = parted(pair, side, parting);
    const TextId says = at.ends         ? "pair.has_ended"_t
                        : at.other_ends ? "pair.other_ended"_t
                        : at.as_full    ? "pair.as_full"_t
                        : at.knows_full ? "pair.not_as_full"_t
                        : at.is_left    ? "pair.says_right"_t
                                        : "pair.says_left"_t;
    return pieces(text[says], {{"own", at.own}, {"word", at.theirs}, {"full", at.full}});
}

List<SentencePiece> answer_words(const PairView& pair, CompareSide side,
                                 const TokenParting* parting, std::uint32_t answer,
                                 const Texts& text) {
    const Text n = with_commas(answer);
    if (pair.alone) return pieces(text["pair.alone.answer"_t], {{"n", n}});
    if (parting == nullptr) {
        const bool ended = pair.left.recorded_all && pair.right.recorded_all;
        return pieces(text[ended ? "pair.answer.same"_t : "pair.answer.same_so_far"_t], {{"n", n}});
    }
    const PartedWords at = parted(pair, side, *parting);
    const TextId says = at.ends                       ? "pair.answer.ends"_t
                        : at.other_ends               ? "pair.answer.other_ends"_t
                        : is_reference(pair.of(side)) ? "pair.answer.reference"_t
                        : at.as_full                  ? "pair.answer.as_full"_t
                        : at.knows_full               ? "pair.answer.full"_t
                        : at.is_left                  ? "pair.answer.right"_t
                                                      : "pair.answer.left"_t;
    return pieces(text[says], {{"n", n}, {"word", at.theirs}, {"full", at.full}});
}

Text table_caption(const RunView& run, const Texts& text) {
    const auto layer = run.lanes.layer_of(run.lane_in_focus);
    const auto head = run.lanes.head_of(run.lane_in_focus);
    if (!layer) return {};
    return fill(
        text[head ? "policy.table"_t : "policy.table.layer"_t],
        {{"layer", with_commas(layer->value)}, {"head", with_commas(head ? head->value : 0)}});
}

Text side_caption(const RunView& run, const RunFocus& focus, const Texts& text) {
    const Text table = table_caption(run, text), step = with_commas(run.now.iteration);
    const Text name = name_of_request(run.now, focus.request);
    const auto request = request_named(run.now, name);
    const std::uint32_t stored = request ? run.now.requests[request->index()].stored : 0;
    Text words = stored == 0
                     ? fill(text["pair.memory.step"_t], {{"n", step}})
                     : fill(text["pair.at"_t], {{"n", step}, {"last", with_commas(stored - 1)}});
    return table.empty() ? words : words + ", " + table;
}

Text counted_tokens(std::uint64_t n, const Texts& text) {
    return fill(text["pair.tokens"_t], {{"n", with_commas(n)}});
}

Text counted_blocks(std::uint64_t n, const Texts& text) {
    return fill(text["pair.blocks"_t], {{"n", with_commas(n)}});
}

}  // namespace kv
