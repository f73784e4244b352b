#pragma once
// What is drawn of a draft of the request in focus: its proposals with what became of each, what
// making and checking them read, and where that stands in a box of three rows. Pure; pixels.

#include <cstdint>
#include <optional>

#include "app/panels/view/run.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/shell/geometry.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

enum class Verdict : std::uint8_t { Proposed, Accepted, Struck, Behind };

struct DraftCell {
    std::uint32_t position = 0, token = 0;
    Verdict verdict = Verdict::Proposed;
    friend bool operator==(const DraftCell&, const DraftCell&) = default;
};

struct DraftShown {
    SeqId request{0};
    Text source;
    std::optional<std::uint64_t> from;  // the position that a look back copied from
    List<DraftCell> cells;
    bool verified = false;
    std::uint32_t accepted = 0, struck = 0, behind = 0;
    std::optional<std::uint32_t> own;  // the token that the model says behind the accepted ones
    // The passes and bytes of proposing (a look back reads nothing), and the keys and bytes of the
    // one read that checks.
    std::uint64_t passes = 0, drafter_bytes = 0, keys_read = 0, bytes_read = 0;

    std::uint32_t k() const { return static_cast<std::uint32_t>(cells.size()); }
    std::uint32_t tokens() const { return accepted + (own ? 1 : 0); }
    std::uint32_t slots_back() const { return struck + behind; }
    // Where all proposals are right, the model's own token stands behind them.
    std::uint32_t columns() const { return k() + (own && accepted == k() ? 1 : 0); }
};

// Kept for a moment: the events of the step are read once.
class DraftFacts {
public:
    const std::optional<DraftShown>& follow(const RunView& run, SeqId request);

private:
    std::uint64_t run_ = 0, moment_ = 0, size_ = 0;
    std::optional<SeqId> request_;
    std::optional<DraftShown> shown_;
};
std::optional<DraftShown> draft_shown(const RunView& run, SeqId request);

// The first line of the Stage while a draft is shown.
List<SentencePiece> draft_sentence(const Snapshot& now, const DraftShown& draft, const Texts& text);

// Logical pixels.
inline constexpr float kDraftBox = 156, kDraftLine = 20, kDrafterLane = 30;

// The box: a line of positions and three rows. Columns that have no room are counted.
struct DraftBoxPlan {
    Rect box = {};
    float head_y = 0, head_h = 0;
    float row_h = 0;
    float names_x = 0, names_w = 0;
    float cells_x = 0, pitch = 0;
    float reads_x = 0, reads_w = 0;
    std::uint32_t n_columns = 0, left_out = 0;
    float chip_h = 0;

    float row_y(std::uint32_t row) const {
        return head_y + head_h + static_cast<float>(row) * row_h;
    }
    Rect column(std::uint32_t i) const;
    Rect chip(std::uint32_t row, std::uint32_t i) const;
};
DraftBoxPlan plan_draft_box(const Rect& room, float unit, std::uint32_t n_columns);

}  // namespace kv
