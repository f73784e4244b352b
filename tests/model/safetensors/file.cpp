// A safetensors file on disk: opening, finding, reading in pieces, and every kind of wrong path.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/model/safetensors/safetensors.hpp"
#include "tests/model/safetensors/writer.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

namespace {

SafetensorsFile opened(const std::string& path) {
    auto result = SafetensorsFile::open(path);
    if (const auto* no = std::get_if<SafetensorsRefusal>(&result)) FAIL(sentence_of(path, *no));
    return std::get<SafetensorsFile>(std::move(result));
}

// The sentence for a file that is refused.
std::string said_of_file(const std::string& path) {
    const auto result = SafetensorsFile::open(path);
    const auto* no = std::get_if<SafetensorsRefusal>(&result);
    if (!no) FAIL("taken: " + path);
    std::string sentence = sentence_of(path, *no);
    CHECK(sentence.back() == '.');
    CHECK(sentence.find('\n') == std::string::npos);
    return sentence;
}

std::string said_of_bytes(const std::string& bytes) {
    const ScratchFolder scratch;
    scratch.write("x.safetensors", bytes);
    return said_of_file(scratch.file("x.safetensors"));
}

}  // namespace

TEST_CASE("a file's tensors are found by name and read in pieces", "[safetensors]") {
    const ScratchFolder scratch;
    const std::string path =
        scratch.write("two words \"q\" \xc3\xa4\n.safetensors",
                      safetensors_bytes({{"z", "F32", {3}, f32_bytes({1, 2, 3})},
                                         {"a", "BF16", {1, 2}, codes_bytes({0x3F80, 0xC000})}}));
    const SafetensorsFile file = opened(path);
    REQUIRE(file.tensors().size() == 2);
    CHECK(file.path() == path);
    CHECK(file.tensors()[0].name == "z");
    CHECK(file.find("b") == nullptr);
    CHECK(file.find("") == nullptr);
    CHECK(file.find("zz") == nullptr);
    const TensorInfo* z = file.find("z");
    REQUIRE(z);

    std::array<float, 3> whole{};
    CHECK_FALSE(file.read(*z, 0, whole.data(), 12));
    CHECK(whole == std::array<float, 3>{1, 2, 3});
    std::array<float, 2> tail{};
    CHECK_FALSE(file.read(*z, 4, tail.data(), 8));
    CHECK(tail == std::array<float, 2>{2, 3});
    std::array<std::uint16_t, 2> codes{};
    CHECK_FALSE(file.read(*file.find("a"), 0, codes.data(), 4));
    CHECK(codes == std::array<std::uint16_t, 2>{0x3F80, 0xC000});
}

TEST_CASE("reading outside a tensor is a mistake of ours", "[safetensors]") {
    const ScratchFolder scratch;
    scratch.write("x", safetensors_bytes({{"a", "F32", {2}, f32_bytes({1, 2})},
                                          {"b", "F32", {2}, f32_bytes({3, 4})}}));
    const SafetensorsFile file = opened(scratch.file("x"));
    std::array<float, 4> out{};
    const TensorInfo& a = *file.find("a");
    CHECK_THROWS_AS(file.read(a, 0, out.data(), 9), BrokenAssert);
    CHECK_THROWS_AS(file.read(a, 8, out.data(), 1), BrokenAssert);
    CHECK_THROWS_AS(file.read(a, ~u64{0}, out.data(), 2), BrokenAssert);
    CHECK_FALSE(file.read(a, 8, out.data(), 0));
}

TEST_CASE("a header whose length is not a multiple of eight is fine", "[safetensors]") {
    const ScratchFolder scratch;
    const std::string header = "{\"a\":" + tensor_json("F32", "[1]", "[0,4]") + "}";
    REQUIRE(header.size() % 8 != 0);
    scratch.write("x", with_header(header, f32_bytes({7})));
    const SafetensorsFile file = opened(scratch.file("x"));
    float seven = 0;
    CHECK_FALSE(file.read(file.tensors()[0], 0, &seven, 4));
    CHECK(seven == 7);
}

