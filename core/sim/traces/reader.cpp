#include "core/sim/traces/reader.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/files/regular_file.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr u64 kMostRequests = 100'000'000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Error unusable(const std::string& path, const std::string& rest) {
    return Error{ErrorCode::World, shown(path) + rest + "."};
}

}  // namespace

std::string TraceRefusal::text() const {
    std::string place = "line " + with_commas(line);
    if (!why.field.empty()) place += ", " + why.field;
    return place + ": " + why.rule + "; " + why.advice;
}

std::optional<TraceFormat> TraceParser::format() const {
    if (const auto* csv = std::get_if<CsvTrace>(&reader_)) return csv->format();
    if (const auto* json = std::get_if<JsonTrace>(&reader_)) return json->format();
    return std::nullopt;
}

std::optional<TraceRefusal> TraceParser::feed(std::string_view bytes) {
    while (!has_enough_) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        if (partial_.size() + piece.size() > kLongestLine)
            return TraceRefusal{lines_ + 1, {"", "is longer than 1 MiB", kCopyAgain}};
        if (end == std::string_view::npos) {
            partial_ += piece;
            return std::nullopt;
        }
        std::optional<TraceRefusal> refusal;
        if (partial_.empty()) {
            refusal = take_line(piece);
        } else {
            partial_ += piece;
            refusal = take_line(partial_);
            partial_.clear();
        }
        if (refusal) return refusal;
        bytes.remove_prefix(end + 1);
    }
    return std::nullopt;
}

std::optional<TraceRefusal> TraceParser::finish() {
    if (!has_enough_ && !partial_.empty()) {
        if (auto refusal = take_line(partial_)) return refusal;
        partial_.clear();
    }
    if (rows_ == 0)
        return TraceRefusal{lines_ + 1, {"", "the trace ends without a request", kCopyAgain}};
    return std::nullopt;
}

std::optional<TraceRefusal> TraceParser::take_line(std::string_view line) {
    ++lines_;
    if (lines_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark)
        line.remove_prefix(kByteOrderMark.size());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) {
        if (!blank_line_) blank_line_ = lines_;
        return std::nullopt;
    }
    // Only at the end may lines be blank.
    if (blank_line_) return TraceRefusal{*blank_line_, {"", "is empty", kCopyAgain}};
    if (line.find('\0') != std::string_view::npos)
        return TraceRefusal{lines_, {"", "holds a NUL byte", kCopyAgain}};
    if (auto refusal = lines_ == 1 ? recognise(line) : read(line))
        return TraceRefusal{lines_, std::move(*refusal)};
    return std::nullopt;
}

std::optional<FieldRefusal> TraceParser::recognise(std::string_view line) {
    if (line.front() != '{') {
        auto csv = CsvTrace::from_header(line);
        if (auto* refusal = std::get_if<FieldRefusal>(&csv)) return std::move(*refusal);
        reader_ = std::get<CsvTrace>(std::move(csv));
        return std::nullopt;
    }
    auto json = JsonTrace::from_first_line(line);
    if (auto* refusal = std::get_if<FieldRefusal>(&json)) return std::move(*refusal);
    reader_ = std::get<JsonTrace>(json);
    return read(line);
}

std::optional<FieldRefusal> TraceParser::read(std::string_view line) {
    if (auto* csv = std::get_if<CsvTrace>(&reader_)) {
        if (auto refusal = csv->read(line, row_)) return refusal;
    } else if (auto refusal = std::get<JsonTrace>(reader_).read(line, row_)) {
        return refusal;
    }
    ++rows_;
    if (row_.prompt == 0 || row_.output == 0)
        ++passed_over_;
    else
        has_enough_ = !sink_(row_);
    return std::nullopt;
}

std::optional<TraceFile> read_trace(const std::string& path, std::optional<u64> limit,
                                    const Progress& progress, const RowObserver& observe) {
    auto opened = RegularFile::open(path);
    if (const auto* refusal = std::get_if<FileRefusal>(&opened))
        throw unusable(path, " " + refusal->rule + "; " + refusal->advice);
    const RegularFile& file = std::get<RegularFile>(opened);
    TraceFile trace;
    const u64 most = std::min(limit.value_or(kMostRequests), kMostRequests);
    TraceParser parser([&](const TraceRow& row) {
        trace.requests.push_back({row.arrival_ns, static_cast<std::uint32_t>(row.prompt),
                                  static_cast<std::uint32_t>(row.output)});
        if (observe) observe(*parser.format(), row);
        return trace.requests.size() < most;
    });
    std::string piece;
    for (u64 at = 0; at < file.size() && !parser.has_enough(); at += piece.size()) {
        piece.resize(static_cast<std::size_t>(std::min<u64>(kPiece, file.size() - at)));
        if (const auto refusal = file.read(at, piece.data(), piece.size()))
            throw unusable(path, " " + refusal->rule + "; " + refusal->advice);
        if (const auto refusal = parser.feed(piece)) throw unusable(path, ": " + refusal->text());
        const double done = static_cast<double>(at) / static_cast<double>(file.size());
        if (progress && !progress(done)) return std::nullopt;
    }
    if (const auto refusal = parser.finish()) throw unusable(path, ": " + refusal->text());
    trace.format = *parser.format();
    trace.passed_over = parser.passed_over();
    if (trace.requests.empty())
        throw unusable(path,
                       ": none of its requests has a prompt and an answer; give another trace");
    std::stable_sort(
        trace.requests.begin(), trace.requests.end(),
        [](const SimRequest& a, const SimRequest& b) { return a.arrival_ns < b.arrival_ns; });
    return trace;
}

}  // namespace kv
