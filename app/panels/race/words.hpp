#pragma once
// What the race says, from what was raced and where the playhead stands. Pure: no imgui.h.

#include <array>
#include <optional>

#include "app/panels/race/ui.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

// The kinds of slots, from below.
enum class SlotKind : std::uint8_t { Live, Reserved, Internal, External, Free };
inline constexpr std::array kSlotKinds{SlotKind::Live, SlotKind::Reserved, SlotKind::Internal,
                                       SlotKind::External, SlotKind::Free};
TextId name_of(SlotKind kind);
TextId meaning_of(SlotKind kind);
u64 slots_of(const PoolUse& use, SlotKind kind);
// The mean share of a kind of slots; nothing where nobody ever waited.
std::optional<double> mean_share(const RaceResult& result, SlotKind kind);
// The share that the paper gives; nothing where it gives none.
std::optional<double> paper_share(const PublishedBar& bar, SlotKind kind);

Text percent(const Texts& text, double share);  // "18.1 %"

TextId short_rule(AllocatorKind kind);
TextId long_rule(AllocatorKind kind);
Text rule_of(const Texts& text, TextId words, const PoolRules& pool);
Text counts_of(const Texts& text, const RaceResult& result);

Text race_subtitle(const Texts& text, const RacedWorkload& race);
Text lengths_words(const Texts& text, const RacedWorkload& race);
Text prefix_words(const Texts& text, const RacedWorkload& race);  // empty: nothing is known
TextId name_of_fault(SimFault fault);
Text fault_words(const Texts& text, SimFault fault, bool has_hashes);

// What went wrong until then: the worst of it, or nothing.
Text trouble_words(const Texts& text, const RaceRecord& lane, u64 iteration);
// The words at the end of a strip: "all 400 done, 3,874".
Text end_words(const Texts& text, const RaceRecord& lane, u64 requests);
// Says who is ahead at the playhead.
Text race_sentence(const Texts& text, const RacedWorkload& race, u64 iteration);

}  // namespace kv
