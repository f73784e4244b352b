#include "app/live/attach/recording.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/whatif/record/made_up.hpp"

namespace kv {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;
constexpr std::uint64_t kLinesAtOnce = 256;  // between two words about how far it is

}  // namespace

ServerRecording read_server_recording(const std::string& path, const TankSettings& settings,
                                      std::uint64_t budget_bytes,
                                      const std::function<bool(double)>& go_on) {
    RecordingReader reader(settings, budget_bytes);
    if (is_made_up(path)) {
        if (!make_up(path, go_on, [&](std::string_view line) { reader.line(line); })) return {};
        return reader.finish();
    }
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown))
        throw Refused("refused.attach.no_file"_t, {{"path", shown(path)}}, ErrorCode::World);
    const auto size = static_cast<double>(std::filesystem::file_size(path, unknown));
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Refused("refused.attach.unreadable"_t, {{"path", shown(path)}}, ErrorCode::World);
    double done = 0;
    std::string line;
    for (std::uint64_t n = 1; std::getline(in, line); ++n) {
        if (line.size() > kLongestLine)
            throw Refused("refused.attach.long_line"_t,
                          {{"path", shown(path)}, {"n", std::to_string(n)}}, ErrorCode::World);
        done += static_cast<double>(line.size() + 1);
        reader.line(line);
        if (n % kLinesAtOnce == 0 && !go_on(size > 0 ? std::min(1.0, done / size) : 1)) return {};
    }
    ServerRecording recording = reader.finish();
    if (recording.history->size() == 0)
        throw Refused("refused.attach.no_batch"_t, {{"path", shown(path)}}, ErrorCode::World);
    return recording;
}

AttachedPicture picture_of_recording(const TankHistory& history, const SessionAsk& ask) {
    AttachedPicture picture;
    std::uint64_t moment = ask.moment.value_or(history.size());
    if (ask.time_s) moment = history.moment_at(*ask.time_s);
    picture.moment = std::clamp(moment, history.first(), history.size());
    const auto draw = [&](const Tank& tank) {
        picture.tank = tank_picture_of(tank, ask.picture, std::nullopt);
        if (ask.beside) picture.beside = tank_picture_of(tank, *ask.beside, std::nullopt);
    };
    if (picture.moment == history.size())
        draw(history.end());
    else
        draw(history.at(picture.moment));
    picture.first_moment = history.first();
    picture.last_moment = history.size();
    picture.newest_s = history.end().now_s();
    picture.kept_bytes = history.kept_bytes();
    picture.budget_bytes = history.budget_bytes();
    return picture;
}

}  // namespace kv
