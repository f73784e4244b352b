// The strip over all: the state of the connection, what it has heard, one card a rank.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/panels.hpp"
#include "app/panels/attach/parts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {

namespace {

constexpr float kAddressW = 250, kCardW = 236, kNarrowCardW = 128, kCardH = 46, kFieldGap = 26,
                kKeyW = 150, kPillRoom = 44, kRow = 18, kLineH = 54, kGroupRow = 52, kGroupH = 46,
                kGroupW = 236;

}  // namespace

float pill_width(const Ui& ui) {
    float longest = 0;
    for (const TextId word :
         {"attach.state.connecting"_t, "attach.state.live"_t, "attach.state.gap"_t,
          "attach.state.paused"_t, "attach.state.restarted"_t, "attach.state.recorded"_t})
        longest = std::max(longest, text_width(ui, type::section(ui), ui.text[word]));
    return std::ceil(longest) + ui.px(kPillRoom);
}

void draw_state_pill(const Painter& p, const Rect& r, AttachStateWords state) {
    const Ui& ui = p.ui;
    const bool loud = state.look == PillLook::Live || state.look == PillLook::Paused;
    const Color edge = state.look == PillLook::Gap ? ui.colors.loss.ink : ui.colors.text2;
    if (loud)
        fill(p, r, ui.colors.text, 4);
    else
        outline(p, r, edge, 4, 1.4f);
    const Color ink = loud ? ui.colors.panel : ui.colors.text;
    const Vec2 at{r.x + ui.px(16), r.center().y};
    switch (state.look) {
        case PillLook::Live:
            p.list.AddCircleFilled(im(at), ui.px(4), im(ink));
            break;
        case PillLook::Paused:
        case PillLook::Gap: {
            const Color posts = state.look == PillLook::Gap ? ui.colors.loss.ink : ink;
            for (const float dx : {-3.0f, 2.0f})
                fill(p, snap({at.x + ui.px(dx), at.y - ui.px(5), ui.px(2), ui.px(10)}), posts);
            break;
        }
        case PillLook::Connecting:
        case PillLook::Restarted:
            p.list.AddCircle(im(at), ui.px(4), im(ink), 0, ui.px(1.5f));
            break;
        case PillLook::Recorded:
            outline(p, snap({at.x - ui.px(4), at.y - ui.px(4), ui.px(8), ui.px(8)}), ink, 0, 1.4f);
            break;
    }
    text_in(p, colored(type::section(ui), ink),
            {at.x + ui.px(12), r.y, r.right() - at.x - ui.px(14), r.h}, ui.text[state.word]);
}

namespace {

// A label over a value, and the next free x.
float draw_field(const Painter& p, float x, const Rect& room, TextId label, std::string_view value,
                 const NumberSource* source) {
    const Ui& ui = p.ui;
    const float top = room.y + (room.h - ui.px(2 * kRow)) / 2;
    const TextStyle head = type::caption(ui), number = sized(type::number_strong(ui), 13);
    text_in(p, head, {x, top, 0, ui.px(kRow)}, ui.text[label]);
    const Rect below{x, top + ui.px(kRow), 0, ui.px(kRow)};
    float right = x + text_width(ui, head, ui.text[label]);
    if (source != nullptr) {
        right = std::max(right, marked_number(p, number, below, *source, value));
    } else {
        text_in(p, number, below, value);
        right = std::max(right, x + text_width(ui, number, value));
    }
    return right + ui.px(kFieldGap);
}

struct StripField {
    TextId label;
    Text value;
    std::optional<NumberSource> source;
};
List<StripField> strip_fields(const ServerView& s) {
    const NumberSource exact = exact_of(s);
    const RankCard* card = s.shown_rank();
    List<StripField> fields;
    if (!s.topic.empty()) fields.push_back({"attach.topic"_t, s.topic, {}});
    fields.push_back({"attach.sequence"_t, with_commas(s.sequence), exact});
    if (card != nullptr) {
        fields.push_back({"attach.missed"_t, with_commas(card->rank.missed), exact});
        fields.push_back({"attach.asked_again"_t, with_commas(card->rank.gaps_asked), exact});
    }
    fields.push_back({"attach.events"_t, with_commas(s.events), exact});
    if (card != nullptr && card->usage)
        fields.push_back({"attach.usage"_t, fixed(*card->usage, 4), NumberSource::Sampled});
    if (s.polled_s)
        fields.push_back({"attach.polled"_t, age_of(*s.polled_s), NumberSource::Sampled});
    return fields;
}

}  // namespace

