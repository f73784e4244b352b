#pragma once
// A recording of a server that a lesson stands in, read once. A moment of it is the number of
// entries that lie before it, as in the history of a tank; its facts are those of the picture that
// the window draws there. What it would have found in other pools is asked of the same study that
// the panel What if draws, over the whole of it.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/attach/history/recording_lines.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "core/whatif/study/summary.hpp"

namespace kv {

class LessonRecording {
public:
    // A file, or the name of a recording that is made up. Throws kv::Error.
    explicit LessonRecording(std::string place);
    LessonRecording(const LessonRecording&) = delete;
    LessonRecording& operator=(const LessonRecording&) = delete;

    const std::string& place() const { return place_; }
    std::uint64_t end() const { return read_.history->size(); }
    double seconds() const { return seconds_at(end()); }     // all of it, by the server's clock
    double seconds_at(std::uint64_t moment) const;           // from the start
    std::uint64_t moment_at(double seconds_of_start) const;  // the last one that is not later
    // What a window shows there.
    const TankPicture& picture(std::uint64_t moment) const;

    const Recording& requests() const { return study_->recording(); }
    std::uint64_t today() const;  // blocks of today's pool
    std::uint64_t bytes_of_block() const { return study_->bytes_of_block(); }
    bool can_regroup_to(std::uint32_t block_size) const {
        return study_->can_regroup_to(block_size);
    }
    const WhatIfPoint& point(const WhatIfSetting& setting, std::uint64_t pool) const;
    const WhatIfPoint& without_end() const;
    std::uint64_t knee() const { return study_->knee(kKneeShare); }

private:
    std::string place_;
    ServerRecording read_;
    std::unique_ptr<WhatIfStudy> study_;
    mutable std::map<std::uint64_t, TankPicture> pictures_;  // each is asked for often
    mutable std::map<std::string, WhatIfPoint> points_;
};

}  // namespace kv
