#pragma once
// Why something happened: a kind, the request behind it where there is one, and two numbers that
// its sentence uses. Every event carries one, so that no picture has to guess.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {

enum class Why : std::uint8_t {
    AtTheStart,
    Arrival,
    NeverFits,
    NoParent,
    FirstInLine,
    PromptChunk,
    NextToken,
    Computed,
    PartOfIteration,
    NoRoom,
    NoBudget,
    StoresTokens,
    SamePrefix,
    Fork,
    WritesShared,
    BlockIsFull,
    ReclaimedFor,
    NeverComputed,
    Duplicate,
    MostProbable,
    Drawn,
    Forced,
    MaxNew,
    StopToken,
    StopText,
    ByCommand,
    RequestEnds,
    RoomFor,
    ComesBack,
    Cold,
    HitInHost,
    TierFull,
    NoHostRoom,
    SettingRefused,
    CodecChanged,
    LeavesResidual,
    OverBudget,
    OutOfSight,
    PromptRead,
    AllDropped,
    HolesFill,
    CannotSwap,
    Recorded,
    KeysShifted,
    HighestBounds,
    NothingKept,
    Proposed,
    WrittenAhead,
    Verified,
    NotAccepted,
};
inline constexpr std::size_t kReasons = static_cast<std::size_t>(Why::NotAccepted) + 1;

// A kind without numbers is written {Why::Cold} or {Why::RoomFor, request}. A kind with numbers has
// a maker: its parameters name what the sentence in reason.cpp calls {a} and {b}, in this order.
struct Reason {
    Why why = Why::ByCommand;
    std::optional<SeqId> request = std::nullopt;
    u64 a = 0, b = 0;

    static constexpr Reason arrival(u64 iteration) { return {Why::Arrival, {}, iteration}; }
    static constexpr Reason never_fits(u64 needed, u64 n_blocks) {
        return {Why::NeverFits, {}, needed, n_blocks};
    }
    static constexpr Reason first_in_line(u64 needed, u64 free) {
        return {Why::FirstInLine, {}, needed, free};
    }
    static constexpr Reason prompt_chunk(u64 n_tokens) { return {Why::PromptChunk, {}, n_tokens}; }
    static constexpr Reason computed(u64 n_tokens) { return {Why::Computed, {}, n_tokens}; }
    static constexpr Reason part_of_iteration(u64 iteration) {
        return {Why::PartOfIteration, {}, iteration};
    }
    static constexpr Reason no_room(u64 needed, u64 free) {
        return {Why::NoRoom, {}, needed, free};
    }
    static constexpr Reason no_budget(u64 max_tokens, u64 max_running) {
        return {Why::NoBudget, {}, max_tokens, max_running};
    }
    static constexpr Reason stores_tokens(SeqId request, u64 upto) {
        return {Why::StoresTokens, request, upto};
    }
    static constexpr Reason same_prefix(SeqId request, u64 n_tokens) {
        return {Why::SamePrefix, request, n_tokens};
    }
    static constexpr Reason fork(SeqId request, u64 n_tokens) {
        return {Why::Fork, request, n_tokens};
    }
    static constexpr Reason writes_shared(SeqId request, u64 holders) {
        return {Why::WritesShared, request, holders};
    }
    static constexpr Reason block_is_full(u64 slots) { return {Why::BlockIsFull, {}, slots}; }
    static constexpr Reason drawn(u64 number) { return {Why::Drawn, {}, number}; }
    static constexpr Reason forced(u64 number) { return {Why::Forced, {}, number}; }
    static constexpr Reason max_new(u64 n_tokens) { return {Why::MaxNew, {}, n_tokens}; }
    static constexpr Reason stop_token(u64 token) { return {Why::StopToken, {}, token}; }
    static constexpr Reason no_host_room(SeqId request, u64 needed, u64 free) {
        return {Why::NoHostRoom, request, needed, free};
    }
    static constexpr Reason codec_changed(u64 slots) { return {Why::CodecChanged, {}, slots}; }
    static constexpr Reason leaves_residual(SeqId request, u64 keys, u64 values) {
        return {Why::LeavesResidual, request, keys, values};
    }
    static constexpr Reason over_budget(u64 budget, u64 had) {
        return {Why::OverBudget, {}, budget, had};
    }
    static constexpr Reason out_of_sight(u64 first_query) {
        return {Why::OutOfSight, {}, first_query};
    }
    static constexpr Reason prompt_read(u64 n_tokens, u64 kept) {
        return {Why::PromptRead, {}, n_tokens, kept};
    }
    static constexpr Reason holes_fill(u64 dead, u64 kept) {
        return {Why::HolesFill, {}, dead, kept};
    }
    static constexpr Reason keys_shifted(u64 dropped_before, u64 keys) {
        return {Why::KeysShifted, {}, dropped_before, keys};
    }
    static constexpr Reason highest_bounds(u64 chosen, u64 n_blocks) {
        return {Why::HighestBounds, {}, chosen, n_blocks};
    }

    static constexpr Reason proposed(u64 k) { return {Why::Proposed, {}, k}; }
    static constexpr Reason written_ahead(SeqId request, u64 k) {
        return {Why::WrittenAhead, request, k};
    }
    static constexpr Reason verified(u64 accepted, u64 k) {
        return {Why::Verified, {}, accepted, k};
    }
    static constexpr Reason not_accepted(SeqId request, u64 n_tokens) {
        return {Why::NotAccepted, request, n_tokens};
    }

    friend bool operator==(const Reason&, const Reason&) = default;
};

std::string_view name_of(Why why);  // "same_prefix"
std::optional<Why> why_named(std::string_view name);

// The sentence, with requests by their names: "request B has the same first 32 tokens".
using NameOfRequest = std::function<std::string(SeqId)>;
std::string text_of(const Reason& reason, const NameOfRequest& name);

}  // namespace kv
