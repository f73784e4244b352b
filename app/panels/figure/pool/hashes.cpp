// The chain of hashes: the full blocks of a request from left to right, each with its hash, which
// goes into the next one. Requests stand below one another, so that equal blocks share a column.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kMostChainRow = 270;
constexpr std::size_t kWordsOfLine = 2, kDigitsShown = 4;

class HashesPlan {
public:
    HashesPlan(const HashesFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(
            ask_.text["figure.hashes.title"_t],
            fill(ask_.text["figure.hashes.how"_t], {{"n", with_commas(facts_.block_size)}}));
        std::size_t most = 1;
        for (const HashesFacts::Row& row : facts_.rows) most = std::max(most, row.blocks.size());
        names_ = sheet_.is_narrow() ? 82 : 150;
        gap_ = sheet_.is_narrow() ? 16 : 26;
        pitch_ = std::min(220.0f, (sheet_.width() - names_) / static_cast<float>(most));
        row_ = std::min(kMostChainRow, (sheet_.bottom() - sheet_.top() - 10) /
                                           static_cast<float>(facts_.rows.size()));
        const std::size_t drawn = ask_.revealed ? facts_.rows.size() : facts_.open;
        for (std::size_t r = 0; r < facts_.rows.size(); ++r) row(r, r < drawn);
        return sheet_.take();
    }

private:
    float wide() const { return pitch_ - gap_; }
    float text_high() const { return std::min(row_ * 0.36f, 96.0f); }
    float hash_high() const { return std::min(row_ * 0.16f, 40.0f); }

    void row(std::size_t r, bool is_drawn) {
        const HashesFacts::Row& row = facts_.rows[r];
        const Texts& text = ask_.text;
        const float y = sheet_.top() + 8 + row_ * static_cast<float>(r);
        const auto key = static_cast<std::uint32_t>(r + 1);
        sheet_.tag("request", {sheet_.left() + 12, y + text_high() / 2}, 22,
                   static_cast<std::uint8_t>(row.which));
        if (!is_drawn) {
            sheet_.box("asked",
                       {sheet_.left() + names_, y, sheet_.width() - names_,
                        text_high() + hash_high() + 10},
                       Look::TurnedAway, {{"?", Font::MonoBold, 22, Ink::Quiet}});
            return;
        }
        const float hash_y = y + text_high() + 10;
        Piece& begins = sheet_.words(
            "begins", {sheet_.left(), hash_y - 4, names_ - 20, hash_high() + 8},
            {{row.salt.empty() ? Text(text["figure.hashes.begins"_t])
                               : fill(text["figure.hashes.salt"_t], {{"salt", Text(row.salt)}}),
              Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f}});
        begins.from = key, begins.pitch = 17, begins.names = true;
        for (std::size_t b = 0; b < row.blocks.size(); ++b)
            block(row, b, {x(b), y, wide(), text_high()}, hash_y, r, key);
    }
    float x(std::size_t block) const {
        return sheet_.left() + names_ + pitch_ * static_cast<float>(block);
    }

    void block(const HashesFacts::Row& row, std::size_t b, const Rect& at, float hash_y,
               std::size_t r, std::uint32_t key) {
        const HashesFacts::Block& one = row.blocks[b];
        sheet_.box("block", at, Look::Config).from = key;
        const float lines = static_cast<float>(ceil_div(one.words.size(), kWordsOfLine));
        const float chip_w = (at.w - 12) / kWordsOfLine, chip_h = (at.h - 10) / lines;
        for (std::size_t w = 0; w < one.words.size(); ++w) {
            Piece& chip = sheet_.box(
                "word",
                {at.x + 6 + chip_w * static_cast<float>(w % kWordsOfLine),
                 at.y + 5 + chip_h * static_cast<float>(w / kWordsOfLine), chip_w - 3, chip_h - 3},
                Look::Chip,
                {{Text(one.words[w]), Font::Regular, std::min(15.0f, chip_h * 0.55f),
                  Ink::Strong}});
            chip.from = key, chip.radius = 2, chip.names = true;
        }
        const Rect hash{at.x, hash_y, at.w, hash_high()};
        Piece& said = sheet_.box(
            "hash", hash, one.is_alike ? Look::Strong : Look::Outline,
            {{Text(one.digits().substr(0, kDigitsShown)), Font::MonoBold,
              std::min(18.0f, hash_high() * 0.6f), one.is_alike ? Ink::OnStrong : Ink::Strong}});
        said.from = key, said.names = true, said.caption = Text(one.digits());
        const float mid = hash.center().y;
        Piece& arrow =
            sheet_.wire("goes_into", {{hash.x - gap_ + 2, mid}, {hash.x - 3, mid}}, true);
        arrow.from = key;
        if (r == 0 || b >= facts_.rows[r - 1].blocks.size()) return;
        const TextId verdict = one.is_alike         ? "figure.hashes.same"_t
                               : one.has_same_words ? "figure.hashes.other"_t
                                                    : "figure.hashes.words"_t;
        Piece& words =
            sheet_.words("verdict", {at.x, hash.bottom() + 6, at.w, 34},
                         {{ask_.text[verdict],
                           one.has_same_words && !one.is_alike ? Font::Semibold : Font::Regular,
                           sheet_.is_narrow() ? 12.0f : 13.0f,
                           one.is_alike || !one.has_same_words ? Ink::Plain : Ink::Loss}},
                         Edge::Left);
        words.from = key, words.pitch = 16;
    }

    const HashesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, pitch_ = 0, row_ = 0, gap_ = 0;  // before a block, for an arrow
};

}  // namespace

Keys keys_of(const HashesFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.rows.size());
    return {.first = std::min(1u, facts.open), .opens = facts.open, .last = facts.open, .end = n};
}

Plan layout_hashes(const HashesFacts& facts, const Ask& ask) {
    return HashesPlan(facts, ask).plan();
}

}  // namespace kv::figure
