#include "tests/cli/run_cli.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/places.hpp"

namespace kv::test {
namespace {

std::string program_path() {
    const char* other = std::getenv("KVARIUM_BINARY");
    return other ? other : program_file();
}

void redirect(const std::string& path, int fd) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ::dup2(file, fd) < 0) ::_exit(126);
    ::close(file);
}

Ran run(const std::vector<std::string>& words,
        const std::map<std::string, std::string>& environment) {
    const ScratchFolder scratch;
    const std::string out = scratch.file("out"), err = scratch.file("err");
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        redirect(out, STDOUT_FILENO);
        redirect(err, STDERR_FILENO);
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, read_text(out), read_text(err)};
}

}  // namespace

Ran run_cli(const std::vector<std::string>& arguments,
            const std::map<std::string, std::string>& environment) {
    std::vector<std::string> words{program_path()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words, environment);
}

Ran run_shell(const std::string& line) {
    return run({"/bin/bash", "-c", line}, {{"KV", program_path()}});
}

std::size_t count_lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void check_refused(const std::vector<std::string>& words, int code, const std::string& part) {
    const Ran ran = run_cli(words);
    CAPTURE(words, ran.err);
    CHECK(ran.code == code);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
    CHECK_THAT(ran.err, Catch::Matchers::ContainsSubstring(part));
}

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace kv::test
