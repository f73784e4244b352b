#pragma once
// Reading small files whole and saving without ever leaving half a file: what is written goes
// beside the target, reaches the disk, and takes the target's name in one step. Every refusal is a
// kv::Error that names the path and what to do.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace kv {

// What a system call's `errno` says of a file, as a sentence with what to do (World).
Error file_error(const std::filesystem::path& file, int error);

// Regular files only, so that a pipe or a device cannot hang the program; at most `limit` bytes.
std::string read_file(const std::filesystem::path& file, std::size_t limit);

// A device or a pipe (/dev/null, /dev/stdout) is written to as it is; a link is followed.
void save_file(const std::filesystem::path& file, std::string_view bytes);

// Whether a file can be made there, asked before long work; throws what save_file would throw.
void require_writable(const std::filesystem::path& file);

}  // namespace kv
