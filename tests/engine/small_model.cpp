#include "tests/engine/small_model.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "tests/places.hpp"

namespace kv::test {

std::string fixture_folder(const std::string& name) {
    return kv::test::source_dir() + "/tests/engine/fixtures/" + name;
}

std::vector<std::string> fixture_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(fixture_folder("")))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

SmallModel load_fixture(const std::string& name, WeightStorage storage) {
    const Checkpoint checkpoint = Checkpoint::open(fixture_folder(name));
    LoadOptions options;
    options.storage = storage;
    return {checkpoint.config(), std::get<Weights>(load_weights(checkpoint, options))};
}

std::vector<std::uint32_t> random_tokens(std::size_t n, std::size_t vocab_size,
                                         std::uint64_t seed) {
    const Random random(seed, 9);
    std::vector<std::uint32_t> tokens(n);
    for (std::size_t i = 0; i < n; ++i)
        tokens[i] = random.below(i, static_cast<std::uint32_t>(vocab_size));
    return tokens;
}

Sequence::Sequence(Backend& backend, std::optional<std::vector<BlockId>> table)
    : backend_(backend) {
    if (!table) {
        table.emplace();
        for (std::uint32_t b = 0; b < backend.layout().n_blocks; ++b) table->push_back(BlockId(b));
    }
    tables_.tables = {*table};
}

std::vector<float> Sequence::forward(const std::vector<std::uint32_t>& tokens, TapSink* taps,
                                     bool one_by_one) {
    std::vector<std::uint32_t> slots(tokens.size()), rows(tokens.size());
    std::iota(slots.begin(), slots.end(), size_);
    std::iota(rows.begin(), rows.end(), 0u);
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &tables_, rows, one_by_one});
    ForwardResult result = backend_.forward(batch, taps);
    size_ += static_cast<std::uint32_t>(tokens.size());
    work_ += result.work;
    return std::move(result.logits);
}

std::vector<float> logits_row(const std::vector<float>& logits, std::size_t row,
                              std::size_t width) {
    const auto begin = logits.begin() + static_cast<std::ptrdiff_t>(row * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

Distance distance(const std::vector<float>& actual, const std::vector<float>& expected) {
    KV_ASSERT(actual.size() == expected.size());
    Distance d;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
        d.difference = std::isnan(difference) ? HUGE_VAL : std::max(d.difference, difference);
        d.scale = std::max(d.scale, std::abs(static_cast<double>(expected[i])));
    }
    return d;
}

}  // namespace kv::test
