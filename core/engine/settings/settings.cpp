#include "core/engine/settings/settings.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/engine/reference/hadamard.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostBlocks = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::uint64_t kMostTokens = 1u << 20;

template <std::uint32_t EngineSettings::*kField, std::uint64_t kMin, std::uint64_t kMax>
std::string read_number(EngineSettings& s, std::string_view value) {
    std::string why;
    const auto number = parse_whole(value, kMin, kMax, why);
    if (number) s.*kField = static_cast<std::uint32_t>(*number);
    return why;
}
template <std::uint32_t EngineSettings::*kField>
std::string write_number(const EngineSettings& s) {
    return std::to_string(s.*kField);
}

template <double EngineSettings::*kField>
std::string read_real(EngineSettings& s, std::string_view value) {
    std::string why;
    const auto number = parse_decimal(value, why);
    if (number) s.*kField = *number;
    return why;
}
template <double EngineSettings::*kField>
std::string write_real(const EngineSettings& s) {
    return round_trip(s.*kField);
}

// One of the words that kNamed knows: sharing_named("off").
template <auto kField, auto kNamed>
std::string read_word(EngineSettings& s, std::string_view value) {
    const auto named = kNamed(value);
    if (!named) return "is none of its words";
    s.*kField = *named;
    return {};
}
template <auto kFirst, auto kSecond>
std::optional<decltype(kFirst)> either(std::string_view value) {
    if (value == name_of(kFirst)) return kFirst;
    if (value == name_of(kSecond)) return kSecond;
    return std::nullopt;
}
template <auto kField>
std::string write_word(const EngineSettings& s) {
    return std::string(name_of(s.*kField));
}

std::string_view codec_words() {
    static const std::string words =
        plain_codec_names(", ") +
        ", or one of the int codecs with :g32 (a scale and a zero for each 32 channels) or :tensor "
        "(one scale for a whole layer); int4 and int2 with :kivi (keys per channel, the newest 128 "
        "tokens in full)";
    return words;
}

template <Codec EngineSettings::*kField>
std::string read_codec(EngineSettings& s, std::string_view value) {
    std::string why;
    if (const auto codec = parse_codec(value, why)) s.*kField = *codec;
    return why;
}
template <Codec EngineSettings::*kField>
std::string write_codec(const EngineSettings& s) {
    return codec_name(s.*kField);
}

std::string read_pool(EngineSettings& s, std::string_view value) {
    constexpr std::string_view kBlocks = "blocks";
    std::string why;
    if (value.ends_with(kBlocks)) {
        const auto blocks =
            parse_whole(value.substr(0, value.size() - kBlocks.size()), 1, kMostBlocks, why);
        if (blocks) s.pool = {{}, static_cast<std::uint32_t>(*blocks)};
        return why;
    }
    const auto size = parse_bytes(value, why);
    if (!size) return why;
    s.pool = {size->bytes, 0};
    return {};
}

std::string read_free_list(EngineSettings& s, std::string_view value) {
    std::vector<std::uint32_t> ids;
    for (bool more = !value.empty(); more;) {
        const std::size_t comma = value.find(',');
        std::string why;
        const auto id = parse_whole(value.substr(0, comma), 0, kMostBlocks, why);
        if (!id) return "has an entry that " + why;
        if (std::find(ids.begin(), ids.end(), *id) != ids.end())
            return "names block " + std::to_string(*id) + " twice";
        ids.push_back(static_cast<std::uint32_t>(*id));
        more = comma != std::string_view::npos;
        value.remove_prefix(more ? comma + 1 : value.size());
    }
    s.free_list = std::move(ids);
    return {};
}

std::string write_free_list(const EngineSettings& s) {
    std::string out;
    for (const std::uint32_t id : s.free_list) out += (out.empty() ? "" : ",") + std::to_string(id);
    return out;
}

std::string read_backend(EngineSettings& s, std::string_view value) {
    const auto device = cuda_device_of(value);
    if (value != "reference" && value != "cpu" && !device) return "is no backend of this version";
    s.backend = device == 0 ? "cuda" : value;
    return {};
}

