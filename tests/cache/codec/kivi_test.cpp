// Keys per channel, values per token, the newest tokens in full.
#include "core/cache/codec/kivi.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/cache/codec/int_codes.hpp"
#include "core/cache/codec/kivi_group.hpp"
#include "core/cost/cache/vector_bytes.hpp"

using namespace kv;

namespace {

constexpr Codec kTwoBits{ElementCode::Int2, ScaleMode::Kivi},
    kFourBits{ElementCode::Int4, ScaleMode::Kivi};

struct Group {
    explicit Group(const Codec& codec, std::uint32_t dim)
        : bytes(kKiviGroup, std::vector<std::byte>(vector_of(codec, dim, Side::K).bytes)) {
        for (std::uint32_t t = 0; t < kKiviGroup; ++t) slots[t] = bytes[t].data();
    }
    ConstGroupSlots read() const {
        ConstGroupSlots all{};
        for (std::uint32_t t = 0; t < kKiviGroup; ++t) all[t] = bytes[t].data();
        return all;
    }
    // The words of 32 bits as they follow each other through the slots.
    std::uint32_t word(std::uint32_t n, std::uint32_t bytes_of_slot) const {
        std::uint32_t out = 0;
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t at = 4 * n + i;
            out |= std::to_integer<std::uint32_t>(bytes[at / bytes_of_slot][at % bytes_of_slot])
                   << 8 * i;
        }
        return out;
    }
    std::vector<std::vector<std::byte>> bytes;
    GroupSlots slots{};
};

}  // namespace

// R = 128: n, then keys coded and in full, then values.
TEST_CASE("tokens leave the residual of 128 when it is full", "[kivi]") {
    struct Row {
        std::uint32_t n, k, v;
    };
    for (const Row& row : {Row{0, 0, 0}, Row{127, 0, 0}, Row{128, 128, 0}, Row{129, 128, 1},
                           Row{255, 128, 127}, Row{256, 256, 128}, Row{300, 256, 172}}) {
        CAPTURE(row.n);
        CHECK(coded_tokens(Side::K, row.n, 0) == row.k);
        CHECK(coded_tokens(Side::V, row.n, 0) == row.v);
    }
    // What others had stored was coded when it came: 160 tokens of it.
    CHECK(coded_tokens(Side::K, 161, 160) == 160);
    CHECK(coded_tokens(Side::V, 161, 160) == 160);
    CHECK(coded_tokens(Side::K, 256, 160) == 256);
    CHECK(coded_tokens(Side::V, 300, 160) == 172);
    // Whole groups that both sides have coded.
    CHECK(final_tokens(128) == 0);
    CHECK(final_tokens(159) == 0);
    CHECK(final_tokens(160) == 32);
    CHECK(final_tokens(300) == 160);
}

// A channel whose values are 0, 1, 2, 3, 0, ... has scale 1 and zero 0; its codes fill two words.
TEST_CASE("keys are packed along tokens, 32 bits for each channel", "[kivi]") {
    constexpr std::uint32_t kDim = 16;
    std::vector<float> values(std::size_t{kKiviGroup} * kDim);
    for (std::uint32_t t = 0; t < kKiviGroup; ++t)
        for (std::uint32_t c = 0; c < kDim; ++c)
            values[t * kDim + c] = static_cast<float>(t % 4) * (c == 3 ? 0.5f : 1.0f);
    Group group(kTwoBits, kDim);
    encode_key_group(kTwoBits, values.data(), kDim, group.slots);
    for (std::uint32_t channel = 0; channel < kDim; ++channel)  // of the first 16 tokens
        CHECK(group.word(channel, kDim * 2 / 8) == 0xE4E4E4E4u);
    for (std::uint32_t t = 0; t < kKiviGroup; ++t) {
        std::vector<float> key(kDim);
        decode_key(kTwoBits, group.read(), t, kDim, key.data());
        const float* row = values.data() + std::size_t{t} * kDim;
        CHECK(key == std::vector<float>(row, row + kDim));
        CHECK(key_code(kTwoBits, group.read(), t, kDim, 5) == t % 4);
    }
    // The record of channel 3, scale 0.5 and zero 0, lies at byte 12 of the ends, 2 bytes a slot.
    CHECK(get_fp16(group.bytes[6].data() + 4) == fp16_from_float(0.5f));
    CHECK(get_fp16(group.bytes[7].data() + 4) == 0);
}

