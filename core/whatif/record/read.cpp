#include "core/whatif/record/read.hpp"

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/regular_file.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/shown.hpp"
#include "core/trace/server/batch_json.hpp"
#include "core/whatif/record/made_up.hpp"
#include "core/whatif/record/public_trace.hpp"
#include "core/whatif/record/server_record.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kPieceOfRecording = std::size_t{1} << 20;
constexpr std::size_t kLongestRecordLine = std::size_t{1} << 26;
constexpr u64 kDeepestRecordLine = 64;

Error unusable_recording(const std::string& path, const std::string& rest) {
    return Error{ErrorCode::World, shown(path) + rest + "."};
}

// The label of vllm:cache_config_info that says how large the pool is, or a number of that name.
std::optional<double> pool_size_in(const std::string& name, const Json& value) {
    constexpr std::string_view kLabel = "num_gpu_blocks";
    if (value.is_object()) {
        const auto inside = value.find(kLabel);
        return inside == value.end() ? std::nullopt : pool_size_in(std::string(kLabel), *inside);
    }
    if (name == kLabel) {
        if (value.is_number()) return value.get<double>();
        if (value.is_string()) return std::atof(value.get_ref<const std::string&>().c_str());
    }
    // vllm:cache_config_info{...,num_gpu_blocks="26114",...}
    const std::size_t at = name.find("num_gpu_blocks=\"");
    if (at == std::string::npos) return std::nullopt;
    return std::atof(name.c_str() + at + kLabel.size() + 2);
}

}  // namespace

class RecordingLines::Inside {
public:
    void take(std::string_view line) {
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (line.empty()) return;
        const auto parsed = parse_strict_json(line, kDeepestRecordLine);
        const auto* json = std::get_if<Json>(&parsed);
        const auto read = json ? server_line(*json) : std::nullopt;
        if (!read) return record_.pass_over("unreadable_lines");
        if (json->is_object())
            if (const auto metrics = json->find("metrics");
                metrics != json->end() && metrics->is_object())
                take_metrics(*metrics);
        if (read->batch) record_.take(*read->batch, read->sequence);
    }
    ServerRecord& record() { return record_; }

private:
    void take_metrics(const Json& metrics) {
        for (const auto& [name, value] : metrics.items()) {
            if (const auto blocks = pool_size_in(name, value))
                record_.take_counter("num_gpu_blocks", *blocks);
            else if (value.is_number())
                record_.take_counter(name, value.get<double>());
        }
    }

    ServerRecord record_;
};

RecordingLines::RecordingLines() : inside_(std::make_unique<Inside>()) {}
RecordingLines::~RecordingLines() = default;
void RecordingLines::take(std::string_view line) {
    inside_->take(line);
}
bool RecordingLines::has_batches() const {
    return inside_->record().has_batches();
}
Recording RecordingLines::finish() {
    return inside_->record().finish();
}

namespace {

// Prompts of a public trace have hash_ids; whatever else is JSON is taken for what a server says.
bool is_server_line(std::string_view first_line) {
    const std::size_t at = first_line.find_first_of("{[");
    return at != std::string_view::npos && first_line.find_first_not_of(" \t\xEF\xBB\xBF") == at &&
           first_line.find("\"hash_ids\"") == std::string_view::npos &&
           first_line.find("\"input_length\"") == std::string_view::npos;
}

class RecordingFile {
public:
    explicit RecordingFile(const std::string& path) : path_(path), file_(opened(path)) {}

    // Calls `take` with every line; false when `progress` stopped it.
    template <class Take>
    bool for_each_line(const WhatIfProgress& progress, Take take) const {
        std::string held, piece;
        for (u64 at = 0; at < file_.size(); at += piece.size()) {
            read(at, piece);
            std::string_view rest = piece;
            for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos;) {
                held += rest.substr(0, end);
                take(held);
                held.clear();
                rest.remove_prefix(end + 1);
            }
            held += rest;
            if (held.size() > kLongestRecordLine)
                throw unusable_recording(path_, ": a line is longer than 64 MiB; record it again");
            if (progress && !progress(static_cast<double>(at) / static_cast<double>(file_.size())))
                return false;
        }
        if (!held.empty()) take(held);
        return true;
    }
    std::string first_line() const {
        std::string piece;
        if (file_.size() > 0) read(0, piece);
        return piece.substr(0, piece.find('\n'));
    }

private:
    static RegularFile opened(const std::string& path) {
        auto file = RegularFile::open(path);
        if (const auto* refusal = std::get_if<FileRefusal>(&file))
            throw unusable_recording(path, " " + refusal->rule + "; " + refusal->advice);
        return std::move(std::get<RegularFile>(file));
    }
    void read(u64 at, std::string& piece) const {
        piece.resize(static_cast<std::size_t>(std::min<u64>(kPieceOfRecording, file_.size() - at)));
        if (const auto refusal = file_.read(at, piece.data(), piece.size()))
            throw unusable_recording(path_, " " + refusal->rule + "; " + refusal->advice);
    }

    std::string path_;
    RegularFile file_;
};

}  // namespace

bool each_recording_line(const std::string& path, const WhatIfProgress& progress,
                         const std::function<void(std::string_view)>& take) {
    if (is_made_up(path)) return make_up(path, progress, take);
    return RecordingFile(path).for_each_line(progress, take);
}

std::optional<Recording> read_recording(const std::string& path, std::optional<u64> limit,
                                        const WhatIfProgress& progress) {
    RecordingLines lines;
    const auto take = [&](std::string_view line) { lines.take(line); };
    if (is_made_up(path)) {
        if (!make_up(path, progress, take)) return std::nullopt;
    } else {
        const RecordingFile file(path);
        if (!is_server_line(file.first_line())) return read_public_trace(path, limit, progress);
        if (!file.for_each_line(progress, take)) return std::nullopt;
    }
    Recording recording = lines.finish();
    if (recording.n_asks() == 0)
        throw unusable_recording(path,
                                 ": no event in it stores a block of the device with its tokens, "
                                 "so nothing is known of what was asked for; record one with "
                                 "kvarium attach --record");
    return recording;
}

}  // namespace kv
