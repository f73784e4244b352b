// Lessons 1, 2, 6 and 7: who computes what, and who reads it.

#include "core/lesson/code/rows.hpp"

namespace kv {
namespace {

// ---- The loop, without a cache and with one.

constexpr std::string_view kLoopIdea = R"(def answer(text, n):
    for step in range(n):
        logits = forward(text)  # the whole text
        text.append(draw(logits))
        # keys and values of this step are lost

def answer_cached(text, n):
    cache, fresh = [], list(text)
    for step in range(n):
        logits = forward(fresh, cache)
        # the cache keeps what fresh left in it
        fresh = [draw(logits)]
        text += fresh
)";
constexpr CodeExcerpt kLoopOurs[] = {
    {"core/engine/run/engine.cpp", "scheduler_.plan(pool_.cache(), iteration_",
     "if (!settings_.cache) keep_nothing(plan);"},
    {"core/engine/run/scheduler.cpp", "std::uint32_t Scheduler::step_of("},
    {"core/engine/run/engine.cpp", "void Engine::keep_nothing("},
};
constexpr CodeMark kLoopMarks[] = {
    {"whole", "logits = forward(text)", "const Pass pass = compute(plan);"},
    {"append", "text.append(draw(logits))", "draw(plan, pass);"},
    {"forget", "# keys and values of this step are lost", "pool_.cache().let_go("},
    {"fresh", "logits = forward(fresh, cache)", "std::min(n_tokens - stored, budget_)"},
    {"keep", "# the cache keeps what fresh left in it", "store(plan);"},
    {"draw", "fresh = [draw(logits)]", "draw(plan, pass);"},
};

// ---- One layer: project, rotate, append, attend.

constexpr std::string_view kAppendIdea = R"(def attention(x, cache):
    h = norm(x)
    q, k, v = project(h)
    q, k = rotate(q, k, position)
    cache.append(k, v)  # first: a token sees itself
    heads = []
    for head in range(n_heads):
        heads.append(attend(q[head], cache, head))
    return output(heads)
)";
constexpr CodeExcerpt kAppendOurs[] = {
    {"core/engine/reference/reference.cpp", "const Rows<Real> h = rms_norm(x, w.attention_norm",
     "watch.done(Op::Output, layer);"},
};
constexpr CodeMark kAppendMarks[] = {
    {"project", "q, k, v = project(h)", "Rows<Real> k = project(h, w.k"},
    {"rotate", "q, k = rotate(q, k, position)", "rotate_rows(k, rope_"},
    {"append", "cache.append(k, v)", "cache.append(std::move(k)"},
    {"attend", "heads.append(attend(", "attend(q[i] + first"},
    {"output", "return output(heads)", "Rows<Real> out = project(heads"},
};

// ---- One row of attention.

constexpr std::string_view kAttendIdea = R"(def attend(q, keys, values):
    scale = 1 / sqrt(len(q))
    scores = [dot(q, key) * scale for key in keys]
    powers = [exp(s) for s in scores]  # ours: s - top
    weights = [p / sum(powers) for p in powers]
    return sum(w * v for w, v in zip(weights, values))
)";
constexpr CodeExcerpt kAttendOurs[] = {
    {"core/engine/reference/reference.cpp", "void attend(const Real* q"},
    {"core/engine/reference/tensor.hpp", "void softmax(std::vector<Real>& scores)"},
};
constexpr CodeMark kAttendMarks[] = {
    {"scale", "scale = 1 / sqrt(len(q))", "const Real scale = Real{1}"},
    {"score", "scores = [dot(q, key)", "weights[j] = dot(q, seen.key(j), dim)"},
    {"power", "powers = [exp(s)", "sum += s = math::exp(s - top)"},
    {"weight", "weights = [p / sum(powers)", "s /= sum;"},
    {"sum_of_values", "return sum(w * v", "out[c] += weights[j] * value[c]"},
};

