#include "app/live/whatif/weigh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/numbers/elementary.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"
#include "core/whatif/record/read.hpp"

namespace kv {
namespace {

constexpr std::array kRowFactors{1.0, 1.5, 2.0, 4.0, 8.0};
constexpr std::array kLines{WhatIfLine::Recorded, WhatIfLine::Codec, WhatIfLine::Host,
                            WhatIfLine::BlockSize};
// The lines that have one row, at the recording's own pool.
constexpr std::array kRowLines{WhatIfLine::Codec, WhatIfLine::Host, WhatIfLine::BlockSize};
constexpr double kMostFactor = 16;
constexpr double kReadingShare = 0.2, kPassShare = 0.3;  // of all the work, until then

class Weighing {
public:
    Weighing(WhatIfStudy& study, const WhatIfAsk& ask, const WhatIfDone& tell)
        : study_(study), ask_(ask), tell_(tell) {}

    bool run(WeighedRecording& to) {
        auto summary = summarize(study_, ask_.today, [&](double done) {
            return tell_(kReadingShare + (kPassShare - kReadingShare) * done);
        });
        if (!summary) return false;
        to.summary = std::move(*summary);
        base_ = to.base().pool;
        const auto most = static_cast<double>(std::max(to.summary.distinct, 2 * base_));
        most_ = std::min(kMostFactor, most / static_cast<double>(base_));
        steps_ = replays();
        return curves(to) && rows(to);
    }

private:
    WhatIfSetting setting(WhatIfLine line) const {
        const Recording& recording = study_.recording();
        WhatIfSetting of;
        of.block_size = recording.block_size;
        if (line == WhatIfLine::Codec) of.codecs = {ask_.codec, ask_.codec};
        if (line == WhatIfLine::BlockSize) of.block_size *= 2;
        if (line == WhatIfLine::Host) {
            const u64 block = study_.bytes_of_block();
            of.host_blocks = std::clamp<u64>(ask_.host_bytes / block, 1, kMostReplayedBlocks);
        }
        return of;
    }
    bool is_possible(WhatIfLine line) const {
        return line != WhatIfLine::BlockSize || study_.can_regroup_to(setting(line).block_size);
    }
    u64 pool_at(WhatIfLine line, double factor) const {
        const WhatIfSetting of = setting(line);
        return std::max(study_.least_pool(of), study_.scaled_pool(base_, factor, of.block_size));
    }
    std::optional<WhatIfPoint> at(WhatIfLine line, double factor, HowKnown how) {
        const WhatIfSetting of = setting(line);
        const bool is_long = how != HowKnown::OnePass || !of.has_one_pass();
        auto point = study_.point(of, pool_at(line, factor), how,
                                  [&](double done) { return tell_(done_with(done)); });
        if (is_long) ++step_;
        return point;
    }
    double done_with(double of_step) const {
        const double steps = (static_cast<double>(step_) + of_step) / static_cast<double>(steps_);
        return kPassShare + (1 - kPassShare) * std::min(1.0, steps);
    }

    // Points that take a replay: those of curves that one pass does not know, and all rows.
    std::size_t replays() const {
        std::size_t all = row_factors().size();
        for (const WhatIfLine line : kLines)
            if (is_possible(line) && !setting(line).has_one_pass()) all += factors(line).size();
        for (const WhatIfLine line : kRowLines) all += is_possible(line) ? 1 : 0;
        return all;
    }

    std::vector<double> row_factors() const {
        std::vector<double> all;
        for (const double factor : kRowFactors)
            if (factor <= 2 || factor <= most_) all.push_back(factor);
        return all;
    }
    std::vector<double> factors(WhatIfLine line) const {
        constexpr double kSteps = 4;  // to each doubling
        std::vector<double> all;
        const bool fine = line == WhatIfLine::Recorded || line == WhatIfLine::Codec;
        for (int i = 0; i <= static_cast<int>(5 * kSteps); ++i) {
            const double factor = math::exp2(i / kSteps - 1);
            const bool is_doubling = i % static_cast<int>(kSteps) == 0;
            if ((fine || is_doubling) && factor <= most_ * 1.0001) all.push_back(factor);
        }
        if (most_ > all.back() * 1.01) all.push_back(most_);
        return all;
    }
    bool curves(WeighedRecording& to) {
        for (const WhatIfLine line : kLines) {
            if (!is_possible(line)) continue;
            WhatIfCurve curve{line, {}, {}};
            for (const double factor : factors(line)) {
                auto point = at(line, factor, HowKnown::OnePass);
                if (!point) return false;
                if (factor == 1) curve.here = *point;
                curve.points.push_back(std::move(*point));
            }
            to.curves.push_back(std::move(curve));
        }
        return true;
    }
    bool rows(WeighedRecording& to) {
        const auto add = [&](WhatIfLine line, double factor) {
            auto point = at(line, factor, HowKnown::Both);
            if (point) to.rows.push_back({line, factor, false, std::move(*point)});
            return point.has_value();
        };
        for (const double factor : row_factors())
            if (!add(WhatIfLine::Recorded, factor)) return false;
        for (const WhatIfLine line : kRowLines)
            if (is_possible(line) && !add(line, 1)) return false;
        to.rows.push_back({WhatIfLine::Recorded, 0, true, to.summary.without_end});
        return true;
    }

    WhatIfStudy& study_;
    const WhatIfAsk& ask_;
    const WhatIfDone& tell_;
    u64 base_ = 1;
    double most_ = 1;
    std::size_t step_ = 0, steps_ = 1;
};

}  // namespace

WeighedStudy weigh_recording(const WhatIfAsk& ask, const WhatIfDone& tell) {
    auto recording =
        read_recording(ask.file, {}, [&](double done) { return tell(kReadingShare * done); });
    if (!recording) return {};
    auto weighed = std::make_shared<WeighedRecording>();
    weighed->ask = ask;
    weighed->kind = recording->kind;
    weighed->format = recording->format;
    weighed->block_size = recording->block_size;
    weighed->batches = recording->batches;
    weighed->ranks = recording->streams.size();
    weighed->has_tokens = recording->has_tokens();
    auto study = std::make_shared<WhatIfStudy>(std::move(*recording), ask.model);
    weighed->weight_bytes = weight_bytes(*preset(ask.model.preset));
    if (!Weighing(*study, ask, tell).run(*weighed)) return {};
    return {std::move(weighed), std::move(study)};
}

std::shared_ptr<const WhatIfChoices> weigh_view(WhatIfStudy& study,
                                                const WeighedRecording& recording, WhatIfView view,
                                                const WhatIfDone& tell) {
    const Recording& asked = study.recording();
    auto choices = weigh_choices(
        study, view == WhatIfView::Order ? order_choices(asked) : block_size_choices(asked),
        recording.base().pool, tell);
    if (!choices) return {};
    return std::make_shared<const WhatIfChoices>(std::move(*choices));
}

}  // namespace kv
