#include "core/trace/files/read.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/regular_file.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/event_read.hpp"
#include "core/trace/files/json.hpp"
#include "core/trace/files/recorded_events.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kDeepest = 8, kDeepestOfAServer = 32;   // lists and objects in each other
constexpr std::size_t kChunk = std::size_t{1} << 18;  // of a file, read at once
// What all tables of a file may grow to; an entry is eight bytes, an empty table about four of
// them.
constexpr u64 kMostTableEntries = u64{1} << 26;
constexpr u64 kEntriesPerTable = 4;

constexpr const char* kMendIt = "export the trace again, or mend that line";

}  // namespace

u64& count_of(NamedCounts& counts, const std::string& name) {
    constexpr std::size_t kMostNames = 64;
    const bool has_room = counts.size() < kMostNames || counts.count(name) > 0;
    return counts[has_room ? name : std::string()];
}

class TraceImport::State {
public:
    State(std::string file, TraceImportRules rules)
        : file_(std::move(file)), rules_(std::move(rules)) {}

    // A line of either kind of file: the first one decides whether it is a recording of a server's
    // events, which take_recorded() reads leniently, or a trace of ours.
    void line(std::string_view text) {
        ++line_;
        if (text.size() > kLongestTraceLine)
            refuse({"", "has more than " + with_commas(kLongestTraceLine) + " bytes"}, kMendIt);
        if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
        if (recorded_) return take_recorded(text);
        if (text.empty()) refuse({"", "is empty"}, "take the empty line out");
        const auto parsed = parse_strict_json(text, kDeepest);
        if (const auto* wrong = std::get_if<JsonRefusal>(&parsed))
            refuse({"", wrong->rule + " near byte " + with_commas(wrong->offset)},
                   "the file may have been cut short: export or copy it again");
        take(std::get<Json>(parsed));
    }

    ImportedTrace finish() {
        if (line_ == 0)
            throw Error{ErrorCode::World,
                        shown(file_) + ": holds no event; export the trace again."};
        if (recorded_) {
            out_.recorded = recorded_->counts();
            if (const auto wrong = recorded_->write(out_.trace))
                throw Error{ErrorCode::World, shown(file_) + ": " + wrong->rule +
                                                  "; record for longer, or give a larger pool."};
        }
        return std::move(out_);
    }

private:
    void take(const Json& json) {
        if (line_ == 1 && RecordedEvents::recognises(json)) {
            recorded_.emplace(rules_);
            return take_recorded(json);
        }
        if (!json.is_object()) refuse({"", "is not a JSON object"}, kMendIt);
        take_own(json);
    }

    void take_recorded(const Json& json) {
        if (const auto wrong = recorded_->line(json)) refuse(*wrong, "record the events again");
    }
    // A recording that was cut short ends in the middle of a line; what stands before it is whole.
    void take_recorded(std::string_view text) {
        const auto parsed = parse_strict_json(text, kDeepestOfAServer);
        if (const auto* json = std::get_if<Json>(&parsed))
            take_recorded(*json);
        else
            recorded_->pass_line_over();
    }

    void take_own(const Json& json) {
        auto read = read_event(json, ids_);
        if (const auto* wrong = std::get_if<EventRefusal>(&read)) refuse(*wrong, kMendIt);
        const EventLine& line = std::get<EventLine>(read);
        check_head(line);
        if (const auto wrong = why_not_applicable(out_.trace.end(), line.event))
            refuse(*wrong, kMendIt);
        check_growth(line.event);
        if (const auto* arrived = std::get_if<RequestArrived>(&line.event.what))
            ids_.add(arrived->name);
        iteration_ = line.event.iteration;
        if (line.model) out_.model = line.model;
        out_.trace.append(line.event);
    }

