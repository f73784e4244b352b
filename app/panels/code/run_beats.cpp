// Which lines the events of a run stand for.

#include <algorithm>
#include <array>
#include <map>

#include "app/panels/code/beats.hpp"
#include "app/panels/view/lane.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/codec/int_codes.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

std::string digits(std::uint64_t n) {
    return std::to_string(n);
}

// Reads events in order and writes beats.
class BeatTeller {
public:
    BeatTeller(const RunView& run, std::vector<CodeBeat>& out) : run_(run), out_(out) {}

    using Tell = void (BeatTeller::*)(const Event&);
    void tell(Tell how, std::uint64_t n, const Event& event, bool wanted) {
        n_ = n, wanted_ = wanted;
        (this->*how)(event);
    }

    // ---- The loop, and the parts of a layer.

    void loop(const Event& e) {
        const bool keeps = setting("cache") != "off";
        if (const auto* s = std::get_if<TokensScheduled>(&e.what)) {
            if (keeps)
                add("fresh", "len(fresh) = " + digits(s->count));
            else
                add("whole", "len(text) = " + digits(s->first + s->count));
        }
        if (const auto* s = std::get_if<TokensStored>(&e.what); s && keeps)
            add("keep", "len(cache) = " + digits(s->first + s->count));
        if (const auto* t = std::get_if<TokenAdded>(&e.what)) {
            const std::string word = "\"" + run_.word(t->token) + "\"";
            add(keeps ? "draw" : "append", keeps ? "fresh = [" + word + "]" : "text += " + word);
        }
        if (e.reason.why == Why::NothingKept) add("forget", "");
    }

    void layer(const Event& e) {
        const auto* part = std::get_if<Operation>(&e.what);
        if (part == nullptr || !part->layer) return;
        const std::string at = "layer = " + digits(part->layer->value);
        const auto mark = [&]() -> std::string_view {
            switch (part->op) {
                case Op::Project:
                    return "project";
                case Op::Rotate:
                    return "rotate";
                case Op::Append:
                    return "append";
                case Op::Attend:
                    return "attend";
                case Op::Output:
                    return "output";
                default:
                    return {};
            }
        }();
        if (!mark.empty()) add(mark, at);
    }

    // ---- What a step computes.

    void pieces(const Event& e) {
        const auto* s = std::get_if<TokensScheduled>(&e.what);
        if (s == nullptr) return;
        const RequestView& request = after().requests[e.request->index()];
        add("left", "left = " + digits(request.tokens.size() - s->first));
        add("count", "count = " + digits(s->count));
        add("schedule",
            "schedule(" + request.name + ", " + digits(s->first) + ", " + digits(s->count) + ")");
    }

    void drafts(const Event& e) {
        if (const auto* d = std::get_if<DraftProposed>(&e.what))
            add("draft", "len(draft) = " + digits(d->tokens.size()));
        if (const auto* d = std::get_if<DraftVerified>(&e.what)) {
            add("draw", "");
            add("accept", "accepted = " + digits(d->accepted) + " of " + digits(d->k));
            if (d->struck > 0) add("strike", "token != draft[" + digits(d->accepted) + "]");
        }
    }

    // ---- From a token to its slot: of the oldest request.

    void translate(const Event& e) {
        const auto* s = std::get_if<TokensStored>(&e.what);
        if (s == nullptr || s->count == 0) return;
        const std::uint32_t position = s->first + s->count - 1;
        if (!is_oldest(*e.request)) return;
        const auto at = place(*e.request, position);
        if (!at) return;
        const std::string size = digits(run_.layout.block_size);
        add("entry", "entry = " + digits(position) + " // " + size + " = " + digits(at->entry));
        add("slot", "slot = " + digits(position) + " % " + size + " = " + digits(at->slot.value));
        add("block", "block = table[" + digits(at->entry) + "] = " + digits(at->block.value));
    }

