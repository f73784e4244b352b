// Rows of the books: taking and giving back blocks, finding prefixes, planning an iteration, and
// the trace. No model runs; a backend that computes nothing stands in where the engine asks for
// one.

#include <unordered_map>

#include "bench/allocations.hpp"
#include "bench/cpu/model.hpp"
#include "core/base/random.hpp"
#include "core/cache/cache.hpp"
#include "core/engine/run/engine.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/trace.hpp"

namespace kv::bench {
namespace {

constexpr std::uint32_t kSmall = 1024, kLarge = 1u << 20;  // blocks
constexpr std::uint32_t kBlock = 16, kBlocksOfOne = 32;
constexpr std::size_t kTokensOfOne = std::size_t{kBlock} * kBlocksOfOne;

std::vector<std::uint32_t> tokens_of(std::uint64_t seed, std::size_t n) {
    const Random random(seed, 5);
    std::vector<std::uint32_t> tokens(n);
    for (std::size_t i = 0; i < n; ++i) tokens[i] = random.bits(i) % 32'000;
    return tokens;
}

// ---- blocks taken and given back -------------------------------------------------------------

// Requests of 32 blocks come and go, a few at a time, all over the pool.
double ns_per_block(std::uint32_t n_blocks) {
    constexpr std::uint32_t kRounds = 2000, kAtATime = 8;
    CacheSpec spec;
    spec.n_blocks = n_blocks;
    spec.block_size = kBlock;
    spec.sharing = Sharing::Off;
    Cache cache(spec);
    const auto tokens = tokens_of(1, kTokensOfOne);
    const auto round = [&](std::uint32_t i) {
        for (std::uint32_t j = 0; j < kAtATime; ++j) {
            const SeqId id(i * kAtATime + j);
            cache.open(id, tokens);
            cache.grow(id, static_cast<std::uint32_t>(tokens.size()));
        }
        for (std::uint32_t j = 0; j < kAtATime; ++j)
            cache.close(SeqId(i * kAtATime + j), {Why::RequestEnds});
    };
    for (std::uint32_t i = 0; i < kRounds / 4; ++i) round(i);
    const double seconds = seconds_of([&] {
        for (std::uint32_t i = 0; i < kRounds; ++i) round(i);
    });
    return 1e9 * seconds / (double{kRounds} * kAtATime * kBlocksOfOne);
}

// ---- prefixes found ----------------------------------------------------------------------------

constexpr std::uint32_t kPrompts = 24;

// What an engineer writes first: a map from a chain hash to the tokens and the block.
class PlainIndex {
public:
    void add(const std::vector<std::uint32_t>& tokens, std::uint32_t first_block) {
        std::uint64_t parent = 0;
        for (std::size_t at = 0; at + kBlock <= tokens.size(); at += kBlock) {
            const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(at);
            std::vector<std::uint32_t> own(begin, begin + kBlock);
            const std::uint64_t hash = hash_of(parent, own);
            map_[hash] = {parent, std::move(own), first_block++};
            parent = hash;
        }
    }
    std::uint32_t find(const std::vector<std::uint32_t>& tokens) const {
        std::uint64_t parent = 0;
        std::uint32_t found = 0;
        for (std::size_t at = 0; at + kBlock < tokens.size(); at += kBlock) {
            const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(at);
            const std::vector<std::uint32_t> own(begin, begin + kBlock);
            const std::uint64_t hash = hash_of(parent, own);
            const auto entry = map_.find(hash);
            if (entry == map_.end() || entry->second.parent != parent ||
                entry->second.tokens != own)
                break;
            ++found;
            parent = hash;
        }
        return found;
    }

private:
    struct Entry {
        std::uint64_t parent = 0;
        std::vector<std::uint32_t> tokens;
        std::uint32_t block = 0;
    };
    static std::uint64_t hash_of(std::uint64_t parent, const std::vector<std::uint32_t>& tokens) {
        std::uint64_t hash = parent ^ 0xCBF29CE484222325u;
        for (const std::uint32_t token : tokens)
            for (int shift = 0; shift < 32; shift += 8) {
                hash ^= token >> shift & 0xFF;
                hash *= 0x100000001B3u;
            }
        return hash;
    }
    std::unordered_map<std::uint64_t, Entry> map_;
};

struct Lookup {
    double ours_ns, plain_ns;
};

Lookup lookup_ns(std::uint32_t n_blocks) {
    CacheSpec spec;
    spec.n_blocks = n_blocks;
    spec.block_size = kBlock;
    Cache cache(spec);
    PlainIndex plain;
    const std::size_t n = kTokensOfOne + 1;
    for (std::uint32_t p = 0; p < kPrompts; ++p) {
        const auto tokens = tokens_of(100 + p, n);
        cache.open(SeqId(p), tokens);
        cache.grow(SeqId(p), static_cast<std::uint32_t>(n));
        cache.set_stored(SeqId(p), static_cast<std::uint32_t>(n));
        plain.add(tokens, p * kBlocksOfOne);
        cache.close(SeqId(p), {Why::RequestEnds});
        cache.open(SeqId(1000 + p), tokens);
    }
    constexpr int kRounds = 200;
    std::uint64_t found = 0, plainly = 0;
    const double ours = seconds_of([&] {
        for (int round = 0; round < kRounds; ++round)
            for (std::uint32_t p = 0; p < kPrompts; ++p)
                found += cache.find_prefix(SeqId(1000 + p)).hits.size();
    });
    std::vector<std::vector<std::uint32_t>> prompts;
    for (std::uint32_t p = 0; p < kPrompts; ++p) prompts.push_back(tokens_of(100 + p, n));
    const double theirs = seconds_of([&] {
        for (int round = 0; round < kRounds; ++round)
            for (const auto& prompt : prompts) plainly += plain.find(prompt);
    });
    if (found != plainly || found != std::uint64_t{kRounds} * kPrompts * kBlocksOfOne)
        throw Error{ErrorCode::Check, "The two indexes find different prefixes; run the tests."};
    return {1e9 * ours / static_cast<double>(found), 1e9 * theirs / static_cast<double>(found)};
}

// ---- an iteration of the engine ----------------------------------------------------------------

ModelConfig little_config() {
    constexpr CpuShape kLittle{.name = "nothing",
                               .n_layers = 1,
                               .n_heads = 1,
                               .n_kv_heads = 1,
                               .head_dim = 2,
                               .hidden = 2,
                               .intermediate = 2,
                               .vocab = 8};
    return config_of(kLittle);
}

// Logits that are all alike, at once.
class NoBackend final : public Backend {
public:
    SharedScale shared_scale(LayerId, Side) const override { return kNoScale; }
    void set_shared_scale(LayerId, Side, SharedScale) override {}
    void free_residual(std::uint32_t) override {}
    std::uint64_t residual_bytes() const override { return 0; }
    NoBackend(const ModelConfig& config, const PoolSpec& pool)
        : layout_(layout_of(config, pool)), vocab_(config.vocab_size) {}
    std::string_view name() const override { return "none"; }
    const KvLayout& layout() const override { return layout_; }
    ForwardResult forward(const Batch& batch, TapSink*) override {
        ForwardResult result;
        for (const SequenceWork& sequence : batch.sequences)
            result.logits.resize(result.logits.size() + sequence.logit_rows.size() * vocab_);
        return result;
    }
    void read_pool(std::uint64_t, std::span<std::byte>) const override {}
    void write_pool(std::uint64_t, std::span<const std::byte>) override {}
    void copy_block(BlockId, BlockId, std::uint32_t) override {}

private:
    KvLayout layout_;
    std::size_t vocab_;
};

std::vector<double> iteration_us(std::uint32_t n_blocks, std::size_t samples) {
    constexpr std::uint32_t kRequests = 256;
    const ModelConfig config = little_config();
    EngineSettings settings;
    settings.pool = {{}, n_blocks};
    settings.max_batch_tokens = 1u << 20;
    settings.max_running = kRequests;
    Engine engine({.config = config,
                   .make_backend =
                       [&](const std::string&, const PoolSpec& pool) {
                           return std::make_unique<NoBackend>(config, pool);
                       }},
                  settings);
    for (std::uint32_t i = 0; i < kRequests; ++i) {
        RequestSpec spec;
        spec.name = std::to_string(i);
        spec.prompt = {1, 2, 3, i % 8};
        spec.max_new = static_cast<std::uint32_t>(samples) + 40;
        engine.submit(spec);
    }
    for (int i = 0; i < 16; ++i) engine.advance();
    std::vector<double> us;
    for (std::size_t i = 0; i < samples; ++i)
        us.push_back(1e6 * seconds_of([&] { engine.advance(); }));
    return us;
}

// ---- the trace -------------------------------------------------------------------------------

// Requests of 4 blocks come and go in a pool of 1,024 until there are a million events.
void fill(Trace& trace) {
    CacheSpec spec;
    spec.n_blocks = kSmall;
    spec.block_size = kBlock;
    Cache cache(spec, &trace);
    const auto prompt = tokens_of(9, std::size_t{4} * kBlock);
    for (std::uint32_t i = 0; trace.size() < 1'000'000; ++i) {
        const SeqId id(i);
        cache.begin_iteration(i);
        RequestArrived arrived;
        arrived.name = std::to_string(i);
        arrived.prompt = prompt;
        arrived.prompt[0] = i;
        trace.append({i, id, Reason::arrival(i), arrived});
        cache.open(id, arrived.prompt);
        trace.append({i, id, Reason::first_in_line(4, 0), RequestAdmitted{}});
        for (std::uint32_t n = 1; n <= prompt.size(); ++n) {
            cache.grow(id, n);
            cache.set_stored(id, n);
            trace.append({i, id, {Why::NextToken}, TokensScheduled{n - 1, 1}});
            trace.append({i, id, Reason::computed(1), TokensStored{n - 1, 1}});
        }
        trace.append({i, id, Reason::max_new(1), RequestFinished{}});
        cache.close(id, {Why::RequestEnds, id});
    }
}

}  // namespace

Result measure_cache_alloc(const Programs&, std::size_t samples) {
    std::vector<double> small, large;
    for (std::size_t i = 0; i < samples; ++i) {
        large.push_back(ns_per_block(kLarge));
        small.push_back(ns_per_block(kSmall));
    }
    Result result;
    result.row = "cache_alloc";
    result.what = "a block taken and given back, of a million against of a thousand";
    result.figures = {{"1,048,576 blocks", "ns", spread_of(large)},
                      {"1,024 blocks", "ns", spread_of(small)}};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = 1.3;
    return result;
}

Result measure_cache_prefix(const Programs&, std::size_t samples) {
    std::vector<double> ours, plain, large;
    for (std::size_t i = 0; i < samples; ++i) {
        const Lookup small = lookup_ns(kSmall);
        ours.push_back(small.ours_ns);
        plain.push_back(small.plain_ns);
        large.push_back(lookup_ns(kLarge).ours_ns);
    }
    Result result;
    result.row = "cache_prefix";
    result.what = "a block of a prompt found by its tokens, against a plain unordered_map";
    result.figures = {{"ours, 1,024 blocks", "ns", spread_of(ours)},
                      {"plain", "ns", spread_of(plain)},
                      {"ours, 1,048,576 blocks", "ns", spread_of(large)}};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = 1;
    return result;
}

Result measure_scheduler(const Programs&, std::size_t samples) {
    Result result;
    result.row = "scheduler";
    result.what = "an iteration of 256 requests without a model, of a large pool against a small";
    const std::vector<double> large = iteration_us(kLarge, samples * 4),
                              small = iteration_us(8 * kSmall, samples * 4);
    result.figures = {{"1,048,576 blocks", "us", spread_of(large)},
                      {"8,192 blocks", "us", spread_of(small)}};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = 1.3;
    return result;
}

Result measure_trace(const Programs&, std::size_t samples) {
    Result result;
    result.row = "trace";
    result.what = "a million events: memory of each, and time to any moment; the ratio is to 5 ms";
    const double before = resident_mib();
    Trace trace;
    const double seconds = seconds_of([&] { fill(trace); });
    const auto events = static_cast<double>(trace.size());
    const double bytes = (resident_mib() - before) * 1048576 / events;
    const Random random(3, 3);
    std::vector<double> seek;
    std::uint64_t draw = 0;
    for (std::size_t i = 0; i < samples * 10; ++i) {
        const std::uint64_t moment = random.below(draw++, static_cast<std::uint32_t>(trace.size()));
        seek.push_back(1e3 * seconds_of([&] { trace.at(moment); }));
    }
    result.figures = {
        {"slowest seek", "ms", spread_of({spread_of(seek).max})},
        {"seek", "ms", spread_of(seek)},
        {"packed", "bytes", spread_of({static_cast<double>(trace.memory_bytes()) / events})},
        {"with keyframes", "bytes", spread_of({bytes})},
        {"appended in", "ns", spread_of({1e9 * seconds / events})}};
    result.ratio = result.figures[0].spread.median / 5;
    result.goal = 1;
    return result;
}

}  // namespace kv::bench