void draw_rank_bar(const Painter& p, const Rect& bar, const RankCard& card) {
    const Ui& ui = p.ui;
    fill(p, bar, ui.colors.inset);
    const auto part = [&](double share, Color color) {
        const float w = bar.w * static_cast<float>(std::clamp(share, 0.0, 1.0));
        fill(p, {bar.x, bar.y, std::round(w), bar.h}, color);
    };
    if (card.pool && *card.pool > 0)
        part(static_cast<double>(card.cached) / static_cast<double>(*card.pool),
             ui.colors.cached.fill);
    if (card.usage) part(*card.usage, ui.colors.text);
    outline(p, bar, ui.colors.line);
}

namespace {

// A card that can be pressed: raised where it is the shown one.
bool draw_card(const Painter& p, const Hit& hit, const Rect& card, bool shown) {
    const Ui& ui = p.ui;
    if (shown) fill(p, card, ui.colors.raised, 4);
    outline(p, card, shown ? ui.colors.text : ui.colors.line, 4, shown ? 1.6f : 1);
    if (hit.focused)
        focus_ring(p, card);
    else if (hit.hovered)
        hover_ring(p, card);
    return hit.pressed;
}

// Pressed with Shift it is put beside the shown one. A narrow one leaves its sequence out.
void draw_rank_card(const Ui& ui, const Painter& p, const RankCard& rank, const Rect& card,
                    bool shown) {
    ImGui::SetCursorScreenPos({card.x, card.y});
    const Hit hit =
        hit_item(PartId(static_cast<std::size_t>(rank.rank.rank)).c_str(), {card.w, card.h});
    const bool pressed = draw_card(p, hit, card, shown);
    const float pad = ui.px(10);
    const Rect line{card.x + pad, card.y + ui.px(5), card.w - 2 * pad, ui.px(kRow)};
    const Text name = fill(ui.text["attach.rank"_t], {{"n", std::to_string(rank.rank.rank)}});
    const Text sequence = fill(ui.text["attach.rank.sequence"_t],
                               {{"n", with_commas(rank.rank.last_sequence.value_or(0))}});
    const std::array runs{Run{type::number(ui), name}, Run{type::caption(ui), sequence, 10}};
    const bool is_whole = card.w > ui.px(kCardW) - 1;
    runs_in(p, std::span(runs).first(is_whole ? 2 : 1), line);
    if (rank.usage) {
        const Text usage(fixed(*rank.usage, 2));
        const TextStyle number = sized(type::number_strong(ui), 13);
        const float w = text_width(ui, number, usage) + ui.px(12);
        marked_number(p, number, {line.right() - w, line.y, w, line.h}, NumberSource::Sampled,
                      usage);
    }
    draw_rank_bar(p, snap({line.x, card.bottom() - ui.px(17), line.w, ui.px(9)}), rank);
    if (!pressed) return;
    if (ImGui::GetIO().KeyShift && !shown)
        ui.out.push("attach.against", "rank:" + std::to_string(rank.rank.rank));
    else
        ui.out.push("attach.rank", static_cast<std::uint64_t>(rank.rank.rank));
}

// The cards of the ranks, at the right of the room, which keep the first two fields in sight: the
// left end of them. They become narrow before they are left out; then the shown one is among those
// that stay, and a button says how many more there are and asks for one.
float draw_ranks(const Ui& ui, const Painter& p, const ServerView& s, const Rect& room) {
    const auto& ranks = s.tank.ranks;
    if (ranks.empty()) return room.right();
    const float gap = ui.px(8), left = room.x + ui.px(210);
    float right = room.right();
    const auto fits = [&](float end) {
        const float n = std::floor((end - left + gap) / (ui.px(kNarrowCardW) + gap));
        return std::min(ranks.size(), static_cast<std::size_t>(std::max(1.0f, n)));
    };
    std::size_t n = fits(right);
    if (n < ranks.size()) {
        const Text widest =
            fill(ui.text["attach.ranks.more"_t], {{"n", with_commas(ranks.size())}});
        n = fits(right - button_width(ui, widest, {}) - gap);
        const Text more =
            fill(ui.text["attach.ranks.more"_t], {{"n", with_commas(ranks.size() - n)}});
        const float w = button_width(ui, more, {});
        ImGui::SetCursorScreenPos({right - w, room.y + (room.h - control_height(ui, false)) / 2});
        if (button(ui, "more ranks", more)) ui.out.push("attach.rank");
        right -= w + gap;
    }
    const float each = (right - left + gap) / static_cast<float>(n) - gap;
    const float w = std::floor(std::clamp(each, ui.px(kNarrowCardW), ui.px(kCardW)));
    std::size_t first = 0;
    for (std::size_t i = n; i < ranks.size(); ++i)
        if (ranks[i].rank.rank == s.rank) first = i - n + 1;
    const float begin = right - static_cast<float>(n) * (w + gap) + gap;
    for (std::size_t i = 0; i < n; ++i) {
        const RankCard& rank = ranks[first + i];
        const Rect card = snap({begin + static_cast<float>(i) * (w + gap),
                                room.y + (room.h - ui.px(kCardH)) / 2, w, ui.px(kCardH)});
        draw_rank_card(ui, p, rank, card, rank.rank.rank == s.rank);
    }
    return begin - ui.px(14);
}

// "full, blocks of 16" and, for a window, how far it reaches.
Text kind_of_group(const Texts& t, const Shelf& shelf) {
    const Text size =
        with_commas(static_cast<std::uint64_t>(std::max<std::int64_t>(0, shelf.block_size)));
    const Text kind =
        shelf.layer_kind.empty() ? Text(t["attach.group.no_kind"_t]) : Text(shelf.layer_kind);
    if (!shelf.window) return fill(t["attach.group.kind"_t], {{"kind", kind}, {"size", size}});
    return fill(t["attach.group.window"_t],
                {{"kind", kind},
                 {"size", size},
                 {"window", with_commas(static_cast<std::uint64_t>(*shelf.window))}});
}

void draw_group_card(const Ui& ui, const Painter& p, const ServerView& s, const Shelf& shelf,
                     const Rect& card) {
    const bool shown = s.group == shelf.name.group;
    ImGui::SetCursorScreenPos({card.x, card.y});
    const Hit hit =
        hit_item(PartId(static_cast<std::size_t>(shelf.name.group)).c_str(), {card.w, card.h});
    const bool pressed = draw_card(p, hit, card, shown);
    const float pad = ui.px(10);
    const Rect line{card.x + pad, card.y + ui.px(5), card.w - 2 * pad, ui.px(kRow)};
    text_in(p, type::number(ui), line,
            fill(ui.text["attach.group"_t], {{"n", std::to_string(shelf.name.group)}}));
    const Text blocks = fill(ui.text["attach.group.blocks"_t], {{"n", with_commas(shelf.blocks)}});
    const TextStyle number = sized(type::number_strong(ui), 13);
    const float w = text_width(ui, number, blocks) + ui.px(12);
    marked_number(p, number, {line.right() - w, line.y, w, line.h}, exact_of(s), blocks);
    text_in(p, type::caption(ui), {line.x, line.bottom(), line.w, ui.px(kRow)},
            kind_of_group(ui.text, shelf));
    if (pressed) ui.out.push("attach.group", static_cast<std::uint64_t>(shelf.name.group));
}

// Which of them alone stands in pool and tree. Those that have no room are left to the palette.
void draw_groups(const Ui& ui, const Painter& p, const ServerView& s, const Rect& row) {
    const Texts& t = ui.text;
    const std::vector<ShelfCard> groups = s.groups();
    const Text words = s.group ? fill(t["attach.groups.one"_t], {{"n", std::to_string(*s.group)}})
                               : Text(t["attach.groups.all"_t]);
    const TextStyle quiet = type::caption(ui);
    const float top = row.y + (row.h - ui.px(kGroupH)) / 2, gap = ui.px(8);
    const float words_w = std::min(pill_width(ui) + ui.px(14 + kAddressW), row.w * 0.3f);
    text_in(p, type::section(ui), {row.x, top + ui.px(4), words_w, ui.px(kRow)},
            fill(t["attach.groups"_t], {{"n", with_commas(groups.size())}}));
    text_in(p, quiet, {row.x, top + ui.px(4 + kRow), words_w, ui.px(kRow)}, words);
    float x = row.x + words_w + ui.px(kFieldGap);
    const float most = (row.right() - x + gap) / static_cast<float>(groups.size()) - gap;
    const float w = std::floor(std::clamp(most, ui.px(150), ui.px(kGroupW)));
    ImGui::PushID("groups");
    for (const ShelfCard& group : groups) {
        if (x + w > row.right()) break;
        draw_group_card(ui, p, s, group.shelf, snap({x, top, w, ui.px(kGroupH)}));
        x += w + gap;
    }
    ImGui::PopID();
}

// The rank after the shown one, where there are several; else it is asked for.
void push_compare(const Ui& ui, const ServerView& s) {
    const auto& ranks = s.tank.ranks;
    for (std::size_t i = 0; i < ranks.size() && ranks.size() > 1; ++i)
        if (ranks[i].rank.rank == s.rank)
            return ui.out.push("attach.against",
                               "rank:" + std::to_string(ranks[(i + 1) % ranks.size()].rank.rank));
    ui.out.push("attach.against");
}

void draw_source_key(const Painter& p, const Rect& room) {
    const Ui& ui = p.ui;
    struct Line {
        NumberSource source;
        TextId words;
    };
    constexpr std::array kLines{Line{NumberSource::Exact, "attach.key.exact"_t},
                                Line{NumberSource::Sampled, "attach.key.sampled"_t}};
    const float pitch = ui.px(kRow);
    float y = room.y + (room.h - pitch * static_cast<float>(kLines.size())) / 2;
    for (const Line& line : kLines) {
        source_mark(p, {room.x + ui.px(6), y + pitch / 2}, line.source);
        text_in(p, type::caption(ui), {room.x + ui.px(18), y, 0, pitch}, ui.text[line.words]);
        y += pitch;
    }
}

}  // namespace

