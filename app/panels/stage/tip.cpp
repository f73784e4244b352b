// Tooltips of the Stage: name, owner, range, state, and what a click does.

#include <algorithm>
#include <string>

#include "app/panels/stage/input.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostHolders = 6;

void quiet(const Ui& ui, const char* text) {
    ImGui::PushStyleColor(ImGuiCol_Text, im(ui.colors.text3));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}
void title(const Ui& ui, std::string_view text) {
    ImGui::PushFont(ui.fonts.semibold, ui.px(14));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopFont();
}
void line(std::string_view text) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

void explain_holders(const StagePicture& s, std::span<const Holder> holders) {
    const Ui& ui = s.ui;
    const std::uint32_t bs = s.now().block_size;
    for (std::size_t i = 0; i < std::min(holders.size(), kMostHolders); ++i) {
        const RequestView& r = s.now().requests[holders[i].request.index()];
        const SeqId id = holders[i].request;
        const std::uint64_t first = position_in(s.lane(), id, holders[i].entry, 0);
        const std::uint64_t end = std::min<std::uint64_t>(
            position_in(s.lane(), id, holders[i].entry, bs - 1) + std::uint64_t{1},
            r.tokens.size());
        line(fill(ui.text["stage.tip.holder"_t],
                  {{"entry", with_commas(holders[i].entry)},
                   {"request", r.name},
                   {"first", with_commas(first)},
                   {"last", with_commas(std::max(end, first + 1) - 1)}}));
    }
    if (holders.size() > kMostHolders)
        line(fill(ui.text["stage.tip.more_holders"_t],
                  {{"count", with_commas(holders.size() - kMostHolders)}}));
}

void explain_block(const StagePicture& s, BlockId block) {
    const Ui& ui = s.ui;
    const BlockView& view = s.lane().blocks()[block.index()];
    title(ui, fill(ui.text["stage.tip.block"_t], {{"block", with_commas(block.value)}}));
    if (view.state() != BlockState::Used) {
        line(ui.text[view.state() == BlockState::Cached ? "stage.tip.cached"_t
                                                        : "stage.tip.free"_t]);
        if (const auto last = s.own.facts.last_owner(block))
            line(fill(ui.text["stage.tip.last"_t], {{"request", name_of_request(s.now(), *last)}}));
    }
    explain_holders(s, s.own.facts.holders(block));
    if (view.state() != BlockState::Free)
        line(fill(ui.text["stage.tip.filled"_t], {{"filled", with_commas(view.filled)},
                                                  {"slots", with_commas(s.now().block_size)},
                                                  {"count", with_commas(view.ref_count)}}));
    if (view.dead > 0) line(fill(ui.text["stage.tip.dead"_t], {{"count", with_commas(view.dead)}}));
    if (view.pins > 0) line(ui.text["stage.tip.copying"_t]);
    line(ui.text[view.hash ? "stage.tip.hash"_t : "stage.tip.no_hash"_t]);
    quiet(ui, ui.text["stage.tip.click"_t]);
}

Text state_line(const StagePicture& s, TokenAt at) {
    const Ui& ui = s.ui;
    switch (chip_of(s.lane(), s.own.facts, at).state) {
        case ChipState::Queued:
            return ui.text["stage.tip.queued"_t];
        case ChipState::Computing:
            return ui.text["stage.tip.computing"_t];
        case ChipState::Dropped:
            return ui.text["stage.tip.dropped"_t];
        case ChipState::Missing:
            return ui.text["stage.tip.missing"_t];
        case ChipState::Past:
            return ui.text["stage.tip.past"_t];
        case ChipState::Next:
            return ui.text["stage.tip.next"_t];
        case ChipState::Ghost:
            return fill(ui.text["stage.tip.ghost"_t], {{"position", with_commas(at.position)}});
        case ChipState::Accepted:
            return fill(ui.text["stage.tip.accepted"_t], {{"position", with_commas(at.position)}});
        case ChipState::Own:
        case ChipState::Struck:
            return fill(ui.text["stage.tip.own"_t], {{"position", with_commas(at.position)}});
        case ChipState::InHost:
            return fill(
                ui.text["stage.tip.in_host"_t],
                {{"place",
                  "H" + std::to_string(
                            s.own.facts.host_place(at.request, entry_of(s.lane(), at).value_or(0))
                                .value_or(0))}});
        default:
            return {};
    }
}

void explain_token(const StagePicture& s, TokenAt at) {
    const Ui& ui = s.ui;
    const Snapshot& now = s.now();
    const RequestView& r = now.requests[at.request.index()];
    title(ui, fill(ui.text["stage.tip.token"_t],
                   {{"position", with_commas(at.position)}, {"request", r.name}}) +
                  "  " + s.run.word(token_at(r, at.position).value_or(0)));
    if (const auto place = place_of_token(s.lane(), at))
        line(fill(ui.text["stage.tip.stored"_t], {{"entry", with_commas(place->entry)},
                                                  {"offset", std::to_string(place->slot.value)},
                                                  {"block", with_commas(place->block.value)}}));
    if (const Text state = state_line(s, at); !state.empty()) line(state);
    if (at.position < r.cached_prompt && at.position < r.stored)
        line(ui.text["stage.tip.reused"_t]);
    quiet(ui, ui.text["stage.tip.click"_t]);
}

void explain_place(const StagePicture& s, std::uint32_t id) {
    const Ui& ui = s.ui;
    const PlaceView& place = s.now().host[id];
    title(ui, fill(ui.text["stage.tip.place"_t], {{"place", "H" + std::to_string(id)}}));
    if (place.state == PlaceState::Free) return line(ui.text["stage.tip.empty_place"_t]);
    if (place.request) {
        const Holder holder{*place.request, place.entry};
        explain_holders(s, {&holder, 1});
    } else {
        line(fill(ui.text["stage.tip.cached_place"_t], {{"slots", with_commas(place.slots)}}));
    }
    if (place.state != PlaceState::Held) line(ui.text["stage.tip.copying"_t]);
}

}  // namespace

void explain_stage(const StagePicture& s, const StageHit& at) {
    if (!at.token && !at.block && !at.host && !at.tag) return;
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
    if (!ImGui::BeginTooltip()) return;
    if (at.token)
        explain_token(s, *at.token);
    else if (at.block)
        explain_block(s, *at.block);
    else if (at.host)
        explain_place(s, *at.host);
    else if (at.tag) {
        title(s.ui, name_of_request(s.now(), *at.tag));
        if (*at.tag != s.focus.request) quiet(s.ui, s.ui.text["stage.tip.focus"_t]);
    }
    ImGui::EndTooltip();
}

}  // namespace kv
