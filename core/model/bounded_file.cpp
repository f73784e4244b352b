#include "core/model/bounded_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/text.hpp"

namespace kv {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

private:
    int fd_;
};

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

std::variant<std::string, FileRefusal> read_bounded_file(const std::string& path, u64 max_bytes) {
    if (path.empty() || path.find('\0') != std::string::npos) {
        return FileRefusal{"is not a file name", "name a file"};
    }
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (file.get() < 0) {
        return FileRefusal{"cannot be opened (" + reason(errno) + ")",
                           "check the name and the permissions"};
    }
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) {
        return FileRefusal{"cannot be examined (" + reason(errno) + ")", "copy it again"};
    }
    if (!S_ISREG(info.st_mode)) return not_regular(info.st_mode);
    const u64 size = static_cast<u64>(info.st_size);
    if (size > max_bytes) {
        return FileRefusal{
            "has " + with_commas(size) + " bytes, and the limit is " + with_commas(max_bytes),
            "this is probably another file"};
    }
    std::string data(static_cast<std::size_t>(size), '\0');
    std::size_t have = 0;
    while (have < data.size()) {
        const ssize_t got =
            ::pread(file.get(), data.data() + have, data.size() - have, static_cast<off_t>(have));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return FileRefusal{"cannot be read (" + reason(errno) + ")", "copy it again"};
        if (got == 0) return FileRefusal{"was cut short while it was read", "try again"};
        have += static_cast<std::size_t>(got);
    }
    return data;
}

}  // namespace kv