TEST_CASE("broken files are refused with rule, place and advice", "[safetensors]") {
    CHECK_THAT(said_of_bytes(""), ContainsSubstring("has 0 bytes") &&
                                      ContainsSubstring("(HeaderTooSmall") &&
                                      ContainsSubstring("; copy the file again."));
    CHECK_THAT(said_of_bytes(std::string("\x02\0\0", 3)), ContainsSubstring("(HeaderTooSmall"));
    CHECK_THAT(said_of_bytes(length_bytes(0)), ContainsSubstring("(InvalidHeaderStart"));
    CHECK_THAT(said_of_bytes(length_bytes(~u64{0}) + "{}"), ContainsSubstring("(HeaderTooLarge"));
    CHECK_THAT(said_of_bytes(length_bytes(u64{1} << 63U)), ContainsSubstring("(HeaderTooLarge"));
    CHECK_THAT(said_of_bytes(length_bytes(3) + "{}"), ContainsSubstring("(InvalidHeaderLength"));
    CHECK_THAT(said_of_bytes(with_header("[]")), ContainsSubstring("(InvalidHeaderStart"));
    CHECK_THAT(said_of_bytes(with_header("null")), ContainsSubstring("(InvalidHeaderStart"));
    CHECK_THAT(said_of_bytes(with_header("{\"\xc3")), ContainsSubstring("(InvalidHeader, near"));

    const std::string good = safetensors_bytes({{"a", "F32", {2}, f32_bytes({1, 2})}});
    CHECK_THAT(said_of_bytes(good + "x"), ContainsSubstring("(MetadataIncompleteBuffer)") &&
                                              ContainsSubstring("something was added"));
    CHECK_THAT(said_of_bytes(good + good), ContainsSubstring("(MetadataIncompleteBuffer)"));
    CHECK_THAT(
        said_of_bytes(good.substr(0, good.size() - 1)),
        ContainsSubstring("8 bytes of data, and the file has 7") && ContainsSubstring("cut short"));
    // Wherever it is cut, it is never taken.
    for (std::size_t size = 0; size < good.size(); ++size) said_of_bytes(good.substr(0, size));
}

TEST_CASE("a refusal names the path, and a refusal about the file reads as one sentence",
          "[safetensors]") {
    const ScratchFolder scratch;
    const std::string path = scratch.write("x", with_header("{}", "junk"));
    CHECK_THAT(said_of_file(path), StartsWith(path + ": the header says that there are 0 bytes"));
    CHECK_THAT(said_of_file(scratch.file("gone")),
               StartsWith(scratch.file("gone") + " cannot be opened ("));
}

TEST_CASE("only regular files are opened", "[safetensors]") {
    const ScratchFolder scratch;
    CHECK_THAT(said_of_file(scratch.file("")), ContainsSubstring("is a folder"));
    CHECK_THAT(said_of_file("/dev/zero"), ContainsSubstring("is a device"));
    CHECK_THAT(said_of_file("/dev/full"), ContainsSubstring("is a device"));
    REQUIRE(mkfifo(scratch.file("pipe").c_str(), 0600) == 0);
    CHECK_THAT(said_of_file(scratch.file("pipe")), ContainsSubstring("is a pipe"));
    fs::create_symlink("loop", scratch.file("loop"));
    CHECK_THAT(said_of_file(scratch.file("loop")), ContainsSubstring("cannot be opened"));
    CHECK_THAT(said_of_file(std::string(4096, 'x')), ContainsSubstring("cannot be opened"));
    CHECK_THAT(said_of_file(""), ContainsSubstring("is not a file name"));
    CHECK_THAT(said_of_file(std::string("a\0b", 3)), ContainsSubstring("is not a file name"));
    CHECK_THAT(said_of_file(scratch.file("no\nsuch")), ContainsSubstring("no\\nsuch"));
}

TEST_CASE("a file that may not be read is refused", "[safetensors]") {
    if (::geteuid() == 0) SKIP("everything may be read by this account");
    const ScratchFolder scratch;
    scratch.write("x", safetensors_bytes({}));
    REQUIRE(::chmod(scratch.file("x").c_str(), 0) == 0);
    CHECK_THAT(said_of_file(scratch.file("x")), ContainsSubstring("cannot be opened"));
}

TEST_CASE("a link to a good file is followed", "[safetensors]") {
    const ScratchFolder scratch;
    scratch.write("x", safetensors_bytes({{"a", "F32", {1}, f32_bytes({1})}}));
    fs::create_symlink("x", scratch.file("link"));
    CHECK(opened(scratch.file("link")).tensors().size() == 1);
}

TEST_CASE("a file that is cut short after opening is an error and no signal", "[safetensors]") {
    const ScratchFolder scratch;
    const std::string path =
        scratch.write("x", safetensors_bytes({{"a", "F32", {2}, f32_bytes({1, 2})}}));
    const SafetensorsFile file = opened(path);
    fs::resize_file(path, fs::file_size(path) - 1);
    std::array<float, 2> out{};
    CHECK_FALSE(file.read(file.tensors()[0], 0, out.data(), 4));
    const auto no = file.read(file.tensors()[0], 0, out.data(), 8);
    REQUIRE(no);
    CHECK(no->tensor == "a");
    CHECK(sentence_of(path, *no) == path +
                                        " was cut short while it was read, at tensor \"a\"; "
                                        "try again.");
}

TEST_CASE("a file that is deleted after opening can still be read", "[safetensors]") {
    const ScratchFolder scratch;
    scratch.write("x", safetensors_bytes({{"a", "F32", {1}, f32_bytes({5})}}));
    SafetensorsFile file = opened(scratch.file("x"));
    fs::remove(scratch.file("x"));
    const SafetensorsFile moved = std::move(file);
    float five = 0;
    CHECK_FALSE(moved.read(moved.tensors()[0], 0, &five, 4));
    CHECK(five == 5);
}
