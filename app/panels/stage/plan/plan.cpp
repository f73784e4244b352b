#include "app/panels/stage/plan/plan.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/stage/plan/density.hpp"
#include "app/panels/stage/plan/draft.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLearnWidth = 840, kLearnHeight = 600;
constexpr float kQuietLine = 18, kWidestChip = 96, kBeforeTable = 18, kStripText = 88;
// The width of a digit in the table's two columns.
constexpr float kTableDigit = 8.4f;
constexpr float kTrackRow = 5, kLeastTracks = 3, kMostTracks = 12;
constexpr float kPoolShare = 0.28f, kLowestPool = 44;
constexpr float kPoolBar = 13, kBarKey = 16, kBarGap = 10;
constexpr float kHeadline = 36, kPieces = 18, kBetweenFolded = 6;
constexpr float kNarrowChip = 34;
constexpr std::uint32_t kLine = 8;  // chips of a folded row's line
constexpr std::uint32_t kRowsBesideBox = 2;
constexpr float kHostHead = 21, kHost = 25, kHostGap = 11;

class StagePlanner {
public:
    StagePlanner(Vec2 room, const StageNeeds& needs) : room_(room), needs_(needs) {
        plan_.learn = room.x >= kLearnWidth * needs.unit && room.y >= kLearnHeight * needs.unit;
        d_ = plan_.learn ? kLearn : kExplore;
        scarce_ = room.y - above_pool() - below_pool() - fewest_rows() < px(kLowestPool);
        if (scarce_) d_ = kScarce;
        headlined_ = needs.has_words && !plan_.learn && !scarce_;
        choose_drafts();
        choose_lines();
    }

    StagePlan plan() {
        const float below = below_pool();
        share_heights(room_.y - above_pool() - below);
        place_columns();
        place_rows();
        place_drafts();
        place_strips();
        place_pool(below);
        return plan_;
    }

private:
    float px(float logical) const { return std::round(logical * needs_.unit); }

    // A column whose largest number, one less than `count`, has room.
    float at_least(float logical, std::uint32_t count) const {
        const auto digits = static_cast<float>(with_commas(std::max(count, 1u) - 1).size());
        return px(std::max(logical, digits * kTableDigit));
    }

    float above_pool() const {
        return drafts_h_ + (headlined_ ? px(kHeadline) : 0) + px(d_.sentence) + px(d_.offsets) +
               px(d_.after_rows) + px(d_.before_pool) + px(d_.pool_head) + px(d_.after_pool_head);
    }
    float below_pool() const {
        float h = 0;
        if (plan_.learn) h += px(kBarGap) + px(kPoolBar) + px(8) + px(kBarKey);
        if (needs_.n_host > 0)
            h += scarce_ ? px(kHostHead) : px(kHostGap) + px(kHostHead) + px(kHost) + px(3);
        if (needs_.n_drafter > 0 && !scarce_) h += px(kHostGap) + px(kHostHead) + px(kHost) + px(3);
        return h;
    }
    // A row with a quiet line on either side, and the line that counts the other requests.
    float fewest_rows() const {
        return row_pitch() + (needs_.n_rows > 1 ? 2 * px(kQuietLine) : 0) +
               (needs_.n_others > 0 ? px(kQuietLine) : 0);
    }

    // What a draft gets beside rows and pool: the line, and the box and the drafter's lane only
    // where a few rows stay.
    void choose_drafts() {
        if (scarce_) return;
        const float room = room_.y - above_pool() - below_pool();
        const auto few = static_cast<float>(std::min(needs_.n_rows, kRowsBesideBox));
        const bool quiet = needs_.n_rows > kRowsBesideBox;
        const float rows = few * row_pitch() + (quiet ? 2 * px(kQuietLine) : 0) +
                           (needs_.n_others > 0 ? px(kQuietLine) : 0);
        float spare = beside_pool(std::max(0.0f, room));
        const auto take = [&](float logical, float beside) {
            if (spare - beside < px(logical)) return false;
            spare -= px(logical), drafts_h_ += px(logical);
            return true;
        };
        if (needs_.has_draft) {
            has_line_ = take(kDraftLine, fewest_rows());
            has_box_ = has_line_ && take(kDraftBox, rows);
        }
        if (needs_.n_drafter > 0) has_lane_ = take(kDrafterLane, rows);
    }