std::string read_order(EngineSettings& s, std::string_view value) {
    if (value != "token_major" && value != "head_major") return "is none of its words";
    s.order = value == "token_major" ? KvOrder::TokenMajor : KvOrder::HeadMajor;
    return {};
}
std::string write_order(const EngineSettings& s) {
    return s.order == KvOrder::TokenMajor ? "token_major" : "head_major";
}

template <bool EngineSettings::*kField>
std::string read_switch(EngineSettings& s, std::string_view value) {
    if (value != "on" && value != "off") return "is none of its words";
    s.*kField = value == "on";
    return {};
}
template <bool EngineSettings::*kField>
std::string write_switch(const EngineSettings& s) {
    return s.*kField ? "on" : "off";
}

std::string read_compact(EngineSettings& s, std::string_view value) {
    if (value != "auto" && value != "off") return "is none of its words";
    s.compact = value == "auto";
    return {};
}
std::string write_compact(const EngineSettings& s) {
    return s.compact ? "auto" : "off";
}

std::string read_evict(EngineSettings& s, std::string_view value) {
    std::string why;
    if (parse_eviction(value, why)) s.evict = value;
    return why;
}

std::string write_positions(const EngineSettings& s) {
    return std::string(name_of(positions_of(s)));
}

std::string read_draft(EngineSettings& s, std::string_view value) {
    std::string why;
    if (auto draft = parse_draft(value, why)) s.draft = std::move(*draft);
    return why;
}

std::string read_transfer_gbps(EngineSettings& s, std::string_view value) {
    EngineSettings changed = s;
    std::string why = read_real<&EngineSettings::transfer_gbps>(changed, value);
    if (why.empty() && changed.transfer_gbps <= 0) why = "is not above 0";
    if (why.empty()) s = changed;
    return why;
}

using S = EngineSettings;

