#include "app/panels/settings/groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/view.hpp"
#include "app/panels/policy/choice.hpp"
#include "app/panels/policy/words.hpp"
#include "app/panels/settings/drafts.hpp"
#include "app/panels/settings/head.hpp"
#include "app/panels/settings/rows.hpp"
#include "app/panels/settings/tiny_paint.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

constexpr float kSideLabel = 20, kMemoryLabel = 76;  // width of the labels beside choices

// The checkpoints that were trained alike but for their KV heads.
struct Sibling {
    const char* name;
    const char* title;
    std::uint32_t kv_heads;  // 0: one for each query head
};
constexpr std::array<Sibling, 3> kSiblings{
    {{"mha", "MHA", 0}, {"gqa", "GQA", 2}, {"mqa", "MQA", 1}}};

// Two setups stand side by side: `now_` is the run's, `shown_` what the one that is pointed at
// would make of it. Pictures and consequences follow `shown_`; only a press sends a command.
class Groups {
public:
    Groups(const Ui& ui, const RunView& run, const RunFocus& focus)
        : ui_(ui), run_(run), focus_(focus), now_(setup_of(run, focus)), shown_(now_) {}

    // Controls first: what is pointed at in one of them changes the pictures of all.
    void draw() {
        std::array<SettingHead, 4> heads;
        heads[0] = reserve_setting_head(ui_, false);
        draw_attention();
        heads[1] = reserve_setting_head(ui_, true);
        draw_stored();
        heads[2] = reserve_setting_head(ui_, true);
        draw_forgetting();
        heads[3] = reserve_setting_head(ui_, true);
        draw_memory();
        paint_heads(heads);
    }

private:
    void draw_attention() {
        const ModelSource source = parse_model_source(run_.model_name);
        List<std::string> labels;  // `words` points into them
        labels.reserve(kSiblings.size());
        SettingWords words;
        std::size_t chosen = kSiblings.size();
        for (const Sibling& sibling : kSiblings)
            labels.push_back(std::string(sibling.title) + " " + std::to_string(heads_of(sibling)));
        for (std::size_t i = 0; i < kSiblings.size(); ++i) {
            words.push_back(labels[i]);
            if (source.name == kSiblings[i].name) chosen = i;
        }
        if (chosen == kSiblings.size()) words.push_back(source.name);
        std::optional<std::size_t> pointed;
        const auto next = choice_row(ui_, "model", {}, words, chosen, pointed);
        if (pointed && *pointed < kSiblings.size() && *pointed != chosen)
            shown_.choose_kv_heads(heads_of(kSiblings[*pointed]));
        if (next && *next < kSiblings.size())
            ui_.out.push("run.model", std::string(kSiblings[*next].name));
    }

    std::uint32_t heads_of(const Sibling& sibling) const {
        return sibling.kv_heads == 0 ? now_.n_heads : sibling.kv_heads;
    }

    void draw_stored() {
        draw_codec("k_codec", Side::K,
                   {.label = ui_.text["set.k.short"_t], .ink = ui_.colors.k.ink});
        draw_codec("v_codec", Side::V,
                   {.label = ui_.text["set.v.short"_t], .ink = ui_.colors.v.ink});
    }

    void draw_codec(const char* setting, Side side, RowPlace place) {
        place.label_width = ui_.px(kSideLabel);
        SettingChoices choices{.setting = setting, .values = {}, .labels = {}};
        for (const CodecOption& option : kCodecOptions) {
            choices.values.push_back(option.name);
            choices.labels.push_back(option.label);
        }
        const std::size_t chosen = chosen_of(run_, choices);
        std::optional<std::size_t> pointed;
        const auto next = choice_row(ui_, setting, place, choices.labels, chosen, pointed);
        std::string why;
        if (pointed && *pointed != chosen)
            if (const auto codec = parse_codec(choices.values[*pointed], why))
                shown_.choose_codec(side, *codec);
        if (next) push_setting(ui_, setting, choices.values[*next]);
    }

