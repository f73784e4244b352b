#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/cache/eviction/eviction_spec.hpp"
#include "core/cache/eviction/key_positions.hpp"
#include "tests/places.hpp"

namespace kv {
namespace {

EvictionSpec parsed(const std::string& text) {
    std::string why;
    const auto spec = parse_eviction(text, why);
    INFO(text << ": " << why);
    REQUIRE(spec.has_value());
    return *spec;
}

std::string refusal(const std::string& text) {
    std::string why;
    CHECK(!parse_eviction(text, why));
    return why;
}

TEST_CASE("policies are read with their numbers and options", "[eviction]") {
    CHECK(parsed("none").policy == EvictionPolicy::None);
    CHECK(parsed("window:64").recent == 64);
    const EvictionSpec streaming = parsed("streaming:4+60");
    CHECK(streaming.sinks == 4);
    CHECK(streaming.recent == 60);
    const EvictionSpec h2o = parsed("h2o:16+8,decay=0.98,grace=4,reduce=max");
    CHECK(h2o.heavy.heavy == 16);
    CHECK(h2o.heavy.recent == 8);
    CHECK(h2o.heavy.decay == 0.98);
    CHECK(h2o.heavy.grace == 4);
    CHECK(h2o.reduce == Reduce::Max);
    const EvictionSpec snap = parsed("snapkv:64,window=8,kernel=7,pool=max");
    CHECK(snap.observed.capacity == 64);
    CHECK(snap.observed.window == 8);
    CHECK(snap.observed.kernel == 7);
    CHECK(snap.observed.pooling == Pooling::Max);
    CHECK(parsed("snapkv:64").observed.window == 16);
    CHECK(parsed("adakv:64").observed.pooling == Pooling::Max);
    CHECK(parsed("pyramidkv:64,beta=5").beta == 5);
    CHECK(parsed("knorm:0.5").skip == 2);
    CHECK(parsed("knorm:0.5,skip=0").skip == 0);
    CHECK(parsed("lagkv:0.5,sinks=2,lag=8").lag.lag == 8);
    const EvictionSpec expected = parsed("expected:0.5,sinks=2,horizon=64,reduce=sum");
    CHECK(expected.ratio == 0.5);
    CHECK(expected.expected.sinks == 2);
    CHECK(expected.expected.horizon == 64);
    CHECK(expected.reduce == Reduce::Sum);
    CHECK(parsed("expected:0.5").expected.sinks == 4);
    CHECK(parsed("expected:0.5").expected.horizon == 512);
    CHECK(parsed("random:64,recent=4").spared == 4);
    CHECK(parsed("tova:64,last=on,gaps=on").short_gaps);
    const EvictionSpec quest = parsed("quest:64,recent=8,skip=2");
    CHECK(quest.budget == 64);
    CHECK(quest.spared == 8);
    CHECK(quest.skip == 2);
}

TEST_CASE("what is not built, or not meant, is refused by name", "[eviction]") {
    CHECK(refusal("think:0.5") == "is a policy that this version does not have");
    CHECK(refusal("lru:64") == "is no policy");
    CHECK(refusal("") == "is no policy");
    CHECK(refusal("window") == "needs a number behind a colon");
    CHECK(refusal("window:") == "needs a number behind a colon");
    CHECK(refusal("none:3") == "takes no number");
    CHECK(refusal("h2o:8+8,decay=0.9,decay=0.8") == "has the option decay twice; keep one of them");
    CHECK(refusal("snapkv:64,reduce=max,reduce=max") ==
          "has the option reduce twice; keep one of them");
    for (const char* text : {"window:0",
                             "window:-1",
                             "window:4,sinks=2",
                             "window:1.5",
                             "window:64,",
                             "streaming:4",
                             "streaming:0+0",
                             "streaming:+4",
                             "h2o:16",
                             "h2o:0+0",
                             "h2o:1+1,grace=3",
                             "h2o:1+1,decay=2",
                             "h2o:1+1,decay",
                             "h2o:1+1,decay=x",
                             "snapkv:16",
                             "snapkv:64,kernel=4",
                             "snapkv:64,pool=min",
                             "tova:0",
                             "tova:4,last=1",
                             "knorm:1",
                             "knorm:1.5",
                             "knorm:x",
                             "random:4,recent=5",
                             "quest:0",
                             "quest:8,recent=9",
                             "quest:8,last=on",
                             "lagkv:0.5,lag=0",
                             "lagkv:0.5,reduce=max",
                             "expected:1",
                             "expected:0.5,horizon=0",
                             "expected:0.5,lag=4",
                             "WINDOW:4",
                             " window:4"})
        CHECK(!refusal(text).empty());
}

TEST_CASE("positions in the cache are those of StreamingLLM's example", "[eviction]") {
    using Positions = std::vector<std::uint32_t>;
    const Positions in_text{0, 1, 2, 3, 6, 7, 8, 9};
    CHECK(rotation_positions(KeyRotation::ByCachePosition, in_text) ==
          Positions{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(rotation_positions(KeyRotation::ByTextPosition, in_text) == in_text);
}

TEST_CASE("what follows from a policy", "[eviction]") {
    CHECK(table_scope(parsed("streaming:4+4")) == TableScope::Sequence);
    CHECK(table_scope(parsed("tova:4")) == TableScope::Layer);
    CHECK(table_scope(parsed("h2o:4+4")) == TableScope::Head);
    CHECK(usual_positions(parsed("streaming:4+4")) == KeyPositions::CacheWhenRead);
    CHECK(usual_positions(parsed("tova:4")) == KeyPositions::TextWhenRead);
    CHECK(usual_positions(parsed("h2o:4+4")) == KeyPositions::TextWhenStored);
    CHECK(first_query_that_misses(parsed("window:4")) == 4);
    CHECK(first_query_that_misses(parsed("streaming:4+3")) == 8);
    CHECK(!first_query_that_misses(parsed("h2o:4+3")));
    CHECK(table_scope(parsed("expected:0.5")) == TableScope::Head);
    CHECK(eviction_time(parsed("expected:0.5")) == EvictionTime::PrefillEnd);
    CHECK(usual_positions(parsed("expected:0.5")) == KeyPositions::TextWhenStored);
    CHECK(needs_queries(parsed("expected:0.5")));
    CHECK(most_kept(parsed("expected:0.5"), 21) == 10);
    CHECK(most_kept(parsed("expected:0.9"), 21) == 4);
    CHECK(most_kept(parsed("expected:0.9"), 3) == 3);
    CHECK(most_kept(parsed("lagkv:0.5"), 35) == 35);  // 4 sinks and two chunks of 16 are 36
    CHECK(most_kept(parsed("lagkv:0.5"), 36) == 20);  // the sinks and the last chunk
    CHECK(most_kept(parsed("lagkv:0.5"), 100) == 50);
    CHECK(!needs_queries(parsed("lagkv:0.5")));
    CHECK(!drops_tokens(parsed("quest:64")));
    CHECK(drops_tokens(parsed("random:64")));
    CHECK(blocks_read(parsed("quest:64"), 16) == 4);
    CHECK(blocks_read(parsed("quest:65"), 16) == 5);
    CHECK(table_scope(parsed("quest:64")) == TableScope::Sequence);
}

// The lists of docs/eviction.md: examples of policies, and options as they are when left out.
struct WrittenPolicies {
    std::map<std::string, std::string> examples;               // by name: "h2o:16+16"
    std::map<std::string, std::vector<std::string>> defaults;  // "decay=1", ...
};

std::vector<std::string> in_code(const std::string& cell) {
    std::vector<std::string> words;
    for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at)) {
        const std::size_t end = cell.find('`', at + 1);
        words.push_back(cell.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    return words;
}

WrittenPolicies written_policies() {
    std::ifstream page(kv::test::source_dir() + "/docs/eviction.md");
    WrittenPolicies written;
    std::string line, name;
    bool options = false;
    while (std::getline(page, line) && line.rfind("## Inside the prompt", 0) != 0) {
        if (line.rfind("| policy | option", 0) == 0) options = true;
        if (line.rfind("| ", 0) != 0) continue;
        const std::size_t second = line.find('|', 2);
        const auto first = in_code(line.substr(0, second));
        if (!first.empty()) name = first[0].substr(0, first[0].find(':'));
        if (!options && !first.empty()) written.examples[name] = first[0];
        if (!options) continue;
        for (const std::string& option :
             in_code(line.substr(second, line.find('|', second + 1) - second)))
            written.defaults[name].push_back(option);
    }
    return written;
}

auto numbers_of(const EvictionSpec& s) {
    return std::tuple(s.policy, s.sinks, s.recent, s.budget, s.ratio, s.heavy.heavy, s.heavy.recent,
                      s.heavy.decay, s.heavy.grace, s.observed.capacity, s.observed.window,
                      s.observed.kernel, s.observed.pooling, s.observed.reduce,
                      s.observed.pool_first, s.beta, s.floor, s.lag.sinks, s.lag.lag,
                      s.expected.sinks, s.expected.horizon, s.skip, s.block, s.reduce,
                      s.protect_last, s.short_gaps, s.spared);
}

TEST_CASE("an option that is left out is as the page on eviction says", "[eviction][docs]") {
    const WrittenPolicies written = written_policies();
    CHECK(written.examples.size() == 14);
    std::size_t n = 0;
    for (const auto& [name, options] : written.defaults) {
        REQUIRE(written.examples.count(name) == 1);
        const std::string& example = written.examples.at(name);
        for (const std::string& option : options) {
            CAPTURE(example, option);
            CHECK(numbers_of(parsed(example + "," + option)) == numbers_of(parsed(example)));
            ++n;
        }
    }
    CHECK(n == 33);
}

}  // namespace
}  // namespace kv