const std::vector<SettingRow>& rows() {
    static const std::vector<SettingRow> all{
        {"backend", "reference, cpu, cuda, or cuda:N for another card than the first",
         "who computes", SettingKind::Word, false, read_backend,
         [](const S& s) { return s.backend; }},
        {"block_size", "1 to 1024", "tokens of a block", SettingKind::Whole, false,
         read_number<&S::block_size, 1, 1024>, write_number<&S::block_size>},
        {"pool", "384KiB or 48blocks", "size of the pool", SettingKind::Word, false, read_pool,
         [](const S& s) { return pool_text(s.pool); }},
        {"k_codec", codec_words(), "how keys are stored", SettingKind::Word, false,
         read_codec<&S::k_codec>, write_codec<&S::k_codec>},
        {"v_codec", codec_words(), "how values are stored", SettingKind::Word, false,
         read_codec<&S::v_codec>, write_codec<&S::v_codec>},
        {"prefill", "exact or quantized", "what a pass sees of its own tokens under a lossy codec",
         SettingKind::Word, false,
         read_word<&S::prefill, either<Prefill::Exact, Prefill::Quantized>>,
         write_word<&S::prefill>},
        {"rotation", "none or hadamard", "whether each head is spread over its channels first",
         SettingKind::Word, false,
         read_word<&S::rotation, either<Rotation::None, Rotation::Hadamard>>,
         write_word<&S::rotation>},
        {"order", "token_major or head_major", "what lies together inside a block",
         SettingKind::Word, false, read_order, write_order},
        {"share", "full_blocks_only, copy_on_write or off", "which blocks requests may share",
         SettingKind::Word, false, read_word<&S::share, sharing_named>, write_word<&S::share>},
        {"free_order", "unhashed_first or tail_reverse",
         "where freed blocks queue; tail_reverse is vLLM until May 2026", SettingKind::Word, true,
         read_word<&S::free_order, free_order_named>, write_word<&S::free_order>},
        {"prefix_index", "chain or radix", "which cached block is given up", SettingKind::Word,
         false, read_word<&S::prefix_rule, prefix_rule_named>, write_word<&S::prefix_rule>},
        {"radix_order",
         "lru-strict, lru-sglang, lfu, slru, tlru, fifo, mru, filo or priority; numbers follow as "
         "in slru:protected_threshold=2 and tlru:threshold=4096,next_prompt_estimate=512",
         "which leaf of the tree goes first", SettingKind::Word, false,
         read_word<&S::radix_order, radix_rule_named>, write_word<&S::radix_order>},
        {"free_list", "ids with commas between them", "the blocks to hand out first",
         SettingKind::List, false, read_free_list, write_free_list},
        {"host_blocks", "0 to 1048576", "places for blocks in the host tier", SettingKind::Whole,
         false, read_number<&S::host_blocks, 0, kMostTokens>, write_number<&S::host_blocks>},
        {"file_blocks", "0 to 1048576", "places for blocks in the file behind it",
         SettingKind::Whole, false, read_number<&S::file_blocks, 0, kMostTokens>,
         write_number<&S::file_blocks>},
        {"cold_blocks", "forget or host", "what becomes of cached blocks that are taken",
         SettingKind::Word, true,
         read_word<&S::cold_blocks, either<ColdBlocks::Forget, ColdBlocks::KeepInHost>>,
         write_word<&S::cold_blocks>},
        {"cache", "on or off", "whether keys and values are kept from one step to the next",
         SettingKind::Switch, false, read_switch<&S::cache>, write_switch<&S::cache>},
        {"prefetch", "on or off", "load blocks beside the iterations, not before them",
         SettingKind::Switch, true, read_switch<&S::prefetch>, write_switch<&S::prefetch>},
        {"max_batch_tokens", "1 to 1048576", "tokens of an iteration at most", SettingKind::Whole,
         true, read_number<&S::max_batch_tokens, 1, kMostTokens>,
         write_number<&S::max_batch_tokens>},
        {"max_running", "1 to 65536", "requests that run at a time at most", SettingKind::Whole,
         true, read_number<&S::max_running, 1, 65536>, write_number<&S::max_running>},
        {"preempt", "recompute or swap", "how a request is taken out when blocks run out",
         SettingKind::Word, true,
         read_word<&S::preempt, either<Preemption::Recompute, Preemption::Swap>>,
         write_word<&S::preempt>},
        {"watermark_blocks", "0 or more", "blocks that stay free when a request is admitted",
         SettingKind::Whole, true, read_number<&S::watermark_blocks, 0, kMostBlocks>,
         write_number<&S::watermark_blocks>},
        {"evict",
         "none, window:64, streaming:4+60, h2o:16+16, snapkv:64, pyramidkv:64, adakv:64, tova:64, "
         "knorm:0.5, keydiff:0.5, lagkv:0.5, expected:0.5, random:64 or quest:64",
         "which tokens of a live request are dropped, or not read", SettingKind::Word, false,
         read_evict, [](const S& s) { return s.evict; }},
        {"positions", "true, cache, original or shift",
         "where keys stand after tokens were dropped", SettingKind::Word, false,
         read_word<&S::positions, key_positions_named>, write_positions},
        {"compact", "auto or off", "whether survivors of a policy move together", SettingKind::Word,
         false, read_compact, write_compact},
        {"draft",
         "off, ngram:3, or the name of a model that lies beside the run's own; behind it ,k=4 "
         "or ,k=auto",
         "who proposes tokens that one pass checks together", SettingKind::Word, true, read_draft,
         [](const S& s) { return draft_text(s.draft); }},
        {"transfer_gbps", "a number", "time model: GB/s between the tiers", SettingKind::Real, true,
         read_transfer_gbps, write_real<&S::transfer_gbps>},
        {"transfer_latency_us", "a number", "time model: microseconds before a transfer flows",
         SettingKind::Real, true, read_real<&S::transfer_latency_us>,
         write_real<&S::transfer_latency_us>},
        {"step_us", "a number", "time model: microseconds that an iteration computes",
         SettingKind::Real, true, read_real<&S::step_us>, write_real<&S::step_us>}};
    return all;
}

}  // namespace

