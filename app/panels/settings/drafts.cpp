#include "app/panels/settings/drafts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/settings/draft_choice.hpp"
#include "app/panels/settings/head.hpp"
#include "app/panels/settings/rows.hpp"
#include "app/panels/settings/setup.hpp"
#include "app/panels/settings/tiny_paint.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

constexpr float kDraftLabel = 76, kRoomForHead = 130;
constexpr std::uint64_t kMostTinyCells = 5;  // of the small picture

// One solid cell, which the model says itself, and dashed ones that it checks in the same read.
void paint_ahead(const Ui& ui, const Rect& room, const DraftChoice& shown, const Hue& hue) {
    const Painter p(ui);
    const std::uint64_t ahead =
        shown.is_on() ? std::min(shown.k.value_or(4), kMostTinyCells - 1) : 0;
    const float w = std::floor(room.w / kMostTinyCells), h = ui.px(14);
    const float y = std::round(room.center().y - h / 2);
    for (std::uint64_t i = 0; i <= ahead; ++i) {
        const Rect cell{room.x + static_cast<float>(i) * w, y, w - ui.px(2), h};
        if (i > 0) {
            dashed_outline(p, cell, hue.ink, 3);
            continue;
        }
        fill(p, cell, hue.fill, 3);
        if (const auto edge = needed_outline(ui.colors, hue.fill)) outline(p, cell, *edge, 3);
    }
}

Text consequence_of(const DraftChoice& choice, const Texts& text) {
    if (!choice.is_on()) return text["set.draft.none"_t];
    if (!choice.k) return text["set.draft.adapts"_t];
    return fill(text["set.draft.fixed"_t], {{"n", with_commas(*choice.k + 1)}});
}

Text source_words(const DraftChoice& choice, const Texts& text) {
    if (!choice.is_on()) return text["set.draft.off"_t];
    if (const auto n = choice.ngram())
        return fill(text["set.draft.ngram"_t], {{"n", with_commas(*n)}});
    return Text(choice.source);
}

// A row of choices; the one that is pointed at becomes `shown`.
void draw_draft_row(const Ui& ui, const char* id, std::string_view label,
                    std::span<const DraftChoice> all, std::span<const Text> words,
                    const DraftChoice& now, DraftChoice& shown) {
    const SettingWords labels(words.begin(), words.end());
    const auto chosen =
        static_cast<std::size_t>(std::find(all.begin(), all.end(), now) - all.begin());
    std::optional<std::size_t> pointed;
    const RowPlace place{.label = label, .label_width = label.empty() ? 0 : ui.px(kDraftLabel)};
    const auto next = choice_row(ui, id, place, labels, chosen, pointed);
    if (pointed && *pointed < all.size()) shown = all[*pointed];
    if (next && *next < all.size()) push_setting(ui, "draft", all[*next].written());
}

}  // namespace

void draw_draft_group(const Ui& ui, const RunView& run, const RunFocus& focus) {
    const DraftChoice now = draft_choice(setting_of(run, "draft"));
    // In a low panel a label stands in place of the head, so that the row is above the fold.
    const bool low = ImGui::GetContentRegionAvail().y < ui.px(kRoomForHead);
    std::optional<SettingHead> head;
    if (low)
        rule(ui, RuleSpan::Content, 2, 4);
    else
        head = reserve_setting_head(ui, true);
    DraftChoice shown = now;
    const List<DraftChoice> sources = draft_sources(now, parse_model_source(run.model_name).name);
    List<Text> words;
    for (const DraftChoice& each : sources) words.push_back(source_words(each, ui.text));
    draw_draft_row(ui, "draft", low ? ui.text["set.draft"_t] : "", sources, words, now, shown);
    if (now.is_on()) {
        const List<DraftChoice> lengths = draft_lengths(now);
        words.clear();
        for (const DraftChoice& each : lengths)
            words.push_back(each.k ? Text(with_commas(*each.k))
                                   : Text(ui.text["set.draft.auto"_t]));
        draw_draft_row(ui, "draft_k", ui.text["set.draft.k"_t], lengths, words, now, shown);
    }
    if (!head) return;
    paint_ahead(ui, head->picture, shown,
                request_hue(ui.colors, tag_of(run.now, focus.request).index));
    paint_setting_head(ui, *head, ui.text["set.draft"_t], consequence_of(shown, ui.text));
}

}  // namespace kv
