// Kernels that read fp8, int8 and int4 where they lie: every code of a byte, tails of every length,
// and scores and weighed values against sums in float64 of what decode_vector says the bytes mean.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>

#include "core/base/random.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/engine/cpu/kernels/of_path.hpp"
#include "tests/engine/cpu/model.hpp"

using namespace kv;
using namespace kv::cpu;
using namespace kv::test;

namespace {

const Codec kRead[] = {Codec::Fp8E4m3, Codec::Fp8E5m2, Codec::Int8, Codec::Int4};

std::size_t index_of(const Codec& codec) {
    return static_cast<std::size_t>(codec.code);
}

// What a byte means without a scale, from the tables of the formats and by hand for integers.
float meaning(const Codec& codec, const std::vector<std::byte>& bytes, std::size_t i) {
    float value = 0;
    switch (codec.code) {
        case ElementCode::Int8:
            return static_cast<float>(static_cast<std::int8_t>(bytes[i]));
        case ElementCode::Int4:
            return static_cast<float>(static_cast<int>(bytes[i / 2]) >> i % 2 * 4 & 15) - 8;
        default:
            decode_vector(codec, &bytes[i], 1, &value);
            return value;
    }
}

bool same(float a, float b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// Keys or values of one head as they lie in a pool, and what they mean.
struct Stored {
    std::vector<std::byte> bytes;
    std::vector<float> values;  // (n, dim)
    KeyTile tile{};

    Stored(const Codec& codec, std::size_t n, std::uint32_t dim, std::uint64_t stream)
        : values(n * dim) {
        const Random random(5, stream);
        const std::size_t size = vector_of(codec, dim).bytes;
        bytes.resize(n * size);
        tile.n = n;
        tile.dim = dim;
        tile.code = codec.code;
        for (std::size_t j = 0; j < n; ++j) {
            const double reach = j == 1 ? 0 : std::exp2(static_cast<double>(j % 7) - 3);
            float* row = &values[j * dim];
            for (std::uint32_t c = 0; c < dim; ++c)
                row[c] = static_cast<float>((2 * random.unit(j * dim + c) - 1) * reach);
            encode_vector(codec, row, dim, &bytes[j * size]);
            decode_vector(codec, &bytes[j * size], dim, row);
            tile.row[j] = &bytes[j * size];
        }
    }
};

void read_scales(const CpuKernels& kernels, const Codec& codec, Stored& of) {
    if (codec.scale == ScaleMode::PerVector)
        kernels.read_scales((codec.bits() * of.tile.dim + 7) / 8, of.tile);
}

std::vector<float> some_floats(std::size_t n, std::uint64_t stream) {
    const Random random(6, stream);
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>(2 * random.unit(i) - 1);
    return v;
}

// The largest distance from float64, of ours and of a plain loop in float over decoded numbers.
struct Errors {
    double ours = 0, naive = 0;
    void add(double truth, float our, float simple) {
        ours = std::max(ours, std::abs(our - truth));
        naive = std::max(naive, std::abs(simple - truth));
    }
};

struct Shape {
    std::uint32_t dim;
    std::size_t heads, keys;
};
const Shape kShapes[] = {{8, 1, 32}, {9, 3, 7},   {13, 9, 32}, {20, 2, 31},   {24, 1, 17},
                         {40, 5, 1}, {64, 1, 32}, {80, 4, 29}, {128, 16, 32}, {37, 8, 20}};

}  // namespace

TEST_CASE("every code is read as the codecs read it, with tails of every length",
          "[cpu][codec][C023]") {
    std::vector<std::byte> bytes(256);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    for (const CpuPath path : paths_here())
        for (const Codec& codec : kRead) {
            const CpuKernels& kernels = kernels_of_path(path);
            const std::size_t all = 256 * 8 / codec.bits();
            for (std::size_t n = 0; n <= all; n = n < 70 ? n + 1 : n * 2 - n % 2 + 1) {
                std::vector<float> out(n + 1, 77.0f);
                kernels.decode[index_of(codec)](bytes.data(), n, out.data());
                CAPTURE(name_of(path), codec_name(codec), n);
                CHECK(out[n] == 77.0f);
                bool good = true;
                for (std::size_t i = 0; i < n; ++i) good &= same(out[i], meaning(codec, bytes, i));
                CHECK(good);
            }
            std::vector<float> out(all);
            kernels.decode[index_of(codec)](bytes.data(), all, out.data());
            for (std::size_t i = 0; i < all; ++i) {
                CAPTURE(name_of(path), codec_name(codec), i, out[i]);
                CHECK(same(out[i], meaning(codec, bytes, i)));
            }
        }
}

TEST_CASE("scores of coded keys err at most twice as much as the naive version", "[cpu][codec]") {
    for (const CpuPath path : paths_here())
        for (const Codec& codec : kRead)
            for (const Shape& shape : kShapes) {
                const CpuKernels& kernels = kernels_of_path(path);
                Stored keys(codec, shape.keys, shape.dim, 1);
                read_scales(kernels, codec, keys);
                const auto q = some_floats(shape.heads * shape.dim, 2);
                const HeadGroup heads{q.data(), shape.heads, 0.3f};
                std::vector<float> scores(shape.heads * kTileKeys), transposed = scores,
                                                                    columns(shape.dim * kTileKeys);
                kernels.scores[index_of(codec)](heads, keys.tile, scores.data());
                kernels.transpose_keys[index_of(codec)](keys.tile, columns.data());
                kernels.scores_of_transposed(heads, columns.data(), keys.tile, transposed.data());
                Errors errors;
                bool equal = true;
                for (std::size_t h = 0; h < shape.heads; ++h)
                    for (std::size_t j = 0; j < shape.keys; ++j) {
                        double truth = 0;
                        float naive = 0;
                        for (std::uint32_t c = 0; c < shape.dim; ++c) {
                            const float k = keys.values[j * shape.dim + c];
                            truth += static_cast<double>(q[h * shape.dim + c]) * k;
                            naive += q[h * shape.dim + c] * k;
                        }
                        const float ours = scores[h * kTileKeys + j];
                        errors.add(truth * static_cast<double>(0.3f), ours, naive * 0.3f);
                        equal &= ours == transposed[h * kTileKeys + j];
                    }
                CAPTURE(name_of(path), codec_name(codec), shape.dim, shape.heads, shape.keys);
                CHECK(errors.ours <= 2 * errors.naive + 1e-7);
                CHECK(equal);
            }
}

TEST_CASE("weighed sums of coded values err at most twice as much as the naive version",
          "[cpu][codec]") {
    for (const CpuPath path : paths_here())
        for (const Codec& codec : kRead)
            for (const Shape& shape : kShapes) {
                const CpuKernels& kernels = kernels_of_path(path);
                Stored values(codec, shape.keys, shape.dim, 3);
                read_scales(kernels, codec, values);
                const auto weights = some_floats(shape.heads * kTileKeys, 4);
                const auto before = some_floats(shape.heads * shape.dim, 5);
                auto out = before;
                const std::vector<float> keep(shape.heads, 0.5f);
                kernels.weigh_values[index_of(codec)](
                    {weights.data(), keep.data(), shape.heads, values.tile, out.data()});
                Errors errors;
                for (std::size_t h = 0; h < shape.heads; ++h)
                    for (std::uint32_t c = 0; c < shape.dim; ++c) {
                        const std::size_t at = h * shape.dim + c;
                        float naive = before[at] * 0.5f;
                        double truth = naive;
                        for (std::size_t j = 0; j < shape.keys; ++j) {
                            const float w = weights[h * kTileKeys + j],
                                        v = values.values[j * shape.dim + c];
                            truth += static_cast<double>(w) * v;
                            naive += w * v;
                        }
                        errors.add(truth, out[at], naive);
                    }
                CAPTURE(name_of(path), codec_name(codec), shape.dim, shape.heads, shape.keys);
                CHECK(errors.ours <= 2 * errors.naive + 1e-7);
            }
}

TEST_CASE("scales are the fp16 numbers behind the codes", "[cpu][codec]") {
    for (const CpuPath path : paths_here())
        for (const std::size_t n : {1, 3, 16, 31, 32}) {
            Stored rows(Codec::Int8, n, 11, 6);
            const std::uint16_t marks[] = {0x3C00, 0x0001, 0x7BFF, 0x7E00};  // 1, least, most, NaN
            for (std::size_t j = 0; j < n; ++j)
                std::memcpy(&rows.bytes[j * 13 + 11], &marks[j % 4], 2);
            read_scales(kernels_of_path(path), Codec::Int8, rows);
            const float means[] = {1, std::exp2(-24.0f), 65504, NAN};
            CAPTURE(name_of(path), n);
            CHECK(rows.tile.scaled);
            for (std::size_t j = 0; j < n; ++j) CHECK(same(rows.tile.scale[j], means[j % 4]));
        }
}