    void draw_forgetting() {
        const std::string_view found = setting_of(run_, "evict"),
                               now = found.empty() ? "none" : found;
        const List<PolicyOption> policies =
            policy_options(now, ui_.text, usual_budget(now_.n_tokens));
        // The words of the policies that have a place of their own; all others share the last one.
        const SettingWords words{ui_.text["set.evict.nothing"_t], ui_.text["set.evict.window"_t],
                                 ui_.text["set.evict.sinks"_t], ui_.text["set.more"_t]};
        const std::size_t more = words.size() - 1;
        const auto at = static_cast<std::size_t>(
            std::find_if(policies.begin(), policies.end(),
                         [&](const PolicyOption& option) { return option.value == now; }) -
            policies.begin());
        const ImVec2 top = ImGui::GetCursorScreenPos();
        const Rect row{top.x, top.y, room_width(), control_height(ui_, true)};
        std::optional<std::size_t> pointed;
        const auto next = choice_row(ui_, "evict", {}, words, std::min(at, more), pointed);
        if (pointed && *pointed < more && *pointed != at)
            shown_.choose_policy(policies[*pointed].value);
        if (next && *next < more) push_setting(ui_, "evict", policies[*next].value);
        draw_others(std::span(policies).subspan(more), row, next == more,
                    at < more ? std::nullopt : std::optional(at - more));
        draw_budget(now);
    }

    // The policies without a place of their own: a list under "More", and once one of them is
    // chosen a line that names it.
    void draw_others(std::span<const PolicyOption> others, const Rect& under, bool open,
                     std::optional<std::size_t> at) {
        SettingWords titles;
        for (const PolicyOption& option : others) titles.push_back(option.label);
        ImGui::PushID("others");
        if (open) ImGui::OpenPopup("list");
        ImGui::PopID();
        const std::size_t chosen = at.value_or(others.size());
        std::optional<std::size_t> pointed, next;
        if (at) {
            next = dropdown(ui_, "others", titles, chosen,
                            {.width = room_width(), .pointed = &pointed});
            space(ui_, 4);
        } else {
            next = list_under(ui_, "others", under, titles, chosen, pointed);
        }
        if (pointed) shown_.choose_policy(others[*pointed].value);
        if (next) push_setting(ui_, "evict", others[*next].value);
    }

    // The policy's own numbers.
    void draw_budget(std::string_view now) {
        const List<PolicyOption> budgets = budget_options(now);
        if (budgets.empty()) return;
        SettingChoices choices{.setting = "evict", .values = {}, .labels = {}};
        for (const PolicyOption& option : budgets) {
            choices.values.push_back(option.value);
            choices.labels.push_back(option.label);
        }
        const bool by_share = budgets.front().label.ends_with("%");
        const RowPlace place{
            .label = ui_.text[by_share ? "set.evict.drops"_t : "set.evict.keeps"_t],
            .label_width = ui_.px(kMemoryLabel)};
        const std::size_t chosen = chosen_of(run_, choices);
        std::optional<std::size_t> pointed;
        const auto next = choice_row(ui_, "budget", place, choices.labels, chosen, pointed);
        if (pointed && *pointed != chosen) shown_.choose_policy(choices.values[*pointed]);
        if (next) push_setting(ui_, "evict", choices.values[*next]);
    }

    void draw_memory() {
        draw_page_size();
        draw_what_pool_keeps();
        draw_cache();
    }

    RowPlace memory_row(TextId label) const {
        return {.label = ui_.text[label], .label_width = ui_.px(kMemoryLabel)};
    }

    void draw_page_size() {
        const SettingWords sizes{"4", "8", "16", "32"};
        SettingChoices pages{.setting = "block_size", .values = sizes, .labels = sizes};
        const std::size_t chosen = chosen_of(run_, pages);
        std::optional<std::size_t> pointed;
        const auto next = choice_row(ui_, "block_size", memory_row("set.page.short"_t),
                                     pages.labels, chosen, pointed);
        std::string why;
        if (pointed && *pointed != chosen)
            if (const auto size = parse_whole(pages.values[*pointed], 1, UINT32_MAX, why))
                shown_.choose_page(static_cast<std::uint32_t>(*size));
        if (next) push_setting(ui_, "block_size", pages.values[*next]);
    }

