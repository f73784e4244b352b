#include "core/trace/event/reason.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/error.hpp"
#include "core/base/fill.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/reason_text.hpp"

namespace kv {
namespace {

// {r} is the request's name, {a} and {b} the numbers; see fill.hpp.
struct Words {
    Why why;
    std::string_view name, sentence;
};
constexpr Words kWords[] = {
    {Why::AtTheStart, "at_the_start", "the run began with it"},
    {Why::Arrival, "arrival", "it was submitted in iteration {a}"},
    {Why::NeverFits, "never_fits",
     "it needs {a} {a:block|blocks} at its longest and the pool has {b}"},
    {Why::NoParent, "no_parent", "the request that it goes on from has not arrived"},
    {Why::FirstInLine, "first_in_line",
     "it is first in line: {a} {a:block|blocks} needed, {b} free"},
    {Why::PromptChunk, "prompt_chunk", "the next {a} of the tokens that it has still to read"},
    {Why::NextToken, "next_token", "it runs, and a running request gets a token per iteration"},
    {Why::Computed, "computed", "all layers computed {a} {a:token|tokens}"},
    {Why::PartOfIteration, "part_of_iteration", "a part of iteration {a}"},
    {Why::NoRoom, "no_room", "{a} {a:block|blocks} needed, {b} free"},
    {Why::NoBudget, "no_budget", "the iteration's {a} {a:token|tokens} or {b} places are taken"},
    {Why::StoresTokens, "stores_tokens", "request {r} stores tokens up to number {a}"},
    {Why::SamePrefix, "same_prefix", "request {r} begins with the same {a} {a:token|tokens}"},
    {Why::Fork, "fork", "request {r} was forked and shares {a} {a:token|tokens}"},
    {Why::WritesShared, "writes_shared", "request {r} writes into a block that {a} requests hold"},
    {Why::BlockIsFull, "block_is_full", "all its {a} slots belong to known tokens"},
    {Why::ReclaimedFor, "reclaimed_for", "request {r} needs a block and this one was longest idle"},
    {Why::NeverComputed, "never_computed", "request {r} was taken out before it was computed"},
    {Why::Duplicate, "duplicate", "another block holds the same tokens"},
    {Why::MostProbable, "most_probable", "the most probable token"},
    {Why::Drawn, "drawn", "drawn by chance, number {a} of its stream"},
    {Why::Forced, "forced", "token {a} of the text it was told to say"},
    {Why::MaxNew, "max_new", "it has its {a} new {a:token|tokens}"},
    {Why::StopToken, "stop_token", "token {a} ends a text"},
    {Why::StopText, "stop_text", "its text has what it was told to stop at"},
    {Why::ByCommand, "by_command", "a command said so"},
    {Why::RequestEnds, "request_ends", "request {r} finished"},
    {Why::RoomFor, "room_for", "request {r} needs a block and none is free"},
    {Why::ComesBack, "comes_back", "request {r} goes on"},
    {Why::Cold, "cold", "it was longest idle and the host tier has room"},
    {Why::HitInHost, "hit_in_host", "request {r} found it below the device"},
    {Why::TierFull, "tier_full", "the tier above had no room left"},
    {Why::NoHostRoom, "no_host_room",
     "{a} host {a:block|blocks} needed, {b} free: computed again instead"},
    {Why::SettingRefused, "setting_refused", "it cannot be changed now"},
    {Why::CodecChanged, "codec_changed",
     "the pool goes over to another codec: {a} filled {a:slot|slots}"},
    {Why::LeavesResidual, "leaves_residual",
     "request {r} has {a} {a:key|keys} and {b} {b:value|values} coded, and newer ones in full"},
    {Why::OverBudget, "over_budget",
     "a table of this policy keeps {a} {a:token|tokens} and had {b}"},
    {Why::OutOfSight, "out_of_sight", "no query from token {a} on sees it"},
    {Why::PromptRead, "prompt_read",
     "the prompt of {a} {a:token|tokens} is read and {b} of it are kept"},
    {Why::AllDropped, "all_dropped", "request {r} has dropped all of its tokens"},
    {Why::HolesFill, "holes_fill",
     "{a} slots of its blocks were dead, and it keeps {b} {b:token|tokens}"},
    {Why::CannotSwap, "cannot_swap",
     "request {r} needs a block, and what was dropped leaves tables that cannot be swapped out"},
    {Why::Recorded, "recorded", "another server recorded it"},
    {Why::KeysShifted, "keys_shifted",
     "{a} {a:token|tokens} before were dropped: {b} {b:key|keys} go back in place"},
    {Why::HighestBounds, "highest_bounds",
     "each query head looks at the {a} of {b} {b:block|blocks} whose keys may score highest"},
    {Why::NothingKept, "nothing_kept",
     "the cache is off: request {r} reads all its tokens again in the next step"},
    {Why::Proposed, "proposed", "one pass of the model can check {a} {a:token|tokens} more"},
    {Why::WrittenAhead, "written_ahead", "request {r} writes {a} proposed {a:token|tokens} ahead"},
    {Why::Verified, "verified", "the model itself says the first {a} of {b} as well"},
    {Why::NotAccepted, "not_accepted", "request {r} takes {a} proposed {a:token|tokens} back"},
};
constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(kWords); ++i)
        if (static_cast<std::size_t>(kWords[i].why) != i) return false;
    return std::size(kWords) == kReasons;
}
static_assert(in_order());

const Words& words_of(Why why) {
    KV_ASSERT(static_cast<std::size_t>(why) < kReasons);
    return kWords[static_cast<std::size_t>(why)];
}

constexpr std::string_view kElsewhere = "of another server";

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
    return reason_text(reason, name, [](std::string_view english) { return Text(english); });
}

Text reason_text(const Reason& reason, const NameOfRequest& name, const InWords& words) {
    const std::string_view sentence = words_of(reason.why).sentence;
    Text request;
    if (sentence.find("{r}") != std::string_view::npos)
        request = reason.request ? Text(name(*reason.request)) : words(kElsewhere);
    return fill(words(sentence),
                {{"r", request}, {"a", with_commas(reason.a)}, {"b", with_commas(reason.b)}});
}

}  // namespace kv
