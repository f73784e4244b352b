#include "app/live/loading/trace_loader.hpp"

#include <filesystem>
#include <fstream>

#include "core/base/files/json.hpp"
#include "core/trace/server/batch_json.hpp"

namespace kv {
namespace {

// Enough of a line to see whether it is an object of its own; a longer one is cut and no longer is.
std::string first_line(const std::string& path) {
    std::error_code unknown;
    // Looking at the start of a pipe would take it away.
    if (!std::filesystem::is_regular_file(path, unknown)) return {};
    std::ifstream in(path, std::ios::binary);
    std::string line(std::size_t{64} << 10, '\0');
    in.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(in.gcount()));
    return line.substr(0, line.find('\n'));
}

}  // namespace

bool looks_like_trace(const std::string& path) {
    if (std::filesystem::path(path).extension() == ".jsonl") return true;
    const std::string start = first_line(path);
    const auto line = parsed_json(start);
    return (line.is_object() && line.contains("event")) || server_line(line).has_value();
}

void start_loading(TraceLoader& loader, const std::string& path, const TraceImportRules& rules,
                   std::uint64_t id) {
    loader.start([path, rules, id](const Progress& tell) -> std::unique_ptr<OpenedRecord> {
        struct Stopped {};
        const auto or_stop = [&tell](u64 done, u64 size) {
            if (!tell(size == 0 ? 0 : static_cast<double>(done) / static_cast<double>(size)))
                throw Stopped{};
        };
        try {
            auto opened = std::make_unique<OpenedRecord>();
            opened->id = id, opened->path = path, opened->rules = rules;
            opened->run =
                std::make_unique<RecordedRun>(import_trace_file(path, rules, or_stop),
                                              std::filesystem::path(path).filename().string());
            opened->history.catch_up(id, opened->run->trace());
            return opened;
        } catch (const Stopped&) {
            return nullptr;
        }
    });
}

}  // namespace kv