    // Its bytes or its blocks, when another setting changes how large a block is.
    void draw_what_pool_keeps() {
        const SettingWords keeps{ui_.text["set.pool.by_bytes"_t], ui_.text["set.pool.by_blocks"_t]};
        std::optional<std::size_t> pointed;  // changes no picture
        const auto next = choice_row(ui_, "keeps", memory_row("set.pool.keeps"_t), keeps,
                                     now_.pool_bytes ? 0 : 1, pointed);
        if (next)
            push_setting(ui_, "pool",
                         *next == 0 ? pool_by_bytes(run_.layout) : pool_by_blocks(run_.layout));
    }

    void draw_cache() {
        const bool keeps = now_.keeps;
        if (toggle(ui_, "cache", ui_.text["set.cache"_t], keeps,
                   {.caption = ui_.text[keeps ? "set.cache.on"_t : "set.cache.off"_t]}))
            ui_.out.push("run.cache");
        if (ImGui::IsItemHovered()) shown_.keeps = !keeps;
    }

    void paint_heads(std::span<const SettingHead, 4> heads) {
        const Painter p(ui_);
        const Hue hue = request_hue(ui_.colors, tag_of(run_.now, focus_.request).index);
        paint_tiny(p, heads[0].picture, tiny_heads(shown_));
        paint_tiny(p, heads[1].picture, tiny_bits(shown_.codecs.k), tiny_bits(shown_.codecs.v));
        paint_tiny(p, heads[2].picture, tiny_slots(shown_), hue);
        paint_tiny(p, heads[3].picture, tiny_pool(shown_), hue);
        paint_setting_head(ui_, heads[0], ui_.text["set.attention"_t], attention_words());
        paint_setting_head(ui_, heads[1], ui_.text["set.stored"_t], stored_words());
        paint_setting_head(ui_, heads[2], ui_.text["set.forgetting"_t], forgetting_words());
        paint_setting_head(ui_, heads[3], ui_.text["set.memory"_t], memory_words());
    }

    Text attention_words() const {
        return fill(ui_.text["set.per_token"_t],
                    {{"bytes", bytes_binary(bytes_per_token(shown_.layout))}});
    }
    std::string side_bytes(Side side) const {
        const KvLayout& layout = shown_.layout;
        return bytes_binary(std::uint64_t{layout.n_layers} * layout.n_kv_heads *
                            layout.vector(side).bytes);
    }
    Text stored_words() const {
        return fill(ui_.text["set.stored.bytes"_t],
                    {{"k", side_bytes(Side::K)}, {"v", side_bytes(Side::V)}});
    }
    Text forgetting_words() const {
        if (!shown_.keeps) return ui_.text["set.keeps.none"_t];
        const std::uint32_t kept = shown_.n_kept();
        return fill(ui_.text[kept == shown_.n_tokens ? "set.keeps.all"_t : "set.keeps.some"_t],
                    {{"n", with_commas(shown_.n_tokens)}, {"kept", with_commas(kept)}});
    }
    Text memory_words() const {
        if (!shown_.keeps) return ui_.text["set.memory.none"_t];
        const KvLayout& layout = shown_.layout;
        return fill(ui_.text["set.memory.bytes"_t],
                    {{"blocks", with_commas(layout.n_blocks)},
                     {"block", bytes_binary(bytes_per_block(layout))},
                     {"bytes", bytes_binary(layout.pool_bytes())}});
    }

    const Ui& ui_;
    const RunView& run_;
    const RunFocus& focus_;
    CacheSetup now_, shown_;
};

}  // namespace

void draw_setting_groups(const Ui& ui, const RunView& run, const RunFocus& focus) {
    Groups(ui, run, focus).draw();
    draw_draft_group(ui, run, focus);
}

}  // namespace kv
