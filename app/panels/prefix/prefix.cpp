#include "app/panels/prefix/prefix.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/edge_list.hpp"
#include "app/widgets/rows.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kPrefixRow = 28, kGlyph = 20;         // logical pixels
constexpr float kBranchIndent = 18, kNarrowest = 26;  // of a branching; of a glyph
constexpr std::uint32_t kMostColumns = 12;  // deeper branchings stand on top of each other
constexpr std::size_t kMostTags = 3, kMostIds = 3, kMostWords = 64;

std::string ids_of(const PrefixRow& row) {
    const std::string letter = row.place == PrefixPlace::Device ? ""
                               : row.place == PrefixPlace::Host ? "H"
                                                                : "F";
    if (row.ids.empty()) return "–";
    std::string ids;
    const std::size_t shown = row.ids.size() > kMostIds ? 1 : row.ids.size();
    for (std::size_t i = 0; i < shown; ++i)
        ids += (i > 0 ? " " : "") + letter + std::to_string(row.ids[i]);
    if (shown < row.ids.size()) ids += " +" + with_commas(row.ids.size() - shown);
    return ids;
}

std::string words_of(const RunView& run, const PrefixRow& row) {
    std::string words;
    const std::size_t n = std::min(row.tokens.size(), kMostWords);
    for (std::size_t i = 0; i < n; ++i) words += run.word(row.tokens[i]);
    return std::string(bare_word(words));
}

std::string short_hash(std::uint64_t hash) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "#";
    for (int shift = 60; shift >= 48; shift -= 4) text += kDigits[(hash >> shift) & 15];
    return text;
}

class RowPaint {
public:
    RowPaint(const Ui& ui, const RunView& run, const PrefixRow& row, const EdgeRow& place,
             const PrefixUi& own)
        : ui_(ui), p_(ui), run_(run), row_(row), r_(place.hit.rect), own_(own) {}

    void paint() {
        paint_lines();
        const Rect glyph = paint_glyph();
        const float right = paint_right();
        const float x = glyph.right() + ui_.px(8);
        const bool gone = row_.place == PrefixPlace::GivenUp;
        text_in(p_, colored(type::body(ui_), gone ? ui_.colors.text3 : ui_.colors.text),
                {x, r_.y, std::max(1.0f, right - ui_.px(8) - x), r_.h}, words_of(run_, row_));
    }

private:
    float column_x(std::uint32_t column) const {
        return r_.x + ui_.px(kBranchIndent) * static_cast<float>(std::min(column, kMostColumns));
    }
    float line_x(std::uint32_t column) const {
        return std::floor(column_x(column) + ui_.px(kNarrowest / 2));
    }

    void paint_lines() const {
        const Color color = ui_.colors.edge;
        const float middle = std::floor(r_.center().y);
        for (const std::uint32_t column : row_.passes)
            vline(p_, line_x(column), r_.y, r_.bottom(), color);
        if (row_.goes_on) vline(p_, line_x(row_.column), r_.y, middle, color);
        if (!row_.branches) return;
        vline(p_, line_x(row_.column - 1), r_.y, middle + ui_.line(), color);
        hline(p_, line_x(row_.column - 1), column_x(row_.column), middle, color);
    }

    Rect paint_glyph() const {
        const std::string ids = ids_of(row_);
        const TextStyle style{ui_.fonts.mono_bold, 11, ui_.colors.text, Align::Center};
        const float width =
            std::max(ui_.px(kNarrowest), std::ceil(text_width(ui_, style, ids)) + ui_.px(10));
        const Rect box = snap(
            {column_x(row_.column), r_.center().y - ui_.px(kGlyph / 2), width, ui_.px(kGlyph)});
        fill(p_, box, ui_.colors.panel, 3);
        const bool held = !row_.holders.empty();
        if (row_.place == PrefixPlace::Host || row_.place == PrefixPlace::File) {
            hatch(p_, box, ui_.colors.line);
            outline(p_, box, ui_.colors.edge, 3);
        } else if (!held) {
            fill(p_, box, ui_.colors.inset, 3);
            dashed_outline(
                p_, box,
                row_.place == PrefixPlace::GivenUp ? ui_.colors.line : ui_.colors.cached.ink, 3);
        } else if (row_.holders.size() > 1) {
            outline(p_, box, ui_.colors.shared, 3);
            outline(p_, box.inset(ui_.px(2)), ui_.colors.shared, 2);
        } else {
            const Hue& hue = request_hue(ui_.colors, tag_of(run_.now, row_.holders[0]).index);
            fill(p_, box, ui_.colors.wash_of(hue), 3);
            outline(p_, box, hue.ink, 3);
        }
        text_in(p_, held ? style : colored(style, ui_.colors.text2), box, ids);
        return box;
    }