// ---- Drafts: several tokens in one pass.

constexpr std::string_view kVerifyIdea = R"(def verify(draft, logits):  # one row for each of them
    accepted = []
    for i in range(len(draft) + 1):
        token = draw(logits[i])  # the model's own
        accepted.append(token)
        if i == len(draft) or token != draft[i]:
            break  # the rest was a guess too far
    return accepted
)";
constexpr CodeExcerpt kVerifyOurs[] = {
    {"core/engine/run/drafting/verdict.cpp", "DraftVerdict judge("},
};
constexpr CodeMark kVerifyMarks[] = {
    {"draft", "def verify(draft, logits)", "KV_ASSERT(rows.size() == (k + 1)"},
    {"draw", "token = draw(logits[i])", "next_of(proposal, i"},
    {"accept", "accepted.append(token)", "verdict.accepted += accepted"},
    {"strike", "token != draft[i]", "if (!accepted || verdict.tokens.back().ends)"},
};

// ---- A prompt in pieces.

constexpr std::string_view kChunkIdea = R"(def plan(running, budget):  # tokens of one step
    for request in running:
        left = len(request.tokens) - request.stored
        count = min(left, budget)
        if count == 0:
            continue
        schedule(request, request.stored, count)
        budget -= count
)";
constexpr CodeExcerpt kChunkOurs[] = {
    {"core/engine/run/scheduler.cpp", "void Scheduler::plan_running("},
    {"core/engine/run/scheduler.cpp", "std::uint32_t Scheduler::step_of("},
    {"core/engine/run/scheduler.cpp", "void Scheduler::add("},
};
constexpr CodeMark kChunkMarks[] = {
    {"left", "left = len(request.tokens)", "const std::uint32_t count = step_of("},
    {"count", "count = min(left, budget)", "std::min(n_tokens - stored, budget_)"},
    {"schedule", "schedule(request, request.stored", "plan_.push_back({id, first, count})"},
    {"budget", "budget -= count", "budget_ -= std::min(budget_, count)"},
};

// ---- Which KV head a query head reads.

constexpr std::string_view kHeadIdea = R"(def group_size(n_heads, n_kv_heads):
    return n_heads // n_kv_heads

def kv_head_of(query_head, n_heads, n_kv_heads):
    group = group_size(n_heads, n_kv_heads)
    return query_head // group
)";
constexpr CodeExcerpt kHeadOurs[] = {
    {"core/base/kv_head.hpp", "KV_HD constexpr std::uint32_t group_size("},
    {"core/base/kv_head.hpp", "KV_HD inline HeadId kv_head_of("},
    {"core/engine/cpu/cache_pages.hpp", "HeadGroup heads_of(const HeadKeys& keys)"},
};
constexpr CodeMark kHeadMarks[] = {
    {"group", "return n_heads // n_kv_heads", "n_heads / n_kv_heads)"},
    {"head", "return query_head // group", "query_head / group_size("},
};

}  // namespace

namespace code_rows {
const CodeSample kDecodeLoop{"decode_loop", "The loop that writes an answer", kLoopIdea, kLoopOurs,
                             kLoopMarks};
const CodeSample kAppendAttend{"append_attend", "Append, then attend", kAppendIdea, kAppendOurs,
                               kAppendMarks};
const CodeSample kAttend{"attend", "One row of attention", kAttendIdea, kAttendOurs, kAttendMarks};
const CodeSample kVerify{"verify", "Guesses, checked in one pass", kVerifyIdea, kVerifyOurs,
                         kVerifyMarks};
const CodeSample kChunk{"chunk", "A prompt in pieces", kChunkIdea, kChunkOurs, kChunkMarks};
const CodeSample kKvHeadOf{"kv_head_of", "From query head to KV head", kHeadIdea, kHeadOurs,
                           kHeadMarks};
}  // namespace code_rows

}  // namespace kv