    // The first key of the last block that the oldest request reads.
    void load(const Event& e) {
        const auto* part = std::get_if<Operation>(&e.what);
        if (part == nullptr || part->op != Op::Attend) return;
        const Snapshot& now = after();
        if (now.running.empty()) return;
        const SeqId id = now.running.front();
        const RequestView& request = now.requests[id.index()];
        if (request.stored == 0) return;
        const KvLayout& layout = run_.layout;
        const std::uint32_t position = (request.stored - 1) / layout.block_size * layout.block_size;
        const auto at = place(id, position);
        if (!at) return;
        const std::uint64_t start =
            layout.vector_offset(*part->layer, Side::K, HeadId(0), at->block, Slot(0));
        add("begins", digits(position) + " % " + digits(layout.block_size) + " = 0");
        add("block", "block = table[" + digits(at->entry) + "] = " + digits(at->block.value));
        add("start", "start = " + with_commas(start));
        add("at", "at = " + with_commas(start) + " + 0 * " + digits(layout.slot_stride(Side::K)));
        add("load", digits(layout.k.bytes) + " B");
    }

    // ---- Blocks.

    void blocks(const Event& e) {
        if (const auto* b = std::get_if<BlockRemoved>(&e.what); b && !b->blocks.empty())
            add("forget", "forget(" + digits(b->blocks.front()) + ")");
        if (const auto* b = std::get_if<BlockAllocated>(&e.what)) {
            add("take", "block = " + digits(b->block.value));
            add("hold", count_of(b->lane, b->block));
            add("enter", "table[" + digits(b->entry) + "] = " + digits(b->block.value));
        }
        if (const auto* b = std::get_if<BlockFreed>(&e.what)) {
            add("last_first", "entry = " + digits(b->entry));
            add("let_go", count_of(b->lane, b->block));
            if (holders(b->lane, b->block) == 0)
                add("free", std::string("push(") + digits(b->block.value) + ", " +
                                (b->to_head ? "head" : "tail") + ")");
        }
    }

    void fork(const Event& e) {
        if (e.reason.why != Why::Fork) return;
        if (const auto* b = std::get_if<BlockShared>(&e.what)) {
            add("block", "block = " + digits(b->block.value));
            add("hold", count_of(b->lane, b->block));
            add("enter", "child.table[" + digits(b->entry) + "] = " + digits(b->block.value));
        }
        if (const auto* s = std::get_if<TokensStored>(&e.what))
            add("stored", "stored = " + digits(s->count));
    }

    void copy_on_write(const Event& e) {
        const auto* b = std::get_if<BlockCopied>(&e.what);
        if (b == nullptr) return;
        const std::string from = digits(b->from.value), to = digits(b->to.value);
        add("shared", "ref_count[" + from + "] = " + digits(e.reason.a));
        add("take", "fresh = " + to);
        add("let_go", count_of(b->lane, b->from));
        add("enter", "table[" + digits(b->entry) + "] = " + to);
        add("copy", "copy(" + from + ", " + to + ", " + digits(b->slots) + ")");
    }

    // ---- Prefixes.

    void prefix(const Event& e) {
        if (const auto* a = std::get_if<RequestAdmitted>(&e.what); a && a->looked_up > 0) {
            add("chunk", "len(tokens) = " + digits(a->looked_up));
            add("hash", "");
            add("get", "");
            if (a->found == 0) add("miss", "len(hits) = 0");
        }
        const auto* b = std::get_if<BlockShared>(&e.what);
        if (b == nullptr || e.reason.why != Why::SamePrefix) return;
        add("same", "");
        add("hit", "hits += [" + digits(b->block.value) + "]");
    }

    // A block that is stored behind one that has a child already cuts a node in two.
    void split(const Event& e) {
        if (const auto* a = std::get_if<RequestAdmitted>(&e.what); a && a->looked_up > 0) {
            add("child", "");
            add("same", "");
            add("whole", "same = " + digits(a->found));
        }
        const auto* s = std::get_if<BlockStored>(&e.what);
        if (s == nullptr || s->medium != Medium::Device) return;
        std::optional<std::uint64_t> parent = s->parent_block_hash;
        for (const std::uint64_t hash : s->block_hashes) {
            if (parent && ++children_[*parent] == 2) {
                add("split", "");
                add("upper", "");
                add("rest", "");
                add("parent", "");
            }
            parent = hash;
        }
    }

