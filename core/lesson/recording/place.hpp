#pragma once
// What a step may name as its recording: a file of the lesson's own folder, or one that is made up
// by its name. A lesson comes from a file that a person was sent, so nothing else is opened.

#include <optional>
#include <string>
#include <string_view>

namespace kv {

// Why that name is none, as the end of a sentence; nothing when it is one. No file is touched.
std::optional<std::string> recording_name_refusal(const std::string& name);

// The file, or the name of what is made up. Throws kv::Error (World) for a file that is not there,
// is no regular file, or lies outside of the folder by a link.
std::string recording_place(const std::string& folder, const std::string& name);

}  // namespace kv