TEST_CASE("four-bit keys are packed eight tokens a word", "[kivi]") {
    constexpr std::uint32_t kDim = 8;
    std::vector<float> values(std::size_t{kKiviGroup} * kDim);
    for (std::uint32_t t = 0; t < kKiviGroup; ++t)
        for (std::uint32_t c = 0; c < kDim; ++c) values[t * kDim + c] = static_cast<float>(t % 16);
    Group group(kFourBits, kDim);
    encode_key_group(kFourBits, values.data(), kDim, group.slots);
    CHECK(group.word(0, kDim * 4 / 8) == 0x76543210u);
}

TEST_CASE("a channel that never changes has scale 0 and comes back", "[kivi]") {
    constexpr std::uint32_t kDim = 8;
    const std::vector<float> values(std::size_t{kKiviGroup} * kDim, 5);
    Group group(kTwoBits, kDim);
    encode_key_group(kTwoBits, values.data(), kDim, group.slots);
    std::vector<float> key(kDim);
    decode_key(kTwoBits, group.read(), 31, kDim, key.data());
    CHECK(key == std::vector<float>(kDim, 5));
}

// Channel 50 of token 77, number 13 of the group from 64 on: the example of kivi_group.hpp and of
// core/cache/codec/README.md.
TEST_CASE("a code and its record lie where the pages say", "[kivi]") {
    constexpr std::uint32_t kToken = 13, kChannel = 50;
    constexpr KeyGroupShape four{4, 64}, two{2, 64};
    static_assert(four.codes() == 32 && four.record_bytes() == 8);
    static_assert(four.code(kToken, kChannel).token == 78 - 64);
    static_assert(four.code(kToken, kChannel).byte == 10 && four.shift(kToken) == 4);
    static_assert(four.record(4 * kChannel).token == 89 - 64);
    static_assert(four.record(4 * kChannel).byte == 32);
    static_assert(four.record(4 * kChannel + 3).byte == 35);

    static_assert(two.codes() == 16 && two.record_bytes() == 8 && two.tokens_of_word() == 16);
    static_assert(two.code(kToken, kChannel).token == 76 - 64);
    static_assert(two.code(kToken, kChannel).byte == 11 && two.shift(kToken) == 2);
    static_assert(two.record(4 * kChannel).token == 89 - 64);
    static_assert(two.record(4 * kChannel).byte == 16);
    static_assert(two.record(4 * kChannel + 3).byte == 19);

    // And there it is found: the largest code of that channel, of that token alone.
    Group group(kTwoBits, 64);
    std::vector<float> values(std::size_t{kKiviGroup} * 64, 0.0f);
    values[kToken * 64 + kChannel] = 3;
    encode_key_group(kTwoBits, values.data(), 64, group.slots);
    CHECK(group.bytes[76 - 64][11] == std::byte{0b00001100});
    CHECK(key_code(kTwoBits, group.read(), kToken, 64, kChannel) == 3);
}

TEST_CASE("a NaN spoils its channel of the group wherever it stands, and no other", "[kivi]") {
    constexpr std::uint32_t kDim = 8;
    for (const std::uint32_t spoilt : {0u, 5u, 31u}) {
        std::vector<float> values(std::size_t{kKiviGroup} * kDim);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
        values[spoilt * kDim + 3] = std::nanf("");
        Group group(kFourBits, kDim);
        encode_key_group(kFourBits, values.data(), kDim, group.slots);
        for (const std::uint32_t t : {0u, 5u, 17u, 31u}) {
            std::vector<float> key(kDim);
            decode_key(kFourBits, group.read(), t, kDim, key.data());
            CAPTURE(spoilt, t);
            for (std::uint32_t c = 0; c < kDim; ++c) CHECK(std::isnan(key[c]) == (c == 3));
        }
    }
}

TEST_CASE("every channel of a key is off by half a step at most", "[kivi]") {
    constexpr std::uint32_t kDim = 64;
    const Random random(5, 0);
    for (const Codec& codec : {kTwoBits, kFourBits}) {
        std::vector<float> values(std::size_t{kKiviGroup} * kDim);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = fp16_to_float(fp16_from_float(static_cast<float>(random.unit(i) - 0.5) *
                                                      static_cast<float>(1 + i % kDim)));
        Group group(codec, kDim);
        encode_key_group(codec, values.data(), kDim, group.slots);
        for (std::uint32_t t = 0; t < kKiviGroup; ++t) {
            std::vector<float> key(kDim);
            decode_key(codec, group.read(), t, kDim, key.data());
            for (std::uint32_t c = 0; c < kDim; ++c) {
                // The range of channel c is below c + 1, and fp16 rounds its scale by 2^-11.
                const float step =
                    static_cast<float>(c + 1) / static_cast<float>((1u << codec.bits()) - 1);
                REQUIRE(std::abs(key[c] - values[t * kDim + c]) <= step / 2 * 1.02f);
            }
        }
    }
}

