#pragma once
// A file of events read beside the window.

#include <memory>
#include <string>

#include "app/live/background_load.hpp"
#include "app/session/recorded_run.hpp"

namespace kv {

// Whether a file is to be read as events rather than as a scene: by its ending, .jsonl, or because
// its first line is an event by itself.
bool looks_like_trace(const std::string& path);

using TraceLoader = BackgroundLoad<std::unique_ptr<RecordedRun>>;
void start_loading(TraceLoader& loader, const std::string& path);

}  // namespace kv
