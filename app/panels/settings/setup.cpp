#include "app/panels/settings/setup.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cache/codec/vector_codec.hpp"

namespace kv {
namespace {

constexpr std::string_view kBlocks = "blocks";

std::optional<std::uint64_t> bytes_kept(std::string_view pool) {
    if (pool.empty() || pool.ends_with(kBlocks)) return std::nullopt;
    std::string why;
    const auto size = parse_bytes(pool, why);
    return size ? std::optional<std::uint64_t>(size->bytes) : std::nullopt;
}

}  // namespace

std::string_view setting_of(const RunView& run, std::string_view name) {
    const auto found = std::find_if(run.settings.begin(), run.settings.end(),
                                    [name](const auto& setting) { return setting.first == name; });
    return found == run.settings.end() ? std::string_view{} : std::string_view(found->second);
}

std::string pool_by_bytes(const KvLayout& layout) {
    return std::to_string(layout.pool_bytes()) + "B";
}

std::string pool_by_blocks(const KvLayout& layout) {
    return std::to_string(layout.n_blocks) + std::string(kBlocks);
}

CacheSetup setup_of(const RunView& run, const RunFocus& focus) {
    CacheSetup setup;
    setup.layout = run.layout;
    setup.n_heads = static_cast<std::uint32_t>(run.model.n_heads);
    setup.codecs = {run.k_codec, run.v_codec};
    setup.policy = policy_of(run);
    setup.keeps = keeps_cache(run);
    setup.pool_bytes = bytes_kept(setting_of(run, "pool"));
    const PoolCounts counts = count_pool(run.now);
    setup.live_slots = counts.live_slots, setup.used_blocks = counts.used;
    if (is_known(run.now, focus.request)) {
        const RequestView& r = run.now.requests[focus.request.index()];
        const auto known = static_cast<std::uint32_t>(r.tokens.size());
        setup.n_tokens = r.stored > 0 ? r.stored : known;
    }
    return setup;
}

void CacheSetup::choose_kv_heads(std::uint32_t n) {
    layout.n_kv_heads = n;
    recount_blocks();
}

void CacheSetup::choose_codec(Side side, const Codec& codec) {
    KvVector& vector = side == Side::K ? layout.k : layout.v;
    vector = vector_of(codec, vector.dim, side);
    codecs.of(side) = codec;
    recount_blocks();
}

void CacheSetup::choose_page(std::uint32_t tokens) {
    layout.block_size = tokens;
    used_blocks = tokens == 0 ? 0 : live_slots / tokens + (live_slots % tokens == 0 ? 0 : 1);
    recount_blocks();
}

void CacheSetup::choose_policy(std::string_view written) {
    std::string why;
    policy = parse_eviction(written, why).value_or(EvictionSpec{});
}

std::uint32_t CacheSetup::n_kept() const {
    EvictionSpec usual = policy;
    usual.skip = 0;
    const bool shares =
        policy.policy == EvictionPolicy::AdaKv || policy.policy == EvictionPolicy::PyramidKv;
    if (shares) usual.policy = EvictionPolicy::SnapKv;
    return std::min(n_tokens, most_kept(usual, n_tokens));
}

void CacheSetup::recount_blocks() {
    const std::uint64_t block = bytes_per_block(layout);
    if (!pool_bytes || block == 0) return;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    layout.n_blocks = static_cast<std::uint32_t>(std::min(kMost, *pool_bytes / block));
}

}  // namespace kv
