#pragma once
// A file of events read beside the window.

#include <cstdint>
#include <memory>
#include <string>

#include "app/live/loading/background_load.hpp"
#include "app/panels/view/history.hpp"
#include "app/session/recorded_run.hpp"

namespace kv {

// Whether a file is to be read as events rather than as a scene: by its ending, .jsonl, or because
// its first line is an event by itself.
bool looks_like_trace(const std::string& path);

// A file that was read, with its history, which takes longer to read than a frame may.
struct OpenedRecord {
    std::uint64_t id;  // of the run in the window
    std::string path;
    TraceImportRules rules;
    std::unique_ptr<RecordedRun> run;
    RunHistory history;
};
using TraceLoader = BackgroundLoad<std::unique_ptr<OpenedRecord>>;
void start_loading(TraceLoader& loader, const std::string& path, const TraceImportRules& rules,
                   std::uint64_t id);

}  // namespace kv
