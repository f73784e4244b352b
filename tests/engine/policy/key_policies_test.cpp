// Policies that look at keys, against models of a few lines on plain arrays: random keys go to
// both, stored as each convention stores them, and both must keep the same tokens. Then the real
// decoder: what is judged is what attention sees, wherever keys are rotated.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "core/base/random.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

namespace {

using Places = std::vector<std::uint32_t>;
using Row = std::vector<double>;
using KeyRows = std::vector<Row>;
constexpr std::uint32_t kDim = 8, kHeads = 2;

// Turned to its place, as RoPE is written in its paper: pair by pair, half a head apart.
Row turned(const Row& key, const std::vector<double>& frequencies, double place) {
    Row out(key.size());
    const std::size_t half = key.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const double c = std::cos(place * frequencies[i]), s = std::sin(place * frequencies[i]);
        out[i] = key[i] * c - key[i + half] * s;
        out[i + half] = key[i + half] * c + key[i] * s;
    }
    return out;
}

double length(const Row& x) {
    double sum = 0;
    for (const double value : x) sum += value * value;
    return std::sqrt(sum);
}

// The k with the highest scores, lower places first among equals, rising.
Places best(const Row& scores, std::size_t k) {
    Places order(scores.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
    });
    order.resize(k);
    std::sort(order.begin(), order.end());
    return order;
}

std::size_t half_of(const KeyRows& keys) {
    return keys.size() / 2;
}

Places naive_knorm(const KeyRows& keys, const KeyRows&) {
    Row scores;
    for (const Row& key : keys) scores.push_back(-length(key));
    return best(scores, half_of(keys));
}

Places naive_keydiff(const KeyRows& keys, const KeyRows&) {
    Row mean(kDim), scores;
    for (const Row& key : keys)
        for (std::size_t c = 0; c < kDim; ++c) mean[c] += key[c] / length(key);
    for (const Row& key : keys) {
        double dot = 0;
        for (std::size_t c = 0; c < kDim; ++c) dot += key[c] * mean[c];
        scores.push_back(-dot / length(key));
    }
    return best(scores, half_of(keys));
}

constexpr std::size_t kSinks = 3, kLag = 5;

// Softmax over a chunk of the sample deviation of each token, scaled by the chunk behind it.
Row naive_shares(const KeyRows& x, std::size_t first) {
    Row shares(kLag);
    double all = 0;
    for (std::size_t t = 0; t < kLag; ++t) {
        Row y(kDim);
        double mean = 0, squares = 0;
        for (std::size_t c = 0; c < kDim; ++c) {
            double low = x[first + kLag][c], high = low;
            for (std::size_t j = first + kLag; j < first + 2 * kLag; ++j)
                low = std::min(low, x[j][c]), high = std::max(high, x[j][c]);
            y[c] = (x[first + t][c] - low) / (high - low);
            mean += y[c] / kDim;
        }
        for (const double value : y) squares += (value - mean) * (value - mean);
        all += shares[t] = std::exp(std::sqrt(squares / (kDim - 1)));
    }
    for (double& share : shares) share /= all;
    return shares;
}

Places naive_lagkv(const KeyRows& keys, const KeyRows& values) {
    const std::size_t n = keys.size();
    Row scores(n, 2);  // of sinks and of all without a chunk behind it: above every rank
    if (n < kSinks + 2 * kLag) return best(scores, n);
    std::size_t always = n;
    for (std::size_t first = kSinks; first + 2 * kLag <= n; first += kLag) {
        const Row k = naive_shares(keys, first), v = naive_shares(values, first);
        for (std::size_t t = 0; t < kLag; ++t) {
            std::size_t rank = 0;
            for (std::size_t o = 0; o < kLag; ++o) rank += k[o] + v[o] < k[t] + v[t] ? 1 : 0;
            scores[first + t] = static_cast<double>(rank) / kLag;
        }
        always -= kLag;
    }
    return best(scores, std::max(always, half_of(keys)));
}

struct KeyPolicy {
    const char* policy;
    Places (*model)(const KeyRows& keys, const KeyRows& values);
};
constexpr KeyPolicy kKeyPolicies[] = {{"knorm:0.5,skip=0", naive_knorm},
                                      {"keydiff:0.5", naive_keydiff},
                                      {"lagkv:0.5,sinks=3,lag=5", naive_lagkv}};

KeyRows random_rows(const Random& random, std::uint64_t stream, std::uint32_t n) {
    KeyRows rows(n, Row(kDim));
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t c = 0; c < kDim; ++c) {
            const double u = random.unit(stream * 10'000 + t * kDim + c);
            rows[t][c] = 4 * u - 1.5;  // off centre, as keys are
        }
    return rows;
}