    // Paints from the right: what a block is found by or how long it is, its copies, and who holds
    // it.
    float paint_right() const {
        float right = r_.right();
        const bool chain = own_.mode == PrefixMode::Chain;
        const std::string last = chain ? short_hash(row_.hash) : with_commas(row_.n_tokens);
        const TextStyle small = type::number_small(ui_);
        right -= ui_.px(44);
        text_in(p_, aligned(small, Align::Right), {right, r_.y, ui_.px(44), r_.h}, last);
        if (row_.copies > 1) {
            const std::string copies = "×" + with_commas(row_.copies);
            right -= ui_.px(24);
            text_in(p_, aligned(small, Align::Right), {right, r_.y, ui_.px(22), r_.h}, copies);
        }
        const std::size_t n = std::min(row_.holders.size(), kMostTags);
        if (row_.holders.size() > n) {
            const std::string more = "+" + with_commas(row_.holders.size() - n);
            const float width = std::ceil(text_width(ui_, small, more));
            right -= width + ui_.px(6);
            text_in(p_, small, {right, r_.y, 0, r_.h}, more);
        }
        for (std::size_t i = n; i-- > 0;) {
            right -= ui_.px(20);
            draw_request_tag(p_, {right + ui_.px(8), std::floor(r_.center().y)}, 16,
                             tag_of(run_.now, row_.holders[i]));
        }
        return right;
    }

    const Ui& ui_;
    const Painter p_;
    const RunView& run_;
    const PrefixRow& row_;
    const Rect& r_;
    const PrefixUi& own_;
};

std::optional<BlockId> block_of(const PrefixRow& row) {
    if (row.place != PrefixPlace::Device || row.ids.empty()) return std::nullopt;
    return BlockId(row.ids.back());
}

bool names(const PrefixRow& row, std::optional<BlockId> block) {
    return block && row.place == PrefixPlace::Device &&
           std::find(row.ids.begin(), row.ids.end(), block->value) != row.ids.end();
}

void draw_row(const Ui& ui, const RunView& run, RunFocus& focus, const PrefixUi& own,
              const PrefixRow& row, const EdgeRow& place) {
    const Painter p(ui);
    if (place.hit.hovered || names(row, focus.pointed.block))
        fill(p, place.wash, ui.colors.hover_wash());
    if (names(row, focus.block))
        fill(p, {place.wash.x, place.hit.rect.y, ui.px(3), place.hit.rect.h}, ui.colors.focus);
    RowPaint(ui, run, row, place, own).paint();
    if (place.hit.focused) focus_ring(p, place.hit.rect);
    const auto block = block_of(row);
    if (!block) return;
    if (place.hit.hovered) focus.next_pointed.block = block;
    if (place.hit.pressed) ui.out.push("select.block", std::uint64_t{block->value});
}

const char* why_empty(const Ui& ui, const RunView& run) {
    const auto share = run.settings.find("share");
    const bool off = share != run.settings.end() && share->second == "off";
    return ui.text[off ? "prefix.off"_t : "prefix.none"_t];
}

}  // namespace

void PrefixUi::follow(const RunView& run) {
    using Clock = std::chrono::steady_clock;
    GoOn go_on;
    if (patience)
        go_on = [end = Clock::now() + std::chrono::duration<double>(*patience)] {
            return Clock::now() < end;
        };
    if (forest_.follow(run.id, run.trace, run.lane(), run.moment, go_on) || gathered_ != mode)
        rows_.clear();
    gathered_ = mode;
}

const PrefixRow& PrefixUi::row(const RunView& run, std::uint64_t i) {
    constexpr std::uint64_t kRowsAtOnce = 64;  // more than a panel shows
    if (i < first_ || i >= first_ + rows_.size()) {
        first_ = i;
        rows_ = forest_.rows(mode, run.trace, first_, kRowsAtOnce);
    }
    return rows_[i - first_];
}

void draw_prefix(const Ui& ui, const RunView& run, RunFocus& focus, PrefixUi& own) {
    const Flush flush;
    const std::array<std::string_view, 2> modes{ui.text["prefix.chain"_t],
                                                ui.text["prefix.tree"_t]};
    if (const auto chosen = segmented(ui, "mode", modes, static_cast<std::size_t>(own.mode)))
        own.mode = static_cast<PrefixMode>(*chosen);
    space(ui, 8);
    own.follow(run);
    own.drawn_in(ImGui::GetFrameCount());
    paragraph(
        ui, type::caption(ui), 17,
        ui.text[own.mode == PrefixMode::Chain ? "prefix.chain.what"_t : "prefix.tree.what"_t]);
    rule(ui, RuleSpan::Window, 8, 0);
    if (own.behind()) {
        space(ui, 12);
        return paragraph(ui, type::caption(ui), 17, ui.text["prefix.behind"_t]);
    }
    if (own.n_rows() == 0) {
        space(ui, 12);
        return paragraph(ui, type::caption(ui), 17, why_empty(ui, run));
    }
    edge_list(ui, "rows", 0, own.n_rows(), kPrefixRow, [&](std::size_t i, const EdgeRow& row) {
        draw_row(ui, run, focus, own, own.row(run, i), row);
    });
}

Text prefix_caption(const Ui& ui, const PrefixUi& own) {
    if (own.behind()) return {};
    const char* words = ui.text[own.below() > 0 ? "prefix.caption.below"_t : "prefix.caption"_t];
    return fill(words,
                {{"blocks", with_commas(own.on_device())}, {"below", with_commas(own.below())}});
}

}  // namespace kv
