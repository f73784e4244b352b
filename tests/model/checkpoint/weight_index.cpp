// model.safetensors.index.json as text.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/model/checkpoint/index.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string said_of_index(const std::string& text) {
    const auto result = parse_weight_index(text);
    const auto* no = std::get_if<FileRefusal>(&result);
    if (!no) FAIL("taken: " + text.substr(0, 200));
    CHECK(no->rule.find('\n') == std::string::npos);
    CHECK_FALSE(no->advice.empty());
    return no->rule;
}

std::string to_file(const std::string& file_json) {
    return R"({"weight_map":{"a.weight":)" + file_json + "}}";
}

std::string many(std::size_t tensors, bool each_its_file) {
    std::string text = R"({"weight_map":{)";
    for (std::size_t i = 0; i < tensors; ++i) {
        const std::string n = std::to_string(i);
        text += (i > 0 ? ",\"t" : "\"t") + n + "\":\"f" + (each_its_file ? n : "") + "\"";
    }
    return text + "}}";
}

bool is_taken(const std::string& text) {
    return std::holds_alternative<WeightIndex>(parse_weight_index(text));
}

}  // namespace

TEST_CASE("an index says which file holds which tensor", "[weight_index]") {
    const auto result = parse_weight_index(
        R"({"metadata":{"total_size":123,"other":[1]},"weight_map":{"b":"m-2.safetensors",)"
        R"("a":"m-1.safetensors","c":"m-2.safetensors"}})");
    const auto& index = std::get<WeightIndex>(result);
    CHECK(index.files == std::vector<std::string>{"m-1.safetensors", "m-2.safetensors"});
    CHECK(index.file_of == std::map<std::string, std::string>{{"a", "m-1.safetensors"},
                                                              {"b", "m-2.safetensors"},
                                                              {"c", "m-2.safetensors"}});
}

TEST_CASE("an index leads to plain files of its own folder only", "[weight_index]") {
    CHECK(is_taken(to_file(R"("a..b c.safetensors")")));
    for (const char* file : {"\"/etc/passwd\"", "\"sub/x.safetensors\"", "\"../x.safetensors\"",
                             "\"x/\"", "\"..\\\\x\""}) {
        CHECK_THAT(said_of_index(to_file(file)), ContainsSubstring("puts \"a.weight\" into") &&
                                                     ContainsSubstring("it has a slash"));
    }
    CHECK_THAT(said_of_index(to_file("\"..\"")),
               ContainsSubstring("\"..\", which is no plain file name"));
    CHECK_THAT(said_of_index(to_file("\".\"")), ContainsSubstring("it is a folder"));
    CHECK_THAT(said_of_index(to_file("\"\"")), ContainsSubstring("it is empty"));
    CHECK_THAT(said_of_index(to_file("\"x\\u0000y\"")), ContainsSubstring("NUL"));
    CHECK_THAT(said_of_index(to_file("\"" + std::string(256, 'x') + "\"")),
               ContainsSubstring("too long"));
    CHECK_THAT(said_of_index(to_file("3")), ContainsSubstring("names no file for \"a.weight\""));
    CHECK_THAT(said_of_index(to_file("[\"x\"]")), ContainsSubstring("names no file"));
}

TEST_CASE("an index without a usable weight_map is refused", "[weight_index]") {
    CHECK_THAT(said_of_index("{}"), ContainsSubstring("weight_map is missing"));
    CHECK_THAT(said_of_index("[]"), ContainsSubstring("weight_map is missing"));
    CHECK_THAT(said_of_index(R"({"weight_map":[]})"),
               ContainsSubstring("weight_map is not an object"));
    CHECK_THAT(said_of_index(R"({"weight_map":{}})"), ContainsSubstring("weight_map is empty"));
    CHECK_THAT(said_of_index(R"({"weight_map":{"a":"x","a":"y"}})"),
               ContainsSubstring("names the key \"a\" twice"));
    CHECK_THAT(said_of_index("{"), ContainsSubstring("is not JSON"));
    CHECK_THAT(said_of_index(std::string(10'000, '[')), ContainsSubstring("nested deeper"));
    CHECK_THAT(said_of_index(R"({"weight_map":{"":"x"}})"),
               ContainsSubstring("a tensor of 0 bytes"));
    CHECK_THAT(said_of_index(R"({"weight_map":{")" + std::string(257, 'n') + R"(":"x"}})"),
               ContainsSubstring("a tensor of 257 bytes"));
}

TEST_CASE("an index is bounded in tensors and files", "[weight_index]") {
    CHECK(is_taken(many(4096, false)));
    CHECK_THAT(said_of_index(many(4097, false)),
               ContainsSubstring("4,097 tensors, and the limit is 4,096"));
    CHECK(is_taken(many(256, true)));
    CHECK_THAT(said_of_index(many(257, true)),
               ContainsSubstring("257 files, and the limit is 256"));
}
