// The header of a safetensors file: what is accepted, and every rule that refuses.
#include "core/model/safetensors/header.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/model/safetensors/writer.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Fault = SafetensorsFault;

namespace {

std::vector<TensorInfo> taken(const std::string& header, u64 data_bytes) {
    auto result = parse_safetensors_header(header, data_bytes);
    if (const auto* no = std::get_if<SafetensorsRefusal>(&result)) FAIL(text_of(*no));
    return std::get<std::vector<TensorInfo>>(result);
}

SafetensorsRefusal refused(const std::string& header, u64 data_bytes) {
    auto result = parse_safetensors_header(header, data_bytes);
    auto* no = std::get_if<SafetensorsRefusal>(&result);
    if (!no) FAIL("taken: " + header);
    const std::string text = text_of(*no);
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.back() != '.');
    CHECK_THAT(text, ContainsSubstring(std::string(name_of(no->fault))));
    return *no;
}

void check_refused(const std::string& header, u64 data_bytes, Fault fault,
                   const std::string& part) {
    CAPTURE(header.substr(0, 200));
    const SafetensorsRefusal no = refused(header, data_bytes);
    CHECK(name_of(no.fault) == name_of(fault));
    CHECK_THAT(no.rule, ContainsSubstring(part));
}

// One tensor named "a".
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return "{\"a\":" + tensor_json(dtype, shape, offsets) + "}";
}

void check_tensor(const std::string& header, u64 data_bytes, Fault fault, const std::string& part) {
    check_refused(header, data_bytes, fault, part);
    const SafetensorsRefusal no = refused(header, data_bytes);
    CHECK(no.tensor == "a");
    CHECK_THAT(no.rule, ContainsSubstring("tensor \"a\""));
}

SafetensorsRefusal length_refused(const std::string& first, u64 file_bytes) {
    auto result = safetensors_header_length(first, file_bytes);
    auto* no = std::get_if<SafetensorsRefusal>(&result);
    if (!no) FAIL("taken");
    return *no;
}

void check_length(u64 length, u64 file_bytes, Fault fault, const std::string& part) {
    CAPTURE(length, file_bytes);
    const SafetensorsRefusal no = length_refused(length_bytes(length), file_bytes);
    CHECK(name_of(no.fault) == name_of(fault));
    CHECK_THAT(no.rule, ContainsSubstring(part));
}

std::string numbered(std::size_t count) {
    std::string header = "{";
    for (std::size_t i = 0; i < count; ++i) {
        header += (i > 0 ? ",\"t" : "\"t") + std::to_string(i) +
                  R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    }
    return header + "}";
}

}  // namespace

TEST_CASE("a header's tensors come out as they lie in the data", "[safetensors]") {
    // Written in another order than that of the data.
    const std::string header = R"({"b":)" + tensor_json("BF16", "[2,3]", "[8,20]") +
                               R"(,"__metadata__":{"format":"pt","x":""},"c":)" +
                               tensor_json("F16", "[1,1,1,1]", "[20,22]") + R"(,"a":)" +
                               tensor_json("F32", "[2]", "[0,8]") + "}   ";
    const auto tensors = taken(header, 22);
    REQUIRE(tensors.size() == 3);
    CHECK(tensors[0].name == "a");
    CHECK(tensors[0].type == TensorType::F32);
    CHECK(tensors[0].shape == std::vector<u64>{2});
    CHECK(tensors[1].name == "b");
    CHECK(tensors[1].type == TensorType::Bf16);
    CHECK(tensors[1].shape == std::vector<u64>{2, 3});
    CHECK(tensors[1].begin == 8);
    CHECK(tensors[1].end == 20);
    CHECK(tensors[1].bytes() == 12);
    CHECK(tensors[2].name == "c");
    CHECK(tensors[2].type == TensorType::F16);
}

