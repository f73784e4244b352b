#pragma once
// A recording from a file that a person names, or made up by its name (made_up.hpp): lines of a
// server's events with now and then a line of its metrics, as `kvarium attach --record` writes them
// and as a server's own encoder does, or a public trace. The first line says which of the two it
// is.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/whatif/recording.hpp"
#include "core/whatif/stack.hpp"

namespace kv {

// The first `limit` requests of a trace, or all. Throws kv::Error (World) when the file cannot be
// read or asks for nothing; nothing when `progress` stopped it. Of a recording of events no line is
// refused: what is not understood is counted.
std::optional<Recording> read_recording(const std::string& path, std::optional<u64> limit = {},
                                        const WhatIfProgress& progress = {});

// The lines of a recording, without line feeds, of a file or made up, for whoever reads them in
// another way. Throws kv::Error where the file cannot be read; false when `progress` stopped it.
bool each_recording_line(const std::string& path, const WhatIfProgress& progress,
                         const std::function<void(std::string_view)>& take);

// Lines of events alone, for whoever has them in memory.
class RecordingLines {
public:
    RecordingLines();
    ~RecordingLines();
    RecordingLines(const RecordingLines&) = delete;
    RecordingLines& operator=(const RecordingLines&) = delete;

    void take(std::string_view line);
    bool has_batches() const;
    Recording finish();

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace kv
