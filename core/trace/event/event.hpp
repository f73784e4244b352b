#pragma once
// What can happen. Event, at the end of this file, is the whole: in which iteration, to which
// request, why, and `what`, which is one of the kinds that stand before it, or in block_events.hpp.
// A kind is a small struct with ids and byte counts. The block events have the names and fields
// that production servers publish (BlockStored, BlockRemoved, AllBlocksCleared).
//
// `fields(e, visit)` calls visit("name", e.name) for each member, once and in order. The packed
// form, the JSON and the comparison of two traces are made from it, so a field cannot be forgotten
// in one of them. Self is const where an event is written, and not where it is read.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/event/block_events.hpp"
#include "core/trace/event/log.hpp"
#include "core/trace/event/parts.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

struct IterationStarted {
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};
struct IterationFinished {
    std::uint32_t tokens = 0;     // computed, of all requests
    double model_us = 0, us = 0;  // by the time model; as measured
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("tokens", e.tokens), visit("model_us", e.model_us), visit("us", e.us);
    }
};

// Requests, from their arrival to their end.
struct RequestArrived {
    std::string name;
    TokenIds prompt = {}, forced = {};
    std::uint32_t max_new = 0;
    std::int32_t priority = 0;
    std::string salt = {};
    std::optional<SeqId> parent = {};  // of a fork
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("name", e.name), visit("prompt", e.prompt), visit("forced", e.forced);
        visit("max_new", e.max_new), visit("priority", e.priority), visit("salt", e.salt);
        visit("parent", e.parent);
    }
};
struct RequestWaits {  // said once, until the reason changes
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};
struct RequestAdmitted {
    std::uint32_t looked_up = 0, found = 0;  // tokens; 0 and 0 when it comes back
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("looked_up", e.looked_up), visit("found", e.found);
    }
};
struct TokensScheduled {
    std::uint32_t first = 0, count = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("first", e.first), visit("count", e.count);
    }
};
struct TokenAdded {
    std::uint32_t token = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("token", e.token);
    }
};
struct RequestPreempted {
    bool swapped = false;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("swapped", e.swapped);
    }
};
struct RequestPaused {
    bool swapped = false;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("swapped", e.swapped);
    }
};
struct RequestResumed {
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};
struct PriorityChanged {
    std::int32_t priority = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("priority", e.priority);
    }
};
struct RequestFinished {
    Finish finish = Finish::Length;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("finish", e.finish);
    }
};

struct SettingChanged {
    std::string setting, value;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("setting", e.setting), visit("value", e.value);
    }
};
struct CommandRefused {
    std::string command, sentence;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("command", e.command), visit("sentence", e.sentence);
    }
};

// Drafts (speculative decoding). A draft model, or a look back at the request's own tokens,
// proposes tokens; one pass of the model itself, the target, checks all of them. What was proposed
// is no token of the request yet: its keys and values are written ahead into slots behind the last
// token, and nothing finds them.
struct DraftProposed {
    std::string source;                 // "ngram:3", or the draft model's name
    std::uint32_t first = 0;            // the position that the first of them would have
    TokenIds tokens = {};               // the rest of the request's tokens, if all are right
    std::optional<std::uint64_t> from;  // the position that a look back copied them from
    // What the draft model did for them.
    std::uint32_t passes = 0;
    std::uint64_t flops = 0, bytes_read = 0;
    double us = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("source", e.source), visit("first", e.first), visit("tokens", e.tokens);
        visit("from", e.from), visit("passes", e.passes), visit("flops", e.flops);
        visit("bytes_read", e.bytes_read), visit("us", e.us);
    }
};
// The verdict, before the tokens are added. The first `accepted` of the k proposals are right; the
// next one may be struck, because the target says something else; those behind it are not judged.
// The slots of all that were not accepted are free again.
struct DraftVerified {
    std::uint32_t k = 0, accepted = 0, struck = 0, behind = 0;  // the last three make k
    TokenIds tokens = {};  // added by this pass: the accepted ones, then mostly the target's own
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("k", e.k), visit("accepted", e.accepted), visit("struck", e.struck);
        visit("behind", e.behind), visit("tokens", e.tokens);
    }
};
// The draft model's own cache, as it is made; without blocks when there is none any more.
struct DrafterMade {
    std::string model;
    std::uint32_t n_blocks = 0, block_size = 0;
    std::uint64_t block_bytes = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("model", e.model), visit("n_blocks", e.n_blocks);
        visit("block_size", e.block_size), visit("block_bytes", e.block_bytes);
    }
};
// What a request has in it from here on.
struct DrafterHolds {
    std::uint32_t stored = 0;           // tokens of the request, and proposals behind them
    std::vector<std::uint32_t> blocks;  // in the order of its table
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("stored", e.stored), visit("blocks", e.blocks);
    }
};

// What happened, with the fields of its kind; an Event adds when, to whom and why.
using AnyEvent =
    std::variant<PoolMade, IterationStarted, IterationFinished, RequestArrived, RequestWaits,
                 RequestAdmitted, TokensScheduled, TokensStored, TokenAdded, RequestPreempted,
                 RequestPaused, RequestResumed, PriorityChanged, RequestFinished, BlockAllocated,
                 BlockShared, BlockCopied, BlockRecoded, BlockFreed, BlockStored, BlockRemoved,
                 AllBlocksCleared, TransferStarted, TransferFinished, TierPlaceFreed, Operation,
                 SettingChanged, CommandRefused, TokensDropped, SlotsMoved, BlocksRead,
                 DraftProposed, DraftVerified, DrafterMade, DrafterHolds>;
struct EventBody : AnyEvent {  // a type that headers can name without this one
    using AnyEvent::AnyEvent;
    // Written out in names.cpp: left implicit, each file that uses one compiles them again.
    EventBody();
    EventBody(const EventBody&);
    EventBody(EventBody&&) noexcept;
    EventBody& operator=(const EventBody&);
    EventBody& operator=(EventBody&&) noexcept;
    ~EventBody();
};

struct Event {
    std::uint32_t iteration = 0;  // 1 for the first; 0 before it
    std::optional<SeqId> request;
    Reason reason;
    EventBody what;
};

std::string_view name_of(const EventBody& what);  // "BlockStored"

}  // namespace kv
