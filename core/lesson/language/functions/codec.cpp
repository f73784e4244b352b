// Number formats and codecs for lessons: what storing does to a number, once and again and again.

#include <array>
#include <cmath>
#include <numbers>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/lesson/language/functions.hpp"

namespace kv {
namespace {

double square(double x) {
    return x * x;
}

using Args = LessonArguments;

LessonValue bf16_number(Args& a) {
    const u64 code = a.whole("code");
    if (code > 0xFFFF) a.refuse("wants a code of 16 bits");
    return count_value(bf16_to_float(static_cast<std::uint16_t>(code)));
}

// What a vector is once it was stored and read back.
LessonValue stored_vector(Args& a) {
    const std::string name = a.text("codec");
    const std::vector<double> values = a.numbers("values");
    const auto dim = static_cast<std::uint32_t>(values.size());
    const Codec codec = a.codec_for(name, dim);
    std::vector<std::byte> bytes(vector_of(codec, dim).bytes);
    encode_vector(codec, values.data(), dim, bytes.data());
    std::vector<double> back(dim);
    decode_vector(codec, bytes.data(), dim, back.data());
    LessonList list;
    for (const double value : back) list.push_back(count_value(value));
    return list;
}

double gaussian(const Random& random, u64 n) {
    const double u = 1 - random.unit(2 * n), angle = 2 * std::numbers::pi * random.unit(2 * n + 1);
    return std::sqrt(-2 * math::log(u)) * math::cos(angle);
}

// Relative RMS error over Gaussian vectors of 128 channels, one of them multiplied by `outlier`;
// the error is that of the other channels then.
LessonValue codec_error(Args& a) {
    const std::string name = a.text("codec");
    const double outlier = a.optional_number("outlier").value_or(0);
    constexpr std::uint32_t kDim = 128;
    constexpr u64 kVectors = 400;
    const Codec codec = a.codec_for(name, kDim);
    std::vector<std::byte> bytes(vector_of(codec, kDim).bytes);
    const Random random(11, 0);
    double sum = 0;
    for (u64 v = 0; v < kVectors; ++v) {
        std::vector<float> values(kDim), back(kDim);
        for (std::uint32_t i = 0; i < kDim; ++i)
            values[i] = static_cast<float>(gaussian(random, v * kDim + i));
        if (outlier > 0) values[0] *= static_cast<float>(outlier);
        encode_vector(codec, values.data(), kDim, bytes.data());
        decode_vector(codec, bytes.data(), kDim, back.data());
        double off = 0, all = 0;
        for (std::uint32_t i = outlier > 0 ? 1 : 0; i < kDim; ++i) {
            off += square(double{back[i]} - values[i]);
            all += square(values[i]);
        }
        sum += std::sqrt(off / all);
    }
    return count_value(sum / kVectors);
}

// A codec as a vector goes into it and comes out again.
class Store {
public:
    Store(const Codec& codec, std::uint32_t dim)
        : codec_(codec), bytes_(vector_of(codec, dim).bytes) {}

    void through(std::vector<float>& values) {
        const auto dim = static_cast<std::uint32_t>(values.size());
        encode_vector(codec_, values.data(), dim, bytes_.data());
        decode_vector(codec_, bytes_.data(), dim, values.data());
    }

private:
    Codec codec_;
    std::vector<std::byte> bytes_;
};

double relative_rms(const std::vector<float>& values, const std::vector<double>& truth) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
        off += square(double{values[i]} - truth[i]), all += square(truth[i]);
    return std::sqrt(off / all);
}

// Relative RMS error of a stored key that moved so many positions towards the front, over Gaussian
// keys of 64 channels: turned in place by one position each time, and stored before its rotation
// and turned once when it is read.
struct Drift {
    double in_place = 0, when_read = 0;
};

// After each move from `first` to `last`.
std::vector<Drift> drifts_after(Args& a, u64 first, u64 last) {
    ModelConfig config;
    config.head_dim = 64;
    const auto dim = static_cast<std::uint32_t>(config.head_dim);
    const std::vector<double> frequencies = rope_frequencies(config);
    const FixedRotation<float> one_back(frequencies, -1);
    Store store(a.codec_for(a.text("codec"), dim), dim);
    constexpr u64 kVectors = 16;
    const Random random(13, 0);
    std::vector<Drift> drifts(last - first + 1);
    for (u64 k = 0; k < kVectors; ++k) {
        std::vector<float> turned(dim);
        for (std::uint32_t i = 0; i < dim; ++i)
            turned[i] = static_cast<float>(gaussian(random, k * dim + i));
        const std::vector<double> exact(turned.begin(), turned.end());
        std::vector<float> stored = turned;
        store.through(stored);
        store.through(turned);
        for (u64 move = 1; move <= last; ++move) {
            one_back.rotate(turned.data());
            store.through(turned);
            if (move < first) continue;
            std::vector<double> truth = exact;
            std::vector<float> read = stored;
            const auto by = -static_cast<std::int64_t>(move);
            rotate_head(truth.data(), frequencies, by);
            rotate_head(read.data(), frequencies, by);
            drifts[move - first].in_place += relative_rms(turned, truth) / kVectors;
            drifts[move - first].when_read += relative_rms(read, truth) / kVectors;
        }
    }
    return drifts;
}

LessonValue rope_drift(Args& a) {
    const u64 moves = a.whole("moves", 1);
    if (moves > 10'000) a.refuse("wants at most 10,000 moves");
    const Drift drift = drifts_after(a, moves, moves).front();
    return LessonRecord{{"in_place", count_value(drift.in_place)},
                        {"when_read", count_value(drift.when_read)}};
}

// The same after each move, from the first to the last.
LessonValue rope_drifts(Args& a) {
    const u64 moves = a.whole("moves", 1);
    if (moves > 128) a.refuse("wants at most 128 moves");
    LessonList in_place, when_read;
    for (const Drift& drift : drifts_after(a, 1, moves)) {
        in_place.push_back(count_value(drift.in_place));
        when_read.push_back(count_value(drift.when_read));
    }
    return LessonRecord{{"in_place", std::move(in_place)}, {"when_read", std::move(when_read)}};
}

constexpr auto kCodecRows = std::to_array<LessonFunction>({
    {"bf16", "code", "the number that these 16 bits mean", bf16_number},
    {"stored", "codec, values", "the values after storing and reading back", stored_vector},
    {"codec_error", "codec, outlier=", "relative RMS error over Gaussian vectors of 128 channels",
     codec_error},
    {"rope_drift", "moves, codec",
     "relative RMS error of keys that are turned in place at each move, and when they are read",
     rope_drift},
    {"rope_drifts", "moves, codec", "the same as two lists, after each move", rope_drifts},
});

}  // namespace

std::span<const LessonFunction> codec_functions() {
    return kCodecRows;
}

}  // namespace kv
