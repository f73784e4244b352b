// A recording weighed for the window: what comes of a file, and what is refused.

#include "app/frame/whatif.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "app/live/whatif/desk.hpp"
#include "core/base/error.hpp"
#include "core/whatif/record/service.hpp"

using namespace kv;

namespace {

std::string recorded_service() {
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("kvarium-whatif-" + std::to_string(::getpid()) + ".jsonl"))
                                 .string();
    std::ofstream out(path);
    record_service({.seconds = 400, .pool_blocks = 400},
                   [&](const std::string& line) { out << line << "\n"; });
    return path;
}

}  // namespace

TEST_CASE("a recording becomes curves, points and an answer", "[whatif]") {
    WhatIfWish wish;
    wish.file = recorded_service();
    const auto weighed = weigh_recording(wish, [](double done) {
        CHECK((done >= 0 && done <= 1));
        return true;
    });
    REQUIRE(weighed);
    CHECK(weighed->summary.today.blocks == 400);
    CHECK(weighed->curves.size() == kWhatIfLines);
    for (const WhatIfCurve& curve : weighed->curves) {
        REQUIRE(curve.here.has_value());
        for (std::size_t i = 1; i < curve.points.size(); ++i) {
            CHECK(curve.points[i].bytes > curve.points[i - 1].bytes);
            CHECK(curve.points[i].outcome.hit_tokens >= curve.points[i - 1].outcome.hit_tokens);
        }
    }
    // A host tier and a smaller codec find at least what the pool alone finds.
    const u64 alone = weighed->base().outcome.hit_tokens;
    CHECK(weighed->curve(WhatIfLine::Host)->here->outcome.hit_tokens >= alone);
    CHECK(weighed->curve(WhatIfLine::Codec)->here->outcome.hit_tokens >= alone);
    for (const WhatIfRow& row : weighed->rows)
        CHECK((row.without_end || row.point.how != HowKnown::OnePass));
}

TEST_CASE("the desk weighs what commands ask for, and says what it cannot", "[whatif]") {
    WhatIfDesk desk({});
    WhatIfUi own;
    desk.finish(own);
    CHECK_FALSE(own.weighed);
    ask_whatif(own, {"whatif.file", recorded_service()});
    ask_whatif(own, {"whatif.today", u64{300}});
    desk.finish(own);
    REQUIRE(own.weighed);
    CHECK(own.weighed->base().pool == 300);
    const auto before = own.weighed;
    ask_whatif(own, {"whatif.card", std::string("b200")});
    desk.finish(own);
    CHECK(own.weighed != before);
    CHECK(own.weighed->base().first_token->p95 < before->base().first_token->p95);
    ask_whatif(own, {"whatif.file", std::string("/no/such/recording.jsonl")});
    desk.finish(own);
    CHECK_FALSE(own.refused.empty());
}

TEST_CASE("what cannot be weighed is refused, and nothing changes", "[whatif]") {
    WhatIfUi own;
    const WhatIfWish before = own.wish;
    for (const Command& command : {Command{"whatif.codec", std::string("int9")},
                                   {"whatif.model", std::string("gpt-9")},
                                   {"whatif.card", std::string("m4-max")},
                                   {"whatif.share", u64{0}},
                                   {"whatif.today", u64{0}}})
        CHECK_THROWS_AS(ask_whatif(own, command), Error);
    CHECK(own.wish == before);
}
