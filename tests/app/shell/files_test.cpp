// Reading and saving under everything a file system can do to a program.

#include "app/shell/files.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/base/error.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLimit = 1000;

std::size_t entries(const fs::path& folder) {
    std::size_t n = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++n;
    return n;
}

// No file may grow past `bytes` while this lives: a disk that is full, for a process without a full
// disk.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        old_action_ = ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        ::signal(SIGXFSZ, old_action_);
    }

private:
    rlimit old_{};
    void (*old_action_)(int) = nullptr;
};

auto refused_with(const std::string& words) {
    return MessageMatches(ContainsSubstring(words));
}

}  // namespace

TEST_CASE("what is saved reads back, whatever the bytes and the name", "[files]") {
    const ScratchFolder folder;
    std::string all;
    for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
    for (const char* name :
         {"plain", "with space", "quo\"te'", "new\nline", "\xC3\xA9\xE6\xBC\xA2", "-"}) {
        const fs::path file = folder.path() / name;
        save_file(file, all);
        CHECK(read_file(file, kLimit) == all);
        save_file(file, "");
        CHECK(read_file(file, kLimit).empty());
    }
    CHECK(entries(folder.path()) == 6);
}

TEST_CASE("a saved file has the permissions that any new file gets", "[files]") {
    const ScratchFolder folder;
    const mode_t old = ::umask(022);
    save_file(folder.path() / "a", "x");
    ::umask(old);
    struct stat status {};
    REQUIRE(::stat((folder.path() / "a").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0644);
}

TEST_CASE("a failed save leaves the old file and nothing else", "[files]") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "settings.json";
    save_file(file, "old");
    {
        const SmallDisk disk(10);
        CHECK_THROWS_MATCHES(save_file(file, std::string(100, 'x')), Error,
                             refused_with("settings.json"));
    }
    CHECK(read_file(file, kLimit) == "old");
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a full device is named as such", "[files]") {
    if (!fs::exists("/dev/full")) SKIP("this system has no /dev/full");
    CHECK_THROWS_MATCHES(save_file("/dev/full", "x"), Error, refused_with("the disk is full"));
    CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("a device is written to, never replaced", "[files]") {
    save_file("/dev/null", "x");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("saving follows a link and leaves it a link", "[files]") {
    const ScratchFolder folder;
    save_file(folder.path() / "real", "old");
    fs::create_symlink("real", folder.path() / "link");
    save_file(folder.path() / "link", "new");
    CHECK(fs::is_symlink(folder.path() / "link"));
    CHECK(read_file(folder.path() / "real", kLimit) == "new");
}

TEST_CASE("each place that cannot be saved to is refused with its reason", "[files]") {
    const ScratchFolder folder;
    const fs::path here = folder.path();
    save_file(here / "file", "x");
    fs::create_symlink("b", here / "a");
    fs::create_symlink("a", here / "b");
    CHECK_THROWS_MATCHES(save_file(here, "x"), Error, refused_with("is a folder"));
    CHECK_THROWS_MATCHES(save_file(here / "none" / "x", "x"), Error,
                         refused_with("no such file or folder"));
    CHECK_THROWS_MATCHES(save_file(here / "file" / "x", "x"), Error,
                         refused_with("is a file, not a folder"));
    CHECK_THROWS_MATCHES(save_file(here / "a", "x"), Error, refused_with("lead in a circle"));
    CHECK_THROWS_MATCHES(save_file(here / std::string(300, 'n'), "x"), Error,
                         refused_with("too long"));
    CHECK_THROWS_MATCHES(save_file(here / std::string(4096, 'n'), "x"), Error,
                         refused_with("too long"));
    CHECK_THROWS_AS(save_file("", "x"), Error);
    CHECK(entries(here) == 3);
}

TEST_CASE("a read-only folder refuses with permission or the file system's word", "[files]") {
    if (::geteuid() == 0) SKIP("the administrator may write everywhere");
    const ScratchFolder folder;
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK_THROWS_MATCHES(save_file(folder.path() / "x", "x"), Error,
                         refused_with("permission denied"));
    fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST_CASE("only regular files are read, and none past its limit", "[files]") {
    const ScratchFolder folder;
    const fs::path here = folder.path();
    REQUIRE(::mkfifo((here / "pipe").c_str(), 0600) == 0);
    save_file(here / "long", std::string(kLimit + 1, 'x'));
    save_file(here / "fits", std::string(kLimit, 'x'));
    CHECK_THROWS_MATCHES(read_file(here / "pipe", kLimit), Error,
                         refused_with("not a regular file"));
    CHECK_THROWS_MATCHES(read_file("/dev/zero", kLimit), Error, refused_with("not a regular file"));
    CHECK_THROWS_MATCHES(read_file(here, kLimit), Error, refused_with("is a folder"));
    CHECK_THROWS_MATCHES(read_file(here / "none", kLimit), Error, refused_with("no such file"));
    CHECK_THROWS_MATCHES(read_file(here / "long", kLimit), Error,
                         refused_with("larger than 1,000 bytes"));
    CHECK(read_file(here / "fits", kLimit).size() == kLimit);
}
