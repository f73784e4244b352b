#include "app/cli/terminal/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

Error failed(const std::string& place, const std::string& what, int error) {
    return Error{ErrorCode::World,
                 place + " " + what + " (" + std::strerror(error) + "); choose another place."};
}

// 0, or the errno that stopped it.
int write_all(int fd, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t wrote = ::write(fd, text.data() + done, text.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        done += static_cast<std::size_t>(wrote);
    }
    return 0;
}

// A device or a pipe is written in place: renaming over it would replace it.
void write_in_place(const std::string& path, const std::string& text) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) throw failed(shown(path), "cannot be opened", errno);
    const int error = write_all(fd, text);
    if (::close(fd) != 0 || error != 0)
        throw failed(shown(path), "cannot be written", error ? error : EIO);
}

void replace_file(const std::string& path, const std::string& text) {
    std::string temporary = path + ".XXXXXX";
    const int fd = ::mkstemp(temporary.data());
    if (fd < 0) throw failed(shown(path), "cannot be created", errno);
    int error = write_all(fd, text);
    // mkstemp makes the file private; an ordinary one has what the umask leaves.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (error == 0 && ::fchmod(fd, 0666 & ~mask) != 0) error = errno;
    if (error == 0 && ::fsync(fd) != 0) error = errno;
    if (::close(fd) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error == 0) return;
    ::unlink(temporary.c_str());
    throw failed(shown(path), "cannot be written", error);
}

void write_file(const std::string& path, const std::string& text) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return replace_file(path, text);
    if (S_ISDIR(info.st_mode)) {
        throw Error{ErrorCode::World, shown(path) + " is a folder; name a file inside it."};
    }
    if (!S_ISREG(info.st_mode)) return write_in_place(path, text);
    // Through a symbolic link to the file itself, so that the link stays a link.
    std::error_code ignored;
    const std::filesystem::path target = std::filesystem::canonical(path, ignored);
    replace_file(ignored ? path : target.string(), text);
}

}  // namespace

void write_output(const std::optional<std::string>& out, const std::string& text) {
    if (out && *out != "-") return write_file(*out, text);
    const int error = write_all(STDOUT_FILENO, text);
    if (error != 0 && error != EPIPE) throw failed("Standard output", "cannot be written", error);
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code failed;  // what stands in the way is named by the file that cannot be made
    std::filesystem::create_directories(folder, failed);
    require_writable(folder / "file");
}

}  // namespace kv
