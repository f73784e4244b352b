// Reading bounded files and strict JSON, and showing foreign text on one line.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/config.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

std::string rule(const std::string& path, u64 limit = 1000) {
    const auto result = read_bounded_file(path, limit);
    const auto* no = std::get_if<FileRefusal>(&result);
    return no ? no->rule : "";
}

}  // namespace

TEST_CASE("a regular file is read whole, up to the limit", "[files]") {
    const ScratchFolder scratch;
    const std::string data = std::string("x\0y", 3) + std::string(997, 'z');
    const std::string path = scratch.write("a b \"c\" \xc3\xa4.json", data);
    CHECK(std::get<std::string>(read_bounded_file(path, 1000)) == data);
    CHECK_THAT(rule(path, 999), ContainsSubstring("1,000 bytes, and the limit is 999"));
    scratch.write("empty", "");
    CHECK(std::get<std::string>(read_bounded_file(scratch.file("empty"), 1000)).empty());
}

TEST_CASE("what is not a regular file is refused unread", "[files]") {
    const ScratchFolder scratch;
    CHECK(rule(scratch.file("")) == "is a folder");
    CHECK(rule("/dev/zero") == "is a device");
    const std::string pipe = scratch.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(rule(pipe) == "is a pipe");
    CHECK_THAT(rule(scratch.file("missing")), ContainsSubstring("cannot be opened"));
    fs::create_symlink("loop", scratch.file("loop"));
    CHECK_THAT(rule(scratch.file("loop")), ContainsSubstring("cannot be opened"));
    CHECK(rule("") == "is not a file name");
    CHECK_THAT(rule(std::string(5000, 'x')), ContainsSubstring("cannot be opened"));
}

TEST_CASE("a config that cannot be used is a failure of the world that names its path", "[files]") {
    const ScratchFolder scratch;
    const auto said = [](const std::string& path) -> std::string {
        try {
            read_model_config(path);
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::World);
            return error.what();
        }
        return "";
    };
    CHECK_THAT(said(scratch.file("missing.json")),
               ContainsSubstring("missing.json cannot be opened"));
    const std::string path = scratch.write("config.json", R"({"model_type":"gpt2"})");
    CHECK_THAT(said(path), ContainsSubstring(path + ": model_type is \"gpt2\""));
    scratch.write("config.json", "{");
    CHECK_THAT(said(path), ContainsSubstring("is not JSON"));
    scratch.write("config.json", std::string((1U << 20U) + 1, ' '));
    CHECK_THAT(said(path), ContainsSubstring("limit is 1,048,576"));
    CHECK_THAT(said("/dev/zero"), ContainsSubstring("/dev/zero is a device"));
    const std::string odd = scratch.write("line\nbreak.json", "[]");
    CHECK(said(odd).find('\n') == std::string::npos);
}

TEST_CASE("strict JSON builds what it reads", "[json]") {
    const auto parsed = parse_strict_json(R"( {"a":[1,-2,2.5,"x",true,null,{"b":[]}],"c":{}} )", 8);
    const auto& json = std::get<nlohmann::json>(parsed);
    CHECK(json == nlohmann::json::parse(R"({"a":[1,-2,2.5,"x",true,null,{"b":[]}],"c":{}})"));
    CHECK(std::get<nlohmann::json>(parse_strict_json("7", 1)) == 7);
}

TEST_CASE("depth is counted in open brackets", "[json]") {
    const auto deep = [](std::size_t levels, u64 limit) {
        const auto r =
            parse_strict_json(std::string(levels, '[') + std::string(levels, ']'), limit);
        return std::holds_alternative<nlohmann::json>(r);
    };
    CHECK(deep(8, 8));
    CHECK_FALSE(deep(9, 8));
    CHECK_FALSE(deep(1, 0));
}

TEST_CASE("a refusal says where", "[json]") {
    const auto result = parse_strict_json(R"({"a":1,"a":2})", 8);
    const auto* no = std::get_if<JsonRefusal>(&result);
    REQUIRE(no);
    CHECK(no->offset >= 9);
    CHECK(no->offset <= 11);
    CHECK(std::get<JsonRefusal>(parse_strict_json("{\"a\":x}", 8)).offset == 6);
}

TEST_CASE("a NUL byte does not end the text early", "[json]") {
    for (const std::string& text : {std::string("{}\0", 3), std::string("{}\0{}", 5),
                                    std::string("{\"a\0\":1}", 8), std::string("\0", 1)}) {
        const auto result = parse_strict_json(text, 8);
        const auto* no = std::get_if<JsonRefusal>(&result);
        REQUIRE(no);
        CHECK(no->offset == text.find('\0'));
        CHECK_THAT(no->rule, ContainsSubstring("NUL"));
    }
}

TEST_CASE("keys may repeat in different objects", "[json]") {
    CHECK(std::holds_alternative<nlohmann::json>(
        parse_strict_json(R"({"a":{"a":1},"b":{"a":1}})", 8)));
}

TEST_CASE("foreign text is shown on one line", "[shown]") {
    CHECK(shown("plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80") ==
          "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(shown("a\nb\tc\x7f") == "a\\nb\\x09c\\x7f");
    CHECK(shown("\xff\xc3") == "\\xff\\xc3");
    CHECK(shown(std::string("a\0b", 3)) == "a\\x00b");
    CHECK(shown("\xc0\xaf") == "\\xc0\\xaf");  // an over-long form
    CHECK(shown(std::string(160, 'x')) == std::string(160, 'x'));
    CHECK(shown(std::string(161, 'x')) == std::string(160, 'x') + "...");
    CHECK(shown("").empty());
}
