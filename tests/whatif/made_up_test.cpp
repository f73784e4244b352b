// Recordings that are made up by their name.
#include "core/whatif/record/made_up.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "core/whatif/record/read.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string refusal_of(const std::string& name) {
    try {
        made_up_service(name);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::Usage);
        return error.what();
    }
    return "";
}

std::string lines_of(const std::string& name) {
    std::string all;
    CHECK(make_up(name, {}, [&](std::string_view line) { all.append(line).append("\n"); }));
    return all;
}

}  // namespace

TEST_CASE("a name says how the service is, and the rest is as usual", "[service]") {
    const ServiceRules rules =
        made_up_service("service:pool=1200,seed=3,seconds=600,rate=0.5,block=32,tokens");
    CHECK(rules.pool_blocks == 1200);
    CHECK(rules.seed == 3);
    CHECK(rules.seconds == 600);
    CHECK(rules.requests_per_second == 0.5);
    CHECK(rules.block_size == 32);
    CHECK(rules.with_tokens);
    CHECK(made_up_service("service:pool=1200").seed == ServiceRules().seed);
    CHECK(made_up_service("service:pool=1200").seconds == 3600);
}

TEST_CASE("a name is the lines that its rules make, the same each time", "[service]") {
    std::string made;
    record_service({.seed = 3, .seconds = 120, .pool_blocks = 500},
                   [&](const std::string& line) { made += line + "\n"; });
    CHECK(lines_of("service:pool=500,seed=3,seconds=120") == made);
    CHECK(lines_of("service:pool=500,seed=4,seconds=120") != made);
}

TEST_CASE("the hour of the lesson is these bytes on every machine", "[service]") {
    // FNV-1a over the lines: another processor or compiler that makes other lines is seen here.
    std::uint64_t hash = 0xcbf29ce484222325ULL, lines = 0;
    make_up("service:pool=1200", {}, [&](std::string_view line) {
        for (const char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        ++lines;
    });
    CHECK(lines == 10641);
    CHECK(hash == 0xfcfbd20fc84f71c6ULL);
}

TEST_CASE("a name is read where a file would be, and stops where it is told to", "[service]") {
    const auto recording = read_recording("service:pool=500,seconds=300");
    REQUIRE(recording);
    CHECK(recording->n_asks() > 50);
    CHECK(recording->server.pool_blocks == 500);
    CHECK_FALSE(read_recording("service:pool=500", {}, [](double) { return false; }));
}

TEST_CASE("what is no name of a service is refused in a sentence", "[service]") {
    CHECK_FALSE(is_made_up("hour.jsonl"));
    CHECK_FALSE(is_made_up("Service:pool=500"));
    CHECK_THAT(refusal_of("service:"), ContainsSubstring("says nothing"));
    CHECK_THAT(refusal_of("service:pool"), ContainsSubstring("which is empty"));
    CHECK_THAT(refusal_of("service:pool=12"), ContainsSubstring("which is smaller than 400"));
    CHECK_THAT(refusal_of("service:pool=500,"), ContainsSubstring("says nothing"));
    CHECK_THAT(refusal_of("service:pool=500,../../x"), ContainsSubstring("says nothing"));
    CHECK_THAT(refusal_of("service:rate=0"), ContainsSubstring("is not above 0"));
    CHECK_THAT(refusal_of("service:rate=1e9"), ContainsSubstring("which"));
    CHECK_THAT(refusal_of("service:rate=9,seconds=86400"),
               ContainsSubstring("more than 20,000 requests"));
    CHECK_THAT(refusal_of("service:pool=99999999999999999999"), ContainsSubstring("larger than"));
}
