#include "app/panels/timeline/sentences.hpp"

#include <variant>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/event/words.hpp"

namespace kv {
namespace {

class Teller {
public:
    Teller(const Texts& text, const Snapshot& names, const Event& event)
        : text_(text), name_(event.request ? name_of_request(names, *event.request) : Text()) {}

    Text operator()(const RequestAdmitted& e) const {
        if (e.looked_up == 0) return say("event.returns"_t, {{"name", name_}});
        return say(
            "event.admitted"_t,
            {{"name", name_}, {"n", with_commas(e.looked_up)}, {"found", with_commas(e.found)}});
    }
    Text operator()(const RequestWaits&) const { return say("event.waits"_t, {{"name", name_}}); }
    Text operator()(const BlockAllocated& e) const {
        return say("event.allocated"_t, {{"name", name_}, {"block", with_commas(e.block.value)}});
    }
    Text operator()(const BlockShared& e) const {
        return say("event.shared"_t, {{"name", name_}, {"block", with_commas(e.block.value)}});
    }
    Text operator()(const BlockCopied& e) const {
        return say("event.copied"_t, {{"name", name_},
                                      {"block", with_commas(e.from.value)},
                                      {"to", with_commas(e.to.value)}});
    }
    Text operator()(const BlockRecoded& e) const {
        return say("event.recoded"_t, {{"block", with_commas(e.block.value)}});
    }
    Text operator()(const TokensDropped& e) const {
        return say(e.positions.size() == 1 ? "event.dropped.one"_t : "event.dropped"_t,
                   {{"name", name_},
                    {"n", with_commas(e.positions.size())},
                    {"token", with_commas(e.positions.front())},
                    {"table", table_name(e)}});
    }
    Text operator()(const SlotsMoved& e) const {
        return say("event.moved"_t, {{"name", name_},
                                     {"n", with_commas(e.slots.size())},
                                     {"blocks", with_commas(e.to.size())}});
    }
    Text operator()(const BlockFreed& e) const {
        return say("event.freed"_t, {{"name", name_}, {"block", with_commas(e.block.value)}});
    }
    Text operator()(const RequestPreempted& e) const {
        return say(e.swapped ? "event.swapped"_t : "event.preempted"_t, {{"name", name_}});
    }
    Text operator()(const TransferFinished& e) const {
        return say(e.to == Medium::Device ? "event.loaded"_t : "event.offloaded"_t,
                   {{"from", with_commas(e.from_id)}, {"to", with_commas(e.to_id)}});
    }
    Text operator()(const RequestFinished& e) const {
        return say(e.finish == Finish::Refused ? "event.refused"_t : "event.finished"_t,
                   {{"name", name_}});
    }
    Text operator()(const BlockStored& e) const {
        return blocks(e.blocks, e.block_hashes.size(), e.medium,
                      {"event.stored.one"_t, "event.stored"_t, "event.stored.below"_t});
    }
    Text operator()(const BlockRemoved& e) const {
        return blocks(e.blocks, e.block_hashes.size(), e.medium,
                      {"event.removed.one"_t, "event.removed"_t, "event.removed.below"_t});
    }
    Text operator()(const DraftProposed& e) const {
        return say(
            "event.proposed"_t,
            {{"source", Text(e.source)}, {"n", with_commas(e.tokens.size())}, {"name", name_}});
    }
    Text operator()(const DraftVerified& e) const {
        return say(
            "event.verified"_t,
            {{"name", name_}, {"accepted", with_commas(e.accepted)}, {"k", with_commas(e.k)}});
    }
    Text operator()(const DrafterMade& e) const {
        if (e.n_blocks == 0) return Text(text_["event.drafter.gone"_t]);
        return say("event.drafter"_t, {{"model", Text(e.model)}, {"n", with_commas(e.n_blocks)}});
    }
    Text operator()(const AllBlocksCleared&) const { return Text(text_["event.cleared"_t]); }
    template <class Other>
    Text operator()(const Other& e) const {
        return Text(name_of(EventBody(e)));
    }

private:
    struct Words {
        TextId one, many, below;
    };
    // What has no place on the device is counted.
    template <class Ids>
    Text blocks(const Ids& ids, std::size_t n, Medium medium, const Words& words) const {
        if (medium != Medium::Device || ids.empty())
            return say(words.below, {{"n", with_commas(n)}, {"medium", Text(name_of(medium))}});
        return say(ids.size() == 1 ? words.one : words.many,
                   {{"n", with_commas(ids.size())}, {"block", with_commas(ids.front())}});
    }
    Text table_name(const TokensDropped& e) const {
        if (!e.layer) return text_["event.table.all"_t];
        const Text layer = with_commas(e.layer->value);
        if (!e.kv_head) return say("event.table.layer"_t, {{"layer", layer}});
        return say("event.table.head"_t,
                   {{"layer", layer}, {"head", with_commas(e.kv_head->value)}});
    }
    Text say(TextId id, std::initializer_list<Place> places) const {
        return fill(text_[id], places);
    }
    const Texts& text_;
    Text name_;
};

}  // namespace

EventSentence sentence_of(const Texts& text, const Snapshot& names, const Event& event) {
    const auto name = [&](SeqId request) { return name_of_request(names, request); };
    return {name_of(event.what), event.request, std::visit(Teller(text, names, event), event.what),
            fill(text["event.because"_t], {{"reason", reason_in(text, event.reason, name)}})};
}
EventSentence sentence_of(const Texts& text, const RunView& run, std::uint64_t number) {
    return sentence_of(text, run.now, run.trace.event(number));
}

}  // namespace kv
