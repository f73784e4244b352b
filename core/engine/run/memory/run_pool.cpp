#include "core/engine/run/memory/run_pool.hpp"

#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/engine/pool/recode.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

std::string pool_words(const PoolSize& pool) {
    return pool.bytes ? counted(*pool.bytes, "byte") : counted(pool.blocks, "block");
}

}  // namespace

LaneShape lanes_of(const EngineSettings& settings, const KvLayout& layout) {
    return {table_scope(eviction_of(settings)), layout.n_layers, layout.n_kv_heads};
}

PoolSpec RunPool::checked_spec() const {
    if (const std::string clash = clash_of(settings_, parts_.config); !clash.empty())
        throw Error(ErrorCode::Usage, clash);
    const PoolSpec pool = spec();
    for (const std::uint32_t id : settings_.free_list)
        if (id >= pool.n_blocks)
            throw Error(ErrorCode::Usage, "free_list names block " + std::to_string(id) +
                                              ", but the pool has the blocks 0 to " +
                                              std::to_string(pool.n_blocks - 1) + ".");
    return pool;
}

void RunPool::make(std::uint32_t iteration) {
    std::unique_ptr<Backend> backend = parts_.make_backend(settings_.backend, checked_spec());
    recorder_.poison_fresh_blocks(parts_.poison_fresh_blocks);
    transfers_ = {settings_.transfer_gbps, settings_.transfer_latency_us};
    use_backend(std::move(backend));
    cache_ = std::make_unique<Cache>(cache_spec(), &recorder_, mover_.get(), iteration);
}

PoolSpec RunPool::spec() const {
    const std::uint64_t per_block = bytes_per_block(parts_.config, settings_);
    const auto blocks = blocks_of(settings_.pool, per_block);
    if (!blocks)
        throw Error(ErrorCode::Usage, "The pool of " + pool_words(settings_.pool) +
                                          " holds no usable number of blocks of " +
                                          counted(per_block, "byte") + "; change its size.");
    return pool_spec_of(settings_, *blocks);
}

CacheSpec RunPool::cache_spec() const {
    const KvLayout& layout = backend_->layout();
    const EvictionSpec policy = eviction_of(settings_);
    CacheSpec spec;
    spec.n_blocks = layout.n_blocks;
    spec.block_size = layout.block_size;
    spec.n_host = settings_.host_blocks;
    spec.n_file = settings_.file_blocks;
    spec.n_lanes = lanes_.n_lanes();
    spec.block_bytes = layout.pool_bytes() / layout.n_blocks / spec.n_lanes;
    // What goes back after each step must not be found again by its prefix.
    spec.sharing = settings_.cache ? settings_.share : Sharing::Off;
    spec.free_order = settings_.free_order;
    spec.prefix_rule = settings_.prefix_rule;
    spec.radix_order = settings_.radix_order;
    spec.free_list = settings_.free_list;
    spec.keep_cold = settings_.cold_blocks == ColdBlocks::KeepInHost;
    // What a query does not see changes what comes after it; scores need every query there was.
    if (policy.policy != EvictionPolicy::None)
        spec.publish_upto = first_query_that_misses(policy).value_or(0);
    if (chooses_reads(policy))
        spec.publish_upto = blocks_read(policy, spec.block_size) * spec.block_size;
    spec.space = space();
    spec.has_residual = pool_spec_of(settings_, 1).has_residual();
    return spec;
}

// The same tokens' bytes differ by codec, by what the passes that made them attended to, and by
// whether keys were rotated before they were stored. Recorded files have hashes of these words, so
// the words stay as they are.
std::string RunPool::space() const {
    const PoolSpec pool = pool_spec_of(settings_, 1);
    return parts_.model_id + "/" + codec_name(pool.k) + "/" + codec_name(pool.v) +
           (pool.attends_exactly() ? "/exact" : "") +
           (pool.rotation == Rotation::Hadamard ? "/hadamard" : "") +
           (positions_of(settings_) == KeyPositions::TextWhenStored ? "" : "/turned_when_read");
}

void RunPool::use_backend(std::unique_ptr<Backend> backend) {
    backend_ = std::move(backend);
    const bool bytes_matter =
        parts_.payload_bytes > 0 || parts_.on_bytes || parts_.poison_fresh_blocks;
    lanes_ = lanes_of(settings_, backend_->layout());
    recorder_.watch(bytes_matter ? backend_.get() : nullptr, lanes_);
    mover_ = std::make_unique<PoolMover>(*backend_, transfers_, parts_.clock_us, lanes_);
}

void RunPool::follow_settings() {
    transfers_ = {settings_.transfer_gbps, settings_.transfer_latency_us};
    cache_->set_free_order(settings_.free_order);
    cache_->set_keep_cold(settings_.cold_blocks == ColdBlocks::KeepInHost);
}

void RunPool::recode(const std::string& setting, EngineSettings changed, const Reason& by) {
    const PoolSpec was = pool_spec_of(settings_, backend_->layout().n_blocks);
    const PoolSpec is = pool_spec_of(changed, was.n_blocks);
    std::unique_ptr<Backend> backend = parts_.make_backend(changed.backend, is);
    const std::vector<LaneView>& lanes = recorder_.trace().end().lanes;
    std::uint64_t live = 0;
    for (const LaneView& lane : lanes) live += lane.live;
    const Reason reason = Reason::codec_changed(live);
    const std::uint64_t block_bytes =
        backend->layout().pool_bytes() / was.n_blocks / lanes_.n_lanes();
    // A size in bytes would mean another number of blocks now.
    const bool resized = changed.pool.bytes.has_value();
    if (resized) changed.pool = {{}, was.n_blocks};
    settings_ = std::move(changed);
    cache_->change_space(space(), block_bytes, reason);
    std::vector<BlockRecoded> done;
    for (std::uint32_t l = 0; l < lanes.size(); ++l)
        for (std::uint32_t b = 0; b < was.n_blocks; ++b) {
            const BlockView& block = lanes[l].blocks[b];
            if (block.state() == BlockState::Used && block.filled > 0)
                done.push_back({LaneId(l), BlockId(b), block.filled, 0});
        }
    PoolRecode recode(*backend_, was, *backend, is, lanes_);
    for (const BlockRecoded& each : done) recode.look_at(each);
    for (BlockRecoded& each : done) each.bytes = recode.take(each);
    use_backend(std::move(backend));
    cache_->use_mover(mover_.get());
    if (resized) log_.tell(reason, SettingChanged{"pool", pool_text(settings_.pool)});
    log_.tell(by, SettingChanged{setting, find_setting(setting)->write(settings_)});
    for (const BlockRecoded& each : done) log_.tell(reason, each);
}

}  // namespace kv
