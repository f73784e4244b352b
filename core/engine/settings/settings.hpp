#pragma once
// The rules and sizes of a run, under the names that scenes, commands and options use. One table
// knows them all: how each is read, written and, once a run is under way, changed.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cache/blocks/spec.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/cache/eviction/key_positions.hpp"
#include "core/engine/draft/spec.hpp"
#include "core/engine/pool/spec.hpp"

namespace kv {

enum class Preemption : std::uint8_t { Recompute, Swap };
std::string_view name_of(Preemption preemption);

// Cached blocks that are taken for something else: forgotten, or kept in the host tier.
enum class ColdBlocks : std::uint8_t { Forget, KeepInHost };
std::string_view name_of(ColdBlocks cold);

// "48blocks", or a number of bytes that whole blocks are made of once the model is known.
struct PoolSize {
    std::optional<std::uint64_t> bytes;
    std::uint32_t blocks = 0;
};

// Which card a backend's name means: 0 for "cuda", N for "cuda:N"; none for the others.
std::optional<std::uint32_t> cuda_device_of(std::string_view backend);

struct EngineSettings {
    std::string backend = "cpu";
    std::uint32_t block_size = 16;
    PoolSize pool{{}, 48};
    Codec k_codec = Codec::Bf16, v_codec = Codec::Bf16;
    Prefill prefill = Prefill::Exact;
    Rotation rotation = Rotation::None;
    KvOrder order = KvOrder::TokenMajor;
    Sharing share = Sharing::FullBlocksOnly;
    FreeOrder free_order = FreeOrder::UnhashedFirst;
    PrefixRule prefix_rule = PrefixRule::Chain;
    RadixRule radix_order;
    std::vector<std::uint32_t> free_list;
    std::uint32_t host_blocks = 0, file_blocks = 0;
    ColdBlocks cold_blocks = ColdBlocks::Forget;
    bool cache = true;      // off: what a step stored goes back when it has drawn its token
    bool prefetch = false;  // loads run beside the iterations instead of before them
    std::uint32_t max_batch_tokens = 64, max_running = 8;
    Preemption preempt = Preemption::Recompute;
    std::uint32_t watermark_blocks = 0;
    std::string evict = "none";             // a policy in its own words, which parse
    std::optional<KeyPositions> positions;  // none: what the policy's paper uses
    bool compact = true;                    // survivors move together when holes are worth it
    DraftSpec draft;                        // who proposes tokens that a pass checks together
    // The time model of transfers and steps; the measured times stand beside it.
    double transfer_gbps = 25, transfer_latency_us = 10, step_us = 1000;
};

// How a scene file writes the value; commands and options write all of them as text.
enum class SettingKind : std::uint8_t { Word, Whole, Real, List, Switch };

struct SettingRow {
    std::string_view name, values, help;
    SettingKind kind;
    bool while_running;  // else only while no request holds blocks
    // Empty when the value was taken, else what is wrong with it ("is no codec that can be run").
    std::string (*read)(EngineSettings&, std::string_view value);
    std::string (*write)(const EngineSettings&);
};
const std::vector<SettingRow>& engine_setting_rows();
const SettingRow* find_setting(std::string_view name);
// The settings of a moment: `settings` with the words that its snapshot has (Snapshot::settings).
EngineSettings with_words(EngineSettings settings, const std::map<std::string, std::string>& words);
// What is wrong with such a change whatever the run does: "k_codec banana is no codec ...; write
// ...". Empty when the name and the value can be read.
std::string setting_refusal(const EngineSettings& settings, const std::string& name,
                            const std::string& value);

EvictionSpec eviction_of(const EngineSettings& settings);
KeyPositions positions_of(const EngineSettings& settings);
// What does not go together, as a sentence; empty when all is well.
std::string clash_of(const EngineSettings& settings, const ModelConfig& config);

std::string pool_text(const PoolSize& pool);  // "48blocks"
// The pool that the settings ask for, with that many blocks.
PoolSpec pool_spec_of(const EngineSettings& settings, std::uint32_t n_blocks);
// What keeps this model's vectors from being stored so: a sentence, or nothing.
std::optional<std::string> codec_refusal(const ModelConfig& config, const EngineSettings& settings);
std::uint64_t bytes_per_block(const ModelConfig& config, const EngineSettings& settings);
// Blocks of that pool; none when it holds no block or more than can be numbered.
std::optional<std::uint32_t> blocks_of(const PoolSize& pool, std::uint64_t bytes_per_block);

}  // namespace kv
