// What a request keeps, against models of a few lines on plain arrays: random softmax weights go to
// both, and both must keep the same tokens after every step.

#include "core/engine/policy/token_keeper.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <numeric>

#include "core/base/random.hpp"
#include "core/trace/event/event.hpp"

using namespace kv;

namespace {

using Places = std::vector<std::uint32_t>;
constexpr std::uint32_t kLayers = 2, kKvHeads = 2, kGroup = 3;

EvictionSpec spec_of(const std::string& text) {
    std::string why;
    const auto spec = parse_eviction(text, why);
    REQUIRE(spec.has_value());
    return *spec;
}

// Weights of a query over n keys: uneven, so that choices are clear, and equal for both sides.
std::vector<float> weights_of(const Random& random, std::uint64_t stream, std::size_t n) {
    std::vector<float> w(n);
    float sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const auto u = static_cast<float>(random.unit(stream * 1000 + j));
        sum += w[j] = u * u * u + 0.001f;
    }
    for (float& x : w) x /= sum;
    return w;
}

struct Cell {  // of the model: one layer and KV head
    Places kept;
    std::map<std::uint32_t, std::map<std::uint32_t, float>> score;  // by query head, by position
};

// Plays steps of the given sizes. `choose(cells, weights of the step, n_tokens)` is the model.
template <class Choose>
void play(const std::string& text, std::uint64_t seed, Choose choose) {
    const EvictionSpec spec = spec_of(text);
    const LaneShape lanes{table_scope(spec), kLayers, kKvHeads};
    const Random random(seed, 21);
    const std::uint32_t n_prompt = 5 + random.below(0, 14);
    TokenKeeper keeper(spec, {lanes, kKvHeads * kGroup, n_prompt, 7, 0, false});
    std::map<std::pair<std::uint32_t, std::uint32_t>, Cell> cells;
    std::uint32_t n = 0;
    for (std::uint32_t step = 0; step < 14; ++step) {
        const std::uint32_t count =
            n < n_prompt ? std::min(n_prompt - n, 1 + random.below(1 + step, 9)) : 1;
        keeper.before_append();
        keeper.begin_step(n, count);
        const VisibleKeys sight = keeper.visible(
            [](LaneId, std::uint32_t position) { return position; }, KeyRotation::WhenStored);
        n += count;
        for (std::uint32_t layer = 0; layer < kLayers; ++layer)
            for (std::uint32_t head = 0; head < kKvHeads * kGroup; ++head) {
                Cell& cell = cells[{layer, head / kGroup}];
                if (head % kGroup == 0)
                    for (std::uint32_t t = n - count; t < n; ++t) cell.kept.push_back(t);
                const LaneKeys& keys = sight.of(LayerId(layer), HeadId(head / kGroup));
                for (std::uint32_t row = 0; row < count; ++row) {
                    std::size_t seen = 0;
                    for (const KeyRange& r : keys.rows[row]) seen += r.end - r.begin;
                    const auto w =
                        weights_of(random, (step * 64 + layer * 16 + head) * 16 + row, seen);
                    keeper.take_weights(LayerId(layer), row, head, w);
                    choose.saw(cell, head, n - count + row, w, n_prompt);
                }
            }
        keeper.after_step({});
        choose(cells, n, n_prompt);
        for (const auto& [place, cell] : cells) {
            CAPTURE(text, seed, step, place.first, place.second);
            const LaneId lane = lanes.lane_of(LayerId(place.first), HeadId(place.second));
            REQUIRE(keeper.kept(lane) == cell.kept);
        }
    }
}

// The k of `from` with the highest scores, lower positions first among equals, rising.
Places best(Places from, const std::map<std::uint32_t, float>& score, std::size_t k) {
    std::sort(from.begin(), from.end(), [&](std::uint32_t a, std::uint32_t b) {
        return score.at(a) != score.at(b) ? score.at(a) > score.at(b) : a < b;
    });
    from.resize(std::min(k, from.size()));
    std::sort(from.begin(), from.end());
    return from;
}