TEST_CASE("rank 0, size 0 and no tensor at all are legal", "[safetensors]") {
    CHECK(taken("{}", 0).empty());
    CHECK(taken(R"({"__metadata__":{}})", 0).empty());
    CHECK(taken(one("F32", "[]", "[0,4]"), 4)[0].shape.empty());
    CHECK(taken(one("F32", "[0]", "[0,0]"), 0)[0].bytes() == 0);
    CHECK(taken(one("F32", "[9223372036854775808,4,0]", "[0,0]"), 0)[0].bytes() == 0);
    // Empty ranges share the place of their neighbour, before it and behind it.
    const std::string shared = R"({"a":)" + tensor_json("F32", "[1]", "[0,4]") + R"(,"b":)" +
                               tensor_json("F32", "[0]", "[0,0]") + R"(,"c":)" +
                               tensor_json("F32", "[0,7]", "[4,4]") + "}";
    const auto tensors = taken(shared, 4);
    CHECK(tensors[0].name == "b");
    CHECK(tensors[1].name == "a");
    CHECK(tensors[2].name == "c");
}

TEST_CASE("the header's length is checked before a byte of it is read", "[safetensors]") {
    CHECK(std::get<u64>(safetensors_header_length(length_bytes(2), 10)) == 2);
    CHECK(std::get<u64>(safetensors_header_length(length_bytes(2) + "{}", 1000)) == 2);
    CHECK(std::get<u64>(safetensors_header_length(length_bytes(0x10203), 0x10300)) == 0x10203);
    CHECK(std::get<u64>(safetensors_header_length(length_bytes(1U << 20U), 1U << 21U)) ==
          1U << 20U);

    for (const u64 size : {0U, 1U, 7U}) {
        const auto no = length_refused(std::string(size, '{'), size);
        CHECK(name_of(no.fault) == "HeaderTooSmall");
        CHECK_THAT(no.rule, ContainsSubstring("has " + std::to_string(size) + " bytes"));
    }
    check_length(~u64{0}, 1000, Fault::HeaderTooLarge, "18,446,744,073,709,551,615");
    check_length(u64{1} << 63U, 1000, Fault::HeaderTooLarge, "the format allows 100,000,000");
    check_length(100'000'001, 200'000'000, Fault::HeaderTooLarge, "the format allows 100,000,000");
    check_length(100'000'000, 200'000'000, Fault::HeaderTooLarge, "the limit is 1,048,576");
    check_length((1U << 20U) + 1, 1U << 21U, Fault::HeaderTooLarge, "the limit is 1,048,576");
    check_length(3, 10, Fault::InvalidHeaderLength, "is 3 bytes, and the file has only 2 after it");
    check_length(1, 8, Fault::InvalidHeaderLength, "only 0 after it");
}

TEST_CASE("a header starts with a brace and holds one JSON object", "[safetensors]") {
    for (const char* text : {"", "[]", "null", " {}", "\n{}", "\xef\xbb\xbf{}", "x"}) {
        check_refused(text, 0, Fault::InvalidHeaderStart, "does not start with {");
        CHECK(*refused(text, 0).offset == 8);
    }
    for (const char* text : {"{", "{}{}", "{} x", "{\"a\"}", "{'a':1}", "{\"a\":1,}", "{//\n}"}) {
        check_refused(text, 0, Fault::InvalidHeader, "is not JSON");
    }
    check_refused(std::string("{}\0", 3), 0, Fault::InvalidHeader, "NUL");
    // Not UTF-8, and cut in the middle of a letter.
    check_refused("{\"\xff\":1}", 0, Fault::InvalidHeader, "is not JSON");
    check_refused("{\"\xc3", 0, Fault::InvalidHeader, "is not JSON");
    check_refused("{\"\xc3\"}", 0, Fault::InvalidHeader, "is not JSON");
    check_refused("{\"\xed\xa0\x80\":1}", 0, Fault::InvalidHeader, "is not JSON");
}

TEST_CASE("a refusal of the header's text says at which byte of the file", "[safetensors]") {
    // The sixth byte of the header is the fourteenth of the file.
    CHECK(*refused("{\"a\":x}", 0).offset == 8 + 6);
    CHECK_THAT(text_of(refused("{\"a\":x}", 0)),
               ContainsSubstring("(InvalidHeader, near byte 14)"));
}

