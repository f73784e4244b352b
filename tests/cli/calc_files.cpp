// Files in and out: configs that cannot be used exit 1, results go where they were sent, whole or
// not at all.
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

void check_unusable(const std::string& path, const std::string& part) {
    const Ran ran = run_cli({"calc", "--config", path, "--json"});
    CAPTURE(path, ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
    CHECK_THAT(ran.err, ContainsSubstring(part));
}

const std::vector<std::string> kLine{"calc", "--preset", "llama-2-7b", "--tokens", "16"};

std::vector<std::string> calc_line(const std::vector<std::string>& more) {
    std::vector<std::string> words = kLine;
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

TEST_CASE("configs that cannot be used exit 1 and name the file", "[files]") {
    const ScratchFolder scratch;
    check_unusable(scratch.file("missing.json"), "missing.json cannot be opened");
    check_unusable(scratch.file(""), "is a folder");
    check_unusable("/dev/zero", "is a device");
    const std::string pipe = scratch.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    check_unusable(pipe, "is a pipe");
    fs::create_symlink("loop", scratch.file("loop"));
    check_unusable(scratch.file("loop"), "cannot be opened");
    check_unusable(std::string(4096, 'x'), "cannot be opened");
    check_unusable(scratch.write("empty.json", ""), "not JSON");
    check_unusable(scratch.write("list.json", "[]"), "list.json");
    check_unusable(scratch.write("deep.json", std::string(10'000, '[')), "deeper than 8");
    check_unusable(scratch.write("large.json", std::string(1'100'000, ' ')), "1,048,576");
    check_unusable(scratch.write("gpt2.json", R"({"model_type":"gpt2"})"),
                   "model_type is \"gpt2\"");
    check_unusable(scratch.write("a 'b' \"c\"\nd.json", "{}"), "model_type is missing");
}

TEST_CASE("the option --out writes a whole file and nothing else", "[files]") {
    const ScratchFolder scratch;
    const std::string path = scratch.file("bill.txt");
    const Ran plain = run_cli(kLine);
    const Ran ran = run_cli(calc_line({"--out", path}));
    CHECK(ran.code == 0);
    CHECK(ran.out.empty());
    CHECK(ran.err.empty());
    CHECK(read_text(path) == plain.out);
    CHECK(scratch.names() == std::vector<std::string>{"bill.txt"});  // no temporary left
    struct stat info {};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    CHECK((info.st_mode & 0777) == (0666 & ~mask));
}

TEST_CASE("the option --out replaces a file, follows a link, and - is standard output", "[files]") {
    const ScratchFolder scratch;
    const Ran plain = run_cli(kLine);
    const std::string path = scratch.write("old", "old text that is much longer than nothing");
    fs::create_symlink("old", scratch.file("link"));
    CHECK(run_cli(calc_line({"--out", scratch.file("link")})).code == 0);
    CHECK(read_text(path) == plain.out);
    CHECK(fs::is_symlink(scratch.file("link")));
    CHECK(run_cli(calc_line({"--out", "-"})).out == plain.out);
    CHECK(run_cli(calc_line({"--out=-"})).out == plain.out);
}

TEST_CASE("places that cannot be written exit 1", "[files]") {
    const ScratchFolder scratch;
    for (const std::string& path :
         {std::string("/dev/full"), scratch.file(""), scratch.file("no/such/folder/x")}) {
        const Ran ran = run_cli(calc_line({"--out", path}));
        CAPTURE(path, ran.err);
        CHECK(ran.code == 1);
        CHECK(ran.out.empty());
        CHECK(count_lines(ran.err) == 1);
    }
    const Ran null = run_cli(calc_line({"--out", "/dev/null"}));
    CHECK(null.code == 0);
    CHECK(fs::is_character_file("/dev/null"));
    const Ran full = run_shell("\"$KV\" calc --preset llama-2-7b > /dev/full");
    CHECK(full.code == 1);
    CHECK(count_lines(full.err) == 1);
    const Ran closed = run_shell("\"$KV\" calc --preset llama-2-7b >&-");
    CHECK(closed.code == 1);
}

TEST_CASE("a reader that goes away early is no complaint", "[files]") {
    const Ran ran =
        run_shell("set -o pipefail; \"$KV\" calc --preset deepseek-v3 --json | head -n 1");
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out == "{\n");
    const Ran none = run_shell("set -o pipefail; \"$KV\" calc --preset deepseek-v3 --json | true");
    CHECK(none.code == 0);
    CHECK(none.err.empty());
}

TEST_CASE("a wrong line with --out leaves no file", "[files]") {
    const ScratchFolder scratch;
    CHECK(run_cli(calc_line({"--pool", "24", "--out", scratch.file("x")})).code == 2);
    CHECK(scratch.names().empty());
}
