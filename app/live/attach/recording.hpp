#pragma once
// A recording of a server, from a file that a person names or made up by its name, and the picture
// of a moment of it.

#include <cstdint>
#include <functional>
#include <string>

#include "app/attach/session.hpp"
#include "core/attach/history/recording_lines.hpp"

namespace kv {

// Throws kv::Error (World) where the file cannot be read or holds no batch. `go_on` is told how
// much is done, 0 to 1; empty where it says no.
ServerRecording read_server_recording(const std::string& path, const TankSettings& settings,
                                      std::uint64_t budget_bytes,
                                      const std::function<bool(double)>& go_on);

// The picture of what is asked for, as a server that is listened to gives it.
AttachedPicture picture_of_recording(const TankHistory& history, const SessionAsk& ask);

}  // namespace kv
