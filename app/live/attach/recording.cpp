#include "app/live/attach/recording.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"
#include "core/trace/server/batch_json.hpp"

namespace kv {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;
constexpr std::uint64_t kLinesAtOnce = 256;  // between two words about how far it is

// "NAME" or "NAME{labels}", as a recording writes them.
MetricSample sample_of(const std::string& key, double value) {
    const std::size_t brace = key.find('{');
    if (brace == std::string::npos || key.back() != '}') return {key, "", value};
    return {key.substr(0, brace), key.substr(brace + 1, key.size() - brace - 2), value};
}

MetricSamples samples_of(const nlohmann::json& metrics) {
    MetricSamples samples;
    for (const auto& [key, value] : metrics.items())
        if (value.is_number()) samples.push_back(sample_of(key, value.get<double>()));
    std::sort(samples.begin(), samples.end(), [](const MetricSample& a, const MetricSample& b) {
        return a.name != b.name ? a.name < b.name : a.labels < b.labels;
    });
    return samples;
}

}  // namespace

RecordingReader::RecordingReader(const TankSettings& settings, std::uint64_t budget_bytes) {
    out_.history = std::make_unique<TankHistory>(settings, budget_bytes);
}

void RecordingReader::follow(std::int64_t rank, std::uint64_t sequence, double time_s) {
    RankLines& lines = ranks_[rank];
    const auto mark = [&](MarkKind kind, std::uint64_t first, std::uint64_t last) {
        out_.history->add(StreamMark{kind, rank, first, last, time_s});
    };
    if (!lines.begun)
        mark(sequence == 0 ? MarkKind::Began : MarkKind::BeganInTheMiddle, sequence, sequence);
    else if (sequence > lines.next)
        mark(MarkKind::GapLost, lines.next, sequence - 1);
    else if (sequence < lines.next)
        mark(MarkKind::Restarted, 0, lines.next - 1);
    lines = {sequence + 1, true};
}

void RecordingReader::line(std::string_view text) {
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty()) return;
    ++out_.lines;
    const nlohmann::json json = parsed_json(text);
    if (json.is_object() && json.contains("metrics") && json["metrics"].is_object()) {
        const auto ts = json.find("ts");
        const bool has_time = ts != json.end() && ts->is_number();
        const double at = has_time ? ts->get<double>() : out_.history->end().now_s();
        out_.history->add(SampleEntry{at, samples_of(json["metrics"])});
        return;
    }
    std::optional<ServerLine> read = server_line(json);
    if (!read || !read->batch) {
        ++out_.passed_over;
        return;
    }
    const std::int64_t rank = read->batch->rank.value_or(0);
    const std::uint64_t sequence = read->sequence.value_or(ranks_[rank].next);
    follow(rank, sequence, read->batch->time_s);
    out_.history->add(BatchEntry{rank, sequence, std::move(*read->batch)});
}

ServerRecording read_server_recording(const std::string& path, const TankSettings& settings,
                                      std::uint64_t budget_bytes,
                                      const std::function<bool(double)>& go_on) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown))
        throw Refused("refused.attach.no_file"_t, {{"path", shown(path)}}, ErrorCode::World);
    const auto size = static_cast<double>(std::filesystem::file_size(path, unknown));
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Refused("refused.attach.unreadable"_t, {{"path", shown(path)}}, ErrorCode::World);
    RecordingReader reader(settings, budget_bytes);
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
