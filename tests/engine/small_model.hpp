#pragma once
// A checkpoint of the fixtures in memory, and the little that a test needs to run it: one sequence
// whose table may be any list of blocks.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/reference/reference.hpp"
#include "core/model/checkpoint/checkpoint.hpp"
#include "core/model/checkpoint/load_weights.hpp"

namespace kv::test {

std::string fixture_folder(const std::string& name);
std::vector<std::string> fixture_names();

struct SmallModel {
    ModelConfig config;
    Weights weights;
};
SmallModel load_fixture(const std::string& name, WeightStorage storage = WeightStorage::F32);

std::vector<std::uint32_t> random_tokens(std::size_t n, std::size_t vocab_size, std::uint64_t seed);

// A sequence that grows by what is fed to it. Its table is given, or 0, 1, 2, ... as far as needed.
class Sequence {
public:
    explicit Sequence(Backend& backend, std::optional<std::vector<BlockId>> table = {});

    // Logits of all rows of `tokens`, row after row.
    std::vector<float> feed(const std::vector<std::uint32_t>& tokens, TapSink* taps = nullptr) {
        return forward(tokens, taps, false);
    }
    // The same of a pass that checks a draft: each token attends as if it had come alone.
    std::vector<float> check(const std::vector<std::uint32_t>& tokens, TapSink* taps = nullptr) {
        return forward(tokens, taps, true);
    }
    const Work& work() const { return work_; }
    std::uint32_t size() const { return size_; }

private:
    std::vector<float> forward(const std::vector<std::uint32_t>& tokens, TapSink* taps,
                               bool one_by_one);

    Backend& backend_;
    BlockTables tables_;
    std::uint32_t size_ = 0;
    Work work_;
};

// One row of logits that stand row after row.
std::vector<float> logits_row(const std::vector<float>& logits, std::size_t row, std::size_t width);

// The largest difference, and the largest absolute value of `expected`.
struct Distance {
    double difference = 0, scale = 0;
    double relative() const { return difference / scale; }
};
Distance distance(const std::vector<float>& actual, const std::vector<float>& expected);

}  // namespace kv::test
