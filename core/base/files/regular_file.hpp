#pragma once
// A regular file, opened for reading into memory that we own. Nothing is mapped, so a file that is
// cut short meanwhile is an error and not a signal; a folder, a pipe or a device is refused unread.

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "core/base/numbers/checked.hpp"

namespace kv {

struct FileRefusal {
    std::string rule;    // "is a folder", "has 2,000,000 bytes and the limit is 1,048,576"
    std::string advice;  // what to do, a sentence without its full stop
};

class RegularFile {
public:
    static std::variant<RegularFile, FileRefusal> open(const std::string& path);

    RegularFile(RegularFile&& other) noexcept;
    RegularFile& operator=(RegularFile&& other) noexcept;
    ~RegularFile();

    u64 size() const { return size_; }  // when it was opened

    // All n bytes from `offset` on, or what was wrong.
    std::optional<FileRefusal> read(u64 offset, void* out, std::size_t n) const;

private:
    RegularFile(int descriptor, u64 size) : descriptor_(descriptor), size_(size) {}

    std::optional<int> descriptor_;
    u64 size_ = 0;
};

}  // namespace kv
