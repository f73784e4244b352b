#pragma once
// Where results go: all of a command's text at once, so that a command that fails has printed
// nothing.

#include <filesystem>
#include <optional>
#include <string>

namespace kv {

// A file is written beside its place, synced and renamed, so that it is whole or not there. A
// reader of standard output that has gone away is no error. Throws kv::Error (World) when the text
// cannot be kept.
void write_output(const std::optional<std::string>& out, const std::string& text);

// The folder of many files, made where it is not there. Throws kv::Error (World) when files cannot
// be put into it.
void make_folder(const std::filesystem::path& folder);

}  // namespace kv