// The zero of a channel is fp16, and a channel far from 0 hardly changes: 100.03 to 100.05 is coded
// from 100 up, so its largest number is 0.03 off, as the group of a value would be.
TEST_CASE("a channel far from zero and narrow is off by what its zero was rounded", "[kivi]") {
    constexpr std::uint32_t kDim = 8;
    std::vector<float> values(std::size_t{kKiviGroup} * kDim);
    for (std::uint32_t t = 0; t < kKiviGroup; ++t)
        for (std::uint32_t c = 0; c < kDim; ++c)
            values[t * kDim + c] =
                100 + 0.01f * static_cast<float>(c) + 0.02f * static_cast<float>(t) / 31;
    for (const Codec& codec : {kTwoBits, kFourBits}) {
        Group group(codec, kDim);
        encode_key_group(codec, values.data(), kDim, group.slots);
        const auto steps = static_cast<float>((1u << codec.bits()) - 1);
        std::vector<float> key(kDim);
        for (std::uint32_t t = 0; t < kKiviGroup; ++t) {
            decode_key(codec, group.read(), t, kDim, key.data());
            for (std::uint32_t c = 0; c < kDim; ++c) {
                const float low = values[c], zero = fp16_to_float(fp16_from_float(low));
                const float most = std::max(0.02f / steps / 2, std::abs(zero - low)) + 2e-5f;
                CAPTURE(codec.bits(), t, c);
                REQUIRE(std::abs(key[c] - values[t * kDim + c]) <= most);
            }
        }
        CHECK(values[31 * kDim + 3] - key[3] == Catch::Approx(0.03).epsilon(0.01));
    }
}

TEST_CASE("bytes of a key and a value, and what a sequence takes", "[kivi][C138]") {
    // d = 128: codes of 2 bits and 4 bytes for each of 128 channels of 32 tokens, 3.0 bits.
    CHECK(vector_of(kTwoBits, 128, Side::K).bytes == 48);
    CHECK(vector_of(kTwoBits, 128, Side::V).bytes == 48);
    CHECK(vector_of(kTwoBits, 16, Side::K).bytes == 6);
    CHECK(vector_of(kTwoBits, 16, Side::V).bytes == 8);  // one group of 16 channels
    CHECK(vector_of(kFourBits, 64, Side::K).residual_bytes == 128);
    const auto bits = [](Side side, u64 n) {
        return 8.0 * static_cast<double>(head_bytes(kTwoBits, side, 128, n)) /
               static_cast<double>(128 * n);
    };
    CHECK(bits(Side::K, 32768) == 3.0);
    CHECK(std::abs(bits(Side::V, 32768) - 3.051) < 0.001);
    CHECK((bits(Side::K, 256) + bits(Side::V, 256)) / 2 == 6.25);
    CHECK(std::abs((bits(Side::K, 32768) + bits(Side::V, 32768)) / 2 - 3.025) < 0.001);
}

TEST_CASE("rows of a residual do not overlap", "[kivi]") {
    const KvLayout layout{2,
                          3,
                          16,
                          4,
                          KvOrder::TokenMajor,
                          vector_of(kTwoBits, 16, Side::K),
                          vector_of(kTwoBits, 8, Side::V)};
    std::vector<bool> seen(bytes_of_row_set(layout));
    for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (const Side side : {Side::K, Side::V})
            for (std::uint32_t head = 0; head < 3; ++head)
                for (std::uint32_t slot = 1000; slot < 1000 + kKiviResidualRows; ++slot) {
                    const auto at =
                        residual_offset(layout, LayerId(layer), side, HeadId(head), slot);
                    for (std::uint64_t i = 0; i < std::uint64_t{layout.vector(side).dim} * 2; ++i) {
                        REQUIRE(at + i < seen.size());
                        REQUIRE(!seen[at + i]);
                        seen[at + i] = true;
                    }
                }
}
