#include "app/shell/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

std::string advice_for(int error) {
    switch (error) {
        case ENOENT:
            return "no such file or folder. Check the path, or make the folder first.";
        case EACCES:
        case EPERM:
            return "permission denied. Choose another place or change its permissions.";
        case EISDIR:
            return "is a folder. Give the name of a file in it.";
        case ENOTDIR:
            return "a part of the path is a file, not a folder. Check the path.";
        case ENOSPC:
        case EDQUOT:
            return "the disk is full. Free some space or choose another place.";
        case EROFS:
            return "the file system is read-only. Choose another place.";
        case ENAMETOOLONG:
            return "the path is too long. Choose a shorter one.";
        case ELOOP:
            return "its links lead in a circle. Name the file itself.";
        default:
            return std::generic_category().message(error) + ".";
    }
}

[[noreturn]] void fail(const fs::path& file, int error) {
    throw file_error(file, error);
}

class Descriptor {
public:
    Descriptor(const fs::path& file, int flags, const fs::path& said)
        : said_(said), fd_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {
        if (fd_ < 0) fail(said_, errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    int fd() const { return fd_; }

    void write_all(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail(said_, errno);
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }
    // Some file systems report a full disk only here, so closing is checked too.
    void finish() {
        if (::fsync(fd_) != 0) fail(said_, errno);
        const int fd = std::exchange(fd_, -1);
        if (::close(fd) != 0) fail(said_, errno);
    }

private:
    fs::path said_;  // the path as the person gave it
    int fd_;
};

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path temporary_beside(const fs::path& file) {
    return folder_of(file) / ("." + file.filename().string().substr(0, 200) + "." +
                              std::to_string(::getpid()) + ".tmp");
}

void replace(const fs::path& target, const fs::path& said, std::string_view bytes) {
    const fs::path temporary = temporary_beside(target);
    ::unlink(temporary.c_str());  // left by an earlier process of the same number that was killed
    try {
        Descriptor out(temporary, O_WRONLY | O_CREAT | O_EXCL, said);
        out.write_all(bytes);
        out.finish();
        if (::rename(temporary.c_str(), target.c_str()) != 0) fail(said, errno);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    // The new name must survive a power cut as well; not every file system offers that.
    const int folder = ::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
}

}  // namespace

Error file_error(const fs::path& file, int error) {
    return {ErrorCode::World, shown(file.string()) + ": " + advice_for(error)};
}

std::string read_file(const fs::path& file, std::size_t limit) {
    // Without O_NONBLOCK opening a pipe would wait for a writer before its kind can be seen.
    const Descriptor in(file, O_RDONLY | O_NONBLOCK, file);
    struct stat status {};
    if (::fstat(in.fd(), &status) != 0) fail(file, errno);
    if (S_ISDIR(status.st_mode)) fail(file, EISDIR);
    if (!S_ISREG(status.st_mode))
        throw Error(ErrorCode::World,
                    shown(file.string()) + ": not a regular file. Give a file on disk.");
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t n = ::read(in.fd(), buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(file, errno);
        if (n == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(n));
        if (bytes.size() > limit)
            throw Error(ErrorCode::World,
                        shown(file.string()) + ": larger than " + with_commas(limit) +
                            " bytes, the most this kind of file may have. Is it the right file?");
    }
}

void save_file(const fs::path& file, std::string_view bytes) {
    if (file.empty()) fail(file, ENOENT);
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        if (errno != ENOENT) fail(file, errno);
        replace(file, file, bytes);
    } else if (S_ISDIR(status.st_mode)) {
        fail(file, EISDIR);
    } else if (S_ISREG(status.st_mode)) {
        std::error_code error;
        const fs::path target = fs::canonical(file, error);  // a link stays a link
        if (error) fail(file, error.value());
        replace(target, file, bytes);
    } else {
        Descriptor(file, O_WRONLY, file).write_all(bytes);
    }
}

void require_writable(const fs::path& file) {
    if (file.empty()) fail(file, ENOENT);
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) fail(file, EISDIR);
        if (!S_ISREG(status.st_mode)) return;
    }
    const fs::path trial = temporary_beside(file);
    ::unlink(trial.c_str());
    { const Descriptor made(trial, O_WRONLY | O_CREAT | O_EXCL, file); }
    ::unlink(trial.c_str());
}

}  // namespace kv
