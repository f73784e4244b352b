// Codecs by name, and what each refuses to hold.
#include "core/base/numbers/codec.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

namespace {

Codec codec(std::string_view name) {
    std::string why;
    const auto codec = parse_codec(name, why);
    REQUIRE(codec);
    return *codec;
}

}  // namespace

TEST_CASE("every codec name reads back to itself", "[codec]") {
    const std::vector<std::string> names{"f32",         "bf16",        "fp16",        "fp8_e4m3",
                                         "fp8_e5m2",    "int8",        "int4",        "int3",
                                         "int2",        "int8:g32",    "int4:g16",    "int3:g8",
                                         "int2:g128",   "int8:tensor", "int4:tensor", "int3:tensor",
                                         "int2:tensor", "int4:kivi",   "int2:kivi"};
    for (const std::string& name : names) CHECK(codec_name(codec(name)) == name);
}

TEST_CASE("misspelt codecs are refused with the reason", "[codec]") {
    const auto refused = [](std::string_view name) {
        std::string why;
        const bool none = !parse_codec(name, why);
        return none && !why.empty();
    };
    for (const char* name : {"",
                             "bf",
                             "BF16",
                             "int9",
                             "int4:",
                             "int4:g",
                             "int4:g0",
                             "int4:g-1",
                             "int4:g1e1",
                             "int4:g032x",
                             "int4: g32",
                             "int8:kivi",
                             "int3:kivi",
                             "bf16:g32",
                             "f32:tensor",
                             "fp8_e4m3:tensor",
                             "int4:kivi:g32",
                             "int4:per_channel",
                             " int4",
                             "int4 "}) {
        CAPTURE(name);
        CHECK(refused(name));
    }
}

TEST_CASE("no name is the float64 of the tests' truth", "[codec]") {
    std::string why;
    CHECK_FALSE(parse_codec("f64", why));
    CHECK(codec_name(Codec::F64) == "f64");
    CHECK(Codec::F64.bits() == 64);
}

TEST_CASE("a constant is the codec of its name", "[codec]") {
    for (const Codec& each : {Codec::F32, Codec::Bf16, Codec::Fp16, Codec::Fp8E4m3, Codec::Fp8E5m2,
                              Codec::Int8, Codec::Int4, Codec::Int3, Codec::Int2})
        CHECK(codec(codec_name(each)) == each);
    CHECK(plain_codec_names(" ") == "f32 bf16 fp16 fp8_e4m3 fp8_e5m2 int8 int4 int3 int2");
}

TEST_CASE("groups must divide the vector", "[codec]") {
    CHECK(codec_objection(codec("int4:g33"), Side::K, 128));
    CHECK(codec_objection(codec("int4:g32"), Side::K, 48));
    CHECK_FALSE(codec_objection(codec("int4:g16"), Side::K, 48));
    CHECK(codec_objection(codec("int4:kivi"), Side::V, 48));
    CHECK_FALSE(codec_objection(codec("int4:kivi"), Side::V, 24));
    CHECK(codec_objection(codec("int2:kivi"), Side::K, 20));
    CHECK_FALSE(codec_objection(codec("bf16"), Side::K, 7));
}