    // ---- Codes, and tokens that go.

    void codes(const Event& e) {
        const auto* s = std::get_if<TokensStored>(&e.what);
        const Codec& codec = run_.k_codec;
        if (s == nullptr || s->count == 0 || codec.scale != ScaleMode::PerVector) return;
        const auto at = place(*e.request, s->first + s->count - 1);
        if (!at) return;
        const auto found = run_.payloads.find(n_ + 1, LaneId(0), at->block, at->slot);
        if (found.state != PayloadLog::State::Known) return;
        const auto bytes = std::as_bytes(found.bytes);  // the first vector: layer 0, K, head 0
        const std::uint32_t bits = codec.bits();
        const std::size_t behind = (std::size_t{bits} * run_.layout.k.dim + 7) / 8;
        if (bytes.size() < behind + 2) return;
        const float scale = fp16_to_float(get_fp16(bytes.data() + behind));
        const std::int32_t code = meant_code(get_code(bytes.data(), bits, 0), bits);
        const std::string step = significant(scale, 3);
        add("largest", "");
        add("scale", "scale = " + step);
        add("codes", "codes[0] = " + signed_digits(code));
        add("stored", digits(run_.layout.k.bytes) + " B");
        add("decode", step + " * " + signed_digits(code) + " = " +
                          fixed(scale * static_cast<float>(code), 3));
    }

    void recent(const Event& e) {
        const auto* d = std::get_if<TokensDropped>(&e.what);
        if (d == nullptr || d->positions.empty()) return;
        add("room", "n = " + digits(d->kept + d->positions.size()));
        add("keep", "len(kept) = " + digits(d->kept));
        add("drop", "drop(" + digits(d->positions.front()) + ")");
    }

    void heavy(const Event& e) {
        const auto* d = std::get_if<TokensDropped>(&e.what);
        if (d == nullptr || d->positions.empty()) return;
        add("add", "");
        add("room", "n = " + digits(d->kept + d->positions.size()));
        add("spare", "spared = " + digits(d->spared));
        if (d->threshold) add("best", "worst kept = " + significant(*d->threshold, 3));
        add("drop",
            "scores[" + digits(d->positions.front()) + "] = " + significant(d->scores.front(), 3));
    }

    // ---- Tiers.

    void swap(const Event& e) {
        if (const auto* t = std::get_if<TransferStarted>(&e.what)) {
            const std::string from = digits(t->from_id), to = digits(t->to_id);
            if (t->to == Medium::Device) {
                add("allocate", "block = " + to);
            } else {
                add("place", "place = " + to);
                add("out", "copy(" + from + ", " + to + ")");
            }
        }
        if (const auto* b = std::get_if<BlockFreed>(&e.what))
            add("give_back", "block = " + digits(b->block.value));
        const auto* f = std::get_if<TransferFinished>(&e.what);
        if (f == nullptr || f->to != Medium::Device) return;
        add("in", "copy(" + digits(f->from_id) + ", " + digits(f->to_id) + ")");
        add("release", "give_back(" + digits(f->from_id) + ")");
    }

    void loads(const Event& e) {
        if (const auto* t = std::get_if<TransferStarted>(&e.what); t && t->to == Medium::Device)
            ++on_the_way_;
        const auto* f = std::get_if<TransferFinished>(&e.what);
        if (f != nullptr && f->to == Medium::Device && on_the_way_ > 0 && --on_the_way_ == 0) {
            add("missing", "");
            add("run", "iteration = " + digits(e.iteration));
        }
        if (!std::holds_alternative<IterationFinished>(e.what) || on_the_way_ == 0) return;
        add("missing", "");
        add("later", "iteration = " + digits(e.iteration));
    }

    // ---- Who may come in, and who has to go.

    void admission(const Event& e) {
        if (std::holds_alternative<RequestAdmitted>(e.what)) {
            add("needed", "needed = " + digits(e.reason.a));
            add("spare", "");
            add("room", "n_free = " + digits(e.reason.b));
            add("out", name_of_request(e));
            add("run", "");
        }
        if (!std::holds_alternative<RequestWaits>(e.what) || e.reason.why != Why::NoRoom) return;
        add("needed", "");
        add("spare", "");
        add("room", digits(e.reason.a) + " > " + digits(e.reason.b));
        add("wait", name_of_request(e));
    }

