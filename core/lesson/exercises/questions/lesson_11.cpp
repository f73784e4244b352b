// Fewer bits: sizes from the codecs, codes from the functions that make them.

#include <cmath>

#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/int_codes.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

constexpr u64 kPlainBytes = 2;  // of an element in BF16 or FP16

double net_ratio(u64 elements, const VectorBytes& coded) {
    return static_cast<double>(kPlainBytes * elements) / static_cast<double>(coded.total());
}

struct ScaledVector {
    u64 dim;
    ElementCode code;
    std::uint32_t scale_bytes;
};

Exercise with_scale(const ScaledVector& given) {
    const Codec codec{given.code, ScaleMode::PerVector, 0, given.scale_bytes};
    const VectorBytes coded = vector_bytes(codec, Side::K, given.dim);
    const auto payload = static_cast<double>(coded.payload),
               scales = static_cast<double>(coded.scales);
    const std::string name = "INT" + say(codec.bits());
    return ExerciseWriter(
               "A key of head_dim " + say(given.dim) + " is stored in " + name +
               " with one scale of " + (given.scale_bytes == 2 ? "FP16" : "FP32") +
               ". How many bytes does it take, how much smaller is it than in FP16, and which "
               "overhead is the scale on the codes?")
        .bytes("the bytes of the vector", coded.total())
        .slip("the scale left out", payload)
        .times("the ratio", net_ratio(given.dim, coded))
        .slip("the scale left out", 16 / codec.bits())
        .percent("the overhead", 100 * scales / payload)
        .slip("over the sum, not over the codes", 100 * scales / (payload + scales))
        .hint("Codes first, then the scale behind them.")
        .done();
}

std::optional<ScaledVector> draw_scaled(Dice& dice) {
    return ScaledVector{.dim = dice.pick<u64>({16, 20, 24, 32, 40, 48, 64, 80}),
                        .code = dice.coin() ? ElementCode::Int8 : ElementCode::Int4,
                        .scale_bytes = dice.coin() ? 2u : 4u};
}

struct Grouped {
    u64 dim;
    ElementCode code;
    std::uint32_t group;
};

Exercise grouped(const Grouped& given) {
    const Codec codec{given.code, ScaleMode::Groups, given.group, 2};
    const VectorBytes coded = vector_bytes(codec, Side::K, given.dim);
    const auto payload = static_cast<double>(coded.payload),
               scales = static_cast<double>(coded.scales);
    const std::string name = "INT" + say(codec.bits());
    const double plain = static_cast<double>(kPlainBytes * given.dim);
    return ExerciseWriter(
               "A key of head_dim " + say(given.dim) + " is stored in " + name +
               " with a scale and a zero, both FP16, for every " + say(given.group) +
               " channels. How many bytes does it take, and how much smaller is it than in FP16?")
        .bytes("the bytes of the vector", coded.total())
        .slip("scales and zeros left out", payload)
        .slip("the zeros left out", payload + scales / 2)
        .slip_if_wrong("one scale and zero for the vector: group size for group count", payload + 4)
        .times("the ratio", net_ratio(given.dim, coded))
        .slip("nominal: scales and zeros left out", plain / payload)
        .slip("the zeros left out", plain / (payload + scales / 2))
        .hint("head_dim / group pairs of scale and zero, 4 bytes each.")
        .done();
}

std::optional<Grouped> draw_grouped(Dice& dice) {
    const Grouped given{
        .dim = dice.pick<u64>({64, 96, 128, 192, 256}),
        .code = dice.pick<ElementCode>({ElementCode::Int8, ElementCode::Int4, ElementCode::Int2}),
        .group = dice.pick<std::uint32_t>({16, 32, 48, 64})};
    return given.dim % given.group == 0 ? std::optional(given) : std::nullopt;
}

struct Outlier {
    u64 unit_thousandths;  // the largest value is 127 of these units
    u64 code, factor;

    double largest() const { return thousandths(127); }
    double value() const { return thousandths(code); }
    double outlier() const { return thousandths(127 * factor); }
    // One division, so that the number is the nearest to what the text says.
    double thousandths(u64 units) const {
        return static_cast<double>(units * unit_thousandths) / 1000;
    }
};

