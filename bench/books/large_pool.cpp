#include "bench/books/large_pool.hpp"

#include <utility>

#include "app/widgets/tags.hpp"
#include "core/engine/settings/settings.hpp"
#include "core/trace/event/event.hpp"

namespace kv::bench {

LargePool::LargePool() {
    layout_ = {.n_layers = 4,
               .n_kv_heads = 2,
               .block_size = 16,
               .n_blocks = kBlocks,
               .order = KvOrder::TokenMajor,
               .k = {16, 16, 32},
               .v = {16, 16, 32}};
    config_.n_layers = 4, config_.n_heads = 8, config_.n_kv_heads = 2, config_.head_dim = 16;
    for (const SettingRow& row : engine_setting_rows())
        settings_[std::string(row.name)] = row.write(EngineSettings{});
    tell(PoolMade{.n_blocks = kBlocks, .block_size = layout_.block_size});
    tell(IterationStarted{});
    for (std::uint32_t i = 0; i < kHolders; ++i) {
        const SeqId id(i);
        const std::uint32_t stored = (kOfEach - kMoved) * layout_.block_size;
        tell(RequestArrived{.name = request_name(i), .prompt = TokenIds(stored, 1), .max_new = 8},
             id);
        tell(RequestAdmitted{0, 0}, id);
        for (std::uint32_t entry = 0; entry < kOfEach; ++entry)
            tell(BlockAllocated{LaneId(0), BlockId(entry * kHolders + i), entry}, id);
        tell(TokensScheduled{0, stored}, id);
        tell(TokensStored{0, stored}, id);
    }
    tell(IterationFinished{.tokens = kHolders});
    series_.catch_up(trace_);
}

void LargePool::step() {
    ++iteration_;
    tell(IterationStarted{});
    for (std::uint32_t i = 1; i < kHolders; ++i)
        for (std::uint32_t k = 0; k < kMoved; ++k) {
            const std::uint32_t entry = holding_ ? kOfEach - 1 - k : kOfEach - kMoved + k;
            const BlockId block(entry * kHolders + i);
            if (holding_)
                tell(BlockFreed{LaneId(0), block, entry, false}, SeqId(i));
            else
                tell(BlockAllocated{LaneId(0), block, entry}, SeqId(i));
        }
    holding_ = !holding_;
    tell(IterationFinished{.tokens = kHolders});
    series_.catch_up(trace_);
}

void LargePool::tell(EventBody what, std::optional<SeqId> request) {
    trace_.append(Event{iteration_, request, {}, std::move(what)});
}

RunView LargePool::view() const {
    return {.id = 1,
            .trace = trace_,
            .now = trace_.end(),
            .moment = trace_.size(),
            .at_end = true,
            .scene = "large pool",
            .model = config_,
            .model_name = "gqa",
            .backend = "cpu",
            .layout = layout_,
            .k_codec = Codec::Bf16,
            .v_codec = Codec::Bf16,
            .settings = settings_,
            .samples = series_.samples(),
            .payloads = payloads_,
            .attention = nullptr,
            .proof = {},
            .roofs = {},
            .word = [this](std::uint32_t) -> const std::string& { return word_; }};
}

}  // namespace kv::bench
