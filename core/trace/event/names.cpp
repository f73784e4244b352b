#include <array>

#include "core/trace/event/event.hpp"

namespace kv {

std::string_view name_of(const EventBody& what) {
    constexpr std::array<std::string_view, std::variant_size_v<EventBody>> kNames{
        "PoolMade",        "IterationStarted", "IterationFinished", "RequestArrived",
        "RequestWaits",    "RequestAdmitted",  "TokensScheduled",   "TokensStored",
        "TokenAdded",      "RequestPreempted", "RequestPaused",     "RequestResumed",
        "PriorityChanged", "RequestFinished",  "BlockAllocated",    "BlockShared",
        "BlockCopied",     "BlockRecoded",     "BlockFreed",        "BlockStored",
        "BlockRemoved",    "AllBlocksCleared", "TransferStarted",   "TransferFinished",
        "TierPlaceFreed",  "Operation",        "SettingChanged",    "CommandRefused",
        "TokensDropped",   "SlotsMoved",       "BlocksRead"};
    return kNames[what.index()];
}

}  // namespace kv
