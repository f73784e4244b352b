#include "app/panels/policy/xray.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/policy/words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/edge_list.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {
namespace {

constexpr float kPolicyRow = 38;  // logical pixels: a line of numbers, and one that says why
constexpr std::array<std::uint32_t, 4> kSinks{0, 1, 2, 4};

std::string share_percent(double share) {
    return fixed(100 * share, 1) + " %";
}

// ---- What it costs at this step.

void draw_costs(const Ui& ui, const Xray& xray) {
    const Texts& text = ui.text;
    value_row(ui, text["xray.kept"_t],
              fill(text["xray.kept.of"_t],
                   {{"n", with_commas(xray.kept)}, {"all", with_commas(xray.stored)}}));
    if (!xray.query) return paragraph(ui, type::caption(ui), 17, text["xray.waits"_t]);
    const RowLook lossy{.value_color = ui.colors.loss.ink};
    value_row(ui, text["xray.lost"_t],
              fill(text["xray.lost.of"_t],
                   {{"share", share_percent(*xray.mass_lost)}, {"n", with_commas(*xray.query)}}),
              *xray.mass_lost > 0 ? lossy : RowLook{});
    if (!xray.kl) return;
    value_row(ui, fill(text["xray.kl"_t], {{"n", with_commas(*xray.query + 1)}}),
              fill(text["xray.kl.of"_t], {{"kl", significant(*xray.kl, 3)}}),
              *xray.kl > 0 ? lossy : RowLook{});
}

// Chooses more or fewer of the first tokens within the same budget: the run begins anew.
void draw_sink_control(const Ui& ui, const std::string& policy) {
    std::string why;
    const EvictionSpec spec = parse_eviction(policy, why).value_or(EvictionSpec{});
    const bool has_sinks =
        spec.policy == EvictionPolicy::Window || spec.policy == EvictionPolicy::Streaming;
    const std::uint32_t budget = spec.sinks + spec.recent;
    if (!has_sinks || budget <= kSinks.back()) return;
    space(ui, 6);
    control_head(ui, ui.text["xray.sinks"_t], ui.text["xray.sinks.help"_t]);
    constexpr std::array<std::string_view, 4> kWords{"0", "1", "2", "4"};
    const auto* at = std::find(kSinks.begin(), kSinks.end(), spec.sinks);
    const auto chosen =
        segmented(ui, "sinks", kWords, static_cast<std::size_t>(at - kSinks.begin()));
    if (!chosen) return;
    const std::uint32_t sinks = kSinks[*chosen];
    const std::string rest = std::to_string(budget - sinks);
    ui.out.push("run.set",
                "evict " + (sinks == 0 ? "window:" + rest
                                       : "streaming:" + std::to_string(sinks) + "+" + rest));
}

// ---- Token by token.

struct PolicyColumns {
    float position, word, bar, score, rank, right;
    float bar_w;

