#include "core/sim/published.hpp"

namespace kv {

std::optional<PublishedBar> published_bar(AllocatorKind kind) {
    switch (kind) {
        case AllocatorKind::Max:
            return PublishedBar{.mean_batch = 7.00,
                                .tokens_share = 0.204,
                                .reserved_share = 0.133,
                                .internal_share = 0.573,
                                .external_share = 0.089};
        case AllocatorKind::Pow2:
            return PublishedBar{.mean_batch = 9.81,
                                .tokens_share = 0.268,
                                .reserved_share = 0.179,
                                .internal_share = 0.136,
                                .external_share = 0.416};
        case AllocatorKind::Oracle:
            return PublishedBar{.mean_batch = 13.62,
                                .tokens_share = 0.382,
                                .reserved_share = 0.252,
                                .internal_share = 0.0,
                                .external_share = 0.366};
        case AllocatorKind::Paged:
            return PublishedBar{.mean_batch = 30.42, .tokens_share = 0.963};
        case AllocatorKind::FirstFit:
        case AllocatorKind::Grow:
            return std::nullopt;
    }
    return std::nullopt;
}

bool is_published_setup(std::string_view workload, const RaceSettings& settings) {
    const PoolRules &ours = settings.pool, standard;
    return workload == kPublishedWorkload && ours.slots == standard.slots &&
           ours.block_size == standard.block_size && ours.max_length == standard.max_length &&
           ours.admission_control && settings.faults.leak == 0;
}

}  // namespace kv
