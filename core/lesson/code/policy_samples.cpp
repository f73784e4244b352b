// Lessons 4 and 11 to 14: fewer bits, fewer tokens, slower memory, and who may come in.

#include "core/lesson/code/rows.hpp"

namespace kv {
namespace {

constexpr std::string_view kQuantizeIdea = R"(def encode(x, bits):
    largest = max(abs(v) for v in x)
    scale = fp16(largest / largest_code(bits))
    codes = [round(v / scale) for v in x]
    return codes, scale  # one scale for the vector

def decode(codes, scale):
    return [scale * code for code in codes]
)";
constexpr CodeExcerpt kQuantizeOurs[] = {
    {"core/cache/codec/int_codes.hpp", "KV_HD inline std::uint16_t symmetric_scale("},
    {"core/cache/codec/int_codes.hpp", "KV_HD inline std::int32_t symmetric_code("},
    {"core/cache/codec/vector_codec.cpp", "void encode_symmetric("},
    {"core/cache/codec/vector_codec.cpp", "void decode_symmetric("},
    {"core/cache/codec/vector_codec.cpp", "const std::uint16_t scale = symmetric_scale(",
     "put_fp16(out + code_bytes"},
};
constexpr CodeMark kQuantizeMarks[] = {
    {"largest", "largest = max(", "symmetric_scale(largest_of(values"},
    {"scale", "scale = fp16(largest /", "finite_scale(largest / q_max)"},
    {"codes", "codes = [round(v / scale)", "std::nearbyint(value / scale)"},
    {"stored", "return codes, scale", "put_fp16(out + code_bytes"},
    {"decode", "return [scale * code", "out[i] = scale * static_cast<float>(meant_code("},
};

constexpr std::string_view kRecentIdea = R"(def keep_recent(tokens, sinks, recent):
    n = len(tokens)
    if sinks + recent >= n:
        return tokens  # there is room for all
    kept = []
    for i in range(n):
        if i < sinks or i >= n - recent:
            kept.append(tokens[i])
        else:
            drop(tokens[i])  # neither first nor new
    return kept
)";
constexpr CodeExcerpt kRecentOurs[] = {
    {"core/cache/eviction/recency.cpp", "Selection keep_ends("},
    {"core/cache/eviction/recency.cpp", "Selection keep_recent("},
};
constexpr CodeMark kRecentMarks[] = {
    {"room", "if sinks + recent >= n", "if (first + last >= n) return keep_all(n);"},
    {"keep", "kept.append(tokens[i])", "selection.kept.push_back(place);"},
    {"drop", "drop(tokens[i])", "selection.dropped.push_back("},
};

constexpr std::string_view kHeavyIdea = R"(def after_step(scores, weights, heavy, recent):
    for i in range(len(scores)):
        scores[i] += weights[i]  # attention it got
    n = len(scores)
    if n <= heavy + recent:
        return range(n)
    old = range(n - recent)  # the newest are spared
    best = highest(old, scores, heavy)
    return sorted(best) + list(range(n - recent, n))
)";
constexpr CodeExcerpt kHeavyOurs[] = {
    {"core/cache/eviction/heavy_hitters.cpp", "void add_weights("},
    {"core/cache/eviction/heavy_hitters.cpp", "Selection keep_heavy("},
    {"core/cache/eviction/selection.cpp", "Selection keep_best("},
};
constexpr CodeMark kHeavyMarks[] = {
    {"add", "scores[i] += weights[i]", "scores[j] = scores[j] * fade + step[j]"},
    {"room", "if n <= heavy + recent", "if (n <= budget) return keep_all(n);"},
    {"spare", "old = range(n - recent)", "const std::uint32_t spared ="},
    {"best", "best = highest(old", "std::stable_sort(order.begin()"},
    {"drop", "return sorted(best)", "selection.dropped.push_back("},
};

constexpr std::string_view kSwapIdea = R"(def swap_out(request):
    for entry in reversed(range(len(request.table))):
        place = host.take()
        copy(request.table[entry], place)
    give_back_all(request.table)  # free on the device

def swap_in(request):
    for entry in range(len(request.places)):
        block = allocate(request.table)
        copy(request.places[entry], block)
        host.give_back(request.places[entry])
)";
constexpr CodeExcerpt kSwapOurs[] = {
    {"core/cache/tiers/swap.cpp", "void Swap::copy_out("},
    {"core/cache/cache.cpp", "void Cache::swap_out("},
    {"core/cache/cache.cpp", "void Cache::begin_loads("},
    {"core/cache/tiers/swap.cpp", "void Swap::finish_loads("},
};
constexpr CodeMark kSwapMarks[] = {
    {"place", "place = host.take()", "tiers_.take(places[entry]"},
    {"out", "copy(request.table[entry], place)", "transfers_.move_at_once("},
    {"give_back", "give_back_all(request.table)", "tables_.give_back_all(s, reason);"},
    {"allocate", "block = allocate(request.table)", "swap_.begin_load(id, entry"},
    {"in", "copy(request.places[entry], block)", "transfers_.finish(id, {Why::ComesBack"},
    {"release", "host.give_back(", "tiers_.release(place);"},
};

