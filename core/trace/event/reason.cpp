#include "core/trace/event/reason.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/reason_text.hpp"

namespace kv {
namespace {

// {r} is the request's name, {a} and {b} the numbers.
struct Words {
    Why why;
    std::string_view name, sentence;
};
constexpr Words kWords[] = {
    {Why::AtTheStart, "at_the_start", "the run began with it"},
    {Why::Arrival, "arrival", "it was submitted in iteration {a}"},
    {Why::NeverFits, "never_fits", "it needs {a} blocks at its longest and the pool has {b}"},
    {Why::NoParent, "no_parent", "the request that it goes on from has not arrived"},
    {Why::FirstInLine, "first_in_line", "it is first in line: {a} blocks needed, {b} free"},
    {Why::PromptChunk, "prompt_chunk", "the next {a} of the tokens that it has still to read"},
    {Why::NextToken, "next_token", "it runs, and a running request gets a token per iteration"},
    {Why::Computed, "computed", "all layers computed {a} tokens"},
    {Why::PartOfIteration, "part_of_iteration", "a part of iteration {a}"},
    {Why::NoRoom, "no_room", "{a} blocks needed, {b} free"},
    {Why::NoBudget, "no_budget", "the iteration's {a} tokens or {b} places are taken"},
    {Why::StoresTokens, "stores_tokens", "request {r} stores tokens up to number {a}"},
    {Why::SamePrefix, "same_prefix", "request {r} begins with the same {a} tokens"},
    {Why::Fork, "fork", "request {r} was forked and shares {a} tokens"},
    {Why::WritesShared, "writes_shared", "request {r} writes into a block that {a} requests hold"},
    {Why::BlockIsFull, "block_is_full", "all its {a} slots belong to known tokens"},
    {Why::ReclaimedFor, "reclaimed_for", "request {r} needs a block and this one was longest idle"},
    {Why::NeverComputed, "never_computed", "request {r} was taken out before it was computed"},
    {Why::Duplicate, "duplicate", "another block holds the same tokens"},
    {Why::MostProbable, "most_probable", "the most probable token"},
    {Why::Drawn, "drawn", "drawn by chance, number {a} of its stream"},
    {Why::Forced, "forced", "token {a} of the text it was told to say"},
    {Why::MaxNew, "max_new", "it has its {a} new tokens"},
    {Why::StopToken, "stop_token", "token {a} ends a text"},
    {Why::StopText, "stop_text", "its text has what it was told to stop at"},
    {Why::ByCommand, "by_command", "a command said so"},
    {Why::RequestEnds, "request_ends", "request {r} finished"},
    {Why::RoomFor, "room_for", "request {r} needs a block and none is free"},
    {Why::ComesBack, "comes_back", "request {r} goes on"},
    {Why::Cold, "cold", "it was longest idle and the host tier has room"},
    {Why::HitInHost, "hit_in_host", "request {r} found it in the host tier"},
    {Why::TierFull, "tier_full", "the tier above had no room left"},
    {Why::NoHostRoom, "no_host_room", "{a} host blocks needed, {b} free: computed again instead"},
    {Why::SettingRefused, "setting_refused", "it cannot be changed now"},
    {Why::CodecChanged, "codec_changed", "the pool goes over to another codec: {a} filled slots"},
    {Why::LeavesResidual, "leaves_residual",
     "request {r} has {a} keys and {b} values coded, and newer ones in full"},
    {Why::OverBudget, "over_budget", "a table of this policy keeps {a} tokens and had {b}"},
    {Why::OutOfSight, "out_of_sight", "no query from token {a} on sees it"},
    {Why::PromptRead, "prompt_read", "the prompt of {a} tokens is read and {b} of it are kept"},
    {Why::AllDropped, "all_dropped", "request {r} has dropped all of its tokens"},
    {Why::HolesFill, "holes_fill", "{a} slots of its blocks were dead, and it keeps {b} tokens"},
    {Why::CannotSwap, "cannot_swap",
     "request {r} needs a block, and what was dropped leaves tables that cannot be swapped out"},
    {Why::Recorded, "recorded", "another server recorded it"},
    {Why::KeysShifted, "keys_shifted", "{a} tokens before were dropped: {b} keys go back in place"},
    {Why::HighestBounds, "highest_bounds",
     "each query head looks at the {a} of {b} blocks whose keys may score highest"},
    {Why::NothingKept, "nothing_kept",
     "the cache is off: request {r} reads all its tokens again in the next step"},
    {Why::Proposed, "proposed", "one pass of the model can check {a} tokens more"},
    {Why::WrittenAhead, "written_ahead", "request {r} writes {a} proposed tokens ahead"},
    {Why::Verified, "verified", "the model itself says the first {a} of {b} as well"},
    {Why::NotAccepted, "not_accepted", "request {r} takes {a} proposed tokens back"},
};
constexpr std::size_t kCount = sizeof kWords / sizeof kWords[0];

constexpr bool in_order() {
    for (std::size_t i = 0; i < kCount; ++i)
        if (static_cast<std::size_t>(kWords[i].why) != i) return false;
    return static_cast<std::size_t>(Why::NotAccepted) + 1 == kCount;
}
static_assert(in_order());

const Words& words_of(Why why) {
    KV_ASSERT(static_cast<std::size_t>(why) < kCount);
    return kWords[static_cast<std::size_t>(why)];
}

// What is counted stands in the plural in the table; of one, its first noun stands without its s.
std::string_view after_one(std::string_view rest, Text& out) {
    for (const std::string_view nouns : {" blocks", " host blocks", " tokens", " new tokens",
                                         " filled slots", " keys", " values", " proposed tokens"}) {
        if (!rest.starts_with(nouns)) continue;
        out += nouns.substr(0, nouns.size() - 1);
        return rest.substr(nouns.size());
    }
    return rest;
}

}  // namespace

std::string_view name_of(Why why) {
    return words_of(why).name;
}

std::optional<Why> why_named(std::string_view name) {
    const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const Words& words) { return words.name == name; });
    if (found == std::end(kWords)) return std::nullopt;
    return found->why;
}

std::string text_of(const Reason& reason, const NameOfRequest& name) {
    return reason_text(reason, name);
}

Text reason_text(const Reason& reason, const NameOfRequest& name) {
    Text out;
    for (std::string_view rest = words_of(reason.why).sentence; !rest.empty();) {
        const std::size_t open = rest.find('{');
        out += rest.substr(0, open);
        if (open == std::string_view::npos) break;
        const char what = rest[open + 1];
        const std::uint64_t number = what == 'a' ? reason.a : reason.b;
        rest.remove_prefix(open + 3);
        if (what == 'r')
            out += reason.request ? name(*reason.request) : "of another server";
        else
            out += with_commas(number);
        if (what != 'r' && number == 1) rest = after_one(rest, out);
    }
    return out;
}

}  // namespace kv
