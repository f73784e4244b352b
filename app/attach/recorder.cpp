#include "app/attach/recorder.hpp"

#include "core/attach/metrics/line.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {

ServerRecorder::ServerRecorder(const std::string& path, LineTokens tokens)
    : path_(path), tokens_(tokens), file_(path, std::ios::binary | std::ios::trunc) {
    if (!file_)
        throw Error{ErrorCode::World, shown(path) + " cannot be written; choose another place."};
}

void ServerRecorder::add(const TankEntry& entry) {
    if (const auto* batch = std::get_if<BatchEntry>(&entry)) {
        ServerBatch of_rank = batch->batch;
        of_rank.rank = batch->rank;
        line(server_line_text(of_rank, batch->sequence, tokens_));
    }
    if (const auto* samples = std::get_if<SampleEntry>(&entry))
        line(metrics_line_text(samples->time_s, samples->samples));
}

void ServerRecorder::line(const std::string& text) {
    file_ << text << '\n';
    bytes_ += text.size() + 1;
}

void ServerRecorder::flush() {
    file_.flush();
    if (!file_)
        throw Error{ErrorCode::World, shown(path_) +
                                          " cannot be written any more, the disk may be full; make "
                                          "room and record again."};
}

}  // namespace kv