std::optional<std::uint32_t> cuda_device_of(std::string_view backend) {
    if (backend == "cuda") return 0;
    constexpr std::string_view kNumbered = "cuda:";
    constexpr std::uint64_t kLastCard = 1023;  // more than any machine has
    if (!backend.starts_with(kNumbered)) return std::nullopt;
    std::string why;
    const auto device = parse_whole(backend.substr(kNumbered.size()), 0, kLastCard, why);
    if (!device) return std::nullopt;
    return static_cast<std::uint32_t>(*device);
}

std::string_view name_of(Preemption preemption) {
    return preemption == Preemption::Recompute ? "recompute" : "swap";
}
std::string_view name_of(ColdBlocks cold) {
    return cold == ColdBlocks::Forget ? "forget" : "host";
}

const std::vector<SettingRow>& engine_setting_rows() {
    return rows();
}

const SettingRow* find_setting(std::string_view name) {
    const auto found = std::find_if(rows().begin(), rows().end(),
                                    [&](const SettingRow& row) { return row.name == name; });
    return found == rows().end() ? nullptr : &*found;
}

EngineSettings with_words(EngineSettings settings,
                          const std::map<std::string, std::string>& words) {
    for (const SettingRow& row : engine_setting_rows())
        if (const auto word = words.find(std::string(row.name)); word != words.end())
            row.read(settings, word->second);
    return settings;
}

std::string setting_refusal(const EngineSettings& settings, const std::string& name,
                            const std::string& value) {
    const SettingRow* row = find_setting(name);
    if (row == nullptr) return shown(name) + " is no setting of a run";
    EngineSettings changed = settings;
    const std::string why = row->read(changed, value);
    if (why.empty()) return {};
    return name + " " + shown(value) + " " + why + "; write " + std::string(row->values);
}

EvictionSpec eviction_of(const EngineSettings& settings) {
    if (!settings.cache) return {};  // what nobody keeps nobody drops
    std::string why;
    const auto spec = parse_eviction(settings.evict, why);
    KV_ASSERT(spec.has_value());
    return *spec;
}

KeyPositions positions_of(const EngineSettings& settings) {
    return settings.positions.value_or(usual_positions(eviction_of(settings)));
}

namespace {

// What clashes with a policy that chooses what is read.
std::string clash_of_reads(const EngineSettings& settings) {
    const std::string what = "evict " + settings.evict;
    if (positions_of(settings) != KeyPositions::TextWhenStored)
        return what + " compares queries with keys as they are stored, and positions " +
               std::string(name_of(positions_of(settings))) +
               " turns them later; set positions to true.";
    if (settings.prefix_rule == PrefixRule::Radix)
        return what +
               " lets what is stored depend on what was read, and prefix_index radix shares all of "
               "it; use prefix_index chain.";
    return {};
}

// What clashes with drafts, whose tokens are stored before they are known to be right.
std::string clash_of_draft(const EngineSettings& settings, const ModelConfig& config) {
    if (!settings.draft.is_on()) return {};
    const std::string what = "draft " + draft_text(settings.draft);
    if (!settings.cache)
        return what +
               " writes ahead into the cache, and cache off keeps none; turn one of them off.";
    if (positions_of(settings) == KeyPositions::CacheInPlace)
        return what +
               " checks several tokens in a step, and positions shift takes one at a time; set "
               "positions to cache or draft to off.";
    if (settings.draft.k && config.max_positions > 0 && *settings.draft.k >= config.max_positions)
        return what + " proposes more tokens than this model's context of " +
               with_commas(config.max_positions) + " holds beside a prompt; give a smaller k.";
    return {};
}

}  // namespace

