#pragma once
// A policy and its numbers, in the words that scenes, options and the palette share:
//
//   none   window:64   streaming:4+60   h2o:16+16,decay=0.98,grace=4   snapkv:64,window=16,kernel=5
//   pyramidkv:64   adakv:64   tova:64   knorm:0.5   keydiff:0.5   lagkv:0.5   expected:0.5
//   random:64   quest:64
//
// The main numbers stand behind the colon, options follow as name=value. A policy that is not built
// does not parse.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/cache/eviction/expected_attention.hpp"
#include "core/cache/eviction/heavy_hitters.hpp"
#include "core/cache/eviction/key_scores.hpp"
#include "core/cache/eviction/observation_window.hpp"

namespace kv {

enum class EvictionPolicy : std::uint8_t {
    None,
    Window,
    Streaming,
    H2o,
    SnapKv,
    PyramidKv,
    AdaKv,
    Tova,
    Knorm,
    KeyDiff,
    LagKv,
    Expected,
    Random,
    Quest
};
std::string_view name_of(EvictionPolicy policy);  // "snapkv"

// What one table is for: the whole sequence, one layer, or one KV head of one layer.
enum class TableScope : std::uint8_t { Sequence, Layer, Head };

// Before the next token comes, after each step has attended, or once behind the prompt.
enum class EvictionTime : std::uint8_t { BeforeAppend, AfterAttend, PrefillEnd };

struct EvictionSpec {
    EvictionPolicy policy = EvictionPolicy::None;
    std::uint32_t sinks = 0, recent = 0;  // window and streaming
    std::uint32_t budget = 0;             // tova and random; quest: tokens that a query reads
    double ratio = 0;  // knorm, keydiff, lagkv and expected: the share that is dropped
    HeavyHitters heavy;
    ObservationWindow observed;  // snapkv, pyramidkv and adakv
    std::uint32_t beta = 20;     // pyramidkv
    double floor = 0.2;          // adakv
    Lag lag;
    FutureQueries expected;
    std::uint32_t skip = 0;   // layers, from the first, that keep everything
    std::uint32_t block = 0;  // keydiff: tokens judged at a time; 0 judges all at once
    Reduce reduce = Reduce::Mean;
    bool protect_last = false;  // tova
    bool short_gaps = false;    // tova
    std::uint32_t spared = 0;   // random and quest: the newest that are always kept, or read
};

// Reads a policy. On a refusal `why` says what is wrong, to stand behind the word that was read:
// "is no policy".
std::optional<EvictionSpec> parse_eviction(std::string_view text, std::string& why);

// What follows from the policy.
bool drops_tokens(const EvictionSpec& spec);   // false: all tokens stay
bool chooses_reads(const EvictionSpec& spec);  // a query looks at some blocks only (Quest)
TableScope table_scope(const EvictionSpec& spec);
EvictionTime eviction_time(const EvictionSpec& spec);
bool needs_weights(const EvictionSpec& spec);  // the softmax's
bool needs_keys(const EvictionSpec& spec);
bool needs_queries(const EvictionSpec& spec);  // all queries of the prompt
// Tokens that a table holds after a step at most, for a policy that bounds them.
std::optional<std::uint32_t> budget_of(const EvictionSpec& spec);
// Tokens of n that a table keeps at most once the policy has run; n where it bounds nothing.
std::uint32_t most_kept(const EvictionSpec& spec, std::uint32_t n);
// Blocks that a query looks at, where it chooses: the tokens of the policy, rounded up.
std::uint32_t blocks_read(const EvictionSpec& spec, std::uint32_t block_size);
// The first token whose query may miss something, for policies that hide what is far away; nothing
// for those whose choice depends on what they saw.
std::optional<std::uint32_t> first_query_that_misses(const EvictionSpec& spec);

}  // namespace kv
