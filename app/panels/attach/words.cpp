#include "app/panels/attach/words.hpp"

#include "app/panels/attach/plan.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {

AttachStateWords state_words(const ServerView& view) {
    const RankCard* card = view.shown_rank();
    if (view.phase == AttachPhase::Recorded) return {PillLook::Recorded, "attach.state.recorded"_t};
    if (view.phase == AttachPhase::Connecting || !view.trouble.empty())
        return {PillLook::Connecting, "attach.state.connecting"_t};
    if (card != nullptr && card->rank.gap_open) return {PillLook::Gap, "attach.state.gap"_t};
    if (!view.live) return {PillLook::Paused, "attach.state.paused"_t};
    if (card != nullptr && card->rank.restarts > 0 && card->cached == 0)
        return {PillLook::Restarted, "attach.state.restarted"_t};
    return {PillLook::Live, "attach.state.live"_t};
}

Text state_sentence(const Texts& text, const ServerView& view) {
    if (view.phase == AttachPhase::Connecting || !view.trouble.empty()) return Text(view.trouble);
    const RankCard* card = view.shown_rank();
    if (card != nullptr && card->rank.missed > 0)
        return fill(text["attach.said.missed"_t], {{"n", with_commas(card->rank.missed)}});
    if (card != nullptr && card->rank.began_in_the_middle)
        return fill(text["attach.said.middle"_t], {{"n", with_commas(card->rank.removed_unknown)}});
    if (view.phase == AttachPhase::Recorded) return text["attach.said.recorded"_t];
    if (card != nullptr && card->rank.restarts > 0) return text["attach.said.restarted"_t];
    const Text time = clock_of(view.newest_s - view.tank.start_s);
    return fill(text[view.has_replay ? "attach.said.live"_t : "attach.said.no_replay"_t],
                {{"time", time}});
}

Text moment_sentence(const Texts& text, const ServerView& view) {
    if (view.events == 0) return text["attach.moment.none"_t];
    const Text n = with_commas(view.sequence), time = clock_of(view.tank.now_s - view.tank.start_s);
    // Of a connection that broke the last picture stays.
    if (view.phase == AttachPhase::Recorded || (view.live && !view.trouble.empty()))
        return fill(text["attach.moment.recorded"_t], {{"n", n}, {"time", time}});
    if (view.live) return fill(text["attach.moment.live"_t], {{"n", n}, {"time", time}});
    const std::uint64_t behind =
        view.newest_sequence > view.sequence ? view.newest_sequence - view.sequence : 0;
    return fill(text["attach.moment.paused"_t],
                {{"n", n}, {"time", time}, {"behind", with_commas(behind)}});
}

Text log_words(const Texts& text, const TankLogRow& row) {
    const Text n = with_commas(row.blocks);
    switch (row.kind) {
        case TankLogKind::Stored:
            return fill(text["attach.deed.stored"_t], {{"n", n}});
        case TankLogKind::Removed:
            return fill(text["attach.deed.removed"_t], {{"n", n}});
        case TankLogKind::Cleared:
            return text["attach.deed.cleared"_t];
        case TankLogKind::Unknown:
            break;
    }
    return fill(text["attach.deed.unknown"_t], {{"kind", row.kind_word}});
}

namespace {

Text log_facts(const Texts& text, const TankLogRow& row) {
    switch (row.kind) {
        case TankLogKind::Stored:
            if (row.ends_at == 0) return text["attach.more.no_tokens"_t];
            return fill(text[row.parent_known ? "attach.more.stored"_t : "attach.more.no_parent"_t],
                        {{"n", with_commas(row.ends_at)}});
        case TankLogKind::Removed:
            if (!row.lived_s || !row.idle_s) return text["attach.more.not_known"_t];
            return fill(text["attach.more.removed"_t],
                        {{"lived", age_of(*row.lived_s)}, {"idle", age_of(*row.idle_s)}});
        case TankLogKind::Cleared:
            return text["attach.more.cleared"_t];
        case TankLogKind::Unknown:
            break;
    }
    return text["attach.more.unknown"_t];
}

}  // namespace

Text log_more(const Texts& text, const TankLogRow& row) {
    const Text facts = log_facts(text, row);
    if (row.words.empty()) return facts;
    return fill(text["attach.words"_t], {{"words", row.words}, {"more", facts}});
}

Text mark_words(const Texts& text, const StreamMark& mark) {
    const Text first = with_commas(mark.first), last = with_commas(mark.last);
    const Text batches = with_commas(mark.last - mark.first + 1);
    switch (mark.kind) {
        case MarkKind::Connected:
            return text["attach.mark.connected"_t];
        case MarkKind::Disconnected:
            return text["attach.mark.disconnected"_t];
        case MarkKind::TryFailed:
            return fill(text["attach.mark.failed"_t], {{"n", first}});
        case MarkKind::Began:
            return text["attach.mark.began"_t];
        case MarkKind::BeganInTheMiddle:
            return fill(text["attach.mark.middle"_t], {{"n", first}});
        case MarkKind::GapAsked:
            return fill(text["attach.mark.open"_t], {{"from", first}, {"to", last}});
        case MarkKind::GapMended:
            return fill(text["attach.mark.received"_t], {{"from", first}, {"to", last}});
        case MarkKind::GapLost:
            return fill(text["attach.mark.lost"_t], {{"n", batches}});
        case MarkKind::Restarted:
            break;
    }
    return text["attach.mark.restart"_t];
}

}  // namespace kv