constexpr std::string_view kLoadsIdea = R"(def may_run(request, now):  # blocks on the way
    missing = request.ready_at - now
    if missing > 0 and prefetch and others_can_run():
        return False  # the step goes on without it
    wait(missing)  # nobody else has work
    return True
)";
constexpr CodeExcerpt kLoadsOurs[] = {
    {"core/engine/run/scheduler.cpp", "bool Scheduler::finish_due_loads("},
};
constexpr CodeMark kLoadsMarks[] = {
    {"missing", "missing = request.ready_at - now", "const double missing_us = ready->second"},
    {"later", "return False", "return false;"},
    {"wait", "wait(missing)", "waited_us_ = std::max(waited_us_, missing_us);"},
    {"run", "return True", "cache.finish_loads(id);"},
};

constexpr std::string_view kLayerIdea = R"(def in_turn(layers):
    for layer in layers:
        fetch(layer)  # the device waits
        compute(layer)

def a_layer_ahead(layers):
    for layer in layers:
        start_fetch(layer)  # one behind the other
    for layer in layers:
        wait_for(layer)  # as far as it is not there
        compute(layer)  # the next is on its way
)";
constexpr CodeExcerpt kLayerOurs[] = {
    {"core/lesson/figures/lanes_facts.cpp", "LanesFacts::Run in_turn("},
    {"core/lesson/figures/lanes_facts.cpp", "LanesFacts::Run a_layer_ahead("},
};
constexpr CodeMark kLayerMarks[] = {
    {"fetch", "        fetch(layer)", "run.copies.push_back({from, from + copy});"},
    {"compute", "def in_turn(layers)", "run.computed.push_back({at, at + compute});"},
    {"start", "start_fetch(layer)", "run.copies.push_back({i * copy"},
    {"wait", "wait_for(layer)", "const double begins = std::max(done"},
    {"ahead", "# the next is on its way", "run.computed.push_back({begins"},
};

constexpr std::string_view kAdmissionIdea = R"(def admit(request):
    needed = blocks_for(request) - found(request)
    spare = watermark if running else 0
    if needed + spare > n_free:
        return wait(request)  # stays first in line
    waiting.pop_first()
    running.append(request)
)";
constexpr CodeExcerpt kAdmissionOurs[] = {
    {"core/engine/run/scheduler.cpp", "bool Scheduler::admit(", "running_.push_back(id);"},
};
constexpr CodeMark kAdmissionMarks[] = {
    {"needed", "needed = blocks_for(request)", "const std::uint32_t needed ="},
    {"spare", "spare = watermark", "const std::uint32_t spare ="},
    {"room", "if needed + spare > n_free", "if (std::uint64_t{needed} + spare > free) {"},
    {"wait", "return wait(request)", "wait(id, Reason::no_room("},
    {"out", "waiting.pop_first()", "waiting_.erase(waiting_.begin());"},
    {"run", "running.append(request)", "running_.push_back(id);"},
};

constexpr std::string_view kPreemptIdea = R"(def make_room(request):
    while not grow(request):  # no block is left
        victim = lowest_priority(running)
        running.remove(victim)  # of equals the newest
        waiting.insert(0, victim)
        give_back_all(victim.table)
        if victim is request:
            return False
    return True
)";
constexpr CodeExcerpt kPreemptOurs[] = {
    {"core/engine/run/scheduler.cpp", "bool Scheduler::grow_or_preempt("},
    {"core/engine/run/scheduler.cpp", "SeqId Scheduler::victim()"},
    {"core/engine/run/scheduler.cpp", "r.scheduled = 0;", "cache.let_go(id, {Why::RoomFor"},
};
constexpr CodeMark kPreemptMarks[] = {
    {"grow", "while not grow(request)", "while (!cache.grow(id, upto))"},
    {"victim", "victim = lowest_priority(", ".spec.priority <= requests_[out.index()]"},
    {"remove", "running.remove(victim)", "remove(id);"},
    {"wait", "waiting.insert(0, victim)", "waiting_.insert(waiting_.begin(), id);"},
    {"let_go", "give_back_all(victim.table)", "cache.let_go(id, {Why::RoomFor"},
};

}  // namespace

namespace code_rows {
const CodeSample kQuantize{"quantize", "Numbers become codes and a scale", kQuantizeIdea,
                           kQuantizeOurs, kQuantizeMarks};
const CodeSample kKeepRecent{"keep_recent", "Keep the first and the newest", kRecentIdea,
                             kRecentOurs, kRecentMarks};
const CodeSample kHeavyHitters{"heavy_hitters", "Keep what was looked at", kHeavyIdea, kHeavyOurs,
                               kHeavyMarks};
const CodeSample kSwapOut{"swap", "Blocks go out, and come back", kSwapIdea, kSwapOurs, kSwapMarks};
const CodeSample kLoadsDone{"prefetch", "Go on, or wait?", kLoadsIdea, kLoadsOurs, kLoadsMarks};
const CodeSample kLayerAhead{"layer_ahead", "Fetch in turn, or a layer ahead", kLayerIdea,
                             kLayerOurs, kLayerMarks};
const CodeSample kAdmission{"admission", "May it come in?", kAdmissionIdea, kAdmissionOurs,
                            kAdmissionMarks};
const CodeSample kPreempt{"preempt", "Who has to go?", kPreemptIdea, kPreemptOurs, kPreemptMarks};
}  // namespace code_rows

}  // namespace kv