// What the keeper keeps of each head when `n` random keys are stored turned, or turned when read.
void compare_keeper(const KeyPolicy& judged, std::uint32_t n, std::uint64_t seed,
                    bool stored_turned) {
    std::string why;
    const EvictionSpec spec = *parse_eviction(judged.policy, why);
    const LaneShape lanes{TableScope::Head, 1, kHeads};
    const std::vector<double> frequencies{1, 0.1, 0.01, 0.001};
    const Random random(seed, 5);
    std::vector<KeyRows> keys, at_place, values;
    for (std::uint32_t head = 0; head < kHeads; ++head) {
        keys.push_back(random_rows(random, 2 * head, n));
        values.push_back(random_rows(random, 2 * head + 1, n));
        at_place.emplace_back();
        for (std::uint32_t t = 0; t < n; ++t)
            at_place.back().push_back(turned(keys[head][t], frequencies, t));
    }
    TokenKeeper keeper(spec, {lanes, kHeads, n, 0, 0, false, frequencies, stored_turned});
    keeper.begin_step(0, n);
    keeper.after_step([&](Side side, LayerId, HeadId head, std::uint32_t position) {
        const KeyRows& rows = (side == Side::V ? values
                               : stored_turned ? at_place
                                               : keys)[head.index()];
        return std::vector<float>(rows[position].begin(), rows[position].end());
    });
    for (std::uint32_t head = 0; head < kHeads; ++head) {
        CAPTURE(judged.policy, n, seed, stored_turned, head);
        CHECK(keeper.kept(LaneId(head)) == judged.model(at_place[head], values[head]));
    }
}

std::vector<TokensDropped> drops_of(const EngineOn& on, const char* policy, const char* positions) {
    EngineSettings settings = tiny_settings(80);
    REQUIRE(find_setting("evict")->read(settings, policy).empty());
    REQUIRE(find_setting("positions")->read(settings, positions).empty());
    settings.k_codec = settings.v_codec = Codec::F32;
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 41, 4));
    run_to_end(engine);
    std::vector<TokensDropped> drops;
    for (auto& [event, what] : events_of<TokensDropped>(engine.trace())) drops.push_back(what);
    return drops;
}

}  // namespace

TEST_CASE("keys are judged as attention sees them: as a model on plain arrays judges them",
          "[keeper][eviction][keys]") {
    for (const KeyPolicy& judged : kKeyPolicies)
        for (std::uint64_t seed = 0; seed < 60; ++seed)
            for (const bool stored_turned : {true, false})
                compare_keeper(judged, 8 + static_cast<std::uint32_t>(seed), seed, stored_turned);
}

TEST_CASE("wherever keys are rotated, the same tokens are given up by the same scores",
          "[engine][eviction][keys]") {
    const EngineOn on;
    for (const char* policy :
         {"knorm:0.5,skip=0", "keydiff:0.5", "keydiff:0.5,block=7", "lagkv:0.5,sinks=2,lag=6"}) {
        const auto stored = drops_of(on, policy, "true");
        REQUIRE(!stored.empty());
        for (const char* positions : {"cache", "original"}) {
            CAPTURE(policy, positions);
            const auto read = drops_of(on, policy, positions);
            REQUIRE(read.size() == stored.size());
            for (std::size_t i = 0; i < read.size(); ++i) {
                CHECK(read[i].positions == stored[i].positions);
                CHECK(read[i].scores == stored[i].scores);
            }
        }
    }
}

// 4 sinks and two chunks of 16 are 36 tokens: one less is left as it is.
TEST_CASE("LagKV leaves a prompt without two chunks whole", "[engine][eviction][keys]") {
    const EngineOn on;
    for (const std::uint32_t n : {1u, 4u, 5u, 35u, 36u}) {
        EngineSettings settings = tiny_settings(80);
        REQUIRE(find_setting("evict")->read(settings, "lagkv:0.9").empty());
        Engine engine(on.parts(), settings);
        engine.submit(request("A", n, 1));
        run_to_end(engine);
        Places all(n);
        std::iota(all.begin(), all.end(), 0u);
        Places ends{0, 1, 2, 3};
        for (std::uint32_t t = 20; t < 36; ++t) ends.push_back(t);
        CAPTURE(n);
        for (const auto& kept : engine.requests()[0].kept) CHECK(kept == (n < 36 ? all : ends));
    }
}
