#include "app/live/run_until.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "app/panels/view/facts.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

template <class... Kinds>
bool is_one_of(const Event& event) {
    return (std::holds_alternative<Kinds>(event.what) || ...);
}

struct Kind {
    std::string_view word;
    bool (*is)(const Event&);
};
constexpr std::array kKinds = std::to_array<Kind>({
    {"arrive", is_one_of<RequestArrived>},
    {"admit", is_one_of<RequestAdmitted>},
    {"wait", is_one_of<RequestWaits>},
    {"allocate", is_one_of<BlockAllocated>},
    {"share", is_one_of<BlockShared>},
    {"copy", is_one_of<BlockCopied>},
    {"free", is_one_of<BlockFreed>},
    {"store", is_one_of<BlockStored>},
    {"remove", is_one_of<BlockRemoved>},
    {"preempt", is_one_of<RequestPreempted>},
    {"evict", is_one_of<TokensDropped>},
    {"offload",
     [](const Event& event) {
         const auto* started = std::get_if<TransferStarted>(&event.what);
         return started != nullptr && started->from == Medium::Device;
     }},
    {"load",
     [](const Event& event) {
         const auto* done = std::get_if<TransferFinished>(&event.what);
         return done != nullptr && done->to == Medium::Device;
     }},
    {"token", is_one_of<TokenAdded>},
    {"finish", is_one_of<RequestFinished>},
    {"refuse", is_one_of<CommandRefused>},
});

bool concerns(const Event& event, BlockId block) {
    return std::visit(
        [&](const auto& e) {
            using E = std::decay_t<decltype(e)>;
            if constexpr (std::is_same_v<E, BlockCopied>)
                return e.from == block || e.to == block;
            else if constexpr (std::is_same_v<E, BlockAllocated> ||
                               std::is_same_v<E, BlockShared> || std::is_same_v<E, BlockFreed> ||
                               std::is_same_v<E, BlockRecoded>)
                return e.block == block;
            else if constexpr (std::is_same_v<E, BlockStored> || std::is_same_v<E, BlockRemoved>)
                return std::find(e.blocks.begin(), e.blocks.end(), block.value) != e.blocks.end();
            else
                return false;
        },
        event.what);
}

std::string known_words() {
    std::string words;
    for (const Kind& kind : kKinds) words += (words.empty() ? "" : ", ") + std::string(kind.word);
    return words;
}

}  // namespace

bool changes_a_block(const Event& event) {
    return is_one_of<BlockAllocated, BlockShared, BlockCopied, BlockRecoded, BlockFreed,
                     BlockRemoved, TransferStarted, TransferFinished>(event);
}

Trace::Wanted wanted_by(std::string_view words, const Snapshot& known,
                        const std::vector<std::string>& to_come) {
    constexpr std::string_view kBlock = "block ", kRequest = "request ";
    for (const Kind& kind : kKinds)
        if (words == kind.word) return kind.is;
    if (words.substr(0, kBlock.size()) == kBlock) {
        std::string why;
        if (const auto id = parse_whole(words.substr(kBlock.size()), 0, UINT32_MAX - 1, why))
            return [block = BlockId(static_cast<std::uint32_t>(*id))](const Event& event) {
                return concerns(event, block);
            };
    }
    if (words.substr(0, kRequest.size()) == kRequest) words.remove_prefix(kRequest.size());
    if (const auto request = request_named(known, words))
        return [request = *request](const Event& event) { return event.request == request; };
    // Nothing that has happened so far concerns it.
    if (std::find(to_come.begin(), to_come.end(), words) != to_come.end())
        return [](const Event&) { return false; };
    throw Refused("refused.until"_t, {{"words", words}, {"known", known_words()}});
}

CursorDriver::Goal goal_until(const std::string& words, const RunCursor& run,
                              const std::vector<std::string>& to_come) {
    static_cast<void>(wanted_by(words, run.trace().end(), to_come));  // refused now or never
    return [words, to_come, from = run.moment()](RunCursor& on) mutable {
        const Moved moved = on.try_to_next(wanted_by(words, on.trace().end(), to_come), from);
        if (moved == Moved::NoFurther)
            throw Refused("refused.until.nothing"_t, {{"words", shown(words)}});
        return moved;
    };
}

}  // namespace kv