    // Rows first, then strips, then the pool; but each keeps a least share.
    void share_heights(float room) {
        if (scarce_) return;
        room = std::max(room, 0.0f);
        const float rows = static_cast<float>(needs_.n_rows) * row_pitch();
        const float strips = static_cast<float>(needs_.n_others) * px(d_.strip_pitch);
        const float rest = beside_pool(room);
        rows_h_ = rows, strips_h_ = strips;
        if (rows + strips <= rest) return;
        const float few =
            std::min(strips, px(d_.strip_pitch) * (plan_.learn ? 1.0f : 2.0f) + px(kQuietLine));
        const float one = row_pitch() + (needs_.n_rows > 1 ? 2 * px(kQuietLine) : 0);
        rows_h_ = std::min(rows, std::max(one, rest - few));
        strips_h_ = std::max(0.0f, std::min(strips, rest - rows_h_));
    }

    std::uint32_t fitting(float height, float pitch) const {
        return static_cast<std::uint32_t>(std::max(0.0f, height) / std::max(1.0f, pitch));
    }

    void place_columns() {
        const float pitch = row_pitch();
        const std::uint32_t whole = scarce_ ? 1 : fitting(rows_h_, pitch);
        const std::uint32_t between = scarce_ ? 1 : fitting(rows_h_ - 2 * px(kQuietLine), pitch);
        plan_.shown = rows_shown(needs_.n_rows, whole, between, needs_.anchor, needs_.scroll);
        const float tracks =
            std::clamp(static_cast<float>(plan_.shown.count()), kLeastTracks, kMostTracks);
        plan_.n_tracks = static_cast<std::uint32_t>(tracks);
        plan_.track_pitch = px(kTrackRow);
        const float right = std::floor(room_.x + needs_.spill - px(4) - tracks * plan_.track_pitch);
        plan_.first_track = right + px(4);
        plan_.physical_w = at_least(d_.physical_w, needs_.n_blocks);
        plan_.logical_w = at_least(d_.logical_w, needs_.n_rows);
        plan_.entry_h = px(d_.entry_h);
        const float table = plan_.physical_w + px(d_.between) + plan_.logical_w;
        const float widest = std::max(0.0f, right - table - px(kBeforeTable) - px(d_.left));
        const auto n = static_cast<float>(plan_.per_line > 0 ? plan_.per_line : block_size());
        plan_.chip_pitch = std::min(px(kWidestChip), widest / n);
        plan_.chip_h = px(d_.chip_h), plan_.row_pitch = pitch;
        plan_.line_pitch = line_pitch(), plan_.block_size = block_size();
        plan_.chip_w = std::max(1.0f, plan_.chip_pitch - px(2));
        const float end = px(d_.left) + std::round(n * plan_.chip_pitch);
        plan_.logical_x = end + px(kBeforeTable);
        plan_.physical_x = plan_.logical_x + plan_.logical_w + px(d_.between);
        plan_.chips = {px(d_.left), 0, end - px(d_.left), 0};
        plan_.strips = {px(d_.left), 0,
                        std::max(0.0f, right - px(kStripText) - px(8) - px(d_.left)), 0};
        right_ = right;
    }

