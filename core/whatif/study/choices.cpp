#include "core/whatif/study/choices.hpp"

#include <algorithm>

namespace kv {
namespace {

constexpr std::uint32_t kMostTimesLarger = 8, kMostTimesSmaller = 4;

WhatIfSetting as_recorded(const Recording& recording) {
    WhatIfSetting setting;
    setting.block_size = recording.block_size;
    return setting;
}

class WeighedChoice {
public:
    WeighedChoice(WhatIfStudy& study, u64 pool, const WhatIfProgress& progress)
        : study_(study), pool_(pool), progress_(progress) {}

    std::optional<WhatIfChoice> of(const WhatIfSetting& setting, std::size_t done,
                                   std::size_t choices) {
        WhatIfChoice choice{setting, {}, 0};
        const auto steps = static_cast<double>(choices * (kChoiceMemories.size() + 1));
        double before = static_cast<double>(done * (kChoiceMemories.size() + 1));
        const auto tell = [&](double of_step) {
            return !progress_ || progress_((before + std::min(1.0, of_step)) / steps);
        };
        if (!study_.prepare(setting.block_size, tell)) return std::nullopt;
        choice.most = study_.without_end(setting.block_size).outcome.hit_rate();
        for (std::size_t i = 0; i < kChoiceMemories.size(); ++i) {
            ++before;
            const u64 blocks = study_.scaled_pool(pool_, kChoiceMemories[i], setting.block_size);
            if (blocks < study_.least_pool(setting)) continue;
            auto point = study_.point(setting, blocks, HowKnown::Both, tell);
            if (!point) return std::nullopt;
            choice.points[i] = std::move(*point);
        }
        return choice;
    }

private:
    WhatIfStudy& study_;
    u64 pool_;
    const WhatIfProgress& progress_;
};

}  // namespace

std::vector<WhatIfSetting> block_size_choices(const Recording& recording) {
    const std::uint32_t size = recording.block_size;
    std::vector<WhatIfSetting> choices;
    const auto add = [&](std::uint32_t of) {
        choices.push_back(as_recorded(recording));
        choices.back().block_size = of;
    };
    if (recording.has_tokens())
        for (std::uint32_t times = kMostTimesSmaller; times > 1; times /= 2)
            if (size % times == 0 && recording.n_blocks() <= kMostReferences / times)
                add(size / times);
    for (std::uint32_t times = 1; times <= kMostTimesLarger; times *= 2)
        if (size <= std::numeric_limits<std::uint32_t>::max() / times) add(size * times);
    return choices;
}

std::vector<WhatIfSetting> order_choices(const Recording& recording) {
    std::vector<WhatIfSetting> choices;
    for (const ReplayOrder& order : replay_orders()) {
        choices.push_back(as_recorded(recording));
        choices.back().order = order;
    }
    return choices;
}

std::optional<std::vector<WhatIfChoice>> weigh_choices(WhatIfStudy& study,
                                                       const std::vector<WhatIfSetting>& settings,
                                                       u64 pool, const WhatIfProgress& progress) {
    std::vector<WhatIfChoice> choices;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        auto choice = WeighedChoice(study, pool, progress).of(settings[i], i, settings.size());
        if (!choice) return std::nullopt;
        choices.push_back(std::move(*choice));
        study.forget(settings[i].block_size);
    }
    return choices;
}

const WhatIfChoice* best_choice(const std::vector<WhatIfChoice>& choices) {
    const WhatIfChoice* best = nullptr;
    for (const WhatIfChoice& choice : choices) {
        if (!choice.here()) continue;
        if (best == nullptr || choice.here()->outcome.hit_tokens > best->here()->outcome.hit_tokens)
            best = &choice;
    }
    return best;
}

}  // namespace kv
