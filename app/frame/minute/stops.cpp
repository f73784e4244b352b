#include "app/frame/minute/stops.hpp"

#include <algorithm>
#include <array>

#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/address_plan.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kTold = 7;  // position of the token whose key and value are shown
// Iterations: the prompt is read; three new tokens are stored; the one that a person asks for.
constexpr std::uint32_t kRead = 1, kLooked = 4, kStepped = 5;

// What every stop speaks of.
class Planner {
public:
    explicit Planner(const StopAsk& ask)
        : run_(ask.run),
          focus_(ask.focus),
          text_(ask.text),
          ask_(ask),
          lane_(ask.run.lane()),
          newest_(query_position(ask.run.now, ask.focus.request).value_or(0)) {}

    StopPlan tokens() {
        plan_.title = "minute.tokens"_t;
        const PromptKinds kinds = prompt_kinds(run_, focus_.request);
        item(1, pieces(text_["minute.tokens.prompt"_t], {{"n", with_commas(kinds.tokens)}}));
        if (kinds.has_pieces)
            item(0, pieces(text_["minute.tokens.pieces"_t], {}));
        else if (kinds.marks > 0)
            item(0, pieces(text_["minute.tokens.whole"_t], {{"words", with_commas(kinds.words)},
                                                            {"marks", with_commas(kinds.marks)},
                                                            {"mark", kinds.mark}}));
        else
            item(0, pieces(text_["minute.tokens.words"_t], {}));
        if (!kinds.begin.empty())
            append(pieces(text_["minute.tokens.begin"_t], {{"mark", kinds.begin}}));
        const std::uint32_t rows = entry_of(lane_, {focus_.request, newest_}).value_or(0) + 1;
        for (std::uint32_t row = 0; row < rows; ++row)
            light(PanelId::Stage, {{PartKind::TokenRow, row}}, row + 1 == rows ? 1 : 0);
        return std::move(plan_);
    }

    StopPlan key_value() {
        plan_.title = "minute.key_value"_t;
        const TokenAt told{focus_.request, std::min(kTold, newest_)};
        item(1, pieces(text_["minute.key_value.token"_t], {{"word", word_at(run_, told)}}));
        item(2, pieces(text_["minute.key_value.slot"_t],
                       {{"bytes", with_commas(bytes_per_token(run_.layout))},
                        {"layers", with_commas(run_.layout.n_layers)}}));
        light(PanelId::Stage, {{PartKind::Token, told.position}}, 1);
        if (const auto place = place_of_token(lane_, told))
            light(PanelId::Stage, {{PartKind::Block, place->block.value}}, 2);
        return std::move(plan_);
    }

    StopPlan table() {
        plan_.title = "minute.table"_t;
        const auto place = place_of_token(lane_, {focus_.request, newest_});
        const Table* table = lane_.table(focus_.request);
        if (!place || table == nullptr) return std::move(plan_);
        const std::uint32_t entry = place->entry, size = std::max(1u, run_.now.block_size);
        const std::uint32_t filled = lane_.blocks()[place->block.index()].filled;
        const BlockId first = (*table)[0].value_or(place->block);
        item(1, pieces(text_["minute.table.row"_t],
                       {{"first", with_commas(position_in(lane_, focus_.request, entry, 0))},
                        {"last", with_commas(newest_)},
                        {"block", with_commas(place->block.value)}}));
        item(2, pieces(text_["minute.table.block"_t], {{"block", with_commas(place->block.value)},
                                                       {"other", with_commas(first.value)},
                                                       {"written", with_commas(filled)},
                                                       {"slots", with_commas(size)},
                                                       {"empty", with_commas(size - filled)}}));
        light(PanelId::Stage, {{PartKind::TokenRow, entry}, {PartKind::Entry, entry}}, 1);
        light(PanelId::Stage, {{PartKind::Line, entry}}, 0);
        light(PanelId::Stage, {{PartKind::Block, place->block.value}}, 2);
        return std::move(plan_);
    }

    StopPlan bytes() {
        plan_.title = "minute.bytes"_t;
        const LookedAt at = look_at(run_, focus_);
        if (!at.token || !at.block) return std::move(plan_);
        const VectorChoice choice = chosen_vector(run_, focus_);
        const AddressPlan address = plan_address(
            run_.layout, {choice.layer, choice.side, choice.head, *at.block, at.slot}, text_);
        const KvVector& vector = run_.layout.vector(choice.side);
        item(1, pieces(text_["minute.bytes.token"_t],
                       {{"word", word_at(run_, *at.token)},
                        {"layer", with_commas(choice.layer.value)},
                        {"head", with_commas(choice.head.value)},
                        {"address", hex_address(address.address, address.digits)}}));
        item(2, pieces(text_["minute.bytes.vector"_t],
                       {{"n", with_commas(vector.dim)},
                        {"size", with_commas(std::max(1u, vector.element_bits / 8))}}));
        light(PanelId::Stage, {{PartKind::Token, at.token->position}}, 1);
        light(PanelId::Bytes, {{PartKind::Vector}}, 2);
        return std::move(plan_);
    }