void draw_attach_strip(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.view) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const ServerView& s = *own.view;
    const Painter p(ui);
    const Rect whole = panel_room();
    const bool has_groups = s.groups().size() > 1 && whole.h >= ui.px(kLineH + kGroupRow - 8);
    const Rect room{whole.x, whole.y, whole.w,
                    has_groups ? std::floor(whole.h - ui.px(kGroupRow)) : whole.h};
    float x = room.x + ui.px(4);
    const Rect pill =
        snap({x, room.y + (room.h - ui.px(kPillH)) / 2, pill_width(ui), ui.px(kPillH)});
    draw_state_pill(p, pill, state_words(s));
    x = pill.right() + ui.px(14);
    const float top = room.y + (room.h - ui.px(2 * kRow)) / 2;
    const float address_w = std::min(ui.px(kAddressW), std::max(ui.px(120), room.w * 0.2f));
    text_in(p, sized(type::number_strong(ui), 15), {x, top, address_w, ui.px(kRow)}, s.address);
    text_in(p, type::caption(ui), {x, top + ui.px(kRow), address_w, ui.px(kRow)},
            state_sentence(ui.text, s));
    x += address_w + ui.px(kFieldGap);

    float right = room.right() - ui.px(4);
    if (room.w >= ui.px(1700)) {
        draw_source_key(p, {right - ui.px(kKeyW), room.y, ui.px(kKeyW), room.h});
        right -= ui.px(kKeyW + 14);
    }
    const Text leave(
        ui.text[s.phase == AttachPhase::Recorded ? "attach.close"_t : "attach.stop"_t]);
    const float leave_w = button_width(ui, leave, {});
    ImGui::SetCursorScreenPos({right - leave_w, room.y + (room.h - control_height(ui, false)) / 2});
    if (button(ui, "leave", leave)) ui.out.push("attach.close");
    right -= leave_w + ui.px(8);
    if (s.phase != AttachPhase::Connecting) {
        const Text compare(
            ui.text[s.tank.ranks.size() > 1 ? "attach.compare.ranks"_t : "attach.compare"_t]);
        const float w = button_width(ui, compare, {});
        ImGui::SetCursorScreenPos({right - w, room.y + (room.h - control_height(ui, false)) / 2});
        if (button(ui, "compare", compare)) push_compare(ui, s);
        right -= w + ui.px(14);
    }
    const float fields_end = draw_ranks(ui, p, s, {x, room.y, right - x, room.h});
    for (const StripField& field : strip_fields(s)) {
        const float w = std::max(text_width(ui, type::caption(ui), ui.text[field.label]),
                                 text_width(ui, type::number_strong(ui), field.value) + ui.px(12));
        if (x + w > fields_end) break;
        x = draw_field(p, x, room, field.label, field.value,
                       field.source ? &*field.source : nullptr);
    }
    if (has_groups)
        draw_groups(ui, p, s,
                    {room.x + ui.px(4), room.bottom(), room.w - ui.px(8), ui.px(kGroupRow)});
    ImGui::SetCursorScreenPos({whole.x, whole.y});
    ImGui::Dummy({whole.w, whole.h});
}

}  // namespace kv