std::string clash_of(const EngineSettings& settings, const ModelConfig& config) {
    const EvictionSpec spec = eviction_of(settings);
    const bool evicts = spec.policy != EvictionPolicy::None;
    if (std::string clash = clash_of_draft(settings, config); !clash.empty()) return clash;
    if (chooses_reads(spec)) {
        if (std::string clash = clash_of_reads(settings); !clash.empty()) return clash;
    }
    if (!evicts && positions_of(settings) == KeyPositions::TextWhenStored) return {};
    const std::string what = evicts ? "evict " + settings.evict
                                    : "positions " + std::string(name_of(positions_of(settings)));
    if (config.sliding_window)
        return what +
               " needs layers that attend to everything, and some of this model's have a "
               "sliding window; leave it out or take another model.";
    if (evicts && settings.prefix_rule == PrefixRule::Radix)
        return what +
               " leaves holes in tables, and prefix_index radix keeps whole prefixes; use "
               "prefix_index chain.";
    if (pool_spec_of(settings, 1).has_residual())
        return what +
               " needs tokens that are stored one by one, and kivi codes keys 32 tokens at a time; "
               "choose another codec.";
    if (settings.rotation == Rotation::Hadamard &&
        positions_of(settings) != KeyPositions::TextWhenStored)
        return "positions " + std::string(name_of(positions_of(settings))) +
               " turns keys when they are read, and rotation hadamard has mixed their channels; "
               "set positions to true or rotation to none.";
    if (positions_of(settings) == KeyPositions::CacheInPlace) {
        if (!first_query_that_misses(spec))
            return "positions shift moves all layers and heads together, so it needs evict window "
                   "or streaming; choose one, or positions cache.";
        if (settings.share != Sharing::Off)
            return "positions shift writes keys anew in place, which blocks that others may hold "
                   "forbid; set share to off.";
    }
    if (spec.short_gaps && positions_of(settings) != KeyPositions::TextWhenRead)
        return what + " shortens gaps as keys are read, which needs positions original.";
    return {};
}

PoolSpec pool_spec_of(const EngineSettings& settings, std::uint32_t n_blocks) {
    return {n_blocks,         settings.block_size, settings.order,   settings.k_codec,
            settings.v_codec, settings.prefill,    settings.rotation};
}

std::optional<std::string> codec_refusal(const ModelConfig& config,
                                         const EngineSettings& settings) {
    auto why =
        codec_objection(settings.k_codec, Side::K, static_cast<std::uint32_t>(config.head_dim));
    std::string_view side = "keys";
    if (!why) {
        why = codec_objection(settings.v_codec, Side::V,
                              static_cast<std::uint32_t>(config.v_head_dim));
        side = "values";
    }
    const bool residual = settings.k_codec.has_residual() || settings.v_codec.has_residual();
    if (!why && residual && kKiviGroup % settings.block_size != 0 &&
        settings.block_size % kKiviGroup != 0)
        return "kivi codes 32 tokens together, so its blocks have a number of tokens that divides "
               "32 or is a multiple of it, not " +
               std::to_string(settings.block_size) + "; change block_size.";
    if (!why && settings.rotation == Rotation::Hadamard && !is_power_of_two(config.head_dim))
        return "rotation hadamard needs heads of a power of two channels, and this model's have " +
               std::to_string(config.head_dim) + "; set rotation to none.";
    if (!why) return std::nullopt;
    return "This model's " + std::string(side) + " cannot be stored so: " + *why +
           "; choose another codec.";
}

std::uint64_t bytes_per_block(const ModelConfig& config, const EngineSettings& settings) {
    if (const auto refusal = codec_refusal(config, settings))
        throw Error(ErrorCode::Usage, *refusal);
    return layout_of(config, pool_spec_of(settings, 1)).pool_bytes();
}

std::string pool_text(const PoolSize& pool) {
    return pool.bytes ? std::to_string(*pool.bytes) + "B" : std::to_string(pool.blocks) + "blocks";
}

std::optional<std::uint32_t> blocks_of(const PoolSize& pool, std::uint64_t bytes_per_block) {
    if (!pool.bytes) return pool.blocks;
    const std::uint64_t blocks = *pool.bytes / bytes_per_block;
    if (blocks == 0 || blocks > kMostBlocks) return std::nullopt;
    return static_cast<std::uint32_t>(blocks);
}

}  // namespace kv