    void place_rows() {
        float y = 0;
        if (headlined_) {
            plan_.headline = Rect{0, 0, right_, px(kHeadline - 10)};
            y += px(kHeadline);
        }
        if (plan_.learn) plan_.sentence = Rect{0, 0, right_, px(26)};
        y += px(d_.sentence);
        plan_.offsets = {0, y, right_, px(d_.offsets)};
        y += px(d_.offsets);
        plan_.tag = {0, y, px(d_.left), plan_.chip_h};
        plan_.chips.y = y;
        const auto rows = [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t entry = begin; entry < end; ++entry, y += plan_.row_pitch)
                plan_.rows.push_back({y, entry, 0});
        };
        const auto quiet = [&](std::uint32_t left_out) {
            if (left_out == 0) return;
            plan_.rows.push_back({y, 0, left_out});
            y += px(kQuietLine);
        };
        if (plan_.shown.first_apart) rows(0, 1);
        if (!scarce_) quiet(plan_.shown.above);
        rows(plan_.shown.begin, plan_.shown.end);
        plan_.chips.h = y - plan_.chips.y;
        quiet(plan_.shown.below + (scarce_ ? plan_.shown.above : 0));
        y_ = y + px(d_.after_rows);
    }

    std::uint32_t block_size() const { return std::max(1u, needs_.block_size); }
    float line_pitch() const { return px(d_.row_pitch) + (plan_.pieces ? px(kPieces) : 0); }
    float row_pitch() const {
        if (plan_.per_line == 0) return line_pitch();
        return line_pitch() * static_cast<float>(block_size() / plan_.per_line) +
               px(kBetweenFolded);
    }
    // What the pool leaves to rows and strips.
    static float least_pool(float room, float lowest) {
        return std::min(room, std::max(kPoolShare * room, lowest));
    }
    float beside_pool(float room) const { return room - least_pool(room, px(kLowestPool)); }

    bool fits_all_rows() const {
        const float room = room_.y - above_pool() - below_pool();
        const float strips = static_cast<float>(needs_.n_others) * px(d_.strip_pitch);
        return static_cast<float>(needs_.n_rows) * row_pitch() + strips <=
               beside_pool(std::max(0.0f, room));
    }
    bool is_narrow() const {
        const float table = px(d_.left + d_.logical_w + d_.between + d_.physical_w) +
                            px(kBeforeTable) + kLeastTracks * px(kTrackRow);
        return (room_.x - table) / static_cast<float>(block_size()) < px(kNarrowChip);
    }
    // Lines of a row and brackets under its words, as far as all rows keep their room.
    void choose_lines() {
        if (scarce_) return;
        const bool folds = block_size() > kLine && block_size() % kLine == 0 && is_narrow();
        for (const bool folded : {folds, false})
            for (const bool with_pieces : {needs_.has_pieces, false}) {
                plan_.per_line = folded ? kLine : 0, plan_.pieces = with_pieces;
                if (fits_all_rows()) return;
            }
    }

    // The other requests are counted at the end of the line that counts the rows.
    void count_others_beside_rows() {
        if (needs_.n_others == 0) return;
        const bool has_line = plan_.shown.count() < needs_.n_rows;
        if (has_line) plan_.strips.x += std::floor(plan_.chips.w / 2);
        // The two lines paint their words by one pixel apart.
        plan_.strips.y = has_line ? y_ - px(kQuietLine) + px(1) : y_;
        if (!has_line) y_ += px(kQuietLine);
    }

    void place_drafts() {
        const float right = plan_.physical_x + plan_.physical_w;
        const auto next = [&](bool has, float logical, float gap) -> std::optional<Rect> {
            if (!has) return std::nullopt;
            const Rect room{0, y_, right, px(logical - gap)};
            y_ += px(logical);
            return room;
        };
        y_ -= has_line_ ? px(d_.after_rows) : 0;
        plan_.draft_line = next(has_line_, kDraftLine, 0);
        y_ += has_line_ ? px(d_.after_rows) : 0;
        plan_.draft_box = next(has_box_, kDraftBox, 8);
        plan_.drafter_lane = next(has_lane_, kDrafterLane, 6);
    }

    void place_strips() {
        if (scarce_) {
            count_others_beside_rows();
            y_ += px(d_.before_pool);
            return;
        }
        plan_.strip_pitch = px(d_.strip_pitch), plan_.strip_h = px(d_.strip_h);
        plan_.n_strips = needs_.n_others;
        if (static_cast<float>(needs_.n_others) * plan_.strip_pitch > strips_h_)
            plan_.n_strips =
                std::min(needs_.n_others, fitting(strips_h_ - px(kQuietLine), plan_.strip_pitch));
        const bool all = plan_.n_strips == needs_.n_others;
        plan_.strips.y = y_;
        plan_.strips.h = static_cast<float>(plan_.n_strips) * plan_.strip_pitch;
        y_ += plan_.strips.h + (all ? 0 : px(kQuietLine)) + px(d_.before_pool);
        const auto longest = static_cast<float>(std::max(1u, needs_.longest_other));
        const auto n = static_cast<float>(std::max(1u, needs_.block_size));
        const float gap = px(d_.strip_gap), most = plan_.strips.w / longest;
        const float bar = std::min(px(d_.bar_pitch), std::floor((most - gap) / n));
        plan_.strip_bar_pitch = bar >= 2 ? bar : 0;
        plan_.strip_block_pitch = bar >= 2 ? bar * n + gap : std::min(most, px(48));
    }

    void place_pool(float below) {
        plan_.pool_head = {0, y_, right_, px(d_.pool_head)};
        y_ += px(d_.pool_head) + px(d_.after_pool_head);
        const float w = std::max(0.0f, plan_.first_track - px(d_.pool_margin));
        const float most = std::max(0.0f, room_.y - below - y_);

        const PoolGrid seen =
            fit_pool({0, 0, w, most}, needs_.n_blocks, needs_.unit, needs_.columns);
        const float whole = static_cast<float>(seen.rows()) * seen.pitch_y;
        plan_.pool = {0, y_, w, std::min(most, std::ceil(whole))};
        y_ = plan_.pool.bottom();
        if (needs_.n_host > 0) {
            plan_.host_head = Rect{0, y_ + (scarce_ ? 0 : px(kHostGap)), right_, px(kHostHead)};
            y_ = plan_.host_head->bottom();
        }
        if (needs_.n_host > 0 && !scarce_) {
            plan_.host = Rect{0, y_ + px(1), w, px(kHost)};
            y_ = plan_.host->bottom();
        }
        if (needs_.n_drafter > 0 && !scarce_) {
            plan_.drafter_head = Rect{0, y_ + px(kHostGap), right_, px(kHostHead)};
            plan_.drafter = Rect{0, plan_.drafter_head->bottom() + px(1), w, px(kHost)};
            y_ = plan_.drafter->bottom();
        }
        if (!plan_.learn) return;
        plan_.bar = Rect{0, y_ + px(kBarGap), right_, px(kPoolBar)};
        plan_.bar_key = Rect{0, plan_.bar->bottom() + px(8), right_, px(kBarKey)};
    }

    Vec2 room_;
    const StageNeeds& needs_;
    Density d_{};
    StagePlan plan_;
    bool scarce_ = false, headlined_ = false;
    bool has_line_ = false, has_box_ = false, has_lane_ = false;
    float drafts_h_ = 0, rows_h_ = 0, strips_h_ = 0, right_ = 0, y_ = 0;
};

}  // namespace

