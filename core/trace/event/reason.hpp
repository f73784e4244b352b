#pragma once
// Why something happened: a kind, the request behind it where there is one, and two numbers that
// its sentence uses. Every event carries one, so that no picture has to guess.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/ids.hpp"

namespace kv {

// What `request`, a and b mean stands in the sentence of each kind: see reason.cpp.
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
};

struct Reason {
    Why why = Why::ByCommand;
    std::optional<SeqId> request;
    std::uint64_t a = 0, b = 0;

    friend bool operator==(const Reason&, const Reason&) = default;
};

std::string_view name_of(Why why);  // "same_prefix"
std::optional<Why> why_named(std::string_view name);

// The sentence, with requests by their names: "request B has the same first 32 tokens".
using NameOfRequest = std::function<std::string(SeqId)>;
std::string text_of(const Reason& reason, const NameOfRequest& name);

}  // namespace kv
