// What a subscriber makes of the numbers: each case by hand, then a server, a lossy line and a
// replay at random, where what is delivered must be what was published.
#include "core/attach/stream/gap_mender.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/base/dice.hpp"

using namespace kv;
using kv::test::Dice;

namespace {

// What came out: "0" for a batch, "lost 3-4" for a mark.
std::vector<std::string> told(GapMender& sequence) {
    std::vector<std::string> out;
    for (const NumberNews& news : sequence.take_news()) {
        if (const auto* batch = std::get_if<NumberedBatch>(&news)) {
            out.push_back(std::to_string(batch->sequence));
            continue;
        }
        const auto& mark = std::get<NumberMark>(news);
        const std::string range = std::to_string(mark.first) + "-" + std::to_string(mark.last);
        switch (mark.kind) {
            case MarkKind::Began:
                out.push_back("began");
                break;
            case MarkKind::BeganInTheMiddle:
                out.push_back("middle " + std::to_string(mark.first));
                break;
            case MarkKind::GapAsked:
                out.push_back("asked " + range);
                break;
            case MarkKind::GapMended:
                out.push_back("mended " + range);
                break;
            case MarkKind::GapLost:
                out.push_back("lost " + range);
                break;
            case MarkKind::Restarted:
                out.push_back("restarted after " + std::to_string(mark.last));
                break;
            default:
                out.push_back("?");
        }
    }
    return out;
}
using Told = std::vector<std::string>;

std::string payload(std::uint64_t sequence, int life = 0) {
    return std::to_string(life) + ":" + std::to_string(sequence);
}
void live(GapMender& s, std::uint64_t n, double now = 0, int life = 0) {
    s.live(n, payload(n, life), now);
}
void replay(GapMender& s, std::uint64_t first, std::uint64_t last, double now = 0, int life = 0) {
    for (std::uint64_t n = first; n <= last; ++n) s.replayed(n, payload(n, life), now);
    s.replay_ended(now);
}

}  // namespace

TEST_CASE("from the start, with nobody to ask", "[attach][sequence]") {
    GapMender s(false);
    s.connected(0);
    CHECK_FALSE(s.take_question());
    for (const std::uint64_t n : {0, 1, 2}) live(s, n);
    CHECK(told(s) == Told{"began", "0", "1", "2"});
}

TEST_CASE("a late start asks from 0, and what comes twice is dropped", "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    CHECK(s.take_question() == 0U);
    CHECK_FALSE(s.take_question());  // once
    live(s, 2), live(s, 3);
    CHECK(told(s).empty());
    replay(s, 0, 2);
    CHECK(told(s) == Told{"began", "0", "1", "2", "3"});
    live(s, 3), live(s, 4);
    CHECK(told(s) == Told{"4"});
}

TEST_CASE("a replay that begins later, or that is not there, begins in the middle",
          "[attach][sequence]") {
    GapMender later(true);
    later.connected(0);
    replay(later, 7, 9);
    live(later, 10);
    CHECK(told(later) == Told{"middle 7", "7", "8", "9", "10"});

    GapMender absent(true);
    absent.connected(0);
    live(absent, 5), live(absent, 6);
    absent.replay_failed(1);
    CHECK(told(absent) == Told{"middle 5", "5", "6"});

    GapMender silent(true);
    silent.connected(0);
    live(silent, 5);
    silent.tick(2.9);
    CHECK(told(silent).empty());
    silent.tick(3.1);
    CHECK(told(silent) == Told{"middle 5", "5"});
}

TEST_CASE("a gap is asked for again from its first missing number", "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    replay(s, 0, 1);
    static_cast<void>(s.take_question());
    live(s, 5), live(s, 6);
    CHECK(s.take_question() == 2U);
    CHECK(told(s) == Told{"began", "0", "1", "asked 2-4"});
    replay(s, 2, 6);
    live(s, 7);
    CHECK(told(s) == Told{"2", "3", "4", "mended 2-4", "5", "6", "7"});
}

TEST_CASE("what a replay has no more is lost, and said", "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    replay(s, 0, 0);
    live(s, 5);
    CHECK(told(s) == Told{"began", "0", "asked 1-4"});
    replay(s, 3, 5);  // 1 and 2 are gone
    CHECK(told(s) == Told{"lost 1-2", "3", "4", "5"});

    GapMender nobody(false);
    nobody.connected(0);
    live(nobody, 0), live(nobody, 3);
    CHECK(told(nobody) == Told{"began", "0", "lost 1-2", "3"});
}

TEST_CASE("a hole in the replay itself is asked for once more", "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    static_cast<void>(s.take_question());
    s.replayed(0, payload(0), 0);
    s.replayed(2, payload(2), 0);  // a slow reader lost 1
    s.replay_ended(0);
    CHECK(s.take_question() == 1U);
    replay(s, 1, 2);
    CHECK(told(s) == Told{"began", "0", "asked 1-1", "1", "mended 1-1", "2"});
}

TEST_CASE("a number that falls to 0 is a server that began again", "[attach][sequence]") {
    for (const bool has_replay : {false, true}) {
        GapMender s(has_replay);
        s.connected(0);
        if (has_replay) s.replay_ended(0);
        live(s, 0), live(s, 1), live(s, 2);
        live(s, 0, 0, 1), live(s, 1, 0, 1);
        CHECK(told(s) == Told{"began", "0", "1", "2", "restarted after 2", "began", "0", "1"});
    }
}

