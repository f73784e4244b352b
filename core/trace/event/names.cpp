#include <array>

#include "core/trace/event/event.hpp"

namespace kv {

std::string_view name_of(const EventBody& what) {
    constexpr auto kNames = std::to_array<std::string_view>(
        {"PoolMade",        "IterationStarted", "IterationFinished", "RequestArrived",
         "RequestWaits",    "RequestAdmitted",  "TokensScheduled",   "TokensStored",
         "TokenAdded",      "RequestPreempted", "RequestPaused",     "RequestResumed",
         "PriorityChanged", "RequestFinished",  "BlockAllocated",    "BlockShared",
         "BlockCopied",     "BlockRecoded",     "BlockFreed",        "BlockStored",
         "BlockRemoved",    "AllBlocksCleared", "TransferStarted",   "TransferFinished",
         "TierPlaceFreed",  "Operation",        "SettingChanged",    "CommandRefused",
         "TokensDropped",   "SlotsMoved",       "BlocksRead",        "DraftProposed",
         "DraftVerified",   "DrafterMade",      "DrafterHolds"});
    static_assert(kNames.size() == std::variant_size_v<AnyEvent>, "An event has no name.");
    return kNames[what.index()];
}

EventBody::EventBody() = default;
EventBody::EventBody(const EventBody&) = default;
EventBody::EventBody(EventBody&&) noexcept = default;
EventBody& EventBody::operator=(const EventBody&) = default;
EventBody& EventBody::operator=(EventBody&&) noexcept = default;
EventBody::~EventBody() = default;

}  // namespace kv
