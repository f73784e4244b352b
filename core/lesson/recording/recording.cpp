#include "core/lesson/recording/recording.hpp"

#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/whatif/record/read.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostHistory = std::uint64_t{512} << 20;

}  // namespace

LessonRecording::LessonRecording(std::string place) : place_(std::move(place)) {
    RecordingReader tank({}, kMostHistory);
    RecordingLines asks;
    each_recording_line(place_, {}, [&](std::string_view line) {
        tank.line(line);
        asks.take(line);
    });
    read_ = tank.finish();
    Recording requests = asks.finish();
    if (requests.n_asks() == 0)
        throw Error(ErrorCode::World, "the recording " + shown(place_) +
                                          " stores no block of the device with its tokens; record "
                                          "one with kvarium attach --record.");
    study_ = std::make_unique<WhatIfStudy>(std::move(requests), WhatIfModel());
}

double LessonRecording::seconds_at(std::uint64_t moment) const {
    return moment == 0 ? 0 : read_.history->time_of(moment) - read_.history->end().start_s();
}

std::uint64_t LessonRecording::moment_at(double seconds_of_start) const {
    return read_.history->moment_at(read_.history->end().start_s() + seconds_of_start);
}

const TankPicture& LessonRecording::picture(std::uint64_t moment) const {
    const auto known = pictures_.find(moment);
    if (known != pictures_.end()) return known->second;
    PictureAsk ask;
    ask.most_texels = ask.most_bars = 1;  // nothing is drawn
    TankPicture picture = tank_picture_of(read_.history->at(moment), ask, std::nullopt);
    return pictures_.emplace(moment, std::move(picture)).first->second;
}

std::uint64_t LessonRecording::today() const {
    return study_->today().blocks;
}

const WhatIfPoint& LessonRecording::point(const WhatIfSetting& setting, std::uint64_t pool) const {
    const std::string name = std::to_string(pool) + " " + std::to_string(setting.block_size) + " " +
                             std::string(setting.order.name) + " " + codec_name(setting.codecs.k) +
                             " " + codec_name(setting.codecs.v) + " " +
                             std::to_string(setting.host_blocks);
    const auto known = points_.find(name);
    if (known != points_.end()) return known->second;
    auto point = study_->point(setting, pool, HowKnown::OnePass);
    KV_ASSERT(point.has_value());
    return points_.emplace(name, *std::move(point)).first->second;
}

const WhatIfPoint& LessonRecording::without_end() const {
    const auto known = points_.find("");
    if (known != points_.end()) return known->second;
    return points_.emplace("", study_->without_end(requests().block_size)).first->second;
}

}  // namespace kv