std::int32_t int8_code(double value, double largest) {
    const float scale = fp16_to_float(symmetric_scale(static_cast<float>(largest), 8));
    return symmetric_code(static_cast<float>(value), scale, 8);
}

Exercise outlier(const Outlier& given) {
    return ExerciseWriter(
               "A vector is stored in INT8 with one scale, largest code 127. Its largest "
               "element is " +
               say(given.largest()) + ", another one is " + say(given.value()) +
               ". Which code does that one get? And which, when the vector also has an "
               "element of " +
               say(given.outlier()) + "?")
        .number("the code", int8_code(given.value(), given.largest()))
        .slip("127 times the element: the scale is forgotten", std::round(127 * given.value()))
        .number("the code beside the outlier", int8_code(given.value(), given.outlier()))
        .any_value()
        .slip("the old scale kept", int8_code(given.value(), given.largest()))
        .hint("scale = largest / 127, code = element / scale, rounded.")
        .done();
}

std::optional<Outlier> draw_outlier(Dice& dice) {
    const Outlier given{.unit_thousandths = dice.pick<u64>({5, 10, 20, 30, 50}),
                        .code = dice.whole(2, 60),
                        .factor = dice.pick<u64>({4, 5, 8, 10, 20, 40})};
    // A quotient near a half would hang on how the scale was rounded.
    const double exact = static_cast<double>(given.code) / static_cast<double>(given.factor);
    const bool near_half = std::abs(exact - std::floor(exact) - 0.5) < 0.05;
    return near_half ? std::nullopt : std::optional(given);
}

struct CodedPool {
    CachedModel model;
    ElementCode code;
    u64 pool_bytes;
};

Exercise coded_pool(const CodedPool& given) {
    const CachedModel& m = given.model;
    const Codec codec{given.code, ScaleMode::PerVector, 0, 2};
    const u64 plain = given.pool_bytes / m.token_bytes();
    const u64 coded = given.pool_bytes / bytes_per_token(m.cache(), {codec, codec});
    const u64 times = 16 / codec.bits();
    const u64 decimal = given.pool_bytes / (u64{1} << 30) * 1'000'000'000;
    const std::string name = "INT" + say(codec.bits());
    return ExerciseWriter("A model has " + say(m) + ". How many tokens does a cache of " +
                          bytes_binary(given.pool_bytes) + " hold in " + m.codec +
                          ", and how many "
                          "in " +
                          name +
                          " with one FP16 scale for each token, KV head and side? Round down.")
        .count("the tokens in 16 bits", "tokens", plain)
        .slip(kDecimal, decimal / m.token_bytes())
        .slip(kKeysOnly, given.pool_bytes / (m.token_bytes() / 2))
        .count("the tokens with codes", "tokens", coded)
        .slip("nominal: the scales left out", given.pool_bytes / (m.token_bytes() / times))
        .slip("the scales of K alone",
              given.pool_bytes / (m.token_bytes() / times + 2 * m.n_layers * m.n_kv_heads))
        .hint("A vector takes its codes and 2 bytes more.")
        .done();
}

std::optional<CodedPool> draw_coded_pool(Dice& dice) {
    return CodedPool{.model = draw_grouped_model(dice),
                     .code = dice.coin() ? ElementCode::Int8 : ElementCode::Int4,
                     .pool_bytes = dice.whole(4, 64) << 30};
}

}  // namespace

ExerciseKinds lesson_11_exercises() {
    return {
        exercise_kind<ScaledVector>("", {.dim = 64, .code = ElementCode::Int8, .scale_bytes = 2},
                                    draw_scaled, with_scale),
        exercise_kind<Grouped>("the group does not divide head_dim",
                               {.dim = 128, .code = ElementCode::Int4, .group = 32}, draw_grouped,
                               grouped),
        exercise_kind<Outlier>("a code would come from a quotient within 0.05 of a half",
                               {.unit_thousandths = 10, .code = 2, .factor = 10}, draw_outlier,
                               outlier),
        exercise_kind<CodedPool>("",
                                 {.model = {80, 64, 8, 128, "BF16"},
                                  .code = ElementCode::Int8,
                                  .pool_bytes = u64{40} << 30},
                                 draw_coded_pool, coded_pool)};
}

}  // namespace kv