    PolicyColumns(const Ui& ui, const Rect& r) {
        right = r.right();
        rank = right - ui.px(40);
        score = rank - ui.px(64);
        position = r.x + ui.px(18);
        word = position + ui.px(38);
        bar = std::max(word + ui.px(64), score - ui.px(110));
        bar_w = std::max(0.0f, score - ui.px(58) - bar);
    }
};

void paint_head(const Ui& ui, const Rect& r, bool by_score) {
    const Painter p(ui);
    const PolicyColumns at(ui, r);
    const TextStyle style = aligned(type::caption(ui), Align::Right);
    if (at.bar_w > ui.px(30))
        text_in(p, type::caption(ui), {at.bar, r.y, at.bar_w, r.h}, ui.text["xray.head.look"_t]);
    if (!by_score) return;
    text_in(p, style, {at.score - ui.px(60), r.y, ui.px(60) + ui.px(4), r.h},
            ui.text["xray.head.score"_t]);
    text_in(p, style, {at.rank, r.y, at.right - at.rank, r.h}, ui.text["xray.head.rank"_t]);
}

// What the query looks at: filled as it is, outlined as it would be in a full cache.
void paint_looks(const Painter& p, const XrayRow& row, double most, const Rect& track) {
    const Palette& colors = p.ui.colors;
    const auto length = [&](double share) {
        return most > 0 ? std::round(track.w * static_cast<float>(std::sqrt(share / most))) : 0.0f;
    };
    const float full = length(row.full), seen = length(row.seen);
    if (full >= 1)
        outline(p, {track.x, track.y, full, track.h}, row.dropped ? colors.loss.ink : colors.text3);
    if (seen >= 1) fill(p, {track.x, track.y, seen, track.h}, colors.text2);
}

void paint_numbers(const Painter& p, const RunView& run, const RunFocus& focus, const XrayRow& row,
                   const PolicyColumns& at, const Rect& line, bool by_score) {
    const Ui& ui = p.ui;
    const Color ink = row.dropped  ? ui.colors.loss.ink
                      : row.stored ? ui.colors.text
                                   : ui.colors.text3;
    const TextStyle mono = colored(type::number_small(ui), ui.colors.text2);
    text_in(p, aligned(mono, Align::Right), {at.position, line.y, ui.px(28), line.h},
            with_commas(row.position));
    const RequestView& r = run.now.requests[focus.request.index()];
    const std::string_view word = bare_word(run.word(r.tokens[row.position]));
    text_in(p, colored(type::strong(ui), ink),
            {at.word, line.y, std::max(1.0f, at.bar - at.word - ui.px(6)), line.h}, word);
    if (row.drop == nullptr || !by_score) return;
    const TextStyle right = aligned(colored(type::number_small(ui), ink), Align::Right);
    if (row.drop->score)
        text_in(p, right, {at.score - ui.px(56), line.y, ui.px(60), line.h},
                score_text(*row.drop->score));
    if (row.drop->rank)
        text_in(p, right, {at.rank, line.y, at.right - at.rank, line.h},
                with_commas(*row.drop->rank + 1));
}

void draw_row(const Ui& ui, const RunView& run, RunFocus& focus, const Xray& xray, std::size_t i,
              double most, const EdgeRow& place) {
    const XrayRow& row = xray.rows[i];
    const Painter p(ui);
    const TokenAt token{focus.request, row.position};
    if (place.hit.hovered || focus.pointed.token == token)
        fill(p, place.wash, ui.colors.hover_wash());
    if (focus.token == row.position)
        fill(p, {place.wash.x, place.hit.rect.y, ui.px(3), place.hit.rect.h}, ui.colors.focus);
    const Rect& r = place.hit.rect;
    const PolicyColumns at(ui, r);
    const Rect line{r.x, r.y + ui.px(3), r.w, ui.px(17)};
    const Vec2 mark{r.x + ui.px(7), std::floor(line.center().y)};
    if (row.dropped)
        cross_mark(p, mark, 8, ui.colors.loss.ink);
    else if (row.stored)
        tick_mark(p, mark, 9, ui.colors.text2);
    paint_numbers(p, run, focus, row, at, line, xray.by_score);
    if (at.bar_w > ui.px(12))
        paint_looks(p, row, most,
                    {at.bar, std::floor(line.center().y) - ui.px(4), at.bar_w, ui.px(8)});
    text_in(p, type::caption(ui),
            {at.word, line.bottom(), std::max(1.0f, at.right - at.word), ui.px(15)}, row.why);
    if (place.hit.focused) focus_ring(p, r);
    if (place.hit.hovered) {
        focus.next_pointed.token = token;
        ImGui::SetItemTooltip("%s", row.why.c_str());
    }
    if (place.hit.pressed) ui.out.push("select.token", std::uint64_t{row.position});
}

}  // namespace

void XrayUi::follow(const RunView& run, const RunFocus& focus, const Texts& text) {
    const auto query = [](const AttentionPicture* picture) {
        return picture == nullptr ? std::nullopt : std::optional(picture->position);
    };
    const Key key{run.id,
                  run.moment,
                  run.trace.size(),
                  focus.request,
                  focus.layer,
                  focus.kv_head,
                  query(run.attention),
                  query(run.full == nullptr ? nullptr : &run.full->attention)};
    if (key_ == key) return;
    key_ = key;
    drops_.follow(run, focus.request);
    xray_ = xray_of(run, focus, drops_, text);
}

void draw_xray(const Ui& ui, const RunView& run, RunFocus& focus, XrayUi& own) {
    const Flush flush;
    const auto policy = run.settings.find("evict");
    const std::string name = policy == run.settings.end() ? "none" : policy->second;
    const PolicyWords words = policy_words(name, ui.text);
    section_head(ui, words.title, words.keeps);
    if (name == "none") return paragraph(ui, type::caption(ui), 17, ui.text["xray.no_policy"_t]);
    own.follow(run, focus, ui.text);
    space(ui, 4);
    draw_costs(ui, own.xray());
    draw_sink_control(ui, name);
    rule(ui, RuleSpan::Window, 8, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x;
    paint_head(ui, {at.x, at.y, w, ui.px(20)}, own.xray().by_score);
    ImGui::Dummy({w, ui.px(20)});
    double most = 0;
    for (const XrayRow& row : own.xray().rows) most = std::max({most, row.seen, row.full});
    const auto& rows = own.xray().rows;
    edge_list(ui, "rows", 0, rows.size(), kPolicyRow, [&](std::size_t i, const EdgeRow& place) {
        draw_row(ui, run, focus, own.xray(), i, most, place);
    });
}

}  // namespace kv