std::map<std::uint32_t, float> mean_of(const Cell& cell) {
    std::map<std::uint32_t, float> mean;
    for (const auto& [head, scores] : cell.score)
        for (const auto& [position, score] : scores) mean[position] += score;
    for (auto& [position, score] : mean) score /= static_cast<float>(cell.score.size());
    return mean;
}

struct NaiveH2o {
    std::uint32_t heavy, recent;
    std::map<std::pair<Cell*, std::uint32_t>, std::map<std::uint32_t, float>> step;

    void saw(Cell& cell, std::uint32_t head, std::uint32_t, const std::vector<float>& w,
             std::uint32_t) {
        for (std::size_t j = 0; j < w.size(); ++j) step[{&cell, head}][cell.kept[j]] += w[j];
    }
    template <class Cells>
    void operator()(Cells& cells, std::uint32_t, std::uint32_t) {
        for (auto& [key, sums] : step)
            for (auto& [position, sum] : sums) key.first->score[key.second][position] += sum;
        step.clear();
        for (auto& [place, cell] : cells) {
            if (cell.kept.size() <= heavy + recent) continue;
            const Places old(cell.kept.begin(), cell.kept.end() - recent);
            Places now = best(old, mean_of(cell), heavy);
            now.insert(now.end(), cell.kept.end() - recent, cell.kept.end());
            cell.kept = now;
        }
    }
};

struct NaiveTova {
    std::uint32_t budget;

    void saw(Cell& cell, std::uint32_t head, std::uint32_t, const std::vector<float>& w,
             std::uint32_t) {
        cell.score[head].clear();
        for (std::size_t j = 0; j < w.size(); ++j) cell.score[head][cell.kept[j]] = w[j];
    }
    template <class Cells>
    void operator()(Cells& cells, std::uint32_t, std::uint32_t) {
        for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
            std::map<std::uint32_t, float> mean;
            for (std::uint32_t kv = 0; kv < kKvHeads; ++kv)
                for (const auto& [head, scores] : cells.at({layer, kv}).score)
                    for (const auto& [position, score] : scores) mean[position] += score;
            for (std::uint32_t kv = 0; kv < kKvHeads; ++kv) {
                Cell& cell = cells.at({layer, kv});
                if (cell.kept.size() > budget) cell.kept = best(cell.kept, mean, budget);
            }
        }
    }
};

struct NaiveSnap {
    std::uint32_t cap, window;  // kernel 1: pooling is tested by its worked examples

    void saw(Cell& cell, std::uint32_t head, std::uint32_t position, const std::vector<float>& w,
             std::uint32_t n_prompt) {
        if (position >= n_prompt || position + window < n_prompt) return;
        for (std::size_t j = 0; j < w.size(); ++j) cell.score[head][cell.kept[j]] += w[j];
    }
    template <class Cells>
    void operator()(Cells& cells, std::uint32_t n, std::uint32_t n_prompt) {
        if (n != n_prompt || n_prompt < cap) return;
        for (auto& [place, cell] : cells) {
            Places now =
                best({cell.kept.begin(), cell.kept.end() - window}, mean_of(cell), cap - window);
            now.insert(now.end(), cell.kept.end() - window, cell.kept.end());
            cell.kept = now;
        }
    }
};

struct NaiveEnds {
    std::uint32_t sinks, recent;
    void saw(Cell&, std::uint32_t, std::uint32_t, const std::vector<float>&, std::uint32_t) {}
    template <class Cells>
    void operator()(Cells& cells, std::uint32_t n, std::uint32_t) {
        for (auto& [place, cell] : cells)
            std::erase_if(cell.kept, [&](std::uint32_t t) { return t >= sinks && t + recent < n; });
    }
};

}  // namespace

