#pragma once
// A file of events in place of a run: read beside the window, read in another way when that is
// asked, and shown until another run is. No engine stands behind it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/live/loading/trace_loader.hpp"
#include "app/panels/preparing/preparing.hpp"
#include "app/panels/view/history.hpp"
#include "app/session/recorded_run.hpp"
#include "app/shell/texts/said.hpp"

namespace kv {

class RecordedSource {
public:
    // `next_id`: numbers runs. `wake` is called on another thread when there is something to take.
    RecordedSource(std::function<std::uint64_t()> next_id, std::function<void()> wake)
        : next_id_(std::move(next_id)), loader_(std::move(wake)) {}

    // `step`: where the cursor is to stand; none: at the last step that left something running.
    void open(const std::string& path, std::optional<std::uint32_t> step = {},
              const TraceImportRules& rules = {});
    // The file that is shown once more, in another way: "rank 1", "group 2", "pool 4096" or "hits
    // announced". Throws Refused for other words, and where no other server wrote it.
    void read_as(const std::string& words);
    void stop() { loader_.stop(); }
    bool busy() const { return loader_.busy(); }
    std::optional<double> progress_to_show() const { return loader_.progress_to_show(); }
    // What is being prepared, while a file is read that will be shown.
    std::optional<Preparing> preparing() const;

    struct Came {
        std::uint64_t id = 0;
        std::string path;  // absolute
        RunHistory history;
        std::optional<std::uint32_t> step = {};  // that was asked for; the file may end before it
        Said left_out;  // what the file named that could not be placed; empty: all of it is shown
    };
    // Once it is read, it is what is shown. Throws what went wrong; then what was shown still is.
    std::optional<Came> take(double seconds);

    // What is shown; null while it is not a file of events.
    const std::shared_ptr<RecordedRun>& run() const { return shown_.run; }
    void close() { shown_.run.reset(); }

private:
    struct Asked {
        std::string path;
        std::optional<std::uint32_t> step;
    };
    struct Shown {
        std::shared_ptr<RecordedRun> run;
        std::string path;
        TraceImportRules rules;
    };
    std::function<std::uint64_t()> next_id_;
    TraceLoader loader_;
    Asked asked_;
    Shown shown_;
};

}  // namespace kv