TEST_CASE("after a pause the last known batch says whether it is the same server",
          "[attach][sequence]") {
    const auto at_2 = [](bool has_replay) {
        GapMender s(has_replay);
        s.connected(0);
        if (has_replay) replay(s, 0, 2);
        if (!has_replay)
            for (const std::uint64_t n : {0, 1, 2}) live(s, n);
        static_cast<void>(told(s));
        static_cast<void>(s.take_question());
        s.connected(10);
        return s;
    };
    SECTION("it is, and has gone on") {
        GapMender s = at_2(true);
        CHECK(s.take_question() == 2U);
        live(s, 5);
        replay(s, 2, 5);
        CHECK(told(s) == Told{"3", "4", "5"});
    }
    SECTION("it has nothing that old any more, and lost nothing that we had") {
        GapMender s = at_2(true);
        replay(s, 9, 9);
        CHECK(told(s) == Told{"lost 3-8", "9"});
    }
    SECTION("it is another, with fewer batches") {
        GapMender s = at_2(true);
        live(s, 1, 0, 1);
        s.replay_ended(10);
        CHECK(told(s) == Told{"restarted after 2"});
        CHECK(s.take_question() == 0U);
        replay(s, 0, 1, 10, 1);
        CHECK(told(s) == Told{"began", "0", "1"});
    }
    SECTION("it is another, and has overtaken the first one") {
        GapMender s = at_2(true);
        replay(s, 2, 6, 10, 1);
        CHECK(told(s) == Told{"restarted after 2"});
        CHECK(s.take_question() == 0U);
        replay(s, 0, 6, 10, 1);
        CHECK(told(s) == Told{"began", "0", "1", "2", "3", "4", "5", "6"});
    }
    SECTION("it is another, and nobody can be asked") {
        GapMender s = at_2(false);
        live(s, 1, 10, 1), live(s, 2, 10, 1);
        CHECK(told(s) == Told{"restarted after 2", "middle 1", "1", "2"});
    }
    SECTION("it is another, and its replay is dead") {
        GapMender s = at_2(true);
        live(s, 1, 10, 1);
        s.replay_failed(11);
        CHECK(told(s) == Told{"restarted after 2", "middle 1", "1"});
    }
}

TEST_CASE("what came over a connection that is gone is told before the next one",
          "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    replay(s, 0, 0);
    SECTION("with all its gaps, so that a server that began again finds its numbers free") {
        live(s, 2);
        live(s, 4);
        CHECK(told(s) == Told{"began", "0", "asked 1-1"});
        s.connected(10);
        CHECK(told(s) == Told{"lost 1-1", "2", "lost 3-3", "4"});
        replay(s, 4, 4, 10, 1);
        replay(s, 0, 3, 10, 1);
        live(s, 4, 10, 1);
        CHECK(told(s) == Told{"restarted after 4", "began", "0", "1", "2", "3", "4"});
    }
    SECTION("also when nobody had answered yet whether it is the same server") {
        live(s, 1);
        s.connected(10);
        static_cast<void>(told(s));
        live(s, 0, 10, 1);
        live(s, 1, 10, 1);
        s.connected(20);
        CHECK(told(s) == Told{"restarted after 1", "began", "0", "1"});
    }
}

TEST_CASE("what falls between replay and subscription is found a second later",
          "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    static_cast<void>(s.take_question());
    replay(s, 0, 4);
    s.tick(0.5);
    CHECK_FALSE(s.take_question());
    s.tick(1.5);
    CHECK(s.take_question() == 5U);
    replay(s, 5, 5, 1.6);
    s.tick(3);
    CHECK_FALSE(s.take_question());
    CHECK(told(s) == Told{"began", "0", "1", "2", "3", "4", "5"});
}

TEST_CASE("lies about numbers cost neither memory nor the truth", "[attach][sequence]") {
    GapMender s(true);
    s.connected(0);
    replay(s, 0, 0);
    // 30,000 batches whose turn never comes: not all are kept, and it is said what is lost.
    for (std::uint64_t n = 1; n <= 30'000; ++n) live(s, 2 * n);
    const auto news = told(s);
    CHECK(std::count_if(news.begin(), news.end(),
                        [](const std::string& word) { return word.find("lost") == 0; }) > 0);
    live(s, ~std::uint64_t{0});
    live(s, 0, 0, 9);
    const auto after = told(s);
    REQUIRE(after.size() >= 2);
    CHECK(after.back() == "0");
}

TEST_CASE("on a lossy line with a replay nothing is lost", "[attach][sequence]") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Dice dice(seed);
        GapMender s(true);
        const std::uint64_t start = dice.below(20);
        std::uint64_t published = start;
        double now = 0;
        s.connected(now);
        const auto answer = [&] {
            const auto from = s.take_question();
            if (!from) return;
            for (std::uint64_t n = *from; n < published; ++n) s.replayed(n, payload(n), now);
            s.replay_ended(now);
        };
        std::vector<std::uint64_t> got;
        const auto collect = [&] {
            for (const NumberNews& news : s.take_news()) {
                if (const auto* batch = std::get_if<NumberedBatch>(&news))
                    got.push_back(batch->sequence);
                else
                    REQUIRE(std::get<NumberMark>(news).kind != MarkKind::GapLost);
            }
        };
        for (int step = 0; step < 300; ++step) {
            now += 0.01;
            if (dice.below(4) > 0) live(s, published, now);  // else it is lost on the way
            ++published;
            if (dice.below(3) == 0) answer();
            s.tick(now);
            collect();
        }
        live(s, published++, now);
        for (int i = 0; i < 4; ++i) answer(), collect();
        std::vector<std::uint64_t> all(published);
        for (std::uint64_t n = 0; n < published; ++n) all[n] = n;
        CAPTURE(seed);
        CHECK(got == all);
    }
}