TEST_CASE("H2O keeps what a model on plain arrays keeps", "[keeper][eviction]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        play("h2o:4+3", seed, NaiveH2o{4, 3, {}});
        play("h2o:6+0", seed, NaiveH2o{6, 0, {}});
    }
}

TEST_CASE("TOVA keeps what a model on plain arrays keeps", "[keeper][eviction]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) play("tova:6", seed, NaiveTova{6});
}

TEST_CASE("SnapKV keeps what a model on plain arrays keeps", "[keeper][eviction]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        play("snapkv:9,window=4,kernel=1", seed, NaiveSnap{9, 4});
}

TEST_CASE("SnapKV drops nothing of a prompt that is not longer than its capacity",
          "[keeper][eviction][C148]") {
    const LaneShape lanes{TableScope::Head, 1, 1};
    for (const std::uint32_t n : {3u, 6u, 8u, 9u, 10u}) {
        TokenKeeper keeper(spec_of("snapkv:9,window=4,kernel=3"), {lanes, 1, n, 0, 0, false});
        keeper.begin_step(0, n);
        for (std::uint32_t row = 0; row < n; ++row)
            keeper.take_weights(LayerId(0), row, 0,
                                std::vector<float>(row + 1, 1.0f / static_cast<float>(row + 1)));
        CAPTURE(n);
        CHECK(keeper.after_step({}).empty() == (n <= 9));
        const auto& kept = keeper.kept(LaneId(0));
        CHECK(kept.size() == std::min(n, 9u));
        for (std::uint32_t back = 1; back <= std::min(n, 4u); ++back)
            CHECK(kept[kept.size() - back] == n - back);
    }
}

TEST_CASE("window and StreamingLLM keep what a model on plain arrays keeps", "[keeper][eviction]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        play("window:5", seed, NaiveEnds{0, 5});
        play("streaming:3+4", seed, NaiveEnds{3, 4});
    }
}

// Rows of a chunk see what they would have seen one by one; the newest key is their own.
TEST_CASE("far keys are hidden inside a chunk as well", "[keeper][eviction]") {
    const LaneShape lanes{TableScope::Sequence, 1, 1};
    TokenKeeper window(spec_of("window:4"), {lanes, 1, 9, 0, 0, true});
    window.begin_step(0, 9);
    CHECK(window.seen()[2][0] == std::vector<KeyRange>{{0, 3}});
    CHECK(window.seen()[8][0] == std::vector<KeyRange>{{5, 9}});
    TokenKeeper streaming(spec_of("streaming:2+3"), {lanes, 1, 9, 0, 0, true});
    streaming.begin_step(0, 9);
    CHECK(streaming.seen()[5][0] == std::vector<KeyRange>{{0, 6}});  // budget and itself
    CHECK(streaming.seen()[6][0] == std::vector<KeyRange>{{0, 2}, {3, 7}});
    CHECK(streaming.seen()[8][0] == std::vector<KeyRange>{{0, 2}, {5, 9}});
}

// Survivors 0, 1, 2, 3, 6, 7, 8 of nine tokens: where the next query and its keys stand.
TEST_CASE("keys and query stand where each convention says", "[keeper][eviction]") {
    const LaneShape lanes{TableScope::Sequence, 1, 1};
    TokenKeeper keeper(spec_of("streaming:4+3"), {lanes, 1, 9, 0, 0, false});
    keeper.begin_step(0, 9);
    keeper.after_step({});
    CHECK(keeper.kept(LaneId(0)) == Places{0, 1, 2, 3, 6, 7, 8});
    keeper.begin_step(9, 1);
    const VisibleKeys sight = keeper.visible(
        [](LaneId, std::uint32_t position) { return position; }, KeyRotation::WhenStored);
    CHECK(sight.lanes[0].positions == Places{0, 1, 2, 3, 6, 7, 8, 9});
    CHECK(sight.lanes[0].rows[0] == std::vector<KeyRange>{{0, 8}});  // by rank the query is at 7
}