TEST_CASE("nested brackets and keys given twice are refused", "[safetensors]") {
    check_refused("{\"a\":" + std::string(10'000, '['), 0, Fault::InvalidHeader, "nested deeper");
    std::string deep;
    for (int i = 0; i < 10'000; ++i) deep += "{\"a\":";
    check_refused(deep, 0, Fault::InvalidHeader, "nested deeper");
    const std::string tensor = tensor_json("F32", "[1]", "[0,4]");
    check_refused("{\"a\":" + tensor + ",\"a\":" + tensor + "}", 4, Fault::InvalidHeader,
                  "names the key \"a\" twice");
    check_refused(R"({"a":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}})", 4,
                  Fault::InvalidHeader, "names the key \"shape\" twice");
}

TEST_CASE("metadata is text to text", "[safetensors]") {
    for (const char* value : {"1", "null", "[]", "{}", "true"}) {
        check_refused(R"({"__metadata__":{"format":)" + std::string(value) + "}}", 0,
                      Fault::InvalidMetadata, "__metadata__ holds \"format\", which is not a text");
    }
    for (const char* value : {"1", "null", "[]", "\"pt\""}) {
        check_refused(R"({"__metadata__":)" + std::string(value) + "}", 0, Fault::InvalidMetadata,
                      "__metadata__ is not an object");
    }
}

TEST_CASE("types that are not read are told from types that do not exist", "[safetensors]") {
    for (const char* type : {"F64", "I64", "I32", "I16", "I8", "U8", "U16", "U32", "U64", "BOOL",
                             "F8_E4M3", "F8_E5M2", "F8_E8M0", "F6_E2M3", "F6_E3M2", "F4", "C64"}) {
        CAPTURE(type);
        check_tensor(one(type, "[1]", "[0,8]"), 8, Fault::UnsupportedDtype,
                     "has dtype \"" + std::string(type) + "\", which this program does not read");
    }
    for (const char* type : {"", "f32", "F33", "FLOAT", "F32 ", "BF16\\u0000"}) {
        CAPTURE(type);
        check_tensor(one(type, "[1]", "[0,4]"), 4, Fault::UnknownDtype, "no type of the format");
    }
    check_tensor(R"({"a":{"dtype":3,"shape":[1],"data_offsets":[0,4]}})", 4, Fault::UnknownDtype,
                 "has dtype 3");
}

TEST_CASE("a tensor has its three fields and no other", "[safetensors]") {
    check_tensor(R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, Fault::TensorInvalidInfo,
                 "has no dtype");
    check_tensor(R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, Fault::TensorInvalidInfo,
                 "has no shape");
    check_tensor(R"({"a":{"dtype":"F32","shape":[1]}})", 4, Fault::TensorInvalidInfo,
                 "has no data_offsets");
    check_tensor(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"scale":2}})", 4,
                 Fault::TensorInvalidInfo, "has a field \"scale\"");
    for (const char* value : {"1", "null", "[]", "\"F32\""}) {
        check_tensor("{\"a\":" + std::string(value) + "}", 4, Fault::TensorInvalidInfo,
                     "is not described by an object");
    }
}

TEST_CASE("a shape is a short list of whole numbers", "[safetensors]") {
    for (const char* shape : {"[-1]", "[1.5]", "[1.0]", "[1e0]", "[\"1\"]", "[null]", "[[1]]", "1",
                              "{}", "null", "[18446744073709551616]", "[-0]"}) {
        check_tensor(one("F32", shape, "[0,4]"), 4, Fault::InvalidShape,
                     "which is not a list of whole numbers");
    }
    check_tensor(one("F32", "[1,1,1,1,1]", "[0,4]"), 4, Fault::InvalidShape,
                 "has 5 dimensions, and the limit is 4");
}

TEST_CASE("a shape's bytes are those of its range, counted without overflow", "[safetensors]") {
    for (const char* shape : {"[9223372036854775808,2]", "[4294967296,4294967296]",
                              "[18446744073709551615]", "[4611686018427387904]"}) {
        check_tensor(one("F32", shape, "[0,4]"), 4, Fault::ValidationOverflow,
                     "whose bytes do not fit 64 bits");
    }
    check_tensor(one("F32", "[2]", "[0,4]"), 4, Fault::TensorInvalidInfo,
                 "has shape [2] and dtype F32, 8 bytes, and its range has 4");
    check_tensor(one("BF16", "[2,3]", "[0,24]"), 24, Fault::TensorInvalidInfo,
                 "12 bytes, and its range has 24");
    check_tensor(one("F16", "[0]", "[0,2]"), 2, Fault::TensorInvalidInfo, "0 bytes, and its range");
    check_tensor(one("F32", "[]", "[0,0]"), 0, Fault::TensorInvalidInfo, "4 bytes, and its range");
}

TEST_CASE("a range is two whole numbers in order", "[safetensors]") {
    for (const char* offsets : {"[0]", "[0,4,8]", "[]", "[-4,0]", "[0,4.0]", "[0,\"4\"]", "4",
                                "null", "{\"0\":4}", "[0,18446744073709551620]"}) {
        check_tensor(one("F32", "[1]", offsets), 4, Fault::TensorInvalidInfo,
                     "which are not two whole numbers");
    }
    check_tensor(one("F32", "[1]", "[4,0]"), 4, Fault::InvalidOffset,
                 "starts at byte 4 of the data and ends before, at 0");
}

TEST_CASE("ranges cover the data without overlap or hole", "[safetensors]") {
    const auto two = [](const std::string& first, const std::string& second) {
        return R"({"a":)" + tensor_json("F32", "[2]", first) + R"(,"b":)" +
               tensor_json("F32", "[2]", second) + "}";
    };
    CHECK(taken(two("[0,8]", "[8,16]"), 16).size() == 2);
    CHECK(taken(two("[8,16]", "[0,8]"), 16)[0].name == "b");
    check_refused(two("[0,8]", "[4,12]"), 12, Fault::InvalidOffset,
                  "tensor \"b\" starts at byte 4 of the data, and the tensors before it end at 8");
    check_refused(two("[0,8]", "[0,8]"), 8, Fault::InvalidOffset, "tensor \"b\" starts at byte 0");
    check_refused(two("[0,8]", "[12,20]"), 20, Fault::InvalidOffset,
                  "tensor \"b\" starts at byte 12 of the data, and the tensors before it end at 8");
    check_refused(one("F32", "[1]", "[4,8]"), 8, Fault::InvalidOffset, "end at 0");
    CHECK(refused(two("[0,8]", "[4,12]"), 12).tensor == "b");
}

TEST_CASE("the last range ends where the file does", "[safetensors]") {
    check_refused(one("F32", "[2]", "[0,8]"), 7, Fault::MetadataIncompleteBuffer,
                  "there are 8 bytes of data, and the file has 7");
    CHECK_THAT(refused(one("F32", "[2]", "[0,8]"), 7).advice, ContainsSubstring("cut short"));
    check_refused(one("F32", "[2]", "[0,8]"), 9, Fault::MetadataIncompleteBuffer,
                  "there are 8 bytes of data, and the file has 9");
    CHECK_THAT(refused(one("F32", "[2]", "[0,8]"), 9).advice, ContainsSubstring("was added"));
    check_refused("{}", 1, Fault::MetadataIncompleteBuffer, "there are 0 bytes of data");
    check_refused(one("F32", "[4611686018427387903]", "[0,18446744073709551612]"), 4,
                  Fault::MetadataIncompleteBuffer, "18,446,744,073,709,551,612 bytes of data");
}

TEST_CASE("names and tensors are bounded in number", "[safetensors]") {
    const std::string tensor = tensor_json("F32", "[0]", "[0,0]");
    CHECK(taken("{\"" + std::string(256, 'n') + "\":" + tensor + "}", 0).size() == 1);
    check_refused("{\"" + std::string(257, 'n') + "\":" + tensor + "}", 0, Fault::InvalidName,
                  "has a name of 257 bytes, and the limit is 256");
    check_refused("{\"\":" + tensor + "}", 0, Fault::InvalidName, "has an empty name");
    CHECK(taken(numbered(4096), 0).size() == 4096);
    check_refused(numbered(4097), 0, Fault::TooManyTensors, "more than 4,096 tensors");
}

TEST_CASE("a name from the file cannot break the line of a message", "[safetensors]") {
    const SafetensorsRefusal no = refused(R"({"a\nb":1})", 0);
    CHECK(no.tensor == "a\nb");
    CHECK_THAT(no.rule, ContainsSubstring("tensor \"a\\nb\""));
}
