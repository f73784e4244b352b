// Files that come to their place together or not at all.

#include "app/shell/staged_folder.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

// Names below the folder, in order: "a", "b/c".
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), folder).string());
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a staged folder is not there until it is kept", "[files]") {
    const ScratchFolder scratch;
    for (const char* slash : {"", "/"}) {
        const fs::path target = scratch.path() / "site" / "pages", named = target.string() + slash;
        StagedFolder staged(named);
        save_file(staged.path() / "index.md", "x");
        CHECK_FALSE(fs::exists(target));
        staged.keep();
        CHECK(names_in(scratch.path()) == Names{"site/pages/index.md"});
        fs::remove_all(scratch.path() / "site");
    }
}

TEST_CASE("a folder that is there keeps its other files", "[files]") {
    const ScratchFolder scratch;
    fs::create_directories(scratch.path() / "teachers");
    save_file(scratch.path() / "mine", "x");
    save_file(scratch.path() / "teachers" / "a", "old");
    {
        StagedFolder staged(scratch.path());
        fs::create_directory(staged.path() / "teachers");
        save_file(staged.path() / "teachers" / "a", "new");
        save_file(staged.path() / "b", "y");
        staged.keep();
    }
    CHECK(names_in(scratch.path()) == Names{"b", "mine", "teachers/a"});
    CHECK(read_file(scratch.path() / "teachers" / "a", 10) == "new");
}

TEST_CASE("two that stage the same folder both come to it", "[files]") {
    const ScratchFolder scratch;
    const fs::path target = scratch.path() / "pictures";
    StagedFolder one(target);
    save_file(one.path() / "a", "x");
    fs::create_directory(target);
    save_file(target / "b", "of the other");
    one.keep();
    CHECK(names_in(target) == Names{"a", "b"});
}

TEST_CASE("what is not kept leaves nothing, not even the folders above it", "[files]") {
    const ScratchFolder scratch;
    {
        StagedFolder staged(scratch.path() / "a" / "b" / "c");
        save_file(staged.path() / "half", "x");
    }
    CHECK(fs::is_empty(scratch.path()));
    {
        StagedFolder staged(scratch.path() / "a" / "b");
        save_file(scratch.path() / "a" / "of-another", "x");
    }
    CHECK(names_in(scratch.path()) == Names{"a/of-another"});
}

TEST_CASE("a place where no folder can be is refused before any work", "[files]") {
    const ScratchFolder scratch;
    save_file(scratch.path() / "file", "x");
    CHECK_THROWS_AS(StagedFolder(""), Error);
    CHECK_THROWS_AS(StagedFolder(scratch.path() / "file"), Error);
    CHECK_THROWS_AS(StagedFolder(scratch.path() / "file" / "below"), Error);
    CHECK_THROWS_AS(StagedFolder("/dev/null"), Error);
    CHECK(names_in(scratch.path()) == Names{"file"});
}