Rect StagePlan::chip(const StageRow& row, std::uint32_t offset) const {
    const auto at = [&](std::uint32_t i) {
        return std::round(chips.x + static_cast<float>(i) * chip_pitch);
    };
    const float gap = std::max(0.0f, std::round(chip_pitch - chip_w));
    const std::uint32_t i = per_line == 0 ? offset : offset % per_line;
    return {at(i), row.y + static_cast<float>(line_of(offset)) * line_pitch,
            std::max(1.0f, at(i + 1) - at(i) - gap), chip_h};
}

std::uint32_t StagePlan::lines() const {
    return per_line == 0 ? 1 : std::max(1u, block_size / per_line);
}

Rect StagePlan::whole_row(const StageRow& row) const {
    return {chips.x, row.y, chips.w, static_cast<float>(lines() - 1) * line_pitch + chip_h};
}

Rect StagePlan::logical(const StageRow& row) const {
    return {logical_x, row.y + std::round((whole_row(row).h - entry_h) / 2), logical_w, entry_h};
}
Rect StagePlan::physical(const StageRow& row) const {
    return {physical_x, row.y + std::round((whole_row(row).h - entry_h) / 2), physical_w, entry_h};
}
Rect StagePlan::strip(std::uint32_t i) const {
    return {strips.x, strips.y + static_cast<float>(i) * strip_pitch, strips.w, strip_h};
}

StagePlan plan_stage(Vec2 room, const StageNeeds& needs) {
    return StagePlanner(room, needs).plan();
}

}  // namespace kv