    StopPlan attention() {
        plan_.title = "minute.attention"_t;
        const std::uint32_t head = focus_.query_head;
        item(1, pieces(text_["minute.attention.row"_t], {}));
        light(PanelId::Attention, {{PartKind::AttentionRow, head}}, 1);
        light(PanelId::Attention, {{PartKind::AttentionBars, head}}, 2);
        const AttentionPicture* picture = run_.attention;  // null while it is looked up
        if (picture == nullptr || picture->n_layers == 0 || head >= picture->n_heads ||
            picture->position == 0)
            return std::move(plan_);
        const auto weights = picture->of(std::min(focus_.layer, picture->n_layers - 1), head);
        const auto weight = [&](std::uint32_t position) {
            return fixed(static_cast<double>(weights[position]), 3);
        };
        item(2, pieces(text_["minute.attention.head"_t],
                       {{"head", fill(text_["attention.head"_t], {{"n", with_commas(head)}})},
                        {"own", weight(picture->position)},
                        {"before", weight(picture->position - 1)}}));
        return std::move(plan_);
    }

    StopPlan step() {
        plan_.title = "minute.step"_t;
        item(1, pieces(text_["minute.step.press"_t], {{"key", "Right"}}));
        item(2, pieces(text_["minute.step.new"_t], {}));
        item(3, pieces(text_["minute.step.read"_t], {}));
        light(PanelId::Transport, {{PartKind::Forward}}, 1);
        light(PanelId::Stage, {{PartKind::Token, newest_ + 1}}, 2);
        light(PanelId::Charts, {{PartKind::BytesRead}}, 3);
        return std::move(plan_);
    }

    StopPlan cost() {
        plan_.title = "minute.cost"_t;
        const KvLayout& layout = run_.layout;
        const std::uint64_t all = bytes_per_token(layout), value_bytes = layout.k.element_bits / 8;
        const std::uint64_t product =
            std::uint64_t{2} * layout.n_layers * layout.n_kv_heads * layout.k.dim * value_bytes;
        const Text formula =
            fill(text_["minute.cost.formula"_t], {{"layers", with_commas(layout.n_layers)},
                                                  {"heads", with_commas(layout.n_kv_heads)},
                                                  {"dim", with_commas(layout.k.dim)},
                                                  {"bytes", bytes_exact(value_bytes)}});
        if (product == all)
            item(1, pieces(text_["minute.cost.token"_t],
                           {{"formula", formula}, {"bytes", bytes_exact(all)}}));
        else
            item(1, pieces(text_["minute.cost.plain"_t], {{"bytes", bytes_exact(all)}}));
        const auto heads = static_cast<std::uint32_t>(run_.model.n_heads);
        if (heads > layout.n_kv_heads && layout.n_kv_heads > 0)
            append(pieces(text_["minute.cost.heads"_t],
                          {{"heads", with_commas(heads)},
                           {"times", with_commas(group_size(heads, layout.n_kv_heads))}}));
        light(PanelId::Stage, {{PartKind::Token, newest_}}, 0);
        light(PanelId::Equation, {{PartKind::Product}}, 1);
        return std::move(plan_);
    }

    StopPlan yours() {
        plan_.title = "minute.yours"_t;
        item(0, pieces(text_["minute.yours.type"_t], {{"key", "Enter"}}));
        append(
            pieces(text_["minute.yours.lesson"_t], {{"number", with_commas(ask_.first_lesson)}}));
        return std::move(plan_);
    }

private:
    void item(std::uint32_t disc, List<SentencePiece> words) {
        plan_.items.push_back({disc, std::move(words)});
    }
    // One sentence more in the last item.
    void append(List<SentencePiece> words) {
        List<SentencePiece>& last = plan_.items.back().words;
        last.push_back({" ", false});
        for (SentencePiece& piece : words) last.push_back(std::move(piece));
    }
    void light(PanelId panel, List<PartName> names, std::uint32_t disc) {
        plan_.lit.push_back({panel, std::move(names), disc});
    }

    const RunView& run_;
    const RunFocus& focus_;
    const Texts& text_;
    const StopAsk& ask_;
    LaneAt lane_;
    std::uint32_t newest_;  // position
    StopPlan plan_;
};

}  // namespace

MinuteLook look_of(std::uint32_t stop) {
    using enum PanelId;
    switch (static_cast<MinuteStop>(stop)) {
        case MinuteStop::Tokens:
            return {.iteration = kRead, .panels = {Stage}};
        case MinuteStop::KeyValue:
            return {.iteration = kRead, .token = kTold, .panels = {Stage}};
        case MinuteStop::BlockTable:
            return {.iteration = kLooked, .panels = {Stage}};
        case MinuteStop::Bytes:
            return {.iteration = kLooked, .panels = {Stage, Bytes}};
        case MinuteStop::Attention:
            return {.iteration = kLooked, .panels = {Stage, Attention}};
        case MinuteStop::Step:
            return {.iteration = kLooked, .panels = {Stage, Charts}};
        case MinuteStop::Cost:
            return {.iteration = kStepped, .panels = {Stage, Equation}};
        case MinuteStop::Yours:
            break;
    }
    return {.iteration = kStepped, .panels = {Stage}};
}

StopPlan plan_stop(std::uint32_t stop, const StopAsk& ask) {
    Planner planner(ask);
    switch (static_cast<MinuteStop>(stop)) {
        case MinuteStop::Tokens:
            return planner.tokens();
        case MinuteStop::KeyValue:
            return planner.key_value();
        case MinuteStop::BlockTable:
            return planner.table();
        case MinuteStop::Bytes:
            return planner.bytes();
        case MinuteStop::Attention:
            return planner.attention();
        case MinuteStop::Step:
            return planner.step();
        case MinuteStop::Cost:
            return planner.cost();
        case MinuteStop::Yours:
            break;
    }
    return planner.yours();
}

}  // namespace kv
