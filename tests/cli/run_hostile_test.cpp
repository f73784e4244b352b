// `kvarium run` against paths, values and moments that it did not ask for: one sentence, the
// documented exit code, and soon.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> line_for(const std::string& model,
                                  const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run",   "--model",   model, "--prompt-tokens",
                                   "3,9,2", "--max-new", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// A model whose every product leaves the range of a float.
void write_huge_model(const fs::path& folder) {
    fs::copy(kModel, folder, fs::copy_options::recursive);
    const fs::path path = folder / "model.safetensors";
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    std::uint64_t header = 0;
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    const std::uint64_t numbers = (fs::file_size(path) - 8 - header) / sizeof(float);
    const std::vector<float> values(static_cast<std::size_t>(numbers), 1e18F);
    file.seekp(static_cast<std::streamoff>(8 + header));
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(numbers * sizeof(float)));
}

}  // namespace

TEST_CASE("a path that leads nowhere is refused by its name", "[run]") {
    const ScratchFolder scratch;
    const std::string loop = scratch.file("loop");
    fs::create_symlink(loop, loop);
    check_refused(line_for(""), 2, "--model has an empty value");
    check_refused(line_for(loop), 1, "Too many levels of symbolic links");
    check_refused(line_for(std::string(300, 'a')), 1, "File name too long");
    check_refused(line_for("/" + std::string(4095, 'a')), 1, "File name too long");
    check_refused(line_for("/dev/zero"), 1, "Not a directory");
    check_refused(line_for(kModel + "/config.json"), 1, "Not a directory");
    check_refused(line_for("no\nsuch \"\x1b[31m\""), 1, "no\\nsuch");
}

TEST_CASE("what stands where a file of the model belongs is told apart", "[run]") {
    for (const std::string name : {"config.json", "model.safetensors", "tokenizer.json"}) {
        const ScratchFolder scratch;
        const fs::path folder = scratch.file("model"), file = folder / name;
        fs::copy(kModel, folder, fs::copy_options::recursive);
        const auto refuse = [&](const std::string& part) {
            check_refused(line_for(folder.string()), 1, part);
            check_refused(line_for(folder.string()), 1, name);
            fs::remove(file);
        };
        fs::remove(file);
        fs::create_directory(file);
        refuse("is a folder");
        fs::create_symlink("/dev/zero", file);
        refuse("is a device");
        fs::create_symlink(file, file);
        refuse("cannot be opened (Too many levels of symbolic links)");
        fs::create_symlink(folder / "gone", file);
        refuse("cannot be opened (No such file or directory)");
        REQUIRE(run_shell("mkfifo '" + file.string() + "'").code == 0);
        refuse("is a pipe");
    }
}

TEST_CASE("a folder may have any name", "[run]") {
    const std::string said = run_cli(line_for(kModel)).out;
    CHECK(count_lines(said) == 1);
    for (const std::string name : {"two words", "a'\"b", "new\nline", "日本é", "%n%s", "-x"}) {
        const ScratchFolder scratch;
        fs::copy(kModel, scratch.file(name), fs::copy_options::recursive);
        const Ran ran = run_cli(line_for(scratch.file(name)));
        CAPTURE(name, ran.err);
        CHECK(ran.code == 0);
        CHECK(ran.out == said);
    }
}

TEST_CASE("numbers are plain and in range", "[run]") {
    for (const std::string text : {"0", "-1", "2147483648", "1e9", "0x10", "", " 16", "16 ", "1.5"})
        check_refused(line_for(kModel, {"--block-size", text}), 2, "--block-size");
    for (const std::string text : {"0", "1B", "999TiB", "-1", "", "99999999999999999999B", "nan"})
        check_refused(line_for(kModel, {"--pool", text}), 2, "--pool");
    for (const std::string text : {"-1", "18446744073709551616"})
        check_refused(line_for(kModel, {"--seed", text}), 2, "--seed");
    for (const std::string text : {"nan", "inf", "1e999", "0,5"})
        check_refused(line_for(kModel, {"--temperature", text}), 2, "--temperature");
    check_refused(line_for(kModel, {"--max-new", "3"}), 2, "--max-new stands 2 times");
    check_refused({"run", "--model", kModel, "--prompt-tokens", "3", "--max-new", "2147483648"}, 2,
                  "--max-new");
    check_refused({"run", "--model", kModel, "--prompt-tokens"}, 2, "needs a value");
    CHECK(run_cli(line_for(kModel, {"--seed", "18446744073709551615"})).code == 0);
}

TEST_CASE("a locale with a decimal comma changes nothing", "[run]") {
    const auto words = line_for(kModel, {"--temperature", "0.5", "--json", "--no-times"});
    const Ran here = run_cli(words), there = run_cli(words, {{"LC_ALL", "de_DE.UTF-8"}});
    CHECK(there.code == 0);
    CHECK(here.out == there.out);
}

TEST_CASE("an output that takes nothing is an error of one sentence", "[run]") {
    const std::string run = "\"$KV\" run --model '" + kModel + "' --prompt-tokens 3 ";
    const Ran full = run_shell(run + ">/dev/full");
    CHECK(full.code == 1);
    CHECK(count_lines(full.err) == 1);
    const Ran closed =
        run_shell("set -o pipefail; " + run + "--logits --json --max-new 200 | head -c 1");
    CHECK(closed.code <= 1);
    CHECK(count_lines(closed.err) <= 1);
}

TEST_CASE("Ctrl+C ends a run with 130 and leaves nothing behind", "[run]") {
    const ScratchFolder scratch;
    const std::string model = scratch.file("model"), out = scratch.file("out.json");
    fs::copy(kModel, model, fs::copy_options::recursive);
    // Without an end token there is something to interrupt.
    REQUIRE(run_shell("sed -i 's/\"eos_token_id\": 1/\"eos_token_id\": null/' '" + model +
                      "/config.json'")
                .code == 0);
    std::string run = "\"$KV\" run --model '" + model;
    run += "' --prompt-tokens 3 --max-new 1000000 --backend reference --quiet --json --out '" + out;
    run += "' & sleep 1; ";
    for (const std::string signal : {"INT", "TERM"}) {
        std::string line = run;
        line.append("kill -").append(signal).append(" $!; wait $!");
        const Ran ran = run_shell(line);
        CAPTURE(signal, ran.err);
        CHECK(ran.code == 130);
        CHECK(ran.err.empty());
        CHECK_FALSE(fs::exists(out));
    }
}

TEST_CASE("weights that leave the range of a float are refused, not sampled from", "[run]") {
    const ScratchFolder scratch;
    write_huge_model(scratch.file("model"));
    for (const std::string backend : {"reference", "cpu"})
        check_refused(line_for(scratch.file("model"), {"--backend", backend}), 1,
                      "the logits of step 1 are not finite");
}
