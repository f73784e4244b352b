#include "core/sim/published.hpp"

namespace kv {

std::optional<PublishedBar> published_bar(AllocatorKind kind) {
    switch (kind) {
        case AllocatorKind::Max:
            return PublishedBar{7.00, 0.204, 0.133, 0.573, 0.089};
        case AllocatorKind::Pow2:
            return PublishedBar{9.81, 0.268, 0.179, 0.136, 0.416};
        case AllocatorKind::Oracle:
            return PublishedBar{13.62, 0.382, 0.252, 0.0, 0.366};
        case AllocatorKind::Paged:
            return PublishedBar{30.42, 0.963, {}, {}, {}};
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