    void check_head(const EventLine& line) {
        if (line.version && *line.version != kTraceVersion)
            refuse({"kvarium_trace", "is version " + with_commas(*line.version) +
                                         " and this program reads version " +
                                         with_commas(kTraceVersion)},
                   "export the trace with this version");
        if (line.model && rules_.model && *line.model != *rules_.model)
            refuse({"model", "is another checkpoint than the one that is open"},
                   "open the checkpoint that the trace was made with");
        if (line.n != out_.trace.size())
            refuse({"n", "is " + with_commas(line.n) + " where " + with_commas(out_.trace.size()) +
                             " is next"},
                   kMendIt);
        if (line.event.iteration < iteration_)
            refuse({"iteration", "falls from " + with_commas(iteration_) + " to " +
                                     with_commas(line.event.iteration)},
                   kMendIt);
        if (line.event.iteration == std::numeric_limits<std::uint32_t>::max())
            refuse({"iteration", "is too large"}, kMendIt);
    }

    // A line of a hundred bytes must not cost a megabyte again and again.
    void check_growth(const Event& event) {
        const Snapshot& state = out_.trace.end();
        const auto grow = [&](LaneId lane, std::uint32_t entry) {
            const auto& table = state.requests[event.request->index()].tables[lane.index()];
            if (entry >= table.size()) entries_ += entry + 1 - table.size();
        };
        if (const auto* e = std::get_if<BlockAllocated>(&event.what)) grow(e->lane, e->entry);
        if (const auto* e = std::get_if<BlockShared>(&event.what)) grow(e->lane, e->entry);
        if (std::holds_alternative<RequestArrived>(event.what))
            entries_ += state.lanes.size() * kEntriesPerTable;
        if (entries_ > kMostTableEntries)
            refuse({"", "makes block tables of more than " + with_commas(kMostTableEntries) +
                            " entries in all"},
                   "record fewer requests at a time");
    }

    [[noreturn]] void refuse(const EventRefusal& wrong, const std::string& advice) const {
        const std::string field = wrong.field.empty() ? "" : "\"" + wrong.field + "\" ";
        throw Error{ErrorCode::World, shown(file_) + ", line " + with_commas(line_) + ": " + field +
                                          wrong.rule + "; " + advice + "."};
    }

    std::string file_;
    TraceImportRules rules_;
    u64 line_ = 0, entries_ = 0;
    std::uint32_t iteration_ = 0;
    RequestIds ids_;
    std::optional<RecordedEvents> recorded_;
    ImportedTrace out_;
};

TraceImport::TraceImport(std::string file, TraceImportRules rules)
    : state_(std::make_unique<State>(std::move(file), std::move(rules))) {}
TraceImport::TraceImport(TraceImport&&) noexcept = default;
TraceImport::~TraceImport() = default;

void TraceImport::line(std::string_view line) {
    state_->line(line);
}
ImportedTrace TraceImport::finish() {
    return state_->finish();
}

namespace {

// Hands over the whole lines of `text` and returns what is left behind the last line feed.
std::string_view feed_lines(TraceImport& import, std::string_view text) {
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
        import.line(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return text;
}

[[noreturn]] void refuse_file(const std::string& path, const FileRefusal& wrong) {
    throw Error{ErrorCode::World, shown(path) + ": " + wrong.rule + "; " + wrong.advice + "."};
}

}  // namespace

ImportedTrace import_trace_text(std::string_view text, const std::string& file,
                                const TraceImportRules& rules) {
    TraceImport import(file, rules);
    const std::string_view rest = feed_lines(import, text);
    if (!rest.empty()) import.line(rest);
    return import.finish();
}

ImportedTrace import_trace_file(const std::string& path, const TraceImportRules& rules,
                                const ImportProgress& progress) {
    const auto opened = RegularFile::open(path);
    if (const auto* wrong = std::get_if<FileRefusal>(&opened)) refuse_file(path, *wrong);
    const RegularFile& file = std::get<RegularFile>(opened);
    TraceImport import(path, rules);
    std::string held;  // the beginning of a line, and then what is read next
    for (u64 done = 0; done < file.size();) {
        const auto n = static_cast<std::size_t>(std::min<u64>(kChunk, file.size() - done));
        const std::size_t had = held.size();
        held.resize(had + n);
        if (const auto wrong = file.read(done, held.data() + had, n)) refuse_file(path, *wrong);
        done += n;
        held.erase(0, held.size() - feed_lines(import, held).size());
        if (held.size() > kLongestTraceLine) import.line(held);
        if (progress) progress(done, file.size());
    }
    if (!held.empty()) import.line(held);
    return import.finish();
}

}  // namespace kv
