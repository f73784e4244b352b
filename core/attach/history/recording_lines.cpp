#include "core/attach/history/recording_lines.hpp"

#include <algorithm>
#include <utility>

#include "core/base/files/json.hpp"
#include "core/trace/server/batch_json.hpp"

namespace kv {
namespace {

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

}  // namespace kv