    void preempt(const Event& e) {
        const auto* p = std::get_if<RequestPreempted>(&e.what);
        if (p == nullptr) return;
        add("grow", "");
        add("victim", "victim = " + name_of_request(e));
        add("remove", "");
        add("wait", "");
        if (!p->swapped) add("let_go", "");
    }

private:
    void add(std::string_view mark, std::string value) {
        if (wanted_) out_.push_back({mark, std::move(value), n_ + 1});
    }

    static std::string signed_digits(std::int32_t n) { return std::to_string(n); }

    std::string setting(const std::string& name) const {
        const auto found = run_.settings.find(name);
        return found == run_.settings.end() ? std::string() : found->second;
    }

    // The state behind the event at hand; restored once for it.
    const Snapshot& after() {
        if (!wanted_) return run_.trace.end();
        if (after_of_ != n_) after_ = run_.trace.at(n_ + 1), after_of_ = n_;
        return after_;
    }

    std::string name_of_request(const Event& e) {
        const auto& all = run_.trace.end().requests;
        return e.request && e.request->index() < all.size() ? all[e.request->index()].name
                                                            : std::string();
    }

    std::uint32_t holders(LaneId lane, BlockId block) {
        return after().lanes[lane.index()].blocks[block.index()].ref_count;
    }
    std::string count_of(LaneId lane, BlockId block) {
        return "ref_count[" + digits(block.value) + "] = " + digits(holders(lane, block));
    }

    // One is enough to follow.
    bool is_oldest(SeqId request) {
        const Snapshot& now = after();
        return now.running.empty() || now.running.front() == request;
    }

    std::optional<TokenPlace> place(SeqId request, std::uint32_t position) {
        return place_of_token(LaneAt{after(), LaneId(0)}, {request, position});
    }

    const RunView& run_;
    std::vector<CodeBeat>& out_;
    std::uint64_t n_ = 0;
    bool wanted_ = false;
    Snapshot after_;
    std::optional<std::uint64_t> after_of_;
    std::map<std::uint64_t, std::uint32_t> children_;  // of a stored block, by its hash
    std::uint32_t on_the_way_ = 0;                     // loads that have begun and not ended
};

struct Listener {
    std::string_view sample;
    BeatTeller::Tell tell;
    bool from_start = false;  // it has to know what came before
};
constexpr auto kListeners = std::to_array<Listener>({
    {"decode_loop", &BeatTeller::loop},
    {"append_attend", &BeatTeller::layer},
    {"chunk", &BeatTeller::pieces},
    {"verify", &BeatTeller::drafts},
    {"translate", &BeatTeller::translate},
    {"load_k", &BeatTeller::load},
    {"allocator", &BeatTeller::blocks},
    {"fork", &BeatTeller::fork},
    {"copy_on_write", &BeatTeller::copy_on_write},
    {"find_prefix", &BeatTeller::prefix},
    {"radix_split", &BeatTeller::split, true},
    {"quantize", &BeatTeller::codes},
    {"keep_recent", &BeatTeller::recent},
    {"heavy_hitters", &BeatTeller::heavy},
    {"swap", &BeatTeller::swap},
    {"prefetch", &BeatTeller::loads, true},
    {"admission", &BeatTeller::admission},
    {"preempt", &BeatTeller::preempt},
});

}  // namespace

std::vector<CodeBeat> run_beats(const CodeSample& sample, const RunView& run, std::uint64_t first,
                                std::uint64_t last) {
    std::vector<CodeBeat> beats;
    const auto listener =
        std::find_if(kListeners.begin(), kListeners.end(),
                     [&](const Listener& one) { return one.sample == sample.name; });
    if (listener == kListeners.end()) return beats;
    BeatTeller teller(run, beats);
    run.trace.each(listener->from_start ? 0 : first, last,
                   [&](std::uint64_t n, const Event& event) {
                       teller.tell(listener->tell, n, event, n >= first);
                   });
    return beats;
}

}  // namespace kv
