#include "core/base/files/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace kv {
namespace {

std::string reason(int error) {
    return std::strerror(error);
}

FileRefusal not_regular(mode_t mode) {
    const char* what = S_ISDIR(mode)    ? "is a folder"
                       : S_ISFIFO(mode) ? "is a pipe"
                       : S_ISCHR(mode)  ? "is a device"
                                        : "is not a regular file";
    return {what, S_ISDIR(mode) ? "name the file inside it" : "copy the data into a file first"};
}

}  // namespace

std::variant<RegularFile, FileRefusal> RegularFile::open(const std::string& path) {
    if (path.empty() || path.find('\0') != std::string::npos) {
        return FileRefusal{"is not a file name", "name a file"};
    }
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return FileRefusal{"cannot be opened (" + reason(errno) + ")",
                           "check the name and the permissions"};
    }
    RegularFile file{descriptor, 0};
    struct stat info {};
    if (::fstat(descriptor, &info) != 0) {
        return FileRefusal{"cannot be examined (" + reason(errno) + ")", "copy it again"};
    }
    if (!S_ISREG(info.st_mode)) return not_regular(info.st_mode);
    file.size_ = static_cast<u64>(info.st_size);
    return file;
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, std::nullopt)), size_(other.size_) {}

RegularFile& RegularFile::operator=(RegularFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    return *this;
}

RegularFile::~RegularFile() {
    if (descriptor_) ::close(*descriptor_);
}

std::optional<FileRefusal> RegularFile::read(u64 offset, void* out, std::size_t n) const {
    KV_ASSERT(descriptor_);
    std::size_t have = 0;
    while (have < n) {
        const ssize_t got = ::pread(*descriptor_, static_cast<char*>(out) + have, n - have,
                                    static_cast<off_t>(offset + have));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return FileRefusal{"cannot be read (" + reason(errno) + ")", "copy it again"};
        if (got == 0) return FileRefusal{"was cut short while it was read", "try again"};
        have += static_cast<std::size_t>(got);
    }
    return std::nullopt;
}

}  // namespace kv
